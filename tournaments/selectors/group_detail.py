"""One group of slips as a judge looks at it: laid on the board, with the rule that decides, quoted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.board import EMPTY
from engine.coords import SIZE, Direction, Reference, edge_labels, format_reference
from engine.edition import BLANK_BIT
from engine.premiums import Premium
from engine.rules.drawn import DrawnSlip, drawn_slip
from engine.rules.quoting import Quoted, quoted_rule
from tournaments import lexicons
from tournaments.models import Room, Turn, Verdict, players_in
from tournaments.position import board_before, profile_of
from tournaments.verdicts import Reader, written

NEW, IN_THE_WAY, CROSSING, REFUSED, BLANK = "new", "in-the-way", "crossing", "refused", "blank"


@dataclass(frozen=True, slots=True)
class SquareShown:
    """A square of the drawn board: its letter, "" without one, what it multiplies, and what there is to say of it."""

    face: str
    premium: Premium
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WordShown:
    """A word that the slip forms; `is_main` for the one that was written."""

    text: str
    ref: str
    is_allowed: bool
    is_main: bool


@dataclass(frozen=True, slots=True)
class BoardShown:
    """The slip on the board, and what is to be said of it in words. `rows`: 15 of 15 squares, each with its label."""

    columns: tuple[str, ...]
    rows: list[tuple[str, list[SquareShown]]]
    words: list[WordShown]
    new: list[str]
    blanks: list[str]
    in_the_way: list[str]
    beyond: int


@dataclass(frozen=True, slots=True)
class GroupDetail:
    """What is drawn and quoted for a group; `board` is None when the slip has no place that can be read."""

    board: BoardShown | None
    rule: Quoted | None


def group_detail(turn: Turn, room: Room, group: str) -> GroupDetail | None:
    """A group of a judged turn in this room; None when it is not there any more."""
    rows = Verdict.objects.filter(turn=turn, group=group, slip__isnull=False, player__in=players_in(turn.game, room))
    row = rows.select_related("slip").order_by("player__table").first()
    if row is None:
        return None
    profile, verdict = profile_of(turn.game), Reader(turn.game).judgement(row)
    words = lexicons.open_lexicon(turn.game, turn.number)
    drawn = drawn_slip(written(row.slip), verdict.move, board_before(turn), profile, words)
    return GroupDetail(
        board=_shown(drawn, turn) if drawn is not None else None,
        rule=quoted_rule(verdict, profile, _),
    )


def _shown(drawn: DrawnSlip, turn: Turn) -> BoardShown:
    notation, edition = profile_of(turn.game).notation, drawn.board.edition
    row_labels, column_labels = edge_labels(notation)
    marks = _marks(drawn)

    def name(square: tuple[int, int]) -> str:
        return format_reference(Reference(*square, Direction.ACROSS), notation)

    def shown(row: int, col: int) -> SquareShown:
        code = drawn.board.at(row, col)
        told = tuple(marks.get((row, col), ()))
        if code == EMPTY:
            return SquareShown("", edition.premiums[row * SIZE + col], told)
        face = edition.face(code & ~BLANK_BIT)
        return SquareShown(face, edition.premiums[row * SIZE + col], (*told, BLANK) if code & BLANK_BIT else told)

    return BoardShown(
        columns=column_labels,
        rows=[(row_labels[row], [shown(row, col) for col in range(SIZE)]) for row in range(SIZE)],
        words=[
            WordShown(word.text, format_reference(word.reference, notation), word.is_allowed, not number)
            for number, word in enumerate(drawn.words)
        ],
        new=[name(square) for square in drawn.new],
        blanks=[name(square) for square in drawn.blanks],
        in_the_way=[name(square) for square in drawn.in_the_way],
        beyond=drawn.beyond,
    )


def _marks(drawn: DrawnSlip) -> Mapping[tuple[int, int], list[str]]:
    marks: dict[tuple[int, int], list[str]] = {}
    for squares, mark in ((drawn.new, NEW), (drawn.in_the_way, IN_THE_WAY)):
        for square in squares:
            marks.setdefault(square, []).append(mark)
    for number, word in enumerate(drawn.words):
        for square in word.squares:
            told = marks.setdefault(square, [])
            told += [CROSSING] * bool(number and CROSSING not in told)
            told += [REFUSED] * bool(not word.is_allowed and REFUSED not in told)
    return marks
