"""Charts of the distribution of points, in a turn and at the end."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.standings.statistics import HistogramBin, TurnStatistics
from referee.charts.bars import Bar, draw_vertical_bars
from referee.charts.shapes import ChartTable, Drawing


def spread_chart(turn: TurnStatistics) -> Drawing:
    """Draw the players of a turn by points; the bar of the top is hatched."""
    bars = _bars(turn.spread, marked=len(turn.spread) - 1)
    height, shapes = draw_vertical_bars(bars)
    text = ngettext(
        "%(on_top)d of %(n)d player reached the top of %(top)d points.",
        "%(on_top)d of %(n)d players reached the top of %(top)d points.",
        turn.players,
    )
    return Drawing(
        name=f"spread-{turn.number}",
        title=_("Points in turn %(turn)d; the top is hatched") % {"turn": turn.number},
        description=text % {"on_top": turn.on_top, "n": turn.players, "top": turn.top},
        height=height,
        shapes=tuple(shapes),
        figures=ChartTable((_("Points"), _("Players")), tuple((bar.label, bar.value) for bar in bars)),
    )


def totals_chart(totals: Sequence[HistogramBin]) -> Drawing:
    """Draw the players by their percentage of all tops."""
    bars = _bars(totals)
    height, shapes = draw_vertical_bars(
        [Bar(str(each.low), bar.value, bar.size) for each, bar in zip(totals, bars, strict=True)]
    )
    many = max(totals, key=lambda each: each.players, default=HistogramBin(0, 0, 0))
    text = _("Most players have %(low)d to %(high)d percent of all tops.")
    return Drawing(
        name="totals",
        title=_("Players by percent of all tops, in steps of five"),
        description=text % {"low": many.low, "high": many.high},
        height=height,
        shapes=tuple(shapes),
        figures=ChartTable((_("Percent"), _("Players")), tuple((bar.label, bar.value) for bar in bars)),
    )


def _bars(bins: Sequence[HistogramBin], marked: int | None = None) -> list[Bar]:
    most = max((each.players for each in bins), default=0) or 1
    return [
        Bar(_label(each), str(each.players), each.players / most, marked=at == marked) for at, each in enumerate(bins)
    ]


def _label(each: HistogramBin) -> str:
    return str(each.low) if each.low == each.high else f"{each.low}–{each.high}"
