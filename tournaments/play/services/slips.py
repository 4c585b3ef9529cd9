"""Store slips of phones and of paper. Stored slips are never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from engine.archive.ledger import batch_digest
from engine.play.clock import Clock, is_in_time
from engine.slips.slip import Slip as WrittenSlip
from engine.slips.typed_line import Shorthand, UnreadableLine, parse_line
from tournaments import bulk_insert, signals, validators
from tournaments.enums import ClockState, SlipSource
from tournaments.errors import Refused
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.ledger.sealed_slips import slip_facts
from tournaments.models import Entry, FinalSlip, Game, LedgerEntry, Player, Room, Slip, Turn, TurnClock, plays
from tournaments.play.position import edition_of, profile_of
from tournaments.play.queries import slip_text
from tournaments.play.queries.phases import get_clock, get_room_turn
from tournaments.play.services import double_entry
from tournaments.play.services.game_lock import LedgerAct, append_acts, lock_game, lock_room, lock_rooms
from tournaments.slip_content import SlipContent

WORD_LENGTH = 200
REF_LENGTH = 20
HIGHEST_DECLARED = 1_000_000
REFUSED_NO_TURN = "no_turn"
REFUSED_FINAL = "final"


@dataclass(frozen=True, slots=True)
class IncomingSlip:
    """A slip that was read and stamped, before it is stored.

    `sent_at` is the time by the phone's clock. `sent_in_time`: the slip was received late, but sent in time.
    """

    player_id: int
    turn_id: int
    client_id: UUID
    source: str
    content: SlipContent
    received_at: datetime
    sent_at: datetime | None
    in_time: bool
    several: bool = False
    sent_in_time: bool = False

    def stamped(self, clock: Clock) -> IncomingSlip:
        """The slip of a phone with what follows from the clock of its turn; only a late slip keeps the phone's time."""
        if is_in_time(clock, self.received_at):
            return replace(self, in_time=True, sent_at=None)
        sent_in_time = self.sent_at is not None and is_in_time(clock, self.sent_at)
        return replace(self, in_time=False, sent_in_time=sent_in_time)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Acknowledgement of a stored slip. `new` is False when the same slip was stored before.

    `refused` is empty, or the reason for storing nothing: with `REFUSED_NO_TURN` the player is not in that turn; with
    `REFUSED_FINAL` the player is a judge who plays along and was shown the turn.
    """

    client_id: UUID
    player_id: int
    version: int
    received_at: datetime
    in_time: bool
    new: bool
    refused: str = ""


@dataclass(frozen=True, slots=True)
class _Seat:
    """Table and room of a player in a game."""

    table: int
    room_id: int


_Seats = Mapping[tuple[int, int], _Seat]
_FinalSlips = Mapping[tuple[int, int], FinalSlip]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Slips of one turn and one room that are stored together."""

    turn: Turn
    room: Room
    slips: list[IncomingSlip]


@dataclass(frozen=True, slots=True)
class PaperEcho:
    """The meaning of a typed line, before it is stored."""

    table: int
    player: str
    slip: WrittenSlip
    sentence: str


def submit_batch(incoming: Sequence[IncomingSlip], *, now: datetime, by: User | None = None) -> list[Receipt]:
    """`store_slips`, and judge the rooms again that had closed their turn already."""
    receipts = store_slips(incoming, now=now, by=by)
    judge_closed_rooms(now=now, rooms=_find_rooms(incoming))
    return receipts


def store_slips(incoming: Sequence[IncomingSlip], *, now: datetime, by: User | None = None) -> list[Receipt]:
    """Store these slips in one transaction; return one receipt for each, in the same order.

    A `client_id` that is stored already gets the receipt of the first time. A later slip of a player in a turn is a
    new version. Only the rooms of the players are locked. A room that has closed the turn waits for
    `judge_closed_rooms`, which the caller calls after this transaction.
    """
    while True:
        turns, rooms = _find_turns(incoming), _find_rooms(incoming)
        with transaction.atomic():
            _lock_rooms(turns, rooms)
            seats = _find_seats(incoming)
            if rooms.keys() >= {seat.room_id for seat in seats.values()}:
                return _store_locked(incoming, turns, rooms, seats, now, by)
        # A player was moved to another room before this room was locked.


