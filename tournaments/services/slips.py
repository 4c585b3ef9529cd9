"""Slips on their way into the database. Phones and paper take the same road; nothing that came in is ever changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from engine.ledger import batch_digest
from engine.rules.slip import PaperLine, UnreadableLine, parse_paper_line
from engine.rules.slip import Slip as WrittenSlip
from tournaments import bulk, signals, validators
from tournaments.enums import ClockState, SlipSource
from tournaments.errors import Refused
from tournaments.models import Entry, FinalSlip, Game, Player, Room, Slip, Turn, TurnClock, plays
from tournaments.position import edition_of, profile_of
from tournaments.sealed import slip_facts
from tournaments.selectors import wording
from tournaments.selectors.phases import clock_in, turn_in
from tournaments.services import double_typing
from tournaments.services.acting import acting_on, record
from tournaments.services.judging import judge_turn

WORD_LENGTH = 200
REF_LENGTH = 20
HIGHEST_DECLARED = 1_000_000
NO_TURN = "no_turn"
FINAL = "final"


@dataclass(frozen=True, slots=True)
class Incoming:
    """A slip as somebody read and stamped it. `direction` is "across", "down" or ""; `sent_at` is evidence only."""

    player_id: int
    turn_id: int
    client_id: UUID
    source: str
    word: str
    ref: str
    direction: str
    declared: int | None
    hook: str
    received_at: datetime
    sent_at: datetime | None
    in_time: bool
    several: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """What may be acknowledged, since it is stored. `new` is False when this very slip had come before.

    `refused` is empty, or says why nothing was stored: `NO_TURN`, the player is not in that turn; `FINAL`, he is a
    judge who plays along, and his desk has shown him the turn.
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
    """Where a player sits in a game."""

    table: int
    room_id: int


