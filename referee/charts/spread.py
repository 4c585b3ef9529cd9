"""How points spread: in a turn, and at the end."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.analysis import Bin, TurnFigures
from referee.charts.bars import Bar, upright
from referee.charts.shapes import Drawing, Figures


def spread_chart(turn: TurnFigures) -> Drawing:
    """The players of a turn by points; the bar of the top is hatched."""
    bars = _bars(turn.spread, marked=len(turn.spread) - 1)
    height, shapes = upright(bars)
    told = ngettext(
        "%(on_top)d of %(n)d player reached the top of %(top)d points.",
        "%(on_top)d of %(n)d players reached the top of %(top)d points.",
        turn.players,
    )
    return Drawing(
        name=f"spread-{turn.number}",
        title=_("Points in turn %(turn)d; the top is hatched") % {"turn": turn.number},
        told=told % {"on_top": turn.on_top, "n": turn.players, "top": turn.top},
        height=height,
        shapes=tuple(shapes),
        figures=Figures((_("Points"), _("Players")), tuple((bar.label, bar.value) for bar in bars)),
    )


def totals_chart(totals: Sequence[Bin]) -> Drawing:
    """The players by what percent of all tops they have."""
    bars = _bars(totals)
    height, shapes = upright([Bar(str(each.low), bar.value, bar.size) for each, bar in zip(totals, bars, strict=True)])
    many = max(totals, key=lambda each: each.players, default=Bin(0, 0, 0))
    told = _("Most players have %(low)d to %(high)d percent of all tops.")
    return Drawing(
        name="totals",
        title=_("Players by percent of all tops, in steps of five"),
        told=told % {"low": many.low, "high": many.high},
        height=height,
        shapes=tuple(shapes),
        figures=Figures((_("Percent"), _("Players")), tuple((bar.label, bar.value) for bar in bars)),
    )


def _bars(bins: Sequence[Bin], marked: int | None = None) -> list[Bar]:
    most = max((each.players for each in bins), default=0) or 1
    return [
        Bar(_label(each), str(each.players), each.players / most, marked=at == marked) for at, each in enumerate(bins)
    ]


def _label(each: Bin) -> str:
    return str(each.low) if each.low == each.high else f"{each.low}–{each.high}"
