"""The dictionary on a player's phone, in games whose rules let players look words up."""

from __future__ import annotations

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee.phone.views import seated, without_seat
from referee.security.throttle import Rate, Throttle
from tournaments.position import profile_of
from tournaments.selectors.events import current_game
from tournaments.selectors.words import WordAnswer, look_up_for_player

_asked = Throttle(Rate(per_second=1, burst=20))


@require_safe
def dictionary(request: HttpRequest) -> HttpResponse:
    """Whether the word that is asked for is valid."""
    player = seated(request)
    if player is None:
        return without_seat(request)
    game, question, status = current_game(player.event), request.GET.get("q", ""), 200
    is_open = profile_of(game).open_dictionary
    answer = None
    if is_open and question:
        wait = _asked.take(str(player.pk))
        status = 429 if wait > 0.0 else 200
        answer = _too_often(question, wait) if wait > 0.0 else look_up_for_player(game, question, player.room)
    context = {"event": player.event, "is_open": is_open, "answer": answer}
    response = render(request, "phone/dictionary.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _too_often(question: str, wait: float) -> WordAnswer:
    return WordAnswer(question[:60], _("Too many questions: wait %(n)d s.") % {"n": math.ceil(wait)})