def _store_locked(
    incoming: Sequence[IncomingSlip],
    turns: Sequence[Turn],
    rooms: Mapping[int, Room],
    seats: _Seats,
    now: datetime,
    by: User | None,
) -> list[Receipt]:
    receipts = _find_known_slips(incoming)
    fresh = _select_new_slips(incoming, receipts, seats, _find_final_slips(turns), by)
    batches = _batches(turns, rooms, fresh, seats)
    for batch, entry in zip(batches, _record_batches(batches, seats, now, by), strict=True):
        receipts.update(_store(batch.slips, entry))
    _request_judging(batches)
    return _build_receipts(incoming, receipts, seats)


def read_paper_line(*, game: Game, line: str, room: Room | None = None) -> PaperEcho:
    """Read a typed line such as `17 8H CORNO 22` without storing it. Raise `Refused` with the fault of the line.

    The table is in `room` (None: in any).
    """
    table, slip = _parse(game, line)
    player = player_at_table(game, table, room)
    sentence = slip_text.slip_in_words(table, player.name, slip, edition_of(game), profile_of(game).notation)
    return PaperEcho(table, player.name, slip, sentence)


def submit_paper_line(
    *,
    game: Game,
    line: str,
    in_time: bool = True,
    several: bool = False,
    now: datetime,
    by: User | None,
    room: Room | None = None,
) -> Receipt:
    """Store a paper slip typed in one line. It replaces earlier slips of this table, from paper or phone.

    `in_time` is the judge's decision; `several`: the table submitted more than one slip. The table is in `room` (None:
    in any), and its slip belongs to the current turn of that room.
    """
    with lock_game(game) if room is None else lock_room(game, room) as locked:
        table, slip = _parse(locked, line)
        player = player_at_table(locked, table, room)
        turn = get_open_turn(locked, player)
        typed = make_paper_slip(player=player, turn=turn, slip=slip, now=now, in_time=in_time, several=several)
        [receipt] = submit_typed_slips(game=locked, typed=[typed], raw=line, now=now, by=by)
    judge_closed_rooms(now=now, rooms=[player.room_id])
    return receipt


def submit_typed_slips(
    *, game: Game, typed: Sequence[IncomingSlip], raw: str, now: datetime, by: User | None
) -> list[Receipt]:
    """Store typed slips whose tables and turn are known; `raw` is the line. The caller has locked the room, and judges
    it afterwards (`judge_closed_rooms`).

    With double typing, the line of a second typist is only recorded; the receipt is that of the slip that counts.
    """
    if not game.event.double_typing:
        return store_paper_slips(typed, now=now, by=by)
    return [
        _store_second_typing(game, slip, raw, now, by) or _store_first_typing(game, slip, raw, now, by)
        for slip in typed
    ]


def _store_second_typing(game: Game, typed: IncomingSlip, raw: str, now: datetime, by: User | None) -> Receipt | None:
    counts = double_entry.find_compared_slip(turn_id=typed.turn_id, player_id=typed.player_id, by=by)
    if counts is None:
        return None
    double_entry.record_typing(game=game, typed=typed, raw=raw, by=by, now=now)
    return Receipt(counts.client_id, counts.player_id, counts.version, counts.received_at, counts.in_time, new=False)


def _store_first_typing(game: Game, typed: IncomingSlip, raw: str, now: datetime, by: User | None) -> Receipt:
    [receipt] = store_paper_slips([typed], now=now, by=by)
    slip = Slip.objects.get(client_id=typed.client_id)
    double_entry.record_typing(game=game, typed=typed, raw=raw, by=by, now=now, slip=slip)
    return receipt


def make_paper_slip(
    *, player: Player, turn: Turn, slip: WrittenSlip, now: datetime, in_time: bool = True, several: bool = False
) -> IncomingSlip:
    """Build an incoming slip from a paper slip."""
    return IncomingSlip(
        player_id=player.pk,
        turn_id=turn.pk,
        client_id=uuid4(),
        source=SlipSource.PAPER,
        content=SlipContent.from_slip(slip),
        received_at=now,
        sent_at=None,
        in_time=in_time,
        several=several,
    )


