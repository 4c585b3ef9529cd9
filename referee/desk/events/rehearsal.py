"""Pages of a rehearsal: the phones that have joined, their round-trip times, and advice."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Literal

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from referee.desk.access import desk_page, general_page, user_of
from referee.desk.desk import Desk
from referee.desk.registry import Access
from referee.live.sockets.connected_phones import ConnectedPhone, phones_of_event
from referee.phone.join_address import base_of, join_card
from referee.rehearsal.control import address_of
from referee.security.permissions import DIRECTOR
from tournaments.events.services.rehearsals import open_rehearsal
from tournaments.models import Player
from tournaments.now import utc_now

GOOD_MS, ACCEPTABLE_MS = 300, 1000
MOST_SHOWN = 100
COMMAND = f"{settings.COMMAND} rehearse --phones 1000 --url"


@dataclass(frozen=True, slots=True)
class PhoneLine:
    """A phone in the list; `kind` is "good", "slow", "bad", or "new" before its first measurement."""

    table: int
    name: str
    round_trip_ms: int | None
    kind: Literal["good", "slow", "bad", "new"]


@require_POST
@general_page("rehearsal-open", access=Access.ORGANISER)
def create_rehearsal(request: HttpRequest) -> HttpResponse:
    """Create a rehearsal and lead to its page."""
    language = get_language() or settings.LANGUAGE_CODE
    game = open_rehearsal(by=user_of(request), now=utc_now(), seed=secrets.token_bytes(32), language=language)
    return redirect("desk:rehearsal", game.event.code)


@desk_page("rehearsal", get=DIRECTOR, spoiler=False)
def rehearsal(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show how to join, the connected phones, and the command for simulated phones."""
    if not desk.event.is_rehearsal:
        raise Http404
    card = join_card(request, desk.event)
    base = base_of(request)
    context = {"event": desk.event, "page": "rehearsal", "command": f"{COMMAND} {base}{address_of(desk.event)}"}
    return render(request, "desk/events/rehearsal.html", context | card | _phones(desk))


@desk_page("rehearsal-phones", get=DIRECTOR, spoiler=False)
def phones(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Render the part of the page that changes."""
    if not desk.event.is_rehearsal:
        raise Http404
    return render(request, "desk/events/_rehearsal_phones.html", {"event": desk.event} | _phones(desk))


def _phones(desk: Desk) -> dict[str, object]:
    present = phones_of_event(desk.event.pk)
    players = Player.objects.filter(event=desk.event, pk__in={phone.player_id for phone in present}).in_bulk()
    lines = [_line(players[phone.player_id], phone) for phone in present if phone.player_id in players]
    lines.sort(key=lambda line: -(line.round_trip_ms or 0))
    colour, sentence = assess_phones(lines)
    return {"lines": lines[:MOST_SHOWN], "phones": len(lines), "colour": colour, "sentence": sentence}


def _line(player: Player, phone: ConnectedPhone) -> PhoneLine:
    if phone.round_trip_ms is None:
        return PhoneLine(player.table, player.name, None, "new")
    trip = round(phone.round_trip_ms)
    kind: Literal["good", "slow", "bad"] = "good" if trip <= GOOD_MS else "slow" if trip <= ACCEPTABLE_MS else "bad"
    return PhoneLine(player.table, player.name, trip, kind)


def assess_phones(lines: list[PhoneLine]) -> tuple[str, str]:
    """Return a colour and a sentence of advice."""
    bad, slow = (sum(line.kind == kind for line in lines) for kind in ("bad", "slow"))
    if not lines:
        return "", _("No phone has joined yet: let some players scan the code, also from the far corners of the room.")
    if all(line.kind == "new" for line in lines):
        return "", _("The phones are being measured.")
    if bad:
        sentence = ngettext(
            "%(phones)d phone waits longer than a second: move the access point nearer, or give the phones another "
            "network than the guests of the house have.",
            "%(phones)d phones wait longer than a second: move the access point nearer, or give the phones another "
            "network than the guests of the house have.",
            bad,
        )
        return "red", sentence % {"phones": bad}
    if slow:
        sentence = ngettext(
            "%(phones)d phone is slow: it works, but look where it sits; a wall or a full network is in between.",
            "%(phones)d phones are slow: it works, but look where they sit; a wall or a full network is in between.",
            slow,
        )
        return "yellow", sentence % {"phones": slow}
    return "green", _("All phones are quick. Let the rest of the hall come, and play a turn or two.")
