"""One group of slips for the judge: the slip drawn on the board, with a quotation of the rule that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.board.board import EMPTY
from engine.board.coordinates import SIZE, Direction, Reference, edge_labels, format_reference
from engine.board.premiums import Premium
from engine.judging.rule_quotes import RuleQuote, quote_rule
from engine.judging.slip_diagram import SlipDiagram, build_slip_diagram
from engine.tiles.edition import BLANK_BIT
from tournaments.judging.verdicts import VerdictReader, to_written_slip
from tournaments.lexicons import word_lists
from tournaments.models import Room, Turn, Verdict, players_in
from tournaments.play.position import board_before, profile_of

NEW, IN_THE_WAY, CROSSING, REFUSED, BLANK = "new", "in-the-way", "crossing", "refused", "blank"


@dataclass(frozen=True, slots=True)
class BoardSquare:
    """A square of the drawn board: its letter or "", its premium, and its marks."""

    face: str
    premium: Premium
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormedWord:
    """A word that the slip forms; `is_main`: the written word."""

    text: str
    ref: str
    is_allowed: bool
    is_main: bool


@dataclass(frozen=True, slots=True)
class SlipBoard:
    """The slip drawn on the board, with remarks. `rows`: 15 pairs of a label and 15 squares."""

    columns: tuple[str, ...]
    rows: list[tuple[str, list[BoardSquare]]]
    words: list[FormedWord]
    new: list[str]
    blanks: list[str]
    in_the_way: list[str]
    beyond: int


@dataclass(frozen=True, slots=True)
class GroupDetail:
    """The drawing and the rule of a group; `board` is None if the reference of the slip is not readable."""

    board: SlipBoard | None
    rule: RuleQuote | None


def group_detail(turn: Turn, room: Room, group: str) -> GroupDetail | None:
    """A group of a judged turn in this room; None if it no longer exists."""
    rows = Verdict.objects.filter(turn=turn, group=group, slip__isnull=False, player__in=players_in(turn.game, room))
    row = rows.select_related("slip").order_by("player__table").first()
    if row is None:
        return None
    profile, verdict = profile_of(turn.game), VerdictReader(turn.game).judgement(row)
    words = word_lists.open_lexicon(turn.game, turn.number)
    drawn = build_slip_diagram(to_written_slip(row.slip), verdict.move, board_before(turn), profile, words)
    return GroupDetail(
        board=_build_board(drawn, turn) if drawn is not None else None,
        rule=quote_rule(verdict, profile, _),
    )


def _build_board(drawn: SlipDiagram, turn: Turn) -> SlipBoard:
    notation, edition = profile_of(turn.game).notation, drawn.board.edition
    row_labels, column_labels = edge_labels(notation)
    marks = _marks(drawn)

    def name(square: tuple[int, int]) -> str:
        return format_reference(Reference(*square, Direction.ACROSS), notation)

    def shown(row: int, col: int) -> BoardSquare:
        code = drawn.board.at(row, col)
        square_marks = tuple(marks.get((row, col), ()))
        if code == EMPTY:
            return BoardSquare("", edition.premiums[row * SIZE + col], square_marks)
        face = edition.face(code & ~BLANK_BIT)
        return BoardSquare(
            face, edition.premiums[row * SIZE + col], (*square_marks, BLANK) if code & BLANK_BIT else square_marks
        )

    return SlipBoard(
        columns=column_labels,
        rows=[(row_labels[row], [shown(row, col) for col in range(SIZE)]) for row in range(SIZE)],
        words=[
            FormedWord(word.text, format_reference(word.reference, notation), word.is_allowed, not number)
            for number, word in enumerate(drawn.words)
        ],
        new=[name(square) for square in drawn.new],
        blanks=[name(square) for square in drawn.blanks],
        in_the_way=[name(square) for square in drawn.in_the_way],
        beyond=drawn.beyond,
    )


def _marks(drawn: SlipDiagram) -> Mapping[tuple[int, int], list[str]]:
    marks: dict[tuple[int, int], list[str]] = {}
    for squares, mark in ((drawn.new, NEW), (drawn.in_the_way, IN_THE_WAY)):
        for square in squares:
            marks.setdefault(square, []).append(mark)
    for number, word in enumerate(drawn.words):
        for square in word.squares:
            square_marks = marks.setdefault(square, [])
            square_marks += [CROSSING] * bool(number and CROSSING not in square_marks)
            square_marks += [REFUSED] * bool(not word.is_allowed and REFUSED not in square_marks)
    return marks
