"""Data of the charts of a game, counted in the database.

For a room they cover its players and the turns shown there, for all rooms everybody and the turns that all rooms have
been shown. They contain no names. `player_line` has the data of one player, for that player only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from engine.standings.statistics import (
    HistogramBin,
    PlayedMove,
    TurnRecord,
    TurnStatistics,
    compute_turn_statistics,
    percent_histogram,
    running_totals,
    tile_heat_map,
)
from tournaments.models import Game, Room, Turn
from tournaments.play.position import edition_of, profile_of
from tournaments.results.queries.results import ResultsKey, get_results_key, load_results
from tournaments.results.queries.turn_statistics import VerdictCounts, get_turn_statistics

_GAMES_KEPT = 64


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """Data of the charts.

    `turns` are in order; `totals`: players by percentage of the tops; `heat`: number of tiles laid by players, by row
    and column; `notation`: notation of the coordinates.
    """

    turns: tuple[TurnStatistics, ...]
    totals: tuple[HistogramBin, ...]
    heat: tuple[tuple[int, ...], ...]
    notation: str
    players: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """Running totals of a player, the tops and the mean of all players, turn by turn."""

    turns: tuple[int, ...]
    own: tuple[int, ...]
    tops: tuple[int, ...]
    means: tuple[int, ...]


def analysis_of(game: Game, room: Room | None = None, *, last: int | None = None) -> GameAnalysis:
    """The analysis of a game in a room or in all rooms, up to turn `last` if given.

    It is cached until a turn is shown, taken back or judged again. The number of queries is constant.
    """
    return _analysis_at(get_results_key(game, room), last)


def player_line(game: Game, table: int, room: Room | None = None, *, last: int | None = None) -> PlayerLine:
    """A player's totals in the turns that count; without turns for a table that does not play."""
    stand = get_results_key(game, room)
    return build_player_line(stand, table, _analysis_at(stand, last))


def build_player_line(stand: ResultsKey, table: int, analysis: GameAnalysis) -> PlayerLine:
    """The same from results and standings that are already loaded."""
    numbers = [turn.number for turn in analysis.turns]
    own = {result.turn: result.points for result in load_results(stand).by_table.get(table, ())}
    means = {turn.number: turn.mean or 0 for turn in analysis.turns}
    total = [sum(means[number] for number in numbers[: at + 1]) for at in range(len(numbers))]
    return PlayerLine(
        turns=tuple(numbers),
        own=running_totals(own, numbers),
        tops=running_totals({turn.number: turn.top for turn in analysis.turns}, numbers),
        means=tuple(round(value) for value in total),
    )


@lru_cache(maxsize=_GAMES_KEPT)
def _analysis_at(stand: ResultsKey, last: int | None) -> GameAnalysis:
    game = Game.objects.get(pk=stand.game_id)
    rows = _turns(stand, last)
    tallies, nobody = get_turn_statistics(stand, rows), VerdictCounts()
    facts = [_facts(turn, tallies.get(turn.pk, nobody)) for turn in rows]
    notation = profile_of(game).notation
    turns = tuple(compute_turn_statistics(turn) for turn in facts)
    return GameAnalysis(
        turns=turns,
        totals=percent_histogram(_percents(stand, turns)),
        heat=tile_heat_map(facts, edition_of(game), notation),
        notation=notation.value,
        players=max((turn.players for turn in turns), default=0),
    )


def _turns(stand: ResultsKey, last: int | None) -> list[Turn]:
    if stand.last_shown is None:
        return []
    shown = Turn.objects.get(pk=stand.last_shown[0]).number
    played = Turn.objects.filter(game=stand.game_id, number__lte=shown if last is None else min(shown, last))
    return list(played.order_by("number").defer("tops", "kept", "rejected"))


def _facts(turn: Turn, tally: VerdictCounts) -> TurnRecord:
    word, ref, master = turn.master_word, turn.master_ref, None
    if turn.master_score is not None:
        with_it = next((it.players for it in tally.moves if (it.word, it.ref) == (word, ref)), 0)
        master = PlayedMove(word, ref, turn.master_score, with_it)
    return TurnRecord(turn.number, turn.rack, turn.board, turn.top or 0, master, tally.points, tally.moves)


def _percents(stand: ResultsKey, turns: Sequence[TurnStatistics]) -> list[Decimal]:
    """Percentage of the tops of each player after these turns."""
    tops = sum(turn.top for turn in turns)
    numbers = {turn.number for turn in turns}
    if not tops:
        return []
    totals = [
        sum(result.points for result in played if result.turn in numbers)
        for played in load_results(stand).by_table.values()
    ]
    return [Decimal(100 * total) / tops for total in totals]
