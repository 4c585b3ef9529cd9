"""Lock of a game's row and entries in its ledger, shared by every service that changes a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from engine.archive import ledger
from engine.archive.schema import format_timestamp
from tournaments.ledger.sealed_slips import people_of
from tournaments.models import Event, Game, LedgerEntry, Player
from tournaments.players.pseudonyms import without_names


@contextmanager
def lock_game(game: Game) -> Iterator[Game]:
    """One transaction in which nobody else can act in this game; gives the game as it is now."""
    with transaction.atomic():
        yield _locking_query().get(pk=game.pk)


@contextmanager
def lock_current_game(event: Event) -> Iterator[Game]:
    """The same for the game of the evening, the one added last; its `event` is the event as it is now."""
    with transaction.atomic():
        yield _locking_query().filter(event=event).order_by("-number")[:1].get()


def _locking_query() -> QuerySet[Game]:
    return Game.objects.select_for_update(of=("self",)).select_related("event")


def append_to_ledger(
    *, game: Game, kind: str, by: User | None, now: datetime, data: Mapping[str, object]
) -> LedgerEntry:
    """Append an act to the ledger of a game that the caller has locked.

    `data` holds no floats and no names: players are identified by their table.
    """
    last = LedgerEntry.objects.filter(game=game).order_by("-n").values("n", "hash").first()
    entry = ledger.seal_entry(
        last,
        at=format_timestamp(now),
        kind=kind,
        by=by.get_username() if by else "",
        data=without_names(game.event, data),
    )
    return LedgerEntry.objects.create(game=game, **{**entry, "at": now})


def append_players_to_ledger(game: Game, *, by: User | None, now: datetime) -> None:
    """Record the players of a game that has just begun. They are not part of the entry `created` before it, whose hash
    every page of the room shows."""
    players = list(Player.objects.filter(entries__game=game).order_by("table"))
    if players:
        details = {"added": [player.table for player in players], "people": people_of(game, players)}
        append_to_ledger(game=game, kind="players", by=by, now=now, data=details)


def append_to_all_ledgers(*, game: Game, kind: str, by: User | None, now: datetime, data: Mapping[str, object]) -> None:
    """The same in every game of the event, for what changes the archives of all: a name or a table. The caller has
    locked `game`."""
    for each in _locking_query().filter(event=game.event_id).order_by("-number"):
        append_to_ledger(game=each, kind=kind, by=by, now=now, data=data)