def store_paper_slips(typed: Sequence[IncomingSlip], *, now: datetime, by: User | None) -> list[Receipt]:
    """Store these paper slips, all or none; the caller has locked the room, and judges it afterwards."""
    receipts = store_slips(typed, now=now, by=by)
    for receipt in receipts:
        if receipt.refused == REFUSED_FINAL:
            raise Refused(_slip_is_final())
        if receipt.refused:
            player = Player.objects.get(pk=receipt.player_id)
            turn = Turn.objects.select_related("game").get(pk=typed[0].turn_id)
            raise Refused(why_not_in_turn(player, turn))
    return receipts


def _slip_is_final() -> str:
    return _(
        "The player at this table is a judge who plays along and has seen this turn at the desk: the slip can no "
        "longer be changed."
    )


def _find_turns(incoming: Iterable[IncomingSlip]) -> list[Turn]:
    """The turns of these slips, without their tops."""
    without_secrets = Turn.objects.defer("tops", "top", "board", "game__seed").select_related("game__event")
    return list(without_secrets.filter(pk__in={slip.turn_id for slip in incoming}))


def _find_rooms(incoming: Iterable[IncomingSlip]) -> dict[int, Room]:
    """The rooms in which the senders play these turns, by key."""
    slips = list(incoming)
    entries = Entry.objects.filter(
        player__in={slip.player_id for slip in slips}, game__turns__in={slip.turn_id for slip in slips}
    )
    return Room.objects.in_bulk(entries.values_list("room", flat=True).distinct())


def _lock_rooms(turns: Sequence[Turn], rooms: Mapping[int, Room]) -> None:
    drawing = {room.event_id for room in rooms.values() if room.is_drawing}
    lock_rooms(
        {turn.game_id for turn in turns if turn.game.event_id in drawing},
        {room.pk for room in rooms.values() if not room.is_drawing},
    )


def _find_known_slips(incoming: Iterable[IncomingSlip]) -> dict[UUID, Receipt]:
    stored = Slip.objects.filter(client_id__in={slip.client_id for slip in incoming})
    rows = stored.values_list("client_id", "player_id", "version", "received_at", "in_time")
    return {row[0]: Receipt(*row, new=False) for row in rows}


def _find_seats(incoming: Iterable[IncomingSlip]) -> dict[tuple[int, int], _Seat]:
    """The seats, by (turn, player), of the senders who play in their turn and to whose room it was announced."""
    entries = Entry.objects.filter(
        plays(F("game__turns__number")),
        game__turns__in={slip.turn_id for slip in incoming},
        player__in={slip.player_id for slip in incoming},
        game__turns__clocks__room=F("room"),
        game__turns__clocks__started_at__isnull=False,
    )
    rows = entries.values_list("game__turns", "player", "player__table", "room")
    return {(turn, player): _Seat(table, room) for turn, player, table, room in rows}


def _batches(
    turns: Sequence[Turn], rooms: Mapping[int, Room], fresh: Sequence[IncomingSlip], seats: _Seats
) -> list[_Batch]:
    """The slips by turn and room, each in the order in which they came."""
    by_place: dict[tuple[int, int], list[IncomingSlip]] = {}
    for slip in fresh:
        by_place.setdefault((slip.turn_id, seats[slip.turn_id, slip.player_id].room_id), []).append(slip)
    known = {turn.pk: turn for turn in turns}
    return [_Batch(known[turn_id], rooms[room_id], by_place[turn_id, room_id]) for turn_id, room_id in sorted(by_place)]


def _find_final_slips(turns: Sequence[Turn]) -> _FinalSlips:
    """Final slips of judges who play along, by (turn, player)."""
    return {(row.turn_id, row.player_id): row for row in FinalSlip.objects.filter(turn__in=turns)}


def _select_new_slips(
    incoming: Iterable[IncomingSlip], known: dict[UUID, Receipt], admitted: _Seats, finals: _FinalSlips, by: User | None
) -> list[IncomingSlip]:
    """Select the slips to store: each id once, only players in the turn, and no slip that is final already.

    A phone sends a slip without an answer again before a newer one. If the older one is stored with a later time of
    receipt, because another process had read it late, the newer one gets that time.
    """
    fresh: dict[UUID, IncomingSlip] = {}
    older: dict[tuple[int, int], datetime] = {}
    for slip in incoming:
        place = slip.turn_id, slip.player_id
        receipt = known.get(slip.client_id)
        if receipt is not None and receipt.in_time:
            older[place] = max(receipt.received_at, older.get(place, receipt.received_at))
        if receipt is not None or place not in admitted:
            continue
        if place not in finals or not _comes_too_late(slip, finals[place], by):
            fitted = _fit_to_columns(slip)
            if (at := older.get(place)) is not None and at > slip.received_at:
                fitted = replace(fitted, received_at=at)
            fresh.setdefault(slip.client_id, fitted)
    return list(fresh.values())