_Seats = Mapping[tuple[int, int], _Seat]
_Finals = Mapping[tuple[int, int], FinalSlip]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Slips of one turn that came in together from one room."""

    turn: Turn
    room_id: int
    slips: list[Incoming]


@dataclass(frozen=True, slots=True)
class PaperEcho:
    """A typed line in plain words, before it counts."""

    table: int
    player: str
    slip: WrittenSlip
    sentence: str


def hand_in_batch(incoming: Sequence[Incoming], *, now: datetime, by: User | None = None) -> list[Receipt]:
    """Store these slips in one transaction; one receipt for each, in the same order.

    The same `client_id` again gets the receipt of the first time. A later slip of a player in a turn is a new version.
    A turn that is closed already (the slip was under way, or is late) is judged anew.
    """
    with transaction.atomic():
        turns = _lock(incoming)
        receipts = _known(incoming)
        seats, finals = _admitted(incoming), _finals(turns)
        fresh = _fresh(incoming, receipts, seats, finals, by)
        batches = _batches(turns, fresh, seats)
        for batch in batches:
            number = _seal(batch, seats, now, by)
            receipts.update(_store(batch.slips, number))
        for batch in batches:
            _follow_up(batch)
    return _in_order(incoming, receipts, seats)


def read_paper(*, game: Game, line: str, room: Room | None = None) -> PaperEcho:
    """What a typed line such as `17 8H CORNO 22` means; `Refused` says what is wrong with it.

    The table is in `room` (None: in any). Nothing is stored.
    """
    typed = _parse(game, line)
    player = player_at_table(game, typed.table, room)
    sentence = wording.slip_in_words(typed.table, player.name, typed.slip, edition_of(game), profile_of(game).notation)
    return PaperEcho(typed.table, player.name, typed.slip, sentence)


def enter_paper(
    *,
    game: Game,
    line: str,
    in_time: bool = True,
    several: bool = False,
    now: datetime,
    by: User | None,
    room: Room | None = None,
) -> Receipt:
    """Hand in a paper slip typed in one line. It replaces what this table handed in before, on paper or by phone.

    `in_time` is the judge's word; `several`: the table handed in more than one slip. The table is in `room` (None: in
    any), and its slip belongs to the turn that is played there.
    """
    with acting_on(game) as locked:
        typed = _parse(locked, line)
        player = player_at_table(locked, typed.table, room)
        turn = open_turn(locked, player)
        slip = paper_slip(player=player, turn=turn, slip=typed.slip, now=now, in_time=in_time, several=several)
        [receipt] = take_paper(game=locked, typed=[slip], raw=line, now=now, by=by)
    return receipt


def take_paper(*, game: Game, typed: Sequence[Incoming], raw: str, now: datetime, by: User | None) -> list[Receipt]:
    """The way in of every typed slip, once tables and turn are known; `raw` is the line. The caller has locked the
    game.

    Where two people type each slip, what a second one types stands beside the one that counts, whose receipt is given.
    """
    if not game.event.double_typing:
        return store_paper(typed, now=now, by=by)
    return [_typed_beside(game, slip, raw, now, by) or _typed_first(game, slip, raw, now, by) for slip in typed]


def _typed_beside(game: Game, typed: Incoming, raw: str, now: datetime, by: User | None) -> Receipt | None:
    counts = double_typing.stands_beside(turn_id=typed.turn_id, player_id=typed.player_id, by=by)
    if counts is None:
        return None
    double_typing.note(game=game, typed=typed, raw=raw, by=by, now=now)
    return Receipt(counts.client_id, counts.player_id, counts.version, counts.received_at, counts.in_time, new=False)


def _typed_first(game: Game, typed: Incoming, raw: str, now: datetime, by: User | None) -> Receipt:
    [receipt] = store_paper([typed], now=now, by=by)
    slip = Slip.objects.get(client_id=typed.client_id)
    double_typing.note(game=game, typed=typed, raw=raw, by=by, now=now, slip=slip)
    return receipt


def paper_slip(
    *, player: Player, turn: Turn, slip: WrittenSlip, now: datetime, in_time: bool = True, several: bool = False
) -> Incoming:
    """A slip on paper as it goes on its way."""
    return Incoming(
        player_id=player.pk,
        turn_id=turn.pk,
        client_id=uuid4(),
        source=SlipSource.PAPER,
        word=slip.word,
        ref=slip.ref,
        direction=slip.direction or "",
        declared=slip.declared,
        hook=slip.hook,
        received_at=now,
        sent_at=None,
        in_time=in_time,
        several=several,
    )


def store_paper(typed: Sequence[Incoming], *, now: datetime, by: User | None) -> list[Receipt]:
    """Hand in these paper slips, all or none; the caller has locked the game."""
    receipts = hand_in_batch(typed, now=now, by=by)
    for receipt in receipts:
        if receipt.refused == FINAL:
            raise Refused(_slip_is_final())
        if receipt.refused:
            player = Player.objects.get(pk=receipt.player_id)
            turn = Turn.objects.select_related("game").get(pk=typed[0].turn_id)
            raise Refused(why_not_in_turn(player, turn))
    return receipts


def _slip_is_final() -> str:
    return _(
        "Whoever sits at this table is a judge who plays along and has seen the desk of this turn: "
        "the slip stays as it is, or as nothing."
    )


def _lock(incoming: Iterable[Incoming]) -> list[Turn]:
    """The turns of these slips, without their tops; nobody else can act in their games until the transaction ends."""
    without_secrets = Turn.objects.defer("tops", "top", "board", "game__seed").select_related("game")
    turns = list(without_secrets.filter(pk__in={slip.turn_id for slip in incoming}).order_by("pk"))
    games = Game.objects.select_for_update().filter(pk__in={turn.game_id for turn in turns}).order_by("pk")
    list(games.only("pk"))
    return turns


def _known(incoming: Iterable[Incoming]) -> dict[UUID, Receipt]:
    stored = Slip.objects.filter(client_id__in={slip.client_id for slip in incoming})
    rows = stored.values_list("client_id", "player_id", "version", "received_at", "in_time")
    return {row[0]: Receipt(*row, new=False) for row in rows}


def _admitted(incoming: Iterable[Incoming]) -> dict[tuple[int, int], _Seat]:
    """The seats by (turn, player) of everybody who has a slip in that turn, and in whose room it was announced."""
    entries = Entry.objects.filter(
        plays(F("game__turns__number")),
        game__turns__in={slip.turn_id for slip in incoming},
        player__in={slip.player_id for slip in incoming},
        game__turns__clocks__room=F("room"),
        game__turns__clocks__started_at__isnull=False,
    )
    rows = entries.values_list("game__turns", "player", "player__table", "room")
    return {(turn, player): _Seat(table, room) for turn, player, table, room in rows}


def _batches(turns: Sequence[Turn], fresh: Sequence[Incoming], seats: _Seats) -> list[_Batch]:
    """The slips by turn and room, each in the order in which they came."""
    by_place: dict[tuple[int, int], list[Incoming]] = {}
    for slip in fresh:
        by_place.setdefault((slip.turn_id, seats[slip.turn_id, slip.player_id].room_id), []).append(slip)
    known = {turn.pk: turn for turn in turns}
    return [_Batch(known[turn_id], room_id, by_place[turn_id, room_id]) for turn_id, room_id in sorted(by_place)]


def _finals(turns: Sequence[Turn]) -> _Finals:
    """By (turn, player) the judges who play along and have seen the turn; mostly nobody."""
    return {(row.turn_id, row.player_id): row for row in FinalSlip.objects.filter(turn__in=turns)}


def _fresh(
    incoming: Iterable[Incoming], known: dict[UUID, Receipt], admitted: _Seats, finals: _Finals, by: User | None
) -> list[Incoming]:
    """What is to be stored: each id once, no strangers, nothing from a judge who has seen the turn."""
    fresh: dict[UUID, Incoming] = {}
    for slip in incoming:
        place = slip.turn_id, slip.player_id
        if slip.client_id in known or place not in admitted:
            continue
        if place not in finals or not _comes_too_late(slip, finals[place], by):
            fresh.setdefault(slip.client_id, _fitting(slip))
    return list(fresh.values())


def _comes_too_late(slip: Incoming, final: FinalSlip, by: User | None) -> bool:
    """Whether the judge whose slip it is knew the tops when it came. Once the time was up, a colleague may still type
    what stood on his paper; he himself may not."""
    if slip.received_at <= final.at:
        return False
    if final.acknowledged or slip.source != SlipSource.PAPER:
        return True
    return by is None or by.pk == final.by_id


def _fitting(slip: Incoming) -> Incoming:
    """The slip as the database can hold it, whoever let it through."""
    word = validators.one_line(slip.word)[:WORD_LENGTH]
    ref = validators.one_line(slip.ref)[:REF_LENGTH]
    hook = validators.one_line(slip.hook)[:REF_LENGTH] if slip.hook else ""
    declared = None if slip.declared is None else max(0, min(slip.declared, HIGHEST_DECLARED))
    if (word, ref, hook, declared) == (slip.word, slip.ref, slip.hook, slip.declared):
        return slip
    return replace(slip, word=word, ref=ref, hook=hook, declared=declared)


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
    "batch",
)


def _store(fresh: Sequence[Incoming], batch: int) -> dict[UUID, Receipt]:
    newest, rows, receipts = _newest_versions(fresh), [], {}
    for slip in fresh:
        place = slip.turn_id, slip.player_id
        version = newest[place] = newest.get(place, 0) + 1
        rows.append(_row(slip, version, batch))
        receipts[slip.client_id] = Receipt(
            slip.client_id, slip.player_id, version, slip.received_at, slip.in_time, new=True
        )
    bulk.insert(Slip, _COLUMNS, rows)
    return receipts


def _row(slip: Incoming, version: int, batch: int) -> bulk.Row:
    """The values of `_COLUMNS`."""
    return (
        slip.turn_id,
        slip.player_id,
        version,
        slip.client_id,
        str(slip.source),
        slip.word,
        slip.ref,
        slip.direction,
        slip.hook,
        slip.declared,
        slip.several,
        slip.received_at,
        slip.sent_at,
        slip.in_time,
        batch,
    )


def _newest_versions(fresh: Iterable[Incoming]) -> dict[tuple[int, int], int]:
    stored = Slip.objects.filter(
        turn__in={slip.turn_id for slip in fresh}, player__in={slip.player_id for slip in fresh}
    )
    rows = stored.values_list("turn", "player").annotate(newest=Max("version"))
    return {(turn, player): newest for turn, player, newest in rows}


def _seal(batch: _Batch, seats: _Seats, now: datetime, by: User | None) -> int:
    """One ledger entry for the slips of a room in a turn, in the order in which they are stored; its number."""
    sealed = [slip_facts(slip, seats[slip.turn_id, slip.player_id].table) for slip in batch.slips]
    facts = {
        "turn": batch.turn.number,
        "slips": len(batch.slips),
        "tables": [slip["table"] for slip in sealed],
        "digest": batch_digest(sealed),
    }
    return record(game=batch.turn.game, kind="slips", by=by, now=now, data=facts).n


def _follow_up(batch: _Batch) -> None:
    """A new judgement where the room's clock is closed, and word to whoever counts slips."""
    turn = batch.turn
    clock = TurnClock.objects.select_related("room").get(turn=turn, room=batch.room_id)
    counts_still = clock.shown_at is None or any(slip.in_time for slip in batch.slips)
    if counts_still and clock.state == ClockState.CLOSED:
        judge_turn(turn=turn, room=clock.room)
        signals.changed(turn.game, clock.room)
    signals.received(game_id=turn.game_id, turn_id=turn.pk, room_id=batch.room_id)


