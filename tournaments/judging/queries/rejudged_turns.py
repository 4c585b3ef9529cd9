"""Turns that were judged again after placement and the changed points, read from the ledger."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from engine.archive import rulings_register
from engine.archive.rulings_register import RulingLine
from tournaments.judging.queries.differences import (
    AVERAGED,
    BONUS,
    COUNTS,
    COUNTS_NOT,
    REJUDGED,
    WARNED,
    PointsDifference,
    read_differences,
)
from tournaments.ledger.queries import entries_of
from tournaments.models import Game, LedgerEntry, Player

_GAMES_KEPT = 64
REASON_TEXTS = {
    COUNTS: gettext_noop("The slip counts now."),
    COUNTS_NOT: gettext_noop("The slip no longer counts."),
    REJUDGED: gettext_noop("The slip was judged again."),
    BONUS: gettext_noop("The bonus of the turn has changed."),
    AVERAGED: gettext_noop("The average of the other players has changed."),
    WARNED: gettext_noop("The warnings are counted again."),
}


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A difference of points with the player's name and the translated reason."""

    turn: int
    table: int
    name: str
    before: int
    after: int
    why: str


@dataclass(frozen=True, slots=True)
class RejudgedTurn:
    """A turn that was judged again: the ruling and all differences. `solos`: (turn, table before, table after)."""

    entry: int
    at: datetime
    ruling: RulingLine
    lines: list[DifferenceLine]
    solos: list[tuple[int, int | None, int | None]]
    tops: list[tuple[int, int, int]]


def reason_text(why: str) -> str:
    """A reason of `PointsDifference` in the active language."""
    return _(REASON_TEXTS[why]) if why in REASON_TEXTS else why


def list_rejudged_turns(game: Game) -> list[RulingLine]:
    """The rulings on placed turns, latest first."""
    return [line for line in reversed(rulings_register.list_rulings(_entries(game))) if line.again]


def get_rejudged_turn(game: Game, entry: int) -> RejudgedTurn | None:
    """The differences recorded in this ledger entry; None if the entry is of another kind."""
    row = LedgerEntry.objects.filter(game=game, n=entry, kind="reopened").first()
    if row is None:
        return None
    found = read_differences(row.data)
    names = dict(Player.objects.filter(event=game.event_id).values_list("table", "name"))
    [ruling] = rulings_register.list_rulings(
        [{"n": row.n, "at": row.at.isoformat(), "kind": row.kind, "by": row.by, "data": row.data}]
    )
    return RejudgedTurn(
        entry=row.n,
        at=row.at,
        ruling=ruling,
        lines=[
            DifferenceLine(one.turn, one.table, names.get(one.table, ""), one.before, one.after, reason_text(one.why))
            for one in found
        ],
        solos=[(turn, before, after) for turn, before, after in row.data.get("solos", ())],
        tops=[(turn, before, after) for turn, before, after in row.data.get("tops", ())],
    )


def list_rulings(game: Game, turns: int | None = None) -> list[RulingLine]:
    """The rulings of a game on its first `turns` turns, in order; None: on all turns."""
    return rulings_register.list_rulings(entries_of(game), turns)


def changes_of(game: Game, tables: Collection[int]) -> Mapping[int, list[PointsDifference]]:
    """Changes of points of placed turns, by table, latest first."""
    newest = LedgerEntry.objects.filter(game=game, kind="reopened").order_by("-n").values_list("n", flat=True).first()
    if newest is None:
        return {}
    found = _changes(game.pk, game.event.code, newest)
    return found if len(found) <= len(tables) else {table: found[table] for table in tables if table in found}


@lru_cache(maxsize=_GAMES_KEPT)
def _changes(game_id: int, event_code: str, newest: int) -> Mapping[int, list[PointsDifference]]:
    """Changes up to a ledger entry; cacheable because entries never change. `code` distinguishes databases."""
    by_table: dict[int, list[PointsDifference]] = {}
    rows = LedgerEntry.objects.filter(game=game_id, kind="reopened", n__lte=newest).order_by("-n")
    for data in rows.values_list("data", flat=True):
        for one in read_differences(data):
            by_table.setdefault(one.table, []).append(one)
    return by_table


def _entries(game: Game) -> list[dict[str, object]]:
    rows = LedgerEntry.objects.filter(game=game, kind="reopened").order_by("n")
    return [{"n": row.n, "at": row.at.isoformat(), "kind": row.kind, "by": row.by, "data": row.data} for row in rows]
