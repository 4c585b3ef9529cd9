"""An event in any phase with all objects that addresses name: rooms, roles, document, prepared game, links."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from openpyxl import Workbook

from engine.seasons.presets import PRESETS
from referee.handbook.pages import page_names
from referee.live.slips.slip_queue import store_batch
from referee.phone import appeals as appeal_pages
from referee.security import failure_throttle, login_throttle
from tests.engine.archive.played_game import play_game_archive
from tests.engine.interchange.eliot_games import eliot_game
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.security.threats.handing import incoming
from tests.tournaments.seasons.club_year import make_club_year
from tournaments.documents.services import documents
from tournaments.enums import Role
from tournaments.events.services import rooms
from tournaments.models import ApiToken, Club, ExportTemplate, Member, Membership, PlayerMember, Webhook
from tournaments.now import utc_now
from tournaments.play.services import clocks, game_end
from tournaments.prepared.services import prepared_games, solo_practice
from tournaments.publishing.services.api_tokens import create_token
from tournaments.results.services import public_page
from tournaments.seasons.services.seasons import SeasonFields, create_season

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
        "wall/token": [live_game.event.wall_token],
        "p/token": [page.token],
        "practice/token": [link.token],
        "pk": [str(prepared.pk), str(sheet.pk)],
        "table": ["1", "4"],
        "game": ["1"],
        "turn": ["1", "2"],
        "number": ["1"],
        "key": ["none"],
        "event": [str(live_game.event.pk)],
        "edition": ["it"],
        "kind": ["csv", "xlsx"],
        "file_format": ["csv", "xlsx", "pdf"],
        "name": sorted(page_names()),
    }
    _add_club(event, by)
    event.clients |= {"nobody": Client(), "player": Client(), "director": _logged_in(by)}
    name, _, value = live_game.cookie(1).partition("=")
    event.clients["player"].cookies[name] = value
    for role in (Role.JUDGE, Role.TYPIST, Role.WALL):
        user = User.objects.create(username=f"{role} {live_game.event.code}")
        Membership.objects.create(event=live_game.event, user=user, role=role)
        event.clients[str(role)] = _logged_in(user)
    return event


def _add_club(event: FuzzedEvent, by: User) -> None:
    """Add members, of whom one plays, with a season of imported evenings, and a program that reads by the API."""
    year, token = make_club_year(), f"a program that reads {event.live_game.event.code}"
    PlayerMember.objects.create(player=event.live_game.event.players.get(table=1), member=year.anna)
    merged = Member.objects.create(surname="Rosi", first_name="Anna", merged_into=year.anna)
    season = create_season(
        SeasonFields(f"Season {event.live_game.event.code}", date(2026, 1, 1), utc_now().date() + timedelta(days=1)),
        [(preset.code, preset.rule) for preset in PRESETS],
    )
    Club.objects.update_or_create(pk=1, defaults={"name": "Torino", "lists_events": True})
    ApiToken.objects.all().delete()
    create_token(name="reader", token=token, by=by, now=utc_now())
    Webhook.objects.all().delete()
    webhook = Webhook.objects.create(
        url="http://127.0.0.1:9/", secret="secret", created_at=utc_now(), on_since=utc_now(), is_on=False
    )
    template = ExportTemplate.objects.create(name=f"Template {event.live_game.event.code}")
    event.clients["program"] = Client(headers={"Authorization": f"Bearer {token}"})
    event.known["m/token"] = [year.anna.page_token]
    event.known["pk"] += [str(pk) for pk in (year.anna.pk, merged.pk, webhook.pk, template.pk)]
    event.known["member"] = [str(year.anna.pk), str(year.bruno.pk), str(merged.pk)]
    event.known["season"] = [str(season.pk)]
    event.known["ranking"] = [str(ranking.pk) for ranking in season.rankings.all()]
    event.known["summary"] = [str(evening.pk) for evening in year.evenings]
    event.known["m/turn"] = [str(turn) for turn in event.live_game.game.turns.values_list("pk", flat=True)]


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