def _comes_too_late(slip: IncomingSlip, final: FinalSlip, by: User | None) -> bool:
    """Return True when the slip came after its judge had seen the tops. After the time is up another user may still
    type the judge's paper slip, but not the judge."""
    if slip.received_at <= final.at:
        return False
    if final.acknowledged or slip.source != SlipSource.PAPER:
        return True
    return by is None or by.pk == final.by_id


def _fit_to_columns(slip: IncomingSlip) -> IncomingSlip:
    """Shorten the content to what the database columns can hold, whatever its source let through."""
    written = slip.content
    declared = written.declared
    content = SlipContent(
        word=validators.one_line(written.word)[:WORD_LENGTH],
        ref=validators.one_line(written.ref)[:REF_LENGTH],
        declared=None if declared is None else max(0, min(declared, HIGHEST_DECLARED)),
        direction=written.direction,
        hook=validators.one_line(written.hook)[:REF_LENGTH] if written.hook else "",
    )
    return slip if content == written else replace(slip, content=content)


_COLUMNS = (
    "turn_id",
    "player_id",
    "version",
    "client_id",
    "source",
    "word",
    "ref",
    "direction",
    "hook",
    "declared",
    "several",
    "received_at",
    "sent_at",
    "in_time",
    "sent_in_time",
    "batch",
    "batch_room_id",
)


def _store(fresh: Sequence[IncomingSlip], sealed_by: LedgerEntry) -> dict[UUID, Receipt]:
    newest, rows, receipts = _newest_versions(fresh), [], {}
    for slip in fresh:
        place = slip.turn_id, slip.player_id
        version = newest[place] = newest.get(place, 0) + 1
        rows.append(_row(slip, version, sealed_by))
        receipts[slip.client_id] = Receipt(
            slip.client_id, slip.player_id, version, slip.received_at, slip.in_time, new=True
        )
    bulk_insert.insert_rows(Slip, _COLUMNS, rows)
    return receipts


def _row(slip: IncomingSlip, version: int, sealed_by: LedgerEntry) -> bulk_insert.Row:
    """The values of `_COLUMNS`."""
    content = slip.content
    return (
        slip.turn_id,
        slip.player_id,
        version,
        slip.client_id,
        str(slip.source),
        content.word,
        content.ref,
        content.direction,
        content.hook,
        content.declared,
        slip.several,
        slip.received_at,
        slip.sent_at,
        slip.in_time,
        slip.sent_in_time,
        sealed_by.n,
        sealed_by.room_id,
    )


def _newest_versions(fresh: Iterable[IncomingSlip]) -> dict[tuple[int, int], int]:
    stored = Slip.objects.filter(
        turn__in={slip.turn_id for slip in fresh}, player__in={slip.player_id for slip in fresh}
    )
    rows = stored.values_list("turn", "player").annotate(newest=Max("version"))
    return {(turn, player): newest for turn, player, newest in rows}


def _record_batches(batches: Iterable[_Batch], seats: _Seats, now: datetime, by: User | None) -> list[LedgerEntry]:
    """Append one ledger entry for the slips of each batch, in the order in which they are stored."""
    acts = []
    for batch in batches:
        sealed = [slip_facts(slip, seats[slip.turn_id, slip.player_id].table) for slip in batch.slips]
        facts = {
            "turn": batch.turn.number,
            "slips": len(batch.slips),
            "tables": [slip["table"] for slip in sealed],
            "digest": batch_digest(sealed),
        }
        acts.append(LedgerAct(batch.turn.game, batch.room, facts))
    return append_acts(acts, kind="slips", by=by, now=now) if acts else []


