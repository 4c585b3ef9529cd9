"""Appeals from a phone: appealable verdicts and submission. docs/protocol.md describes the messages.

The seat token identifies the player, so nobody can appeal for another table.
"""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from engine.bounded_input import read_json
from referee.live.slips.slip_form import LARGEST_FRAME
from referee.live.sockets import messages
from referee.live.sockets.unseated_requests import no_seat_message
from referee.security.origin import is_own_request
from referee.security.player_tokens import read_seat
from referee.security.token_bucket import Rate, Throttle
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game
from tournaments.judging.queries.appeals import AppealableVerdict, list_appealable_verdicts
from tournaments.judging.services import appeals
from tournaments.models import Game, Player, Turn
from tournaments.now import utc_now
from tournaments.players.queries.players import player_by_token

_read_limit = Throttle(Rate(per_second=1, burst=20))
_appeal_limit = Throttle(Rate(per_second=0.2, burst=5))


@require_GET
def own_verdicts(request: HttpRequest) -> HttpResponse:
    """Return the player's verdicts of the game, the newest first, with their deadlines for appeals."""
    player = _seated(request)
    if player is None:
        return _no_seat()
    if (wait := _read_limit.take(str(player.pk))) > 0.0:
        return _too_many(wait)
    game = current_game(player.event)
    turns = [_turn(one) for one in list_appealable_verdicts(player, game)]
    return _answer(messages.encode_message({"t": "turns", "game": game.number, "turns": turns}))


@csrf_exempt  # the Origin is checked instead: an appeal sent again after a reload has no current token
@require_POST
def submit_appeal(request: HttpRequest) -> HttpResponse:
    """Submit an appeal; a repeated id is the same appeal and gets the same answer."""
    if not is_own_request(request):
        sentence = _("This appeal was sent from another page; send it from the page of the game.")
        return _refused(None, "foreign", sentence, 403)
    if int(request.headers.get("Content-Length") or 0) > LARGEST_FRAME:
        return _refused(None, "malformed", _("The message is too long."), 413)
    player = _seated(request)
    if player is None:
        return _no_seat()
    if (wait := _appeal_limit.take(str(player.pk))) > 0.0:
        return _too_many(wait)
    try:
        form = _read(request.body)
    except ValueError:
        return _refused(None, "malformed", _("This is not an appeal: load the page again."), 400)
    return _take(player, *form)


def reset_limits() -> None:
    """Reset the rate limits."""
    _read_limit.forget()
    _appeal_limit.forget()


def _take(player: Player, client_id: UUID, game: int | None, turn: int, sentence: str) -> HttpResponse:
    games = Game.objects.filter(event=player.event).order_by("-number").select_related("event")
    wanted = (games if game is None else games.filter(number=game)).first()
    row = Turn.objects.filter(game=wanted, number=turn).first()
    if wanted is None or row is None:
        return _refused(client_id, "no_appeal", _("There is no such turn."))
    row.game = wanted
    try:
        made = appeals.submit_appeal(player=player, turn=row, client_id=client_id, sentence=sentence, now=utc_now())
    except Refused as refused:
        return _refused(client_id, "no_appeal", refused.sentence)
    return _answer(messages.encode_message({"t": "appealed", "id": str(client_id), "turn": made.turn.number}))


def _read(body: bytes) -> tuple[UUID, int | None, int, str]:
    """Read (id, game or None, turn, sentence). Raises ValueError."""
    found = read_json(body.decode("utf-8", "replace"), half_signs=True)
    if not isinstance(found, dict):
        raise ValueError("no object")
    game, sentence = found.get("game"), found.get("sentence") or ""
    if not isinstance(sentence, str):
        raise ValueError("no text")
    return (
        UUID(str(found.get("id"))),
        None if game is None else _parse_number(game),
        _parse_number(found.get("turn")),
        sentence,
    )


def _parse_number(found: object) -> int:
    """Read the number of a game or a turn. Raises ValueError."""
    if type(found) is not int or not 0 < found < 10_000:
        raise ValueError("no number")
    return found


def _turn(one: AppealableVerdict) -> dict[str, Any]:
    return {
        "turn": one.turn,
        "word": one.word,
        "ref": one.ref,
        "points": one.points,
        "text": one.sentence,
        "appealed": one.appealed,
        "appeal": None if one.limit.never else messages.appeal_fields(one.limit),
    }


def _seated(request: HttpRequest) -> Player | None:
    token = read_seat(request.COOKIES)
    return player_by_token(token) if token else None


def _no_seat() -> HttpResponse:
    return _answer(no_seat_message(), 401)


def _too_many(wait: float) -> HttpResponse:
    sentence = _("Too many messages come from this phone; some were not read.")
    return _answer(messages.refused_message(None, "too_fast", sentence, retry_ms=math.ceil(wait * 1000)), 429)


def _refused(client_id: UUID | None, why: str, sentence: str, status: int = 200) -> HttpResponse:
    return _answer(messages.refused_message(client_id, why, sentence), status)


def _answer(text: str, status: int = 200) -> HttpResponse:
    response = HttpResponse(text, status=status, content_type="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
