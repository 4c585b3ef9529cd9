"""An event in any phase with everything that addresses name: rooms, roles, a sheet, a prepared game, links."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from openpyxl import Workbook

from referee.live.intake import store
from referee.phone import appeals as appeal_pages
from referee.security import attempts, gate
from tests.engine.eliot_games import eliot_game
from tests.engine.played import play
from tests.referee.live.evening import Evening, make_evening
from tests.referee.security.handing import incoming
from tournaments.enums import Role
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.services import clocks, documents, ending, practising, preparing, public_page, rooms

PHASES = ("lobby", "drawn", "running", "paused", "closed", "placed", "finished")


@dataclass
class FuzzedEvent:
    """An event, a browser for each role, and known values for the converters of addresses."""

    evening: Evening
    clients: dict[str, Client] = field(default_factory=dict)
    known: dict[str, list[str]] = field(default_factory=dict)


def make_event(phase: str) -> FuzzedEvent:
    """A new event whose first game is in this phase, with two rooms besides and all links."""
    evening = make_evening()
    by = evening.judge
    rooms.add_room(event=evening.event, name="Sala B", offset_s=30, by=by, now=utc_now())
    rooms.add_room(event=evening.event, name="Sala C", offset_s=None, by=by, now=utc_now())
    page = public_page.set_page(
        event=evening.event, is_on=True, delay=0, own_sheets=True, may_be_found=True, by=by, now=utc_now()
    )
    prepared = preparing.bring(text=_script(), title="Cup", lexicon="few", by=by, now=utc_now())
    link = practising.make_link(prepared=prepared, by=by, now=utc_now())
    _advance(evening, PHASES.index(phase))
    sheet = documents.ask(game=evening.game, kind="standings", language="en", now=utc_now())
    event = FuzzedEvent(evening)
    event.known = {
        "code": [evening.event.code, f"{evening.event.code}-2", f"{evening.event.code}-3"],
        "token": [evening.event.wall_token, page.token, link.token],
        "pk": [str(prepared.pk), str(sheet.pk)],
        "table": ["1", "4"],
        "game": ["1"],
        "turn": ["1", "2"],
        "number": ["1"],
        "key": ["none"],
    }
    event.clients = {"nobody": Client(), "player": Client(), "director": _logged_in(by)}
    name, _, value = evening.cookie(1).partition("=")
    event.clients["player"].cookies[name] = value
    for role in (Role.JUDGE, Role.TYPIST, Role.WALL):
        user = User.objects.create(username=f"{role} {evening.event.code}")
        Membership.objects.create(event=evening.event, user=user, role=role)
        event.clients[str(role)] = _logged_in(user)
    return event


def forget_limits() -> None:
    """Let every sender begin anew, so that each step is answered as if it were the first."""
    gate.reopen()
    attempts.reopen()
    appeal_pages.forget_senders()


def uploads() -> dict[str, bytes]:
    """A valid file of every kind that a form takes, by the name it would have."""
    return {
        "players.csv": b"table;name;club;series\n1;Anna Ferri;Torino;A\n;Bruno;;\n",
        "players.xlsx": _workbook(),
        "game.json": archive_text().encode(),
        "script.json": _script().encode(),
        "game.xml": eliot_game("hiersac-2023-11-10").encode(),
        "photo.jpg": b"\xff\xd8\xff\xe0" + bytes(range(256)),
    }


@cache
def archive_text() -> str:
    """The archive of a played game."""
    return json.dumps(play(turns=3), ensure_ascii=False)


def _advance(evening: Evening, steps: int) -> None:
    """Through the phases in their order, with slips that are right, wrong and worth an appeal."""
    acts: list[Callable[[], object]] = [
        lambda: evening.draw("CORNOAT"),
        evening.announce,
        lambda: clocks.pause(turn=evening.turn, room=evening.room, now=utc_now(), by=evening.judge),
        lambda: _close(evening),
        evening.place,
        lambda: ending.end_game(game=evening.game, why="judge", by=evening.judge, now=utc_now()),
    ]
    for number, act in enumerate(acts[:steps], 1):
        act()
        if number == 2:
            store([incoming(evening, word, table) for table, word in enumerate(("CORNO", "TRONCO", "XYZ"), 1)])
    evening.game.refresh_from_db()


def _close(evening: Evening) -> None:
    clocks.resume(turn=evening.turn, room=evening.room, now=utc_now(), by=evening.judge)
    evening.close()


def _logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@cache
def _script() -> str:
    archive: dict[str, Any] = play(turns=3)  # type: ignore[assignment]
    return json.dumps(archive, ensure_ascii=False)


@cache
def _workbook() -> bytes:
    book, written = Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (("table", "name", "club"), (1, "Anna Ferri", "Torino"), (None, "Bruno", 2.5)):
        sheet.append(row)
    book.save(written)
    return written.getvalue()