def _request_judging(batches: Sequence[_Batch]) -> None:
    """Let the rooms that have closed the turn of these slips be judged again, and send the signals."""
    in_time = {(batch.turn.pk, batch.room.pk): any(slip.in_time for slip in batch.slips) for batch in batches}
    clocks = TurnClock.objects.filter(
        turn__in={turn for turn, _ in in_time}, room__in={room for _, room in in_time}, state=ClockState.CLOSED
    )
    places = clocks.values_list("pk", "turn_id", "room_id", "shown_at") if batches else []
    waiting = [
        key
        for key, turn, room, shown_at in places
        if (turn, room) in in_time and (shown_at is None or in_time[turn, room])
    ]
    if waiting:
        TurnClock.objects.filter(pk__in=waiting).update(judged=False)
    for batch in batches:
        signals.send_slips_received(game_id=batch.turn.game_id, turn_id=batch.turn.pk, room_id=batch.room.pk)


def _build_receipts(incoming: Iterable[IncomingSlip], receipts: dict[UUID, Receipt], seats: _Seats) -> list[Receipt]:
    """A receipt for each; the second of two slips with one id in the same batch is not new."""
    seen: set[UUID] = set()
    ordered = []
    for slip in incoming:
        receipt = receipts.get(slip.client_id)
        if receipt is None:
            why = REFUSED_FINAL if (slip.turn_id, slip.player_id) in seats else REFUSED_NO_TURN
            receipt = Receipt(slip.client_id, slip.player_id, 0, slip.received_at, False, False, why)
        elif slip.client_id in seen:
            receipt = replace(receipt, new=False)
        seen.add(slip.client_id)
        ordered.append(receipt)
    return ordered


def _parse(game: Game, line: str) -> tuple[int, WrittenSlip]:
    """The table and the slip of a line that is about one table and has no short form."""
    profile = profile_of(game)
    try:
        typed = parse_line(line, profile.notation, hooks=profile.takes_hooks)
    except UnreadableLine as error:
        raise Refused(error.sentence(_)) from None
    slip = typed.content
    if len(typed.tables) > 1 or isinstance(slip, Shorthand) or slip.received != "in_time":
        raise Refused(_("Write the slip of one table in full, as in 17 8H CORNO 22."))
    return typed.tables[0], slip


def player_at_table(game: Game, table: int, room: Room | None) -> Player:
    """The player at a table. Raise `Refused` when nobody sits there, or the table is in another room."""
    player = Player.objects.filter(event=game.event_id, table=table).select_related("room").first()
    if player is None:
        raise Refused(_("Nobody sits at table %(table)d; add the player first.") % {"table": table})
    if room is not None and player.room_id != room.pk:
        raise Refused(
            _("Table %(table)d is in the room “%(room)s”: type its slips at the desk of that room.")
            % {"table": table, "room": player.room.name}
        )
    return player


def get_open_turn(game: Game, player: Player) -> Turn:
    """Get the turn that accepts slips now; a paper slip can be typed until the move is placed."""
    turn = get_room_turn(game, player.room)
    clock = get_clock(turn, player.room) if turn is not None else None
    if turn is None or clock is None or clock.state == ClockState.READY:
        raise Refused(_("No rack is announced; there is nothing to hand in yet."))
    if clock.shown_at is not None:
        raise Refused(
            _("Turn %(turn)d is on the board: take its move back to type a slip for it.") % {"turn": turn.number}
        )
    if not Entry.objects.filter(plays(turn.number), game=game, player=player).exists():
        raise Refused(why_not_in_turn(player, turn))
    return turn


def why_not_in_turn(player: Player, turn: Turn) -> str:
    """Explain why this player has no slip in the turn: absent, disqualified, gone, or too late for it."""
    entry = Entry.objects.filter(game=turn.game_id, player=player).first()
    if entry is None:
        return _("%(name)s is marked as absent; whoever comes late plays from the next turn on.") % {
            "name": player.name
        }
    if entry.disqualified_from is not None:
        return _("%(name)s is disqualified and hands in no slip in this turn.") % {"name": player.name}
    if entry.first_turn <= turn.number:
        return _("%(name)s is marked as having left; on the page of the players you can take that back.") % {
            "name": player.name
        }
    return _("%(name)s joined after turn %(turn)d had started and plays from the next one on.") % {
        "name": player.name,
        "turn": turn.number,
    }
