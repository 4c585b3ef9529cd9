"""Paper slips typed at the desk: whole slips, repetitions, the top and zeros, for one table or several.

Of a line for several tables the valid ones are stored together, through the same service as phone slips, and only once
if the line is sent again. The tables that cannot have a slip are named, and stay in the line.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid4, uuid5

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.slips.slip import Slip as WrittenSlip
from engine.slips.typed_line import Shorthand, TypedLine, UnreadableLine, format_content, format_line, parse_line
from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.judging.verdicts import to_written_slip
from tournaments.models import Game, Player, Room, Slip, Turn, Verdict
from tournaments.play.position import edition_of, profile_of
from tournaments.play.queries import slip_text
from tournaments.play.queries.phases import get_clock
from tournaments.play.queries.replaced_slip import ReplacedSlip, find_replaced_slip
from tournaments.play.services.game_lock import lock_room
from tournaments.play.services.slips import (
    IncomingSlip,
    get_open_turn,
    make_paper_slip,
    player_at_table,
    submit_typed_slips,
)
from tournaments.play.tops import stored_tops

Question = Literal["closed", "phone"]
"""`closed`: was a slip that is typed after the close handed in before it? `phone`: does it replace a phone's slip?"""
QUESTIONS: tuple[Question, ...] = ("closed", "phone")


@dataclass(frozen=True, slots=True)
class DeskLine:
    """A line as a desk sent it.

    `offered`: the table that the desk suggested; `same`: the line that `=` repeats, unless `group` is the group of
    equal slips that it repeats; `turn`: the turn for which it was typed; `line_id` is the same when a line is sent
    again. `unanswered`: the questions that the desk has not asked yet.
    """

    line: str
    offered: int | None = None
    same: str = ""
    group: str = ""
    turn: int | None = None
    line_id: UUID = field(default_factory=uuid4)
    unanswered: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class LineEcho:
    """The meaning of a typed line.

    `said` is the text behind the tables, as one would type it; it reveals no hidden top. `versions` are those of the
    stored slips, empty before the line is stored. `refused` says why tables of the line have no slip, and `rest` is the
    line with these tables alone. A line with a question in `asks` is not stored.
    """

    tables: tuple[int, ...]
    sentence: str
    said: str
    replaced: ReplacedSlip
    versions: tuple[int, ...] = ()
    refused: str = ""
    rest: str = ""
    asks: Question | None = None


@dataclass(frozen=True, slots=True)
class _CheckedLine:
    """The players at the valid tables of a line and their turn, and for each other table the reason against it."""

    players: list[Player]
    turn: Turn
    refusals: Mapping[int, str]
    content: WrittenSlip | Shorthand

    @property
    def refused(self) -> str:
        """The reasons in one text."""
        return " ".join(dict.fromkeys(self.refusals.values()))

    @property
    def rest(self) -> str:
        """The line with the refused tables alone."""
        return format_line(TypedLine(tuple(self.refusals), self.content)) if self.refusals else ""


@dataclass(frozen=True, slots=True)
class _ParsedLine:
    """A parsed line: one slip for each of these players, who are in one turn of one room."""

    line: _CheckedLine
    turn: Turn
    slip: WrittenSlip
    is_top: bool
    is_closed: bool

    @property
    def players(self) -> list[Player]:
        return self.line.players


def read_line(*, game: Game, typed: DeskLine, room: Room, judges: bool) -> LineEcho:
    """Read a typed line without storing it. Raise `Refused` with the fault of the line.

    The tables are those of `room`. `judges`: the user may see the tops and the slips of others.
    """
    return _build_echo(game, _read(game, typed, room, judges=judges), judges=judges)


def enter_line(
    *, game: Game, typed: DeskLine, room: Room, judges: bool, now: datetime, by: User | None
) -> LineEcho | None:
    """Store the paper slips of a typed line. They replace earlier slips of these tables, from paper or phone.

    When this line was stored before nothing is changed, and None returned, or what was refused then. When a question
    that is unanswered applies, nothing is stored either.
    """
    with lock_room(game, room) as locked:
        if Slip.objects.filter(turn__game=locked, client_id=_first_id(typed)).exists():
            return _repeat_refusal(locked, typed, room)
        read = _read(locked, typed, room, judges=judges)
        echo = _build_echo(locked, read, judges=judges)
        asks = _find_question(typed.unanswered, read, echo.replaced, judges=judges)
        if asks is not None:
            return replace(echo, asks=asks)
        ids = [_first_id(typed), *(uuid5(typed.line_id, str(player.table)) for player in read.players[1:])]
        incoming = [_to_incoming_slip(read, player, line, now) for player, line in zip(read.players, ids, strict=True)]
        receipts = submit_typed_slips(game=locked, typed=incoming, raw=typed.line, now=now, by=by)
    judge_closed_rooms(now=now, rooms=[room.pk])
    return replace(echo, versions=tuple(receipt.version for receipt in receipts))


def _find_question(
    unanswered: Collection[Question], read: _ParsedLine, replaced: ReplacedSlip, *, judges: bool
) -> Question | None:
    """The first unanswered question that applies. Only a judge decides whether a slip came too late."""
    applies: dict[Question, bool] = {
        "closed": judges and read.is_closed and read.slip.received == "in_time",
        "phone": replaced.from_phone,
    }
    return next((question for question in QUESTIONS if question in unanswered and applies[question]), None)