def _in_order(incoming: Iterable[Incoming], receipts: dict[UUID, Receipt], seats: _Seats) -> list[Receipt]:
    """A receipt for each; the second of two slips with one id in the same batch is not new."""
    seen: set[UUID] = set()
    ordered = []
    for slip in incoming:
        receipt = receipts.get(slip.client_id)
        if receipt is None:
            why = FINAL if (slip.turn_id, slip.player_id) in seats else NO_TURN
            receipt = Receipt(slip.client_id, slip.player_id, 0, slip.received_at, False, False, why)
        elif slip.client_id in seen:
            receipt = replace(receipt, new=False)
        seen.add(slip.client_id)
        ordered.append(receipt)
    return ordered


def _parse(game: Game, line: str) -> PaperLine:
    profile = profile_of(game)
    try:
        return parse_paper_line(line, profile.notation, hooks=profile.takes_hooks)
    except UnreadableLine as error:
        raise Refused(error.sentence(_)) from None


def player_at_table(game: Game, table: int, room: Room | None) -> Player:
    """Whose slip a typed line is; `Refused` when nobody sits there, or in another room."""
    player = Player.objects.filter(event=game.event_id, table=table).select_related("room").first()
    if player is None:
        raise Refused(_("Nobody sits at table %(table)d; add the player first.") % {"table": table})
    if room is not None and player.room_id != room.pk:
        raise Refused(
            _("Table %(table)d is in the room “%(room)s”: type its slips at the desk of that room.")
            % {"table": table, "room": player.room.name}
        )
    return player


def open_turn(game: Game, player: Player) -> Turn:
    """The turn that takes slips now; a paper slip can be typed until the move is placed."""
    turn = turn_in(game, player.room)
    clock = clock_in(turn, player.room) if turn is not None else None
    if turn is None or clock is None or clock.state == ClockState.READY:
        raise Refused(_("No rack is announced; there is nothing to hand in yet."))
    if clock.shown_at is not None:
        raise Refused(
            _("Turn %(turn)d is on the board; undo the placement to type a slip for it.") % {"turn": turn.number}
        )
    if not Entry.objects.filter(plays(turn.number), game=game, player=player).exists():
        raise Refused(why_not_in_turn(player, turn))
    return turn


def why_not_in_turn(player: Player, turn: Turn) -> str:
    """Why this player has no slip in the turn."""
    if not Entry.objects.filter(game=turn.game_id, player=player, first_turn__gt=turn.number).exists():
        return _("%(name)s is marked as having left; on the page of the players you can take that back.") % {
            "name": player.name
        }
    return _("%(name)s joined after turn %(turn)d had started and plays from the next one on.") % {
        "name": player.name,
        "turn": turn.number,
    }
