"""Charts of the moves that most players wrote."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.standings.statistics import PlayedMove, TurnStatistics
from referee.charts.bars import Bar, draw_horizontal_bars
from referee.charts.shapes import ChartTable, Drawing


def words_chart(turn: TurnStatistics) -> Drawing:
    """Draw the most played moves of a turn; those that score the top are hatched."""
    most = max((move.players for move in turn.words), default=0) or 1
    height, shapes = draw_horizontal_bars(
        [_bar(move_text(move), move.players, most, marked=move.score >= turn.top) for move in turn.words]
    )
    return Drawing(
        name=f"words-{turn.number}",
        title=_("Most played in turn %(turn)d; tops are hatched") % {"turn": turn.number},
        description=_describe([(turn.number, move) for move in turn.words]),
        height=height,
        shapes=tuple(shapes),
        figures=_figures([(turn.number, move) for move in turn.words]),
    )


def most_played_chart(moves: Sequence[tuple[int, PlayedMove]]) -> Drawing:
    """Draw the most played moves of a game."""
    most = max((move.players for _turn, move in moves), default=0) or 1
    bars = [_bar(f"{turn} · {move_text(move)}", move.players, most) for turn, move in moves]
    height, shapes = draw_horizontal_bars(bars)
    return Drawing(
        name="most-played",
        title=_("Most played words, with their turn"),
        description=_describe(moves),
        height=height,
        shapes=tuple(shapes),
        figures=_figures(moves),
    )


def move_text(move: PlayedMove) -> str:
    """Format a move: word, reference, points."""
    return f"{move.word} {move.ref} ({move.score})"


def _bar(label: str, players: int, most: int, *, marked: bool = False) -> Bar:
    return Bar(label, str(players), players / most, marked=marked)


def _describe(moves: Sequence[tuple[int, PlayedMove]]) -> str:
    if not moves:
        return _("Nobody laid a word.")
    first = moves[0][1]
    facts = {"word": first.word, "ref": first.ref, "n": first.players}
    return _("The word most often written was %(word)s at %(ref)s, by %(n)d.") % facts


def _figures(moves: Sequence[tuple[int, PlayedMove]]) -> ChartTable:
    rows = tuple((str(turn), move.word, move.ref, str(move.score), str(move.players)) for turn, move in moves)
    return ChartTable((_("Turn"), _("Word"), _("Reference"), _("Points"), _("Players")), rows)
