"""A replayed game: its new players ranked among those who played it before, as far as it is placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from engine.prepared.script import FieldEntry
from engine.standings.game import TurnResult, standings
from tournaments.models import Entry, Game
from tournaments.play.position import profile_of
from tournaments.prepared.scripts import script_of
from tournaments.results.queries.results import results_of


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A line of the common standings. `label` marks who played before, such as "2023", and is empty for the others;
    their `table` is None. `totals` are the running totals after turn 1, 2 ..."""

    rank: int | None
    label: str
    table: int | None
    name: str
    club: str
    total: int
    negative: int
    percent: Decimal
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FieldStandings:
    """`turns` are placed so far; `tops` is the sum of their tops."""

    turns: int
    tops: int
    lines: tuple[FieldLine, ...]


def field_standings(game: Game) -> FieldStandings | None:
    """New players and the original field together; None for a game that nobody has played before.

    Nothing of a turn that is not placed yet is in it. What breaks a tie is that of the rules; the bonuses and penalties
    of the original players are as they were.
    """
    if game.prepared is None or "field" not in script_of(game.prepared):
        return None
    field = script_of(game.prepared)["field"]
    now = results_of(game)
    tops, results = now.tops, {table: list(played) for table, played in now.by_table.items()}
    people = _people(game)
    for at, before in enumerate(field["players"], 1):
        results[-at] = _field_results(before, len(tops))
        people[-at] = before["name"], before["club"] or ""
    ranked = standings(results, tops, profile_of(game), now.disqualified)
    lines = [
        FieldLine(
            rank=line.rank,
            label=field["label"] if line.table < 0 else "",
            table=line.table if line.table > 0 else None,
            name=people[line.table][0],
            club=people[line.table][1],
            total=line.total,
            negative=line.negative,
            percent=line.percent,
            totals=running_totals(results[line.table], len(tops)),
        )
        for line in ranked
    ]
    return FieldStandings(len(tops), sum(tops), tuple(lines))


def running_totals(results: Sequence[TurnResult], turns: int) -> tuple[int, ...]:
    """The total after each of so many turns."""
    points = {result.turn: result.points for result in results}
    totals, total = [], 0
    for turn in range(1, turns + 1):
        total += points.get(turn, 0)
        totals.append(total)
    return tuple(totals)


def _people(game: Game) -> dict[int, tuple[str, str]]:
    """(name, club) of the new players by table."""
    rows = Entry.objects.filter(game=game).values_list("player__table", "player__name", "player__club")
    return {table: (name, club) for table, name, club in rows}


def _field_results(player: FieldEntry, turns: int) -> list[TurnResult]:
    """Results of a player of the original game in the first turns."""
    given = enumerate(player["points"][:turns], 1)
    return [TurnResult(turn=turn, points=points) for turn, points in given if points is not None]
