"""Slips on their way into the database. Phones and paper take the same road; nothing that came in is ever changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from engine.archive import moment_text
from engine.ledger import canonical_json
from engine.rules.slip import PaperLine, UnreadableLine, parse_paper_line
from engine.rules.slip import Slip as WrittenSlip
from tournaments import signals, validators
from tournaments.enums import ClockState, SlipSource
from tournaments.errors import Refused
from tournaments.models import Entry, Game, Player, Slip, Turn, TurnClock, plays
from tournaments.position import edition_of, profile_of
from tournaments.selectors import wording
from tournaments.selectors.phases import current_turn
from tournaments.services.acting import acting_on, record
from tournaments.services.judging import judge_turn

WORD_LENGTH = 200
REF_LENGTH = 20
HIGHEST_DECLARED = 1_000_000
NO_TURN = "no_turn"


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

    `refused` is empty, or `NO_TURN` when nothing was stored because the player is not in that turn.
    """

    client_id: UUID
    player_id: int
    version: int
    received_at: datetime
    in_time: bool
    slip_id: int | None
    new: bool
    refused: str = ""


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
        fresh = _fresh(incoming, receipts, _admitted(incoming))
        for slip in _store(fresh):
            receipts[slip.client_id] = _receipt(slip, new=True)
        for turn in turns:
            stored = [slip for slip in fresh if slip.turn_id == turn.pk]
            if stored:
                _follow_up(turn, stored, now, by)
    return _in_order(incoming, receipts)


def read_paper(*, game: Game, line: str) -> PaperEcho:
    """What a typed line such as `17 8H CORNO 22` means; `Refused` says what is wrong with it. Nothing is stored."""
    typed = _parse(game, line)
    player = _player(game, typed.table)
    sentence = wording.slip_in_words(typed.table, player.name, typed.slip, edition_of(game), profile_of(game).notation)
    return PaperEcho(typed.table, player.name, typed.slip, sentence)


def enter_paper(
    *, game: Game, line: str, in_time: bool = True, several: bool = False, now: datetime, by: User | None
) -> Receipt:
    """Hand in a paper slip typed in one line. It replaces what this table handed in before, on paper or by phone.

    `in_time` is the judge's word; `several`: the table handed in more than one slip.
    """
    with acting_on(game) as locked:
        typed = _parse(locked, line)
        player = _player(locked, typed.table)
        turn = _open_turn(locked, player)
        incoming = Incoming(
            player_id=player.pk,
            turn_id=turn.pk,
            client_id=uuid4(),
            source=SlipSource.PAPER,
            word=typed.slip.word,
            ref=typed.slip.ref,
            direction=typed.slip.direction or "",
            declared=typed.slip.declared,
            hook=typed.slip.hook,
            received_at=now,
            sent_at=None,
            in_time=in_time,
            several=several,
        )
        [receipt] = hand_in_batch([incoming], now=now, by=by)
        if receipt.refused:
            raise Refused(_not_in_turn(player, turn))
    return receipt


def _lock(incoming: Iterable[Incoming]) -> list[Turn]:
    """The turns of these slips; nobody else can act in their games until the transaction ends."""
    turns = list(Turn.objects.filter(pk__in={slip.turn_id for slip in incoming}).select_related("game").order_by("pk"))
    list(Game.objects.select_for_update().filter(pk__in={turn.game_id for turn in turns}).order_by("pk"))
    return turns


def _known(incoming: Iterable[Incoming]) -> dict[UUID, Receipt]:
    stored = Slip.objects.filter(client_id__in={slip.client_id for slip in incoming})
    return {slip.client_id: _receipt(slip, new=False) for slip in stored}


def _admitted(incoming: Iterable[Incoming]) -> set[tuple[int, int]]:
    """(turn, player) of everybody who has a slip in that turn, and in whose room it was announced."""
    entries = Entry.objects.filter(
        plays(F("game__turns__number")),
        game__turns__in={slip.turn_id for slip in incoming},
        player__in={slip.player_id for slip in incoming},
        game__turns__clocks__room=F("player__room"),
        game__turns__clocks__started_at__isnull=False,
    )
    return set(entries.values_list("game__turns", "player"))


def _fresh(
    incoming: Iterable[Incoming], known: dict[UUID, Receipt], admitted: set[tuple[int, int]]
) -> list[Incoming]:
    """What is to be stored: each id once, no strangers."""
    fresh: dict[UUID, Incoming] = {}
    for slip in incoming:
        if slip.client_id not in known and (slip.turn_id, slip.player_id) in admitted:
            fresh.setdefault(slip.client_id, _fitting(slip))
    return list(fresh.values())


def _fitting(slip: Incoming) -> Incoming:
    """The slip as the database can hold it, whoever let it through."""
    declared = slip.declared
    return replace(
        slip,
        word=validators.one_line(slip.word)[:WORD_LENGTH],
        ref=validators.one_line(slip.ref)[:REF_LENGTH],
        hook=validators.one_line(slip.hook)[:REF_LENGTH],
        declared=None if declared is None else max(0, min(declared, HIGHEST_DECLARED)),
    )


