"""Facts of a data folder that an upgrade must not change: rows of each table, standings, checked archives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from tournaments.lexicons import word_lists
from tournaments.models import Event, Game, Member, PreparedGame, PublicPage, Room, Season
from tournaments.play.queries.phases import is_over
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge

BACKEND = "django.contrib.auth.backends.ModelBackend"
EVENT_PAGES = (
    *("console", "main", "players", "arrivals", "table-plan", "rooms", "rounds", "rules", "seat-codes", "staff"),
    *("log", "appeals", "standings", "analysis", "results-to-players", "public-page", "privacy", "calls"),
    *("documents", "letterhead", "archive", "event-files", "standings-csv", "verify"),
)


def read_facts() -> dict[str, Any]:
    """The rows of each table, and the standings of each finished game in each room."""
    models: list[type[Model]] = [*apps.get_app_config("tournaments").get_models(), User]
    return {
        "rows": {model._meta.db_table: model._default_manager.count() for model in models},
        "standings": {_name(game, room): archive["standings"] for game, room, archive in _archives()},
    }


def check_archives() -> list[str]:
    """The differences that `verify` finds in the archives of all finished games, by game and room."""
    found = []
    for game, room, archive in _archives():
        words = word_lists.graph_of(word_lists.word_list_of_game(game))
        checked = verify(read_archive(json.dumps(archive)), words)
        found += [f"{_name(game, room)}: {difference}" for difference in checked]
    return found


def list_bad_pages() -> list[str]:
    """The pages of the desk, of members and of the public that are not answered with 200, with their codes."""
    client = Client()
    client.force_login(first_judge(), backend=BACKEND)
    answers = {address: client.get(address, follow=True).status_code for address in _addresses()}
    return [f"{address}: {code}" for address, code in answers.items() if code != 200]


def _archives() -> Iterator[tuple[Game, Room, dict[str, Any]]]:
    for game in Game.objects.select_related("event").order_by("pk"):
        if is_over(game):
            for room in game.event.rooms.order_by("number"):
                yield game, room, cast(dict[str, Any], json.loads(json.dumps(export_game(game, room))))


def _name(game: Game, room: Room) -> str:
    return f"{game.event.name}, game {game.number}, room {room.number}"


def _addresses() -> Iterator[str]:
    for name in (
        "events",
        "new",
        "members",
        "members-review",
        "ratings",
        "club",
        "webhooks",
        "seasons",
        "club-records",
    ):
        yield reverse(f"desk:{name}")
    yield from (reverse(f"desk:{name}", args=[event.code]) for event in Event.objects.all() for name in EVENT_PAGES)
    yield from (f"/p/{page.token}/" for page in PublicPage.objects.filter(is_on=True))
    yield from (f"/wall/{token}/" for token in Event.objects.values_list("wall_token", flat=True))
    for member in Member.objects.filter(anonymised_at=None, merged_into=None):
        yield reverse("desk:member", args=[member.pk])
        yield f"/m/{member.page_token}/"
    yield from (reverse("desk:season", args=[season.pk]) for season in Season.objects.all())
    yield from (reverse("desk:prepared-inside", args=[prepared.pk]) for prepared in PreparedGame.objects.all())
