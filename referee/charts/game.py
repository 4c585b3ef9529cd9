"""Which charts belong together: those of a turn, and those of a game."""

from __future__ import annotations

from engine.analysis import TurnFigures, hardest, most_played
from referee.charts.hardest import hardest_chart
from referee.charts.heat import heat_chart
from referee.charts.shapes import Drawing
from referee.charts.shares import shares_chart
from referee.charts.spread import spread_chart, totals_chart
from referee.charts.words import most_played_chart, words_chart
from tournaments.selectors.analysis import GameAnalysis

MOST_LISTED = 8


def charts_of_game(analysis: GameAnalysis) -> list[Drawing]:
    """What a game was like; nothing before its first turn is over."""
    if not analysis.turns:
        return []
    return [
        totals_chart(analysis.totals),
        shares_chart(analysis.turns),
        most_played_chart(most_played(analysis.turns, MOST_LISTED)),
        hardest_chart(hardest(analysis.turns, MOST_LISTED)),
        heat_chart(analysis.heat, analysis.notation),
    ]


def charts_of_turn(turn: TurnFigures) -> list[Drawing]:
    """What a turn was like; a turn in which nobody could get anything has no spread."""
    return [*([spread_chart(turn)] if turn.spread else []), *([words_chart(turn)] if turn.words else [])]
