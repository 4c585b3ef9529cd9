"""Steps that a rehearsal may execute over HTTP, only with its secret address and only in its own event."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from django.core import signing
from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from engine.bounded_input import read_json
from referee.rehearsal import load, rooms_control
from referee.security.player_tokens import cookie_of, new_token
from referee.views.desk import get_desk_view
from tournaments.documents.services import documents
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game
from tournaments.events.queries.rehearsals import get_stored_turn
from tournaments.events.services import rehearsals
from tournaments.models import Event
from tournaments.now import utc_now
from tournaments.play.queries.live import document_line
from tournaments.play.simulation import plausible_slips
from tournaments.validators import MOST_PLAYERS

LONGEST_TURN_S = 600
_SALT = "multiplo.rehearsal"


def address_of(event: Event) -> str:
    """Return the path that controls a rehearsal."""
    return reverse("rehearsal:conduct", args=[signing.dumps(event.pk, salt=_SALT)])


@require_GET
def rehearsal_status(request: HttpRequest, token: str) -> JsonResponse:
    """Return the server's status: `{"rehearsal": code, "most": phones, "now": s since 1970, "rss_mb", "cpu_s"}`."""
    event = _event(token)
    return JsonResponse({"rehearsal": event.code, "most": MOST_PLAYERS, "now": time.time(), **load.of_this_process()})


@csrf_exempt  # the address itself is the secret, and no cookie speaks for anybody here
@require_POST
def act(request: HttpRequest, token: str, step: str) -> JsonResponse:
    """Execute one step of a rehearsal; `{"refused": sentence}` if that is not possible."""
    if step not in _STEPS:
        raise Http404
    event = _event(token)
    try:
        return JsonResponse(_STEPS[step](event, _body(request)))
    except Refused as refused:
        return JsonResponse({"refused": refused.sentence}, status=409)


def _seats(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    phones = _number(wanted, "phones", MOST_PLAYERS)
    tokens = rehearsals.seat_phones(event=event, phones=phones, token=new_token, now=utc_now())
    return {"cookies": [cookie_of(token) for token in tokens]}


def _expect(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    phones = _number(wanted, "phones", MOST_PLAYERS)
    return {
        "tables": [each.table for each in rehearsals.create_phone_players(event=event, phones=phones, now=utc_now())]
    }


def _begin(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    seconds = _number(wanted, "seconds", LONGEST_TURN_S)
    turn = rehearsals.begin_turn(event=event, seconds=seconds, now=utc_now())
    return {"turn": turn.number, "written": plausible_slips(turn, Random(turn.number))}  # noqa: S311  a mere sample


def _end(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    rehearsals.end_turn(event=event, now=utc_now())
    return {}


def _place(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    rehearsals.place_master_move(event=event, now=utc_now())
    return {}


def _list_stored_slips(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    found = get_stored_turn(event, _number(wanted, "turn", 10_000))
    return {
        "ids": found.ids,
        "players": found.players,
        "verdicts": found.verdicts,
        "closed_late_ms": found.closed_late_ms,
    }


def _nudge(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    rehearsals.lengthen_turn(event=event, now=utc_now())
    return {}


def _desk(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the data of the judge's desk, read as the desk reads them."""
    view = get_desk_view(current_game(event), None, utc_now())
    return {"phase": str(view.hall.phase), "judged": sum(len(group.tables) for group in view.groups)}


def _print(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    document = documents.request_document(game=current_game(event), kind="standings", language="en", now=utc_now())
    return {"document": document.pk}


def _printed(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    line = document_line(_number(wanted, "document", 10**9))
    return {"state": line.state if line is not None and line.event_id == event.pk else "gone"}


_STEPS = {
    "seats": _seats,
    "expect": _expect,
    "begin": _begin,
    "nudge": _nudge,
    "end": _end,
    "place": _place,
    "kept": _list_stored_slips,
    "desk": _desk,
    "print": _print,
    "printed": _printed,
    **rooms_control.STEPS,
}


def _event(token: str) -> Event:
    try:
        key = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise Http404 from None
    event = Event.objects.filter(pk=key, is_rehearsal=True).first()
    if event is None:
        raise Http404
    return event


def _body(request: HttpRequest) -> dict[str, Any]:
    try:
        wanted = read_json(request.body or b"{}")
    except ValueError:
        wanted = None
    if not isinstance(wanted, dict):
        raise Refused(_("The message cannot be read: it is not an object."))
    return wanted


def _number(wanted: dict[str, Any], name: str, most: int) -> int:
    value = wanted.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise Refused(_("“%(name)s” is a whole number from 1 to %(most)d.") % {"name": name, "most": most})
    return value
