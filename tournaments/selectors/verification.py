"""A stored game verified as its archive would be: draws, verdicts, standings, and every fact against the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import connection

from engine.archive import Archive, check_archive
from engine.replay import Difference, unchecked, verify
from tournaments import lexicons
from tournaments.models import Game, Room
from tournaments.selectors.archive import export_game
from tournaments.selectors.events import rooms_of


@dataclass(frozen=True, slots=True)
class Verification:
    """The archive of a room, what in it does not follow from the rest, and what could not be checked
    (`engine.replay.unchecked`)."""

    archive: Archive
    differences: list[Difference]
    unchecked: list[str]


def verify_game(game: Game, room: Room) -> Iterator[Verification]:
    """The game as a room has played it; for the drawing room those of all other rooms follow.

    Takes some seconds for a thousand players: for tasks, not for pages. `Refused` without the word list of the game.
    """
    lists = lexicons.lists_of(game)
    for each in rooms_of(game.event) if room.is_drawing else [room]:
        with _one_moment():
            archive = check_archive(_as_lists(export_game(game, each, whole_ledger=True)))
        yield Verification(archive, verify(archive, *lists), unchecked(archive))


_BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


@contextmanager
def _one_moment() -> Iterator[None]:
    """All queries see the database as it is at one moment, while others go on writing: `transaction.atomic` would keep
    them from it in SQLite."""
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
    """The value as it is read from JSON."""
    if isinstance(value, dict):
        return {name: _as_lists(inner) for name, inner in value.items()}
    return [_as_lists(inner) for inner in value] if isinstance(value, list | tuple) else value
