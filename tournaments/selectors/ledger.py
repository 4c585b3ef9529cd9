"""What is asked of a game's ledger: whether its chain holds, what of it the hall sees, what was done with the draw."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from engine.archive import moment_text
from engine.draw_acts import KINDS, DrawAct, draw_acts
from engine.ledger import SHOWN_AFTER, BadLink, bad_link, head, in_groups, last_shown
from tournaments.enums import DrawMode
from tournaments.models import Event, Game, LedgerEntry, Turn

_DRAWN = ("draw", "rejected")
_SET_A_SEED = ("created", "prepared", "undo")


@dataclass(frozen=True, slots=True)
class SeenByTheHall:
    """`entry` is the number of the newest entry after which the hash was shown to the hall, `hash` that hash; 0 and
    empty for a game without a ledger."""

    entry: int
    hash: str
    acts: list[DrawAct]


@dataclass(frozen=True, slots=True)
class Seal:
    """What everybody can hold a game to: its number in the event, the fingerprint of its draw (empty where racks are
    typed), and entry and hash as in `SeenByTheHall`."""

    game: int
    commitment: str
    entry: int
    hash: str


@dataclass(frozen=True, slots=True)
class ShownLine:
    """An entry whose hash stood on the wall; `hash` is whole, in groups of four, and `at` ISO 8601."""

    entry: int
    at: str
    kind: str
    turn: int | None
    hash: str


@dataclass(frozen=True, slots=True)
class ChainState:
    """The whole chain, counted again: `bad` is the first entry that does not hang on the one before it."""

    entries: int
    head: str
    bad: BadLink | None
    shown: list[ShownLine]


def entries_of(game: Game, kinds: Collection[str] | None = None) -> list[dict[str, Any]]:
    """The entries as an archive holds them, in their order; of these kinds alone, where some are named."""
    rows = LedgerEntry.objects.filter(game=game).order_by("n")
    if kinds is not None:
        rows = rows.filter(kind__in=kinds)
    return [{**row, "at": moment_text(row["at"])} for row in rows.values("n", "at", "kind", "by", "data", "hash")]


def chain_of(game: Game) -> ChainState:
    """Every hash counted anew: some seconds for a hundred thousand entries."""
    entries = entries_of(game)
    shown = [_shown(entry) for entry in entries if entry["kind"] in SHOWN_AFTER]
    return ChainState(len(entries), in_groups(head(entries)), bad_link(entries), shown)


def seen_by_the_hall(game: Game) -> SeenByTheHall:
    """The head of the chain after the newest act that the hall heard of, and by which acts a rack of this game became
    another one, or could have. One query."""
    entries = entries_of(game, SHOWN_AFTER | KINDS)
    shown = last_shown(entries)
    acts = draw_acts(entry for entry in entries if entry["kind"] in KINDS)
    return SeenByTheHall(int(shown["n"]), str(shown["hash"]), acts) if shown else SeenByTheHall(0, "", acts)


def seals_of(event: Event) -> list[Seal]:
    """Those of every game of an event."""
    seals = []
    for game in Game.objects.filter(event=event).order_by("number"):
        seen = seen_by_the_hall(game)
        commitment = game.commitment if game.draw_mode == DrawMode.SEEDED else ""
        seals.append(Seal(game.number, commitment, seen.entry, seen.hash))
    return seals


def may_set_hall_word(game: Game) -> bool:
    """Whether nothing was ever drawn by the seed that counts now, put back or not."""
    numbers = LedgerEntry.objects.filter(game=game)
    seeds = [n for n, data in numbers.filter(kind__in=_SET_A_SEED).values_list("n", "data") if "commitment" in data]
    return not numbers.filter(kind__in=_DRAWN, n__gt=max(seeds, default=0)).exists()


def after(game: Game) -> dict[str, object]:
    """What a new game of the event tells of the one before: so the ledgers of an evening are one chain, too."""
    last = LedgerEntry.objects.filter(game=game).order_by("-n").values("n", "hash").first()
    turns = Turn.objects.filter(game=game, placed_at__isnull=False).count()
    facts = {"number": game.number, "turns": turns, "commitment": game.commitment}
    return {"after": {**facts, **(last or {})}}


def _shown(entry: dict[str, Any]) -> ShownLine:
    turn = entry["data"].get("turn") if isinstance(entry["data"], dict) else None
    return ShownLine(entry["n"], entry["at"], entry["kind"], turn, in_groups(entry["hash"]))
