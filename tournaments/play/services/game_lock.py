"""Locks of a game and its rooms and entries in their ledger, shared by every service that changes a game.

The drawing room is locked by the row of the game, a room that follows by its own row. Whoever needs several locks takes
them in one order: games first, then rooms, both by key. A transaction that has locked a room therefore locks no game.
The locks are `FOR NO KEY UPDATE`, so that rows which refer to a game or a room can be inserted meanwhile. SQLite has
one writer at a time and needs none of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Model

from engine.archive import ledger
from engine.archive.schema import format_timestamp
from tournaments.ledger.queries import Chain, Head, find_heads
from tournaments.ledger.sealed_slips import people_of
from tournaments.models import Event, Game, LedgerEntry, Player, Room
from tournaments.players.pseudonyms import without_names


@dataclass(frozen=True, slots=True)
class LedgerAct:
    """Content of a ledger entry, and the room in whose chain it is recorded: the game's chain for the drawing room
    and for None. `data` holds no floats and no names: players are identified by their table."""

    game: Game
    room: Room | None
    data: Mapping[str, object]

    @property
    def chain(self) -> Chain:
        """The key of the chain."""
        return self.game.pk, None if self.room is None or self.room.is_drawing else self.room.pk


@contextmanager
def lock_game(game: Game) -> Iterator[Game]:
    """One transaction in which nobody else can act in this game or in any of its rooms; gives the game as it is now.

    The other games of the event are locked too: some acts are recorded in the ledgers of all.
    """
    with transaction.atomic():
        lock_events([game.event_id])
        yield Game.objects.select_related("event").get(pk=game.pk)


@contextmanager
def lock_current_game(event: Event) -> Iterator[Game]:
    """The same for the game of the evening, the one added last; its `event` is the event as it is now."""
    with transaction.atomic():
        lock_events([event.pk])
        yield Game.objects.select_related("event").filter(event=event).order_by("-number")[:1].get()


@contextmanager
def lock_room(game: Game, room: Room) -> Iterator[Game]:
    """One transaction in which nobody else can act in this room; other rooms go on. Gives the game as it is now.

    With the drawing room, the script of the game is locked too: its racks and master moves.
    """
    with transaction.atomic():
        lock_rooms([game.pk] if room.is_drawing else [], [] if room.is_drawing else [room.pk])
        yield Game.objects.select_related("event").get(pk=game.pk)


def lock_rooms(games: Collection[int], rooms: Collection[int], *, wait: bool = True) -> tuple[set[int], set[int]]:
    """Lock the drawing rooms of these games and these rooms that follow, until the transaction ends. Return the keys of
    those that are locked: without `wait` not those that somebody else has locked."""
    return _lock_rows(Game, games, wait=wait), _lock_rows(Room, rooms, wait=wait)


def lock_events(events: Collection[int]) -> None:
    """Lock all games and rooms of these events until the transaction ends."""
    if connection.features.has_select_for_update:
        games = Game.objects.filter(event__in=events).values_list("pk", flat=True)
        following = Room.objects.filter(event__in=events).exclude(number=Room.DRAWING).values_list("pk", flat=True)
        lock_rooms(list(games), list(following))


def _lock_rows(model: type[Model], keys: Collection[int], *, wait: bool) -> set[int]:
    if not keys or not connection.features.has_select_for_update:
        return set(keys)
    rows = model._default_manager.select_for_update(no_key=True, skip_locked=not wait).filter(pk__in=keys)
    return set(rows.order_by("pk").values_list("pk", flat=True))


def append_to_ledger(
    *,
    game: Game,
    kind: str,
    by: User | None,
    now: datetime,
    data: Mapping[str, object],
    room: Room | None = None,
) -> LedgerEntry:
    """Append an act to the ledger of a game, or of a room, that the caller has locked (`LedgerAct`)."""
    [entry] = append_acts([LedgerAct(game, room, data)], kind=kind, by=by, now=now)
    return entry


def append_acts(acts: Sequence[LedgerAct], *, kind: str, by: User | None, now: datetime) -> list[LedgerEntry]:
    """Append acts of one kind to the chains of games and rooms that the caller has locked; return their entries.

    The first entry of a room's chain names the last one of the game's. The number of queries depends on the number of
    games only.
    """
    heads = find_heads({act.chain for act in acts})
    begun = [_seal(act, heads, ledger.ROOM_CHAIN, None, now, data) for act, data in _list_links(acts, heads)]
    entries = [_seal(act, heads, kind, by, now, without_names(act.game.event, act.data)) for act in acts]
    LedgerEntry.objects.bulk_create([*begun, *entries])
    return entries


def _list_links(acts: Sequence[LedgerAct], heads: Mapping[Chain, Head]) -> list[tuple[LedgerAct, dict[str, object]]]:
    """The first act of each chain of a room that has no entry yet, and the data of the chain's first entry."""
    first = {act.chain: act for act in acts if act.chain not in heads and act.chain[1] is not None}
    known = find_heads({(act.game.pk, None) for act in first.values()}) if first else {}
    return [
        (act, {"room": act.room.number, "after": known.get((act.game.pk, None), {})})
        for act in first.values()
        if act.room is not None
    ]


def _seal(
    act: LedgerAct, heads: dict[Chain, Head], kind: str, by: User | None, now: datetime, data: Mapping[str, object]
) -> LedgerEntry:
    """The entry of an act that follows the head of its chain, and is the head from now on."""
    entry = ledger.seal_entry(
        heads.get(act.chain), at=format_timestamp(now), kind=kind, by=by.get_username() if by else "", data=data
    )
    heads[act.chain] = {"n": entry["n"], "hash": entry["hash"]}
    return LedgerEntry(game=act.game, room_id=act.chain[1], **{**entry, "at": now})


def seal_room_chains(game: Game) -> dict[str, object]:
    """The heads of the chains of all rooms, for the data of an entry in the game's chain; empty if there are none."""
    rooms = Room.objects.filter(event=game.event_id).exclude(number=Room.DRAWING)
    numbers = dict(rooms.values_list("pk", "number"))
    heads = find_heads({(game.pk, room) for room in numbers}) if numbers else {}
    chains = sorted([numbers[room], head["n"], head["hash"]] for (_game, room), head in heads.items() if room)
    return {ledger.SEALED_CHAINS: chains} if chains else {}


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
    for each in Game.objects.filter(event=game.event_id).select_related("event").order_by("-number"):
        append_to_ledger(game=each, kind=kind, by=by, now=now, data=data)
