"""Paper slips as they are typed at the desk: whole slips, the same as before, the top, zeros; for one table or several.

A line is stored as a whole or not at all, by the same road as a phone's slip, and once, however often it comes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID, uuid4, uuid5

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.rules.slip import Slip as WrittenSlip
from engine.rules.slip import UnreadableLine
from engine.rules.typed_line import Stands, TypedLine, content_text, parse_line
from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.models import Game, Player, Room, Slip, Turn, Verdict
from tournaments.position import edition_of, profile_of
from tournaments.selectors import wording
from tournaments.selectors.phases import clock_in
from tournaments.selectors.replaced import Replaced, replaced_by
from tournaments.selectors.typings import readings_in
from tournaments.services.acting import acting_on
from tournaments.services.slips import Incoming, open_turn, paper_slip, player_at_table, take_paper
from tournaments.tops import stored_tops
from tournaments.verdicts import written


@dataclass(frozen=True, slots=True)
class Typed:
    """A line as it came from a desk.

    `offered`: the table that the desk offered; `same`: the line that `=` repeats, unless `group` is the group of equal
    slips that it stands for; `turn`: the turn for which it was typed; `line_id` is the same when a line comes again.
    """

    line: str
    offered: int | None = None
    same: str = ""
    group: str = ""
    turn: int | None = None
    line_id: UUID = field(default_factory=uuid4)


@dataclass(frozen=True, slots=True)
class LineEcho:
    """A typed line in plain words. `said` is what is behind the tables, as one would type it, and tells no top that is
    still hidden. `versions`: those of the stored slips, none before it counts."""

    tables: tuple[int, ...]
    sentence: str
    said: str
    replaced: Replaced
    versions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Read:
    """A line that has been understood: a slip for each of these players, who are in one turn of one room."""

    players: list[Player]
    turn: Turn
    slip: WrittenSlip
    is_top: bool
    is_closed: bool


def read_line(*, game: Game, typed: Typed, room: Room, judges: bool) -> LineEcho:
    """What a typed line means, before it counts; `Refused` says what is wrong with it.

    The tables are those of `room`. `judges`: whoever types may see the tops and the slips of others.
    """
    return _echo(game, _read(game, typed, room, judges=judges), judges=judges)


def enter_line(
    *, game: Game, typed: Typed, room: Room, judges: bool, now: datetime, by: User | None
) -> LineEcho | None:
    """Hand in the paper slips of a typed line. They replace what these tables handed in before, on paper or by phone.

    None when this very line was stored before: nothing is changed.
    """
    with acting_on(game) as locked:
        if Slip.objects.filter(turn__game=locked, client_id=_first_id(typed)).exists():
            return None
        read = _read(locked, typed, room, judges=judges)
        echo = _echo(locked, read, judges=judges)
        ids = [_first_id(typed), *(uuid5(typed.line_id, str(player.table)) for player in read.players[1:])]
        incoming = [_incoming(read, player, line, now) for player, line in zip(read.players, ids, strict=True)]
        receipts = take_paper(game=locked, typed=incoming, raw=typed.line, now=now, by=by)
    return replace(echo, versions=tuple(receipt.version for receipt in receipts))


def _first_id(typed: Typed) -> UUID:
    """What the first slip of a line is known by, whatever its table."""
    return uuid5(typed.line_id, "first")


def _incoming(read: _Read, player: Player, client_id: UUID, now: datetime) -> Incoming:
    in_time, several = read.slip.received != "late", read.slip.received == "several"
    slip = paper_slip(player=player, turn=read.turn, slip=read.slip, now=now, in_time=in_time, several=several)
    return replace(slip, client_id=client_id)


def _read(game: Game, typed: Typed, room: Room, *, judges: bool) -> _Read:
    line = _parse(game, typed.line, typed.offered)
    players = [player_at_table(game, table, room) for table in line.tables]
    [turn] = {open_turn(game, player) for player in players}
    if typed.turn is not None and typed.turn != turn.number:
        raise Refused(
            _("This was typed for turn %(typed)d, and turn %(turn)d is being played: type it anew if it belongs here.")
            % {"typed": typed.turn, "turn": turn.number}
        )
    clock = clock_in(turn, room)
    is_closed = clock is not None and clock.state == ClockState.CLOSED
    content = _repeated(game, turn, typed, judges=judges) if line.content is Stands.SAME else line.content
    if isinstance(content, Stands):
        slip = _top(turn, room, judges=judges, is_closed=is_closed)
        return _Read(players, turn, slip, is_top=True, is_closed=is_closed)
    if content.received == "late" and not judges:
        raise Refused(_("Whether a slip came too late is for the judge to say: give it to him."))
    return _Read(players, turn, content, is_top=False, is_closed=is_closed)


def _parse(game: Game, line: str, offered: int | None) -> TypedLine:
    profile = profile_of(game)
    try:
        return parse_line(line, profile.notation, offered, hooks=profile.takes_hooks)
    except UnreadableLine as error:
        raise Refused(error.sentence(_)) from None


def _repeated(game: Game, turn: Turn, typed: Typed, *, judges: bool) -> WrittenSlip | Stands:
    """What `=` stands for: the slip of the group that is marked, else of the line before."""
    if typed.group and not judges:
        raise Refused(_("The slips of others are for the judge to see: type the slip."))
    if typed.group:
        equal = Verdict.objects.filter(turn=turn, group=typed.group, slip__isnull=False)
        verdict = equal.select_related("slip").first()
        if verdict is None:
            raise Refused(_("There is no such group any more: mark another one, or type the slip."))
        return written(verdict.slip)
    if not typed.same.strip():
        raise Refused(_("Nothing was typed before that = could stand for: type the slip."))
    content = _parse(game, typed.same, 1).content
    if content is Stands.SAME:
        raise Refused(_("Nothing was typed before that = could stand for: type the slip."))
    return content


def _top(turn: Turn, room: Room, *, judges: bool, is_closed: bool) -> WrittenSlip:
    """The first of the tops, as the player would have written it; nobody is told by it what it is."""
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


def _echo(game: Game, read: _Read, *, judges: bool) -> LineEcho:
    who = wording.who_in_words([(player.table, player.name) for player in read.players])
    hidden = read.is_top and not read.is_closed
    if hidden:
        sentence = _("%(who)s: the top.") % {"who": who}
    else:
        sentence = wording.typed_in_words(who, read.slip, edition_of(game), profile_of(game).notation)
    return LineEcho(
        tables=tuple(player.table for player in read.players),
        sentence=sentence,
        said=Stands.TOP.value if hidden else content_text(read.slip),
        replaced=_replaced(game, read, judges=judges),
    )


def _replaced(game: Game, read: _Read, *, judges: bool) -> Replaced:
    if game.event.double_typing and any(readings_in(read.turn, player.pk) for player in read.players):
        return Replaced("", 0)  # what somebody else has typed stays unknown, and goes on counting
    if game.event.double_typing:
        return Replaced("", 0)  # what somebody else typed stays, and nobody is told of it
    may_read = judges and read.is_closed and not game.event.anonymous_judging and not game.event.double_typing
    return replaced_by(read.turn, read.players, late=read.slip.received == "late", may_read=may_read)
