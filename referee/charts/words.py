"""What players wrote: the moves that most of them found."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from engine.analysis import Played, TurnFigures
from referee.charts.bars import Bar, lying
from referee.charts.shapes import Drawing, Figures


def words_chart(turn: TurnFigures) -> Drawing:
    """The most played moves of a turn; those that are worth the top are hatched."""
    most = max((move.players for move in turn.words), default=0) or 1
    height, shapes = lying(
        [_bar(move_text(move), move.players, most, marked=move.score >= turn.top) for move in turn.words]
    )
    return Drawing(
        name=f"words-{turn.number}",
        title=_("Most played in turn %(turn)d; tops are hatched") % {"turn": turn.number},
        told=_told([(turn.number, move) for move in turn.words]),
        height=height,
        shapes=tuple(shapes),
        figures=_figures([(turn.number, move) for move in turn.words]),
    )


def most_played_chart(moves: Sequence[tuple[int, Played]]) -> Drawing:
    """The moves of the whole game that most players wrote."""
    most = max((move.players for _turn, move in moves), default=0) or 1
    bars = [_bar(f"{turn} · {move_text(move)}", move.players, most) for turn, move in moves]
    height, shapes = lying(bars)
    return Drawing(
        name="most-played",
        title=_("Most played words, with their turn"),
        told=_told(moves),
        height=height,
        shapes=tuple(shapes),
        figures=_figures(moves),
    )


def move_text(move: Played) -> str:
    """A move as people say it: word, reference, points."""
    return f"{move.word} {move.ref} ({move.score})"


def _bar(label: str, players: int, most: int, *, marked: bool = False) -> Bar:
    return Bar(label, str(players), players / most, marked=marked)


def _told(moves: Sequence[tuple[int, Played]]) -> str:
    if not moves:
        return _("Nobody laid a word.")
    first = moves[0][1]
    facts = {"word": first.word, "ref": first.ref, "n": first.players}
    return _("Most players, %(n)d, wrote %(word)s at %(ref)s.") % facts


def _figures(moves: Sequence[tuple[int, Played]]) -> Figures:
    rows = tuple((str(turn), move.word, move.ref, str(move.score), str(move.players)) for turn, move in moves)
    return Figures((_("Turn"), _("Word"), _("Reference"), _("Points"), _("Players")), rows)
