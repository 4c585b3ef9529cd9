"""An event in any phase with all objects that addresses name: rooms, roles, document, prepared game, links."""

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

from referee.live.slips.slip_queue import store_batch
from referee.phone import appeals as appeal_pages
from referee.security import failure_throttle, login_throttle
from tests.engine.archive.played_game import play_game_archive
from tests.engine.interchange.eliot_games import eliot_game
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.security.threats.handing import incoming
from tournaments.documents.services import documents
from tournaments.enums import Role
from tournaments.events.services import rooms
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.play.services import clocks, game_end
from tournaments.prepared.services import prepared_games, solo_practice
from tournaments.results.services import public_page

PHASES = ("lobby", "drawn", "running", "paused", "closed", "placed", "finished")


@dataclass
class FuzzedEvent:
    """Event, a browser for each role, and known values for the converters of addresses."""

    live_game: LiveGame
    clients: dict[str, Client] = field(default_factory=dict)
    known: dict[str, list[str]] = field(default_factory=dict)


def make_event(phase: str) -> FuzzedEvent:
    """Create an event with three rooms and all links, whose first game is in this phase."""
    live_game = make_live_game()
    by = live_game.judge
    rooms.add_room(event=live_game.event, name="Sala B", offset_s=30, by=by, now=utc_now())
    rooms.add_room(event=live_game.event, name="Sala C", offset_s=None, by=by, now=utc_now())
    page = public_page.set_page(
        event=live_game.event, is_on=True, delay=0, own_sheets=True, may_be_found=True, by=by, now=utc_now()
    )
    prepared = prepared_games.import_game(text=_script(), title="Cup", lexicon="few", by=by, now=utc_now())
    link = solo_practice.make_link(prepared=prepared, by=by, now=utc_now())
    _advance(live_game, PHASES.index(phase))
    sheet = documents.request_document(game=live_game.game, kind="standings", language="en", now=utc_now())
    event = FuzzedEvent(live_game)
    event.known = {
        "code": [live_game.event.code, f"{live_game.event.code}-2", f"{live_game.event.code}-3"],
        "token": [live_game.event.wall_token, page.token, link.token],
        "pk": [str(prepared.pk), str(sheet.pk)],
        "table": ["1", "4"],
        "game": ["1"],
        "turn": ["1", "2"],
        "number": ["1"],
        "key": ["none"],
    }
    event.clients = {"nobody": Client(), "player": Client(), "director": _logged_in(by)}
    name, _, value = live_game.cookie(1).partition("=")
    event.clients["player"].cookies[name] = value
    for role in (Role.JUDGE, Role.TYPIST, Role.WALL):
        user = User.objects.create(username=f"{role} {live_game.event.code}")
        Membership.objects.create(event=live_game.event, user=user, role=role)
        event.clients[str(role)] = _logged_in(user)
    return event


def forget_limits() -> None:
    """Reset all rate limits, so that each step is answered like a first one."""
    failure_throttle.reset_failures()
    login_throttle.reset_attempts()
    appeal_pages.reset_limits()


def uploads() -> dict[str, bytes]:
    """Return a valid file of every type that a form accepts, by file name."""
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
    """Return the archive of a played game."""
    return json.dumps(play_game_archive(turns=3), ensure_ascii=False)


def _advance(live_game: LiveGame, steps: int) -> None:
    """Play through the phases in order, with correct, wrong and appealed slips."""
    acts: list[Callable[[], object]] = [
        lambda: live_game.draw("CORNOAT"),
        live_game.announce,
        lambda: clocks.pause_clock(turn=live_game.turn, room=live_game.room, now=utc_now(), by=live_game.judge),
        lambda: _close(live_game),
        live_game.place,
        lambda: game_end.end_game(game=live_game.game, why="judge", by=live_game.judge, now=utc_now()),
    ]
    for number, act in enumerate(acts[:steps], 1):
        act()
        if number == 2:
            store_batch([incoming(live_game, word, table) for table, word in enumerate(("CORNO", "TRONCO", "XYZ"), 1)])
    live_game.game.refresh_from_db()


def _close(live_game: LiveGame) -> None:
    clocks.resume_clock(turn=live_game.turn, room=live_game.room, now=utc_now(), by=live_game.judge)
    live_game.close()


def _logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@cache
def _script() -> str:
    archive: dict[str, Any] = play_game_archive(turns=3)  # type: ignore[assignment]
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
