"""The turns that were hard: where the players got least of the top."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.analysis import TurnFigures
from referee.charts.bars import Bar, lying
from referee.charts.numbers import number_text
from referee.charts.shapes import Drawing, Figures
from referee.charts.words import move_text


def hardest_chart(turns: Sequence[TurnFigures]) -> Drawing:
    """What a player got on the average in these turns, in percent of the top."""
    bars = [Bar(_label(turn), f"{number_text(turn.percent, 0)} %", float(turn.percent or 0) / 100) for turn in turns]
    height, shapes = lying(bars)
    return Drawing(
        name="hardest",
        title=_("Hardest turns: what players got of the top"),
        told=_told(turns),
        height=height,
        shapes=tuple(shapes),
        figures=Figures(
            (_("Turn"), _("Rack"), _("Top"), _("Mean"), _("Percent of the top"), _("Without points")),
            tuple(_row(turn) for turn in turns),
        ),
    )


def _label(turn: TurnFigures) -> str:
    return f"{turn.number} · {turn.rack if turn.master is None else move_text(turn.master)}"


def _told(turns: Sequence[TurnFigures]) -> str:
    if not turns:
        return _("No turn is on the board yet.")
    facts = {"turn": turns[0].number, "percent": number_text(turns[0].percent, 0)}
    return _("The hardest was turn %(turn)d: players got %(percent)s percent of its top.") % facts


def _row(turn: TurnFigures) -> tuple[str, ...]:
    mean, percent = number_text(turn.mean, 1), number_text(turn.percent, 1)
    return str(turn.number), turn.rack, str(turn.top), mean, percent, str(turn.zeros)
