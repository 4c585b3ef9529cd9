"""Who found the top, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.analysis import TurnFigures
from referee.charts.bars import Bar, upright
from referee.charts.numbers import number_text
from referee.charts.shapes import Drawing, Figures
from referee.charts.words import move_text


def shares_chart(turns: Sequence[TurnFigures]) -> Drawing:
    """Percent of the players on the top in each turn."""
    shares = [float(turn.top_share or 0) for turn in turns]
    most = max(shares, default=0.0) or 1.0
    bars = [
        Bar(str(turn.number), number_text(turn.top_share, 0), share / most)
        for turn, share in zip(turns, shares, strict=True)
    ]
    height, shapes = upright(bars)
    return Drawing(
        name="shares",
        title=_("Percent of the players on the top, turn by turn"),
        told=_told(turns),
        height=height,
        shapes=tuple(shapes),
        figures=Figures(
            (_("Turn"), _("On the board"), _("Top"), _("On the top"), _("Players"), _("Percent")),
            tuple(_row(turn) for turn in turns),
        ),
    )


def _told(turns: Sequence[TurnFigures]) -> str:
    played = [turn for turn in turns if turn.top_share is not None]
    if not played:
        return _("No turn is on the board yet.")
    low, high = (choose(played, key=lambda turn: turn.top_share or 0) for choose in (min, max))
    told = _("Turn %(easy)d was found by most, %(high)s percent; turn %(hard)d by fewest, %(low)s percent.")
    return told % {
        "high": number_text(high.top_share, 0),
        "easy": high.number,
        "low": number_text(low.top_share, 0),
        "hard": low.number,
    }


def _row(turn: TurnFigures) -> tuple[str, ...]:
    master = "–" if turn.master is None else move_text(turn.master)
    share = number_text(turn.top_share, 1)
    return str(turn.number), master, str(turn.top), str(turn.on_top), str(turn.players), share
