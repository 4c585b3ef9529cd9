"""The turns that were judged again once they were on the board, and what became of the points: read in the ledger."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.rulings_register import RulingLine, rulings_in
from tournaments.models import Game, LedgerEntry, Player
from tournaments.selectors.differences import (
    ANEW,
    AVERAGED,
    BONUS,
    COUNTS,
    COUNTS_NOT,
    WARNED,
    Difference,
    read_differences,
)
from tournaments.selectors.ledger import entries_of

_GAMES_KEPT = 64
WHY = {
    COUNTS: gettext_noop("The slip counts now."),
    COUNTS_NOT: gettext_noop("The slip counts no more."),
    ANEW: gettext_noop("The slip was judged anew."),
    BONUS: gettext_noop("The bonus of the turn is another one."),
    AVERAGED: gettext_noop("The average of the others is another one."),
    WARNED: gettext_noop("The warnings are counted anew."),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A difference with the name of the player, and why in words."""

    turn: int
    table: int
    name: str
    before: int
    after: int
    why: str


@dataclass(frozen=True, slots=True)
class Reopened:
    """A turn that was judged again: what was ruled, and all differences. `solos`: (turn, table before, table after)."""

    entry: int
    at: datetime
    ruling: RulingLine
    lines: list[Line]
    solos: list[tuple[int, int | None, int | None]]
    tops: list[tuple[int, int, int]]


def why_text(why: str) -> str:
    """A reason of `Difference` in the active language."""
    return _(WHY[why]) if why in WHY else why


def reopened_turns(game: Game) -> list[RulingLine]:
    """What was ruled on turns that were on the board, the last one first."""
    return [line for line in reversed(rulings_in(_entries(game))) if line.again]


def reopened(game: Game, entry: int) -> Reopened | None:
    """The list of differences of this ledger entry; None when it tells of none."""
    row = LedgerEntry.objects.filter(game=game, n=entry, kind="reopened").first()
    if row is None:
        return None
    found = read_differences(row.data)
    names = dict(Player.objects.filter(event=game.event_id).values_list("table", "name"))
    [ruling] = rulings_in([{"n": row.n, "at": row.at.isoformat(), "kind": row.kind, "by": row.by, "data": row.data}])
    return Reopened(
        entry=row.n,
        at=row.at,
        ruling=ruling,
        lines=[
            Line(one.turn, one.table, names.get(one.table, ""), one.before, one.after, why_text(one.why))
            for one in found
        ],
        solos=[(turn, before, after) for turn, before, after in row.data.get("solos", ())],
        tops=[(turn, before, after) for turn, before, after in row.data.get("tops", ())],
    )


def register_of(game: Game, turns: int | None = None) -> list[RulingLine]:
    """Every ruling of a game, in order; on turns up to this one."""
    return rulings_in(entries_of(game), turns)


def changes_of(game: Game, tables: Collection[int]) -> Mapping[int, list[Difference]]:
    """By table what was changed in its points once its turns were on the board, the last change first."""
    newest = LedgerEntry.objects.filter(game=game, kind="reopened").order_by("-n").values_list("n", flat=True).first()
    if newest is None:
        return {}
    found = _changes(game.pk, game.event.code, newest)
    return found if len(found) <= len(tables) else {table: found[table] for table in tables if table in found}


@lru_cache(maxsize=_GAMES_KEPT)
def _changes(game_id: int, event_code: str, newest: int) -> Mapping[int, list[Difference]]:
    """Entries never change, so what there is up to one of them stays; the code tells databases apart."""
    by_table: dict[int, list[Difference]] = {}
    rows = LedgerEntry.objects.filter(game=game_id, kind="reopened", n__lte=newest).order_by("-n")
    for data in rows.values_list("data", flat=True):
        for one in read_differences(data):
            by_table.setdefault(one.table, []).append(one)
    return by_table


def _entries(game: Game) -> list[dict[str, object]]:
    rows = LedgerEntry.objects.filter(game=game, kind="reopened").order_by("n")
    return [{"n": row.n, "at": row.at.isoformat(), "kind": row.kind, "by": row.by, "data": row.data} for row in rows]
