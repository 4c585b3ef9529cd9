"""Chart of the hardest turns: those in which players got the smallest part of the top."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.standings.statistics import TurnStatistics
from referee.charts.bars import Bar, draw_horizontal_bars
from referee.charts.shapes import ChartTable, Drawing
from referee.charts.words import move_text
from referee.formats.texts import format_decimal, format_percent


def hardest_chart(turns: Sequence[TurnStatistics]) -> Drawing:
    """Draw the average points of a player in these turns, as percentages of the top."""
    bars = [Bar(_label(turn), format_percent(turn.percent, 0), float(turn.percent or 0) / 100) for turn in turns]
    height, shapes = draw_horizontal_bars(bars)
    return Drawing(
        name="hardest",
        title=_("Hardest turns: points of the players in percent of the top"),
        description=_describe(turns),
        height=height,
        shapes=tuple(shapes),
        figures=ChartTable(
            (_("Turn"), _("Rack"), _("Top"), _("Mean"), _("Percent of the top"), _("No points")),
            tuple(_row(turn) for turn in turns),
        ),
    )


def _label(turn: TurnStatistics) -> str:
    return f"{turn.number} · {turn.rack if turn.master is None else move_text(turn.master)}"


def _describe(turns: Sequence[TurnStatistics]) -> str:
    if not turns:
        return _("No turn is on the board yet.")
    facts = {"turn": turns[0].number, "percent": format_decimal(turns[0].percent, 0)}
    return _("The hardest was turn %(turn)d: players got %(percent)s percent of its top.") % facts


def _row(turn: TurnStatistics) -> tuple[str, ...]:
    mean, percent = format_decimal(turn.mean, 1), format_decimal(turn.percent, 1)
    return str(turn.number), turn.rack, str(turn.top), mean, percent, str(turn.zeros)
