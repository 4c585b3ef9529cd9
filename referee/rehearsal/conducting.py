"""What a rehearsal may do from outside: only with the address that the desk shows, only in that rehearsal."""

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
from referee.rehearsal import load, rooms_door
from referee.security.seats import cookie_of, new_token
from tournaments.errors import Refused
from tournaments.models import Event
from tournaments.now import utc_now
from tournaments.selectors.desk import desk_view
from tournaments.selectors.events import current_game
from tournaments.selectors.live import document_line
from tournaments.selectors.rehearsing import kept
from tournaments.services import documents, rehearsing
from tournaments.simulation import plausible_slips
from tournaments.validators import MOST_PLAYERS

LONGEST_TURN_S = 600
_SALT = "multiplo.rehearsal"


def address_of(event: Event) -> str:
    """The path that opens a rehearsal to simulated phones."""
    return reverse("rehearsal:conduct", args=[signing.dumps(event.pk, salt=_SALT)])


@require_GET
def conduct(request: HttpRequest, token: str) -> JsonResponse:
    """How the server is: `{"rehearsal": code, "most": phones, "now": s since 1970, "rss_mb", "cpu_s"}`."""
    event = _event(token)
    return JsonResponse({"rehearsal": event.code, "most": MOST_PLAYERS, "now": time.time(), **load.of_this_process()})


@csrf_exempt  # the address itself is the secret, and no cookie speaks for anybody here
@require_POST
def act(request: HttpRequest, token: str, step: str) -> JsonResponse:
    """One step of a rehearsal; `{"refused": sentence}` when it cannot be done."""
    if step not in _STEPS:
        raise Http404
    event = _event(token)
    try:
        return JsonResponse(_STEPS[step](event, _body(request)))
    except Refused as refused:
        return JsonResponse({"refused": refused.sentence}, status=409)


def _seats(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    phones = _number(wanted, "phones", MOST_PLAYERS)
    tokens = rehearsing.seat_phones(event=event, phones=phones, token=new_token, now=utc_now())
    return {"cookies": [cookie_of(token) for token in tokens]}


def _expect(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    phones = _number(wanted, "phones", MOST_PLAYERS)
    return {"tables": [each.table for each in rehearsing.expect_phones(event=event, phones=phones, now=utc_now())]}


def _begin(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    seconds = _number(wanted, "seconds", LONGEST_TURN_S)
    turn = rehearsing.begin_turn(event=event, seconds=seconds, now=utc_now())
    return {"turn": turn.number, "written": plausible_slips(turn, Random(turn.number))}  # noqa: S311  a mere sample


def _end(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    rehearsing.end_turn(event=event, now=utc_now())
    return {}


def _place(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    rehearsing.place_turn(event=event, now=utc_now())
    return {}


def _kept(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    found = kept(event, _number(wanted, "turn", 10_000))
    return {
        "ids": found.ids,
        "players": found.players,
        "verdicts": found.verdicts,
        "closed_late_ms": found.closed_late_ms,
    }


def _nudge(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    rehearsing.lengthen_turn(event=event, now=utc_now())
    return {}


def _desk(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    """What the judge's desk is made from, read as the desk reads it."""
    view = desk_view(current_game(event), None, utc_now())
    return {"phase": str(view.hall.phase), "judged": sum(len(group.tables) for group in view.groups)}


def _print(event: Event, wanted: dict[str, Any]) -> dict[str, Any]:
    document = documents.ask(game=current_game(event), kind="standings", language="en", now=utc_now())
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
    "kept": _kept,
    "desk": _desk,
    "print": _print,
    "printed": _printed,
    **rooms_door.STEPS,
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
