"""The game of another hall that a game of ours follows: what of the sealed feed may be opened by now.

The rack of a turn is opened when the turn before is placed here, and so its clock was closed; its move when our own
clock of the turn has closed. What the drawing room has not played itself yet, which is there in prepared games alone,
is opened only while there is no line.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any, cast

from django.utils.translation import gettext as _

from engine.board import Board, squares_of
from engine.coords import SIZE, UnreadableReference, parse_reference
from engine.edition import UnknownLetter
from engine.feed import EndPart, Feed, FeedTurn, MasterPart, RackPart
from engine.move import Move
from engine.rules.master import Master
from engine.rules.place import Fault, lay
from engine.scoring import formed_words
from engine.script import ScriptTurn
from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.feed_seal import END, MASTER, RACK, Unopenable, unkept, unseal
from tournaments.models import FollowedFeed, Game, Room, Turn, TurnClock
from tournaments.position import Left, edition_of, position_of, profile_of

LINE_IS_DOWN = timedelta(seconds=20)
BY_DRAWING_ROOM = "drawing room"


def line_of(game: Game) -> FollowedFeed:
    """The line of a game that follows a feed."""
    return FollowedFeed.objects.get(game=game)


def feed_in(line: FollowedFeed) -> Feed:
    """What came last; its form was checked when it came."""
    return cast(Feed, json.loads(line.text))


def token_of(line: FollowedFeed) -> str:
    """The secret of the link."""
    return unkept(line.link).rstrip("/").rpartition("/")[2]


def is_down(line: FollowedFeed) -> bool:
    """Whether the drawing server has not answered for some time."""
    if line.heard_at is None or line.asked_at is None:
        return True
    return line.asked_at - line.heard_at > LINE_IS_DOWN


def since(line: FollowedFeed) -> datetime | None:
    """Since when there is no line; None while there is one, and where there never was one."""
    return line.heard_at if is_down(line) else None


def next_turn(game: Game, left: Left) -> ScriptTurn | None:
    """The turn that is due, without its move; None when it is not here, or may not be opened yet."""
    line = line_of(game)
    fed = _turn_in(line, left.turn)
    if fed is None or not (fed["announced"] or is_down(line)):
        return None
    part: RackPart = _open(line, RACK, left.turn, fed["rack"])
    if (part["board"], part["kept"]) != (left.board.rows, left.kept.text):
        raise Refused(
            _("Turn %(turn)d of the drawing room does not follow from what was played here: go on there, by telephone.")
            % {"turn": left.turn}
        )
    return cast(ScriptTurn, {**part, "number": left.turn, "top": 0, "tops": [], "master": None})


def turns_in_store(line: FollowedFeed, number: int) -> int:
    """How many turns from this number on can be played without a line."""
    known = {turn["number"] for turn in feed_in(line)["turns"]}
    count = 0
    while number + count in known:
        count += 1
    return count


def end_of(game: Game, left: Left) -> str:
    """Why the game is over now in the drawing room; empty when it is not."""
    line = line_of(game)
    text = feed_in(line)["end"]
    if text is None:
        return ""
    end: EndPart = _open(line, END, 0, text)
    return str(end["why"]) if end["turns"] == left.turn - 1 else ""


def demand_next(game: Game, left: Left) -> None:
    """Refuse to go on where the next turn has not come, with what can be done."""
    if game.feed_id is None or next_turn(game, left) is not None:
        return
    if _turn_in(line_of(game), left.turn) is not None:
        raise Refused(_("The drawing room has not announced turn %(turn)d yet.") % {"turn": left.turn})
    raise Refused(
        _("Turn %(turn)d of the drawing room has not arrived: wait for it, or end here and hand in what you have.")
        % {"turn": left.turn}
    )


def demand_move(turn: Turn) -> None:
    """Refuse to place where the move of the drawing room has not come."""
    if master_part(turn) is None:
        raise Refused(
            _("The move of turn %(turn)d has not arrived from the drawing room: wait for it, or end here and hand in.")
            % {"turn": turn.number}
        )


def master_part(turn: Turn) -> MasterPart | None:
    """Move and rulings of a turn that our own clock has closed; None before, and as long as they are not here."""
    closed = {"turn": turn, "room__number": Room.DRAWING, "state": ClockState.CLOSED}
    if not TurnClock.objects.filter(**closed).exists():
        return None
    line = line_of(turn.game)
    fed = _turn_in(line, turn.number)
    if fed is None or fed["master"] is None or not (fed["placed"] or is_down(line)):
        return None
    return cast(MasterPart, _open(line, MASTER, turn.number, fed["master"]))


def master(turn: Turn) -> Master | None:
    """The drawing room's move as it is laid here; None when there is none, or it has not come. Which words are valid is
    the drawing room's affair."""
    part = master_part(turn)
    entry = part["master"] if part else None
    if entry is None:
        return None
    edition, profile = edition_of(turn.game), profile_of(turn.game)
    at = position_of(turn)
    try:
        reference = parse_reference(entry["ref"], profile.notation)
        word = edition.parse_word(entry["word"])
        fits = bool(word) and all(row < SIZE and col < SIZE for row, col in squares_of(reference, len(word)))
    except (UnreadableReference, UnknownLetter):
        fits = False
    laid = lay(word, reference, at, profile, _EveryWord()) if fits else None
    if laid is None or isinstance(laid, Fault) or laid.move.score != entry["score"]:
        raise Refused(
            _("The move of turn %(turn)d that came from the drawing room cannot be laid here.") % {"turn": turn.number}
        )
    return Master(laid.move, "judge", BY_DRAWING_ROOM)


def words_of(turn: Turn, move: Move) -> list[tuple[int, ...]]:
    """The words that a move forms on the board of a turn."""
    board = Board.parse(edition_of(turn.game), turn.board)
    return [tuple(word.codes) for word in formed_words(board, move.reference, move.word) if len(word.codes) > 1]


class _EveryWord:
    def __contains__(self, word: object) -> bool:
        return True


def _turn_in(line: FollowedFeed, number: int) -> FeedTurn | None:
    return next((turn for turn in feed_in(line)["turns"] if turn["number"] == number), None)


def _open(line: FollowedFeed, kind: str, number: int, text: str) -> Any:
    try:
        return unseal(token_of(line), kind, number, text)
    except Unopenable:
        raise Refused(
            _("What came from the drawing room cannot be opened with this link: ask for the link again.")
        ) from None