def _store(fresh: Sequence[Incoming]) -> list[Slip]:
    newest = _newest_versions(fresh)
    slips = []
    for slip in fresh:
        place = slip.turn_id, slip.player_id
        newest[place] = newest.get(place, 0) + 1
        slips.append(
            Slip(
                turn_id=slip.turn_id,
                player_id=slip.player_id,
                version=newest[place],
                client_id=slip.client_id,
                source=slip.source,
                word=slip.word,
                ref=slip.ref,
                direction=slip.direction,
                hook=slip.hook,
                declared=slip.declared,
                several=slip.several,
                received_at=slip.received_at,
                sent_at=slip.sent_at,
                in_time=slip.in_time,
            )
        )
    return Slip.objects.bulk_create(slips)


def _newest_versions(fresh: Iterable[Incoming]) -> dict[tuple[int, int], int]:
    stored = Slip.objects.filter(
        turn__in={slip.turn_id for slip in fresh}, player__in={slip.player_id for slip in fresh}
    )
    rows = stored.values_list("turn", "player").annotate(newest=Max("version"))
    return {(turn, player): newest for turn, player, newest in rows}


def _follow_up(turn: Turn, stored: Sequence[Incoming], now: datetime, by: User | None) -> None:
    """One ledger entry for the batch, a new judgement where the clock is closed, and word to whoever counts slips."""
    digest = hashlib.sha256(canonical_json([_for_digest(slip) for slip in stored])).hexdigest()
    facts = {"turn": turn.number, "slips": len(stored), "digest": digest}
    record(game=turn.game, kind="slips", by=by, now=now, data=facts)
    counts_still = turn.placed_at is None or any(slip.in_time for slip in stored)
    if counts_still and TurnClock.objects.filter(turn=turn, state=ClockState.CLOSED).exists():
        judge_turn(turn=turn)
        signals.changed(turn.game)
    signals.received(game_id=turn.game_id, turn_id=turn.pk)


def _for_digest(slip: Incoming) -> dict[str, object]:
    return {
        "player": slip.player_id,
        "id": str(slip.client_id),
        "source": slip.source,
        "word": slip.word,
        "ref": slip.ref,
        "direction": slip.direction,
        "hook": slip.hook,
        "declared": slip.declared,
        "several": slip.several,
        "received_at": moment_text(slip.received_at),
        "in_time": slip.in_time,
    }


def _receipt(slip: Slip, *, new: bool) -> Receipt:
    return Receipt(
        client_id=slip.client_id,
        player_id=slip.player_id,
        version=slip.version,
        received_at=slip.received_at,
        in_time=slip.in_time,
        slip_id=slip.pk,
        new=new,
    )


def _in_order(incoming: Iterable[Incoming], receipts: dict[UUID, Receipt]) -> list[Receipt]:
    """A receipt for each; the second of two slips with one id in the same batch is not new."""
    seen: set[UUID] = set()
    ordered = []
    for slip in incoming:
        receipt = receipts.get(slip.client_id)
        if receipt is None:
            receipt = Receipt(slip.client_id, slip.player_id, 0, slip.received_at, False, None, False, NO_TURN)
        elif slip.client_id in seen:
            receipt = replace(receipt, new=False)
        seen.add(slip.client_id)
        ordered.append(receipt)
    return ordered


def _parse(game: Game, line: str) -> PaperLine:
    try:
        return parse_paper_line(line, profile_of(game).notation)
    except UnreadableLine as error:
        raise Refused(error.sentence(_)) from None


def _player(game: Game, table: int) -> Player:
    player = Player.objects.filter(event=game.event_id, table=table).first()
    if player is None:
        raise Refused(_("Nobody sits at table %(table)d; add the player first.") % {"table": table})
    return player


def _open_turn(game: Game, player: Player) -> Turn:
    """The turn that takes slips now; a paper slip can be typed until the move is placed."""
    turn = current_turn(game)
    if turn is None or not TurnClock.objects.filter(turn=turn).exclude(state=ClockState.READY).exists():
        raise Refused(_("No rack is announced; there is nothing to hand in yet."))
    if turn.placed_at is not None:
        raise Refused(
            _("Turn %(turn)d is on the board; undo the placement to type a slip for it.") % {"turn": turn.number}
        )
    if not Entry.objects.filter(plays(turn.number), game=game, player=player).exists():
        raise Refused(_not_in_turn(player, turn))
    return turn


def _not_in_turn(player: Player, turn: Turn) -> str:
    """Why this player has no slip in the turn."""
    if not Entry.objects.filter(game=turn.game_id, player=player, first_turn__gt=turn.number).exists():
        return _("%(name)s is marked as having left; on the page of the players you can take that back.") % {
            "name": player.name
        }
    return _("%(name)s joined after turn %(turn)d had started and plays from the next one on.") % {
        "name": player.name,
        "turn": turn.number,
    }
