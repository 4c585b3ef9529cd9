"""Verification of a stored game by its archive: draws, verdicts, standings, and all facts against the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

from engine.archive.replay import Difference, unchecked_topics, verify
from engine.archive.schema import Archive, check_archive
from tournaments.events.queries.events import rooms_of
from tournaments.lexicons import word_lists
from tournaments.models import Game, Room
from tournaments.results.queries.archive import export_game


@dataclass(frozen=True, slots=True)
class Verification:
    """The archive of a room, its differences, and the facts that could not be checked.

    See `engine.archive.replay.unchecked`.
    """

    archive: Archive
    differences: list[Difference]
    unchecked: list[str]


def verify_game(game: Game, room: Room) -> Iterator[Verification]:
    """Verify the game as played in a room; for the drawing room, then in all other rooms.

    Takes some seconds for a thousand players: for tasks, not for views. `Refused` without the game's word list.
    """
    lists = word_lists.lists_of(game)
    for each in rooms_of(game.event) if room.is_drawing else [room]:
        with _consistent_snapshot():
            archive = check_archive(_as_lists(export_game(game, each, whole_ledger=True)))
        yield Verification(archive, verify(archive, *lists), unchecked_topics(archive))


_BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


@contextmanager
def _consistent_snapshot() -> Iterator[None]:
    """Run all queries on one snapshot of the database.

    Unlike `transaction.atomic`, it does not block writers in SQLite.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN.get(connection.vendor, "BEGIN DEFERRED"))
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _as_lists(value: Any) -> Any:
    """The value after conversion to JSON and back."""
    if isinstance(value, dict):
        return {name: _as_lists(inner) for name, inner in value.items()}
    return [_as_lists(inner) for inner in value] if isinstance(value, list | tuple) else value
