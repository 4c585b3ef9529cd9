"""The dictionary on a player's phone, in games whose rules let players look words up."""

from __future__ import annotations

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee.phone.views import get_seated_player, redirect_to_join
from referee.security.token_bucket import Rate, Throttle
from tournaments.events.queries.events import current_game
from tournaments.play.position import profile_of
from tournaments.search_box.words import WordAnswer, look_up_for_player

_question_limit = Throttle(Rate(per_second=1, burst=20))


@require_safe
def dictionary(request: HttpRequest) -> HttpResponse:
    """Show if a word is valid."""
    player = get_seated_player(request)
    if player is None:
        return redirect_to_join(request)
    game, question, status = current_game(player.event), request.GET.get("q", ""), 200
    is_open = profile_of(game).open_dictionary
    answer = None
    if is_open and question:
        wait = _question_limit.take(str(player.pk))
        status = 429 if wait > 0.0 else 200
        answer = _refuse_too_many(question, wait) if wait > 0.0 else look_up_for_player(game, question, player.room)
    context = {"event": player.event, "is_open": is_open, "answer": answer}
    response = render(request, "phone/dictionary.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def _refuse_too_many(question: str, wait: float) -> WordAnswer:
    return WordAnswer(question[:60], _("Too many searches: wait %(n)d s.") % {"n": math.ceil(wait)})
