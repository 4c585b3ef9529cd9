"""Chart of the percentage of players who found the top, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.standings.statistics import TurnStatistics
from referee.charts.bars import Bar, draw_vertical_bars
from referee.charts.shapes import ChartTable, Drawing
from referee.charts.words import move_text
from referee.formats.texts import format_decimal


def shares_chart(turns: Sequence[TurnStatistics]) -> Drawing:
    """Draw the percentage of players on the top in each turn."""
    shares = [float(turn.top_share or 0) for turn in turns]
    most = max(shares, default=0.0) or 1.0
    bars = [
        Bar(str(turn.number), format_decimal(turn.top_share, 0), share / most)
        for turn, share in zip(turns, shares, strict=True)
    ]
    height, shapes = draw_vertical_bars(bars)
    return Drawing(
        name="shares",
        title=_("Percent of the players on the top, turn by turn"),
        description=_describe(turns),
        height=height,
        shapes=tuple(shapes),
        figures=ChartTable(
            (_("Turn"), _("On the board"), _("Top"), _("With the top"), _("Players"), _("Percent")),
            tuple(_row(turn) for turn in turns),
        ),
    )


def _describe(turns: Sequence[TurnStatistics]) -> str:
    played = [turn for turn in turns if turn.top_share is not None]
    if not played:
        return _("No turn is on the board yet.")
    low, high = (choose(played, key=lambda turn: turn.top_share or 0) for choose in (min, max))
    text = _("Turn %(easy)d was found by most, %(high)s percent; turn %(hard)d by fewest, %(low)s percent.")
    return text % {
        "high": format_decimal(high.top_share, 0),
        "easy": high.number,
        "low": format_decimal(low.top_share, 0),
        "hard": low.number,
    }


def _row(turn: TurnStatistics) -> tuple[str, ...]:
    master = "–" if turn.master is None else move_text(turn.master)
    share = format_decimal(turn.top_share, 1)
    return str(turn.number), master, str(turn.top), str(turn.on_top), str(turn.players), share