def _repeat_refusal(game: Game, typed: DeskLine, room: Room) -> LineEcho | None:
    """The refused part of a line that was stored before; its answer may have been lost."""
    try:
        line = _check_tables(game, _parse(game, typed.line, typed.offered), room)
    except Refused:
        return None
    if not line.refusals:
        return None
    stored = tuple(player.table for player in line.players)
    return LineEcho(stored, "", "", ReplacedSlip("", 0), refused=line.refused, rest=line.rest)


def _first_id(typed: DeskLine) -> UUID:
    """The id of the first slip of a line, which does not depend on the table."""
    return uuid5(typed.line_id, "first")


def _to_incoming_slip(read: _ParsedLine, player: Player, client_id: UUID, now: datetime) -> IncomingSlip:
    in_time, several = read.slip.received != "late", read.slip.received == "several"
    slip = make_paper_slip(player=player, turn=read.turn, slip=read.slip, now=now, in_time=in_time, several=several)
    return replace(slip, client_id=client_id)


def _read(game: Game, typed: DeskLine, room: Room, *, judges: bool) -> _ParsedLine:
    line = _check_tables(game, _parse(game, typed.line, typed.offered), room)
    turn = line.turn
    if typed.turn is not None and typed.turn != turn.number:
        raise Refused(
            _("This was typed for turn %(typed)d, but turn %(turn)d is being played: type it again if it belongs here.")
            % {"typed": typed.turn, "turn": turn.number}
        )
    clock = get_clock(turn, room)
    is_closed = clock is not None and clock.state == ClockState.CLOSED
    content = _repeat_slip(game, turn, typed, judges=judges) if line.content is Shorthand.SAME else line.content
    if isinstance(content, Shorthand):
        slip = _find_top(turn, room, judges=judges, is_closed=is_closed)
        return _ParsedLine(line, turn, slip, is_top=True, is_closed=is_closed)
    if content.received == "late" and not judges:
        raise Refused(_("Only the judge decides whether a slip came too late: give it to the judge."))
    return _ParsedLine(line, turn, content, is_top=False, is_closed=is_closed)


def _check_tables(game: Game, line: TypedLine, room: Room) -> _CheckedLine:
    """Find the players of a line. Raise `Refused` when no table of it can have a slip."""
    players, refusals, turn = [], {}, None
    for table in line.tables:
        try:
            player = player_at_table(game, table, room)
            turn = get_open_turn(game, player)
            players.append(player)
        except Refused as refused:
            refusals[table] = refused.sentence
    if turn is None:
        raise Refused(" ".join(dict.fromkeys(refusals.values())))
    return _CheckedLine(players, turn, refusals, line.content)


def _parse(game: Game, line: str, offered: int | None) -> TypedLine:
    profile = profile_of(game)
    try:
        return parse_line(line, profile.notation, offered, hooks=profile.takes_hooks)
    except UnreadableLine as error:
        raise Refused(error.sentence(_)) from None


def _repeat_slip(game: Game, turn: Turn, typed: DeskLine, *, judges: bool) -> WrittenSlip | Shorthand:
    """The content that `=` repeats: the slip of the marked group, else of the line before."""
    if typed.group and not judges:
        raise Refused(_("Only the judge can see the slips of others: type the slip."))
    if typed.group:
        equal = Verdict.objects.filter(turn=turn, group=typed.group, slip__isnull=False)
        verdict = equal.select_related("slip").first()
        if verdict is None:
            raise Refused(_("This group is gone: choose another one, or type the slip."))
        return to_written_slip(verdict.slip)
    if not typed.same.strip():
        raise Refused(_("Nothing was typed before that = could stand for: type the slip."))
    content = _parse(game, typed.same, 1).content
    if content is Shorthand.SAME:
        raise Refused(_("Nothing was typed before that = could stand for: type the slip."))
    return content


def _find_top(turn: Turn, room: Room, *, judges: bool, is_closed: bool) -> WrittenSlip:
    """The first of the tops, as the player would have written it."""
    if not judges:
        raise Refused(_("T stands for the top, which only the judge may hand in: type the slip as it is written."))
    if not (room.is_drawing or is_closed):
        raise Refused(_("In this room the top is known when its clock has closed: type the slip as it is written."))
    tops = stored_tops(turn)
    if not tops:
        raise Refused(_("No move is possible with this rack, so T stands for nothing."))
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    move = tops[0].move
    return WrittenSlip(move.word_text(edition), move.reference_text(notation), move.score)


def _build_echo(game: Game, read: _ParsedLine, *, judges: bool) -> LineEcho:
    who = slip_text.who_in_words([(player.table, player.name) for player in read.players])
    hidden = read.is_top and not read.is_closed
    if hidden:
        sentence = _("%(who)s: the top.") % {"who": who}
    else:
        sentence = slip_text.typed_in_words(who, read.slip, edition_of(game), profile_of(game).notation)
    return LineEcho(
        tables=tuple(player.table for player in read.players),
        sentence=sentence,
        said=Shorthand.TOP.value if hidden else format_content(read.slip),
        replaced=_replaced(game, read, judges=judges),
        refused=read.line.refused,
        rest=read.line.rest,
    )


def _replaced(game: Game, read: _ParsedLine, *, judges: bool) -> ReplacedSlip:
    if game.event.double_typing:
        return ReplacedSlip("", 0)  # typists must not see what others have typed, which goes on counting
    may_read = judges and read.is_closed and not game.event.anonymous_judging
    return find_replaced_slip(read.turn, read.players, late=read.slip.received == "late", may_read=may_read)
