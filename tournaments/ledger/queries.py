"""Queries on a game's ledger: validity of its chain, hashes shown on the wall, and acts on the draw."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from engine.archive.ledger import (
    KINDS_WITH_SHOWN_HASH,
    BadLink,
    find_bad_link,
    format_hash_groups,
    head_hash,
)
from engine.archive.schema import format_timestamp
from engine.draw.ledger_acts import KINDS, DrawAct, draw_acts
from tournaments.models import Game, LedgerEntry, Room, Turn

Chain = tuple[int, int | None]
"""Key of a chain: game, and room that follows or None for the game's own chain."""
Head = dict[str, Any]
"""Number `n` and `hash` of the last entry of a chain."""

MOST_SEARCHED = 100
_DRAWN = ("draw", "rejected")
_SEED_KINDS = ("created", "prepared", "undo")


@dataclass(frozen=True, slots=True)
class ShownHead:
    """The newest hash shown on the wall and the number of its entry; "" and 0 for a game without a ledger."""

    entry: int
    hash: str
    acts: list[DrawAct]


@dataclass(frozen=True, slots=True)
class ShownHash:
    """An entry whose hash was shown on the wall; `hash` is complete, in groups of four, and `at` is ISO 8601."""

    entry: int
    at: str
    kind: str
    turn: int | None
    hash: str


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """The result of recomputing the chain; `bad` is the first entry that does not follow from the one before it."""

    entries: int
    head: str
    bad: BadLink | None
    shown: list[ShownHash]


def find_heads(chains: Collection[Chain]) -> dict[Chain, Head]:
    """Number and hash of the last entry of each of these chains that has one. One query for each game, and one more."""
    newest = LedgerEntry.objects.order_by("-n").values("pk")
    of_rooms: dict[int, list[int]] = {}
    for game, room in chains:
        if room is not None:
            of_rooms.setdefault(game, []).append(room)
    heads: list[QuerySet[Any, Any]] = [
        Room.objects.filter(pk__in=rooms).annotate(head=Subquery(newest.filter(game=game, room=OuterRef("pk"))[:1]))
        for game, rooms in of_rooms.items()
    ]
    if games := [game for game, room in chains if room is None]:
        own = Subquery(newest.filter(game=OuterRef("pk"), room=None)[:1])
        heads.append(Game.objects.filter(pk__in=games).annotate(head=own))
    rows = [row for head in heads for row in LedgerEntry.objects.filter(pk__in=head.values("head"))]
    return {(row.game_id, row.room_id): {"n": row.n, "hash": row.hash} for row in rows}


def entries_of(game: Game, kinds: Collection[str] | None = None) -> list[dict[str, Any]]:
    """The entries of the game's chain in archive format, in order, of these kinds or of all."""
    rows = LedgerEntry.objects.filter(game=game, room=None).order_by("n")
    if kinds is not None:
        rows = rows.filter(kind__in=kinds)
    return [{**row, "at": format_timestamp(row["at"])} for row in rows.values("n", "at", "kind", "by", "data", "hash")]


def find_last_act(game: Game, kind: str, facts: Mapping[str, object]) -> LedgerEntry | None:
    """The newest entry of a kind whose data include these facts, among the last ones."""
    entries = LedgerEntry.objects.filter(game=game, kind=kind).order_by("-pk")[:MOST_SEARCHED]
    return next((entry for entry in entries if all(entry.data.get(name) == fact for name, fact in facts.items())), None)


def check_chain(game: Game) -> ChainCheck:
    """Recompute every hash; takes some seconds for a hundred thousand entries."""
    entries = entries_of(game)
    shown = [_shown(entry) for entry in entries if entry["kind"] in KINDS_WITH_SHOWN_HASH]
    return ChainCheck(len(entries), format_hash_groups(head_hash(entries)), find_bad_link(entries), shown)


def get_shown_head(game: Game) -> ShownHead:
    """The head of the chain after the newest announced act, and the acts that may have changed a rack. Two queries,
    which read few entries however long the ledger is."""
    shown = LedgerEntry.objects.filter(game=game, room=None, kind__in=KINDS_WITH_SHOWN_HASH).order_by("-n")
    entry, digest = shown.values_list("n", "hash").first() or (0, "")
    return ShownHead(entry, digest, draw_acts(entries_of(game, KINDS)))


def may_set_hall_word(game: Game) -> bool:
    """Return whether nothing was ever drawn with the present seed, including returned racks."""
    numbers = LedgerEntry.objects.filter(game=game, room=None)
    seeds = [n for n, data in numbers.filter(kind__in=_SEED_KINDS).values_list("n", "data") if "commitment" in data]
    return not numbers.filter(kind__in=_DRAWN, n__gt=max(seeds, default=0)).exists()


def previous_game_facts(game: Game) -> dict[str, object]:
    """Reference from a new game to the ledger of the previous one, which chains the ledgers of an event."""
    last = find_heads({(game.pk, None)}).get((game.pk, None))
    turns = Turn.objects.filter(game=game, placed_at__isnull=False).count()
    facts = {"number": game.number, "turns": turns, "commitment": game.commitment}
    return {"after": {**facts, **(last or {})}}


def _shown(entry: dict[str, Any]) -> ShownHash:
    turn = entry["data"].get("turn") if isinstance(entry["data"], dict) else None
    return ShownHash(entry["n"], entry["at"], entry["kind"], turn, format_hash_groups(entry["hash"]))
