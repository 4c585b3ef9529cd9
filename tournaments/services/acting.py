"""What every act in a game shares: the game's row locked, and an entry in its ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from engine import ledger
from engine.archive import moment_text
from tournaments.models import Event, Game, LedgerEntry, Player
from tournaments.pseudonyms import without_names
from tournaments.sealed import people_of


@contextmanager
def acting_on(game: Game) -> Iterator[Game]:
    """One transaction in which nobody else can act in this game; gives the game as it is now."""
    with transaction.atomic():
        yield _locked().get(pk=game.pk)


@contextmanager
def acting_in(event: Event) -> Iterator[Game]:
    """The same for the game of the evening, the one added last; its `event` is the event as it is now."""
    with transaction.atomic():
        yield _locked().filter(event=event).order_by("-number")[:1].get()


def _locked() -> QuerySet[Game]:
    return Game.objects.select_for_update(of=("self",)).select_related("event")


def record(*, game: Game, kind: str, by: User | None, now: datetime, data: Mapping[str, object]) -> LedgerEntry:
    """Append an act to the ledger of a game that the caller has locked. `data` holds no floats, and the ledger no
    names: a player whom a reason speaks of stands there as his table."""
    last = LedgerEntry.objects.filter(game=game).order_by("-n").values("n", "hash").first()
    entry = ledger.sealed(
        last, at=moment_text(now), kind=kind, by=by.get_username() if by else "", data=without_names(game.event, data)
    )
    return LedgerEntry.objects.create(game=game, **{**entry, "at": now})


def record_people(game: Game, *, by: User | None, now: datetime) -> None:
    """Tell who plays a game that has just begun. The hash of the entry before it, of the kind `created`, is shown on
    every page of the hall, so this list is not in there."""
    players = list(Player.objects.filter(entries__game=game).order_by("table"))
    if players:
        told = {"added": [player.table for player in players], "people": people_of(game, players)}
        record(game=game, kind="players", by=by, now=now, data=told)


def record_in_all(*, game: Game, kind: str, by: User | None, now: datetime, data: Mapping[str, object]) -> None:
    """The same in every game of the event, for what changes the archives of all: a name or a table. The caller has
    locked `game`."""
    for each in _locked().filter(event=game.event_id).order_by("-number"):
        record(game=each, kind=kind, by=by, now=now, data=data)
