"""Submission of a phone's slip, by WebSocket or POST: read, check against the snapshot, queue, acknowledge."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import translation
from django.utils.translation import gettext as _

from referee.live.rooms.live_server import LiveServer
from referee.live.rooms.room_channel import RoomChannel
from referee.live.rooms.snapshots import Snapshot
from referee.live.slips.slip_form import MalformedMessage, SlipForm, read_slip
from referee.live.slips.slip_queue import QueuedSlip, SlipQueueFull
from referee.live.sockets import messages
from tournaments.enums import SlipSource
from tournaments.play.queries import live
from tournaments.play.queries.live import SeatedPlayer
from tournaments.play.queries.phases import PHASES_TAKING_SLIPS, Phase
from tournaments.play.services.slips import REFUSED_FINAL, IncomingSlip, Receipt

BUSY_MS = 2000


@dataclass(frozen=True, slots=True)
class Submission:
    """The player who submits a slip, their address and language, and the function that sends the answer."""

    seat: SeatedPlayer
    address: str | None
    language: str
    send: Callable[[str], None]

    def refuse(
        self, client_id: UUID | None, why: str, sentence: Callable[[], str], retry_ms: int | None = None
    ) -> None:
        """Send a refusal. Texts are translated only here, so accepted slips need no translation."""
        with translation.override(self.language):
            self.send(messages.refused_message(client_id, why, sentence(), retry_ms))


async def submit_and_wait(
    live_server: LiveServer, seat: SeatedPlayer, message: dict[str, Any], received_at: datetime, address: str | None
) -> str:
    """Return the answer to a slip message: `ack` after the commit, or `refused` in the active language."""
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def send(text: str) -> None:
        if not answer.done():  # the caller may have been cancelled
            answer.set_result(text)

    language = translation.get_language() or ""
    later = start_submission(live_server, Submission(seat, address, language, send), message, received_at)
    if later is not None:
        await later
    return await answer


def start_submission(
    live_server: LiveServer, submission: Submission, message: dict[str, Any], received_at: datetime
) -> Awaitable[None] | None:
    """Queue a slip message; `submission.send` is called with the answer. The caller awaits a returned awaitable.

    Nothing is awaited before the slip is queued, so closing a turn finds every slip read before. Only a slip that does
    not match the last snapshot has to wait for a new one.
    """
    try:
        form = read_slip(message)
    except MalformedMessage as fault:
        submission.refuse(fault.client_id, "malformed", partial(_fault, fault))
        return None
    if (wait := live_server.slips_allowed.take(submission.seat.token_hash, submission.address)) > 0.0:
        submission.refuse(form.client_id, "too_fast", _too_fast, math.ceil(wait * 1000))
        return None
    if not live_server.heartbeat.takes_slips:
        submission.refuse(form.client_id, "busy", _wrong_clock, BUSY_MS)
        return None
    channel = live_server.room_channel((submission.seat.event_id, submission.seat.room_id))
    snapshot = channel.snapshot.last
    if snapshot is None or snapshot.turn_id is None or not _accepts_slip(snapshot, form):
        return _submit_after_refresh(live_server, submission, form, received_at, channel)
    _enqueue(live_server, submission, form, snapshot.turn_id, received_at)
    return None


async def _submit_after_refresh(
    live_server: LiveServer, submission: Submission, form: SlipForm, received_at: datetime, channel: RoomChannel
) -> None:
    """Check the slip against a new snapshot, as the message about a new turn may not have arrived."""
    channel.snapshot.mark_stale()
    snapshot = await channel.snapshot.current()
    if snapshot.turn_id is None or not _accepts_slip(snapshot, form):
        await _acknowledge_or_refuse(live_server, submission, form, snapshot)
    else:
        _enqueue(live_server, submission, form, snapshot.turn_id, received_at)


def _accepts_slip(snapshot: Snapshot, form: SlipForm) -> bool:
    return form.turn == snapshot.turn and snapshot.phase in PHASES_TAKING_SLIPS


def _enqueue(
    live_server: LiveServer, submission: Submission, form: SlipForm, turn_id: int, received_at: datetime
) -> None:
    """Queue a slip with the time of its first receipt."""
    slip = _build_queued_slip(
        form, submission.seat, turn_id, live_server.receipt_times.of(submission.seat.player_id, form, received_at)
    )
    try:
        live_server.slip_queue.put(slip, partial(_answer, live_server, submission, form, slip.slip.received_at))
    except SlipQueueFull:
        live_server.receipt_times.remember(submission.seat.player_id, form, slip.slip.received_at)
        submission.refuse(form.client_id, "busy", _busy, BUSY_MS)


def _build_queued_slip(form: SlipForm, seat: SeatedPlayer, turn_id: int, received_at: datetime) -> QueuedSlip:
    slip = IncomingSlip(
        player_id=seat.player_id,
        turn_id=turn_id,
        client_id=form.client_id,
        source=SlipSource.PHONE,
        content=form.content,
        received_at=received_at,
        sent_at=form.sent_at,
        in_time=True,  # checked with the turn's clock when the slip is stored
    )
    return QueuedSlip(slip, seat.room_id)


def _answer(
    live_server: LiveServer, submission: Submission, form: SlipForm, received_at: datetime, receipt: Receipt | None
) -> None:
    """Answer a queued slip; it has no receipt if it could not be stored."""
    if receipt is None:
        live_server.receipt_times.remember(submission.seat.player_id, form, received_at)
        submission.refuse(form.client_id, "not_stored", _not_stored, BUSY_MS)
    elif receipt.refused:
        submission.refuse(
            form.client_id, receipt.refused, _is_final if receipt.refused == REFUSED_FINAL else _not_in_turn
        )
    elif receipt.player_id != submission.seat.player_id:
        submission.refuse(form.client_id, "malformed", _id_of_another)
    else:
        submission.send(messages.ack_message(receipt))


async def _acknowledge_or_refuse(
    live_server: LiveServer, submission: Submission, form: SlipForm, snapshot: Snapshot
) -> None:
    """Answer a slip outside its turn: acknowledge it again if it is stored, else refuse it."""
    stored = await live_server.reader.read(lambda: live.stored_slip(form.client_id, submission.seat.player_id))
    if stored is not None:
        submission.send(messages.ack_message(stored))
    elif snapshot.phase is Phase.FINISHED or form.turn < snapshot.turn or snapshot.phase is Phase.PLACED:
        submission.refuse(form.client_id, "turn_over", partial(_turn_over, form.turn))
    else:
        submission.refuse(form.client_id, "no_turn", partial(_no_turn_yet, form.turn))


def _fault(fault: MalformedMessage) -> str:
    return fault.sentence


def _too_fast() -> str:
    return _("Slips come too quickly from this phone; this one is sent again by itself.")


def _busy() -> str:
    return _("Very many slips come in at this moment; yours is sent again by itself.")


def _wrong_clock() -> str:
    return _("The clock of this server is wrong: your slip is kept on the phone and sent again by itself.")


def _not_stored() -> str:
    return _("The slip could not be stored yet; it is sent again by itself.")


def _not_in_turn() -> str:
    return _("You do not play in this turn: you joined after its start, left the game or were disqualified.")


def _is_final() -> str:
    return _("You are a judge, and your desk has shown you this turn: your slip cannot be changed.")


def _id_of_another() -> str:
    return _("This slip has the id of another one; write it again.")


def _turn_over(turn: int) -> str:
    return _("Turn %(turn)d is over; this slip came too late.") % {"turn": turn}


def _no_turn_yet(turn: int) -> str:
    return _("Turn %(turn)d has not begun yet.") % {"turn": turn}
