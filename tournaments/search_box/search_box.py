"""The judge's search box: a query of one line, and an answer in parts.

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

from engine.tiles.edition import UnknownLetter
from engine.tiles.tiles import MissingTilesError, Tiles
from tournaments import validators
from tournaments.errors import Refused
from tournaments.models import Game, Room, Turn
from tournaments.play.queries.phases import get_room_turn, turns_in
from tournaments.play.queries.placements import (
    RackOnBoard,
    WordOnBoard,
    parse_rack,
    rack_on_board,
    rack_without,
    word_on_board,
)
from tournaments.play.queries.played_words import PlayedWord, find_played_word
from tournaments.play.queries.spoiler_policy import may_see_moves
from tournaments.search_box.words import LONGEST_QUESTION, WordAnswer, look_up_words

_TURN = re.compile(r"#\s*(\d{1,3})(?!\d)")
WITH_RACK, WITHOUT, ON_BOARD = "=", "-", "@"
_PREFIXES = (WITH_RACK, WITHOUT, ON_BOARD)
_JOKERS = frozenset("?.*_")


@dataclass(frozen=True, slots=True)
class SearchLine:
    """A parsed query: `sign` is one of `_SIGNS` or empty, `text` the rest, `turn` the turn number in it."""

    sign: str
    text: str
    turn: int | None

    @classmethod
    def read(cls, line: str) -> SearchLine:
        named = _TURN.search(line)
        text = validators.one_line(_TURN.sub(" ", line))
        sign = text[0] if text[:1] in _PREFIXES and text else ""
        return cls(sign, text[len(sign) :].strip(), int(named[1]) if named else None)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The parts of an answer; None for parts that were not queried.

    `turn` is the turn whose board and rack the moves use; `remark` says why there are no moves.
    """

    words: WordAnswer | None = None
    turn: Turn | None = None
    places: WordOnBoard | None = None
    rack: RackOnBoard | None = None
    played: PlayedWord | None = None
    remark: str = ""


def answer_line(game: Game, room: Room, user: User, line: str, now: datetime) -> SearchAnswer:
    """Answer a query at a judge's desk in a room."""
    question = SearchLine.read(line)
    words = None if question.sign else look_up_words(game, question.text, room)
    known = find_played_word(game, room, question.text) if _is_word(question) else None
    turn = _turn(game, room, question.turn)
    if turn is None:
        return SearchAnswer(words, played=known, remark=_no_turn(question))
    turn.game = game
    if not may_see_moves(turn=turn, room=room, user=user, now=now):
        remark = _("Places and points are shown when the clock of this turn has closed.")
        return SearchAnswer(words, played=known, remark=remark)
    try:
        return SearchAnswer(words, turn, _places(turn, question), _rack(turn, question, words), known)
    except Refused as refused:
        return SearchAnswer(words, played=known, remark=refused.sentence)


def _turn(game: Game, room: Room, number: int | None) -> Turn | None:
    """The turn named in the query, otherwise the room's present turn."""
    return get_room_turn(game, room) if number is None else turns_in(game, room).filter(number=number).first()


def _no_turn(question: SearchLine) -> str:
    if question.turn is not None:
        return _("There is no turn %(number)d yet.") % {"number": question.turn}
    return _("There is no board before the first rack is drawn.") if question.sign else ""


def _is_word(question: SearchLine) -> bool:
    """Return whether the query is one word."""
    short = 0 < len(question.text) <= LONGEST_QUESTION
    return short and question.sign in ("", ON_BOARD) and not _JOKERS & set(question.text)


def _places(turn: Turn, question: SearchLine) -> WordOnBoard | None:
    return word_on_board(turn, question.text) if _is_word(question) else None


def _rack(turn: Turn, question: SearchLine, words: WordAnswer | None) -> RackOnBoard | None:
    """The best moves with the queried letters.

    Queries with `=` or `-` have moves, and those that may be a rack because they have blanks or are not a word.
    """
    if question.sign == WITHOUT:
        return rack_on_board(turn, _require_rack_without(turn, question.text))
    asked = question.sign == WITH_RACK
    meant = words is not None and (words.anagrams is not None and not words.valid)
    if not (asked or meant):
        return None
    tiles = parse_rack(turn, question.text)
    if tiles is None and asked:
        raise Refused(_("A rack is two to nine tiles of this edition, ? for a blank."))
    return rack_on_board(turn, tiles) if tiles is not None else None


def _require_rack_without(turn: Turn, text: str) -> Tiles:
    try:
        return rack_without(turn, text)
    except MissingTilesError as error:
        if error.missing == "?" and "?" not in turn.rack:
            raise Refused(_("The rack %(rack)s has no blank.") % {"rack": turn.rack}) from None
        named = {"rack": turn.rack, "missing": error.missing}
        raise Refused(_("The rack %(rack)s has no %(missing)s.") % named) from None
    except UnknownLetter as error:
        raise Refused(_("No tile shows %(sign)s.") % {"sign": error.sign}) from None
