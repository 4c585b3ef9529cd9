"""The charts of a turn and of a game."""

from __future__ import annotations

from engine.standings.statistics import TurnStatistics, hardest_turns, most_played_moves
from referee.charts.hardest import hardest_chart
from referee.charts.heat_map import heat_chart
from referee.charts.shapes import Drawing
from referee.charts.shares import shares_chart
from referee.charts.spread import spread_chart, totals_chart
from referee.charts.words import most_played_chart, words_chart
from tournaments.results.queries.analysis import GameAnalysis

MOST_LISTED = 8


def charts_of_game(analysis: GameAnalysis) -> list[Drawing]:
    """Return the charts of a game, none before its first turn is over."""
    if not analysis.turns:
        return []
    return [
        totals_chart(analysis.totals),
        shares_chart(analysis.turns),
        most_played_chart(most_played_moves(analysis.turns, MOST_LISTED)),
        hardest_chart(hardest_turns(analysis.turns, MOST_LISTED)),
        heat_chart(analysis.heat, analysis.notation),
    ]


def charts_of_turn(turn: TurnStatistics) -> list[Drawing]:
    """Return the charts of a turn; without the distribution if nobody could score."""
    return [*([spread_chart(turn)] if turn.spread else []), *([words_chart(turn)] if turn.words else [])]
