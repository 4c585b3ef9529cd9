"""The judge's search box: one line, and an answer in parts.

CARTE           a word: is it valid; hooks, anagrams; where it could go; who played it
CART??          letters with blanks: anagrams, and the best moves with them
CA.T_ *CART*    a pattern: . and _ are one letter, * any letters
=AEIRST?        the best moves with this rack
-?   -E   -     the best moves without the blank, without an E, with the whole rack of the turn
@CARTE          only where it could go
#5              anywhere in the line: on the board of turn 5
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.edition import UnknownLetter
from engine.tiles import NotThere, Tiles
from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import Game, Room, Turn
from tournaments.selectors.moves_seen import may_see_moves
from tournaments.selectors.on_board import (
    RackOnBoard,
    WordOnBoard,
    rack_on_board,
    rack_without,
    tiles_asked,
    word_on_board,
)
from tournaments.selectors.phases import turn_in, turns_in
from tournaments.selectors.played import Played, played
from tournaments.selectors.words import LONGEST_QUESTION, WordAnswer, look_up

_TURN = re.compile(r"#\s*(\d{1,3})(?!\d)")
WITH_RACK, WITHOUT, ON_BOARD = "=", "-", "@"
_SIGNS = (WITH_RACK, WITHOUT, ON_BOARD)
_JOKERS = frozenset("?.*_")


@dataclass(frozen=True, slots=True)
class Question:
    """What a line asks: `sign` is one of `_SIGNS` or empty, `text` what follows, `turn` the number named in it."""

    sign: str
    text: str
    turn: int | None

    @classmethod
    def read(cls, line: str) -> Question:
        named = _TURN.search(line)
        text = validators.one_line(_TURN.sub(" ", line))
        sign = text[0] if text[:1] in _SIGNS and text else ""
        return cls(sign, text[len(sign) :].strip(), int(named[1]) if named else None)


@dataclass(frozen=True, slots=True)
class Answer:
    """The parts of an answer; what was not asked for is None. `turn` is the turn on whose board moves are told, with
    its rack and its board; `remark` a sentence: why there are none."""

    words: WordAnswer | None = None
    turn: Turn | None = None
    places: WordOnBoard | None = None
    rack: RackOnBoard | None = None
    played: Played | None = None
    remark: str = ""


def answer(game: Game, room: Room, user: User, line: str, now: datetime) -> Answer:
    """Answer a line at the desk of a judge in a room."""
    question = Question.read(line)
    words = None if question.sign else look_up(game, question.text, room)
    known = played(game, room, question.text) if _is_word(question) else None
    turn = _turn(game, room, question.turn)
    if turn is None:
        return Answer(words, played=known, remark=_no_turn(question))
    turn.game = game
    if not may_see_moves(turn=turn, room=room, user=user, now=now):
        remark = _("Where it could go, and for how much, is told when the clock of this turn has closed.")
        return Answer(words, played=known, remark=remark)
    try:
        return Answer(words, turn, _places(turn, question), _rack(turn, question, words), known)
    except Refused as refused:
        return Answer(words, played=known, remark=refused.sentence)


def _turn(game: Game, room: Room, number: int | None) -> Turn | None:
    """The turn that the line names, else that which the room is at."""
    return turn_in(game, room) if number is None else turns_in(game, room).filter(number=number).first()


def _no_turn(question: Question) -> str:
    if question.turn is not None:
        return _("There is no turn %(number)d yet.") % {"number": question.turn}
    return _("Before the first rack is drawn there is no board to answer for.") if question.sign else ""


def _is_word(question: Question) -> bool:
    """Whether one word is asked about."""
    short = 0 < len(question.text) <= LONGEST_QUESTION
    return short and question.sign in ("", ON_BOARD) and not _JOKERS & set(question.text)


def _places(turn: Turn, question: Question) -> WordOnBoard | None:
    return word_on_board(turn, question.text) if _is_word(question) else None


def _rack(turn: Turn, question: Question, words: WordAnswer | None) -> RackOnBoard | None:
    """The best moves with the letters that are asked about: those of a line with `=` or `-`, and of one that can be
    meant as a rack, since it has blanks or is no word."""
    if question.sign == WITHOUT:
        return rack_on_board(turn, _left(turn, question.text))
    asked = question.sign == WITH_RACK
    meant = words is not None and (words.anagrams is not None and not words.valid)
    if not (asked or meant):
        return None
    tiles = tiles_asked(turn, question.text)
    if tiles is None and asked:
        raise Refused(_("A rack is two to nine tiles of this edition, ? for a blank."))
    return rack_on_board(turn, tiles) if tiles is not None else None


def _left(turn: Turn, text: str) -> Tiles:
    try:
        return rack_without(turn, text)
    except NotThere as error:
        if error.missing == "?" and "?" not in turn.rack:
            raise Refused(_("The rack %(rack)s has no blank.") % {"rack": turn.rack}) from None
        named = {"rack": turn.rack, "missing": error.missing}
        raise Refused(_("The rack %(rack)s has no %(missing)s.") % named) from None
    except UnknownLetter as error:
        raise Refused(_("No tile shows %(sign)s.") % {"sign": error.sign}) from None
