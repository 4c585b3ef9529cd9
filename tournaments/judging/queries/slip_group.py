"""One group of slips for the judge: the slip drawn on the board, with a quotation of the rule that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.board.board import EMPTY
from engine.board.coordinates import Direction, Reference, format_reference
from engine.judging.rule_quotes import RuleQuote, quote_rule
from engine.judging.slip_diagram import SlipDiagram, build_slip_diagram
from engine.tiles.edition import BLANK_BIT
from tournaments.judging.verdicts import VerdictReader, to_written_slip
from tournaments.lexicons import word_lists
from tournaments.models import Room, Turn, Verdict, players_in
from tournaments.play.position import board_before, profile_of

NEW, IN_THE_WAY, CROSSING, REFUSED, BLANK = "new", "in-the-way", "crossing", "refused", "blank"


@dataclass(frozen=True, slots=True)
class MarkedSquare:
    """A square of the board that the slip concerns: row and column from 0, its letter or "", and its marks."""

    row: int
    col: int
    face: str
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FormedWord:
    """A word that the slip forms; the first one is the written word."""

    text: str
    ref: str
    is_allowed: bool


@dataclass(frozen=True, slots=True)
class SlipBoard:
    """The slip drawn on the board: the squares that it concerns, the words that it forms, and what is wrong."""

    squares: list[MarkedSquare]
    words: list[FormedWord]
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
    notation = profile_of(turn.game).notation
    return SlipBoard(
        squares=[_marked_square(drawn, *square, marks) for square, marks in sorted(_marks(drawn).items())],
        words=[
            FormedWord(word.text, format_reference(word.reference, notation), word.is_allowed) for word in drawn.words
        ],
        in_the_way=[format_reference(Reference(*square, Direction.ACROSS), notation) for square in drawn.in_the_way],
        beyond=drawn.beyond,
    )


def _marked_square(drawn: SlipDiagram, row: int, col: int, marks: list[str]) -> MarkedSquare:
    code = drawn.board.at(row, col)
    face = "" if code == EMPTY else drawn.board.edition.face(code & ~BLANK_BIT)
    is_blank = code != EMPTY and bool(code & BLANK_BIT)
    return MarkedSquare(row, col, face, (*marks, BLANK) if is_blank else tuple(marks))


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
