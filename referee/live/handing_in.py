"""A slip from a phone, by socket or by POST: read, checked against what this process knows, queued, acknowledged."""

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

from referee.live import messages
from referee.live.house import House
from referee.live.intake import Busy, Stamped
from referee.live.slip_form import Malformed, SlipForm, read_slip
from referee.live.stage import Picture, Stage
from tournaments.enums import SlipSource
from tournaments.selectors import live
from tournaments.selectors.live import SeatedPlayer
from tournaments.selectors.phases import TAKES_SLIPS, Phase
from tournaments.services.slips import FINAL, Incoming, Receipt

BUSY_MS = 2000


@dataclass(frozen=True, slots=True)
class Handing:
    """Who hands in, from where, in which language he is told what becomes of it, and how."""

    seat: SeatedPlayer
    address: str | None
    language: str
    send: Callable[[str], None]

    def refuse(
        self, client_id: UUID | None, why: str, sentence: Callable[[], str], retry_ms: int | None = None
    ) -> None:
        """Say no. Sentences are made only here: a slip that is taken costs no translation."""
        with translation.override(self.language):
            self.send(messages.refused(client_id, why, sentence(), retry_ms))


async def hand_in(
    house: House, seat: SeatedPlayer, message: dict[str, Any], received_at: datetime, address: str | None
) -> str:
    """The answer to a slip message: `ack` after the commit, or `refused`, in the active language."""
    answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def send(text: str) -> None:
        if not answer.done():  # whoever asked may have left
            answer.set_result(text)

    language = translation.get_language() or ""
    later = offer(house, Handing(seat, address, language, send), message, received_at)
    if later is not None:
        await later
    return await answer


def offer(house: House, handing: Handing, message: dict[str, Any], received_at: datetime) -> Awaitable[None] | None:
    """Take a slip message; `handing.send` gets the answer, mostly later. What is returned has to be awaited.

    Up to the queue nothing is awaited, so that whoever closes the turn finds every slip that was read before; only a
    slip that does not fit to what is known of the turn has to be looked at more closely.
    """
    try:
        form = read_slip(message)
    except Malformed as fault:
        handing.refuse(fault.client_id, "malformed", partial(_fault, fault))
        return None
    if (wait := house.slips_allowed.take(handing.seat.token_hash, handing.address)) > 0.0:
        handing.refuse(form.client_id, "too_fast", _too_fast, math.ceil(wait * 1000))
        return None
    stage = house.stage((handing.seat.event_id, handing.seat.room_id))
    picture = stage.picture.last
    if picture is None or picture.turn_id is None or not _takes(picture, form):
        return _look_again(house, handing, form, received_at, stage)
    _queue(house, handing, form, picture.turn_id, received_at)
    return None


async def _look_again(house: House, handing: Handing, form: SlipForm, received_at: datetime, stage: Stage) -> None:
    """News of an announcement may still be under way."""
    stage.picture.stale()
    picture = await stage.picture.current()
    if picture.turn_id is None or not _takes(picture, form):
        await _known_or_refused(house, handing, form, picture)
    else:
        _queue(house, handing, form, picture.turn_id, received_at)


def _takes(picture: Picture, form: SlipForm) -> bool:
    return form.turn == picture.turn and picture.phase in TAKES_SLIPS


def _queue(house: House, handing: Handing, form: SlipForm, turn_id: int, received_at: datetime) -> None:
    """A slip that could not be taken before is as early as it was then."""
    slip = _stamped(form, handing.seat, turn_id, house.first_seen.of(handing.seat.player_id, form, received_at))
    try:
        house.intake.put(slip, partial(_answer, house, handing, form, slip.slip.received_at))
    except Busy:
        house.first_seen.remember(handing.seat.player_id, form, slip.slip.received_at)
        handing.refuse(form.client_id, "busy", _busy, BUSY_MS)


def _stamped(form: SlipForm, seat: SeatedPlayer, turn_id: int, received_at: datetime) -> Stamped:
    slip = Incoming(
        player_id=seat.player_id,
        turn_id=turn_id,
        client_id=form.client_id,
        source=SlipSource.PHONE,
        word=form.word,
        ref=form.ref,
        direction=form.direction,
        declared=form.score,
        hook=form.hook,
        received_at=received_at,
        sent_at=form.sent_at,
        in_time=True,  # as most are; the clock tells when the slip is stored
    )
    return Stamped(slip, seat.room_id)


def _answer(house: House, handing: Handing, form: SlipForm, received_at: datetime, receipt: Receipt | None) -> None:
    """Tell what became of a queued slip; without a receipt it could not be stored."""
    if receipt is None:
        house.first_seen.remember(handing.seat.player_id, form, received_at)
        handing.refuse(form.client_id, "not_stored", _not_stored, BUSY_MS)
    elif receipt.refused:
        handing.refuse(form.client_id, receipt.refused, _is_final if receipt.refused == FINAL else _not_in_turn)
    elif receipt.player_id != handing.seat.player_id:
        handing.refuse(form.client_id, "malformed", _id_of_another)
    else:
        handing.send(messages.ack(receipt))


async def _known_or_refused(house: House, handing: Handing, form: SlipForm, picture: Picture) -> None:
    """The turn takes no slips now: one that is stored already gets its receipt again, another one is refused."""
    stored = await house.reader.read(lambda: live.stored_slip(form.client_id, handing.seat.player_id))
    if stored is not None:
        handing.send(messages.ack(stored))
    elif picture.phase is Phase.FINISHED or form.turn < picture.turn or picture.phase is Phase.PLACED:
        handing.refuse(form.client_id, "turn_over", partial(_turn_over, form.turn))
    else:
        handing.refuse(form.client_id, "no_turn", partial(_no_turn_yet, form.turn))


def _fault(fault: Malformed) -> str:
    return fault.sentence


def _too_fast() -> str:
    return _("Slips come too quickly from this phone; this one is sent again by itself.")


def _busy() -> str:
    return _("Very many slips come in at this moment; yours is sent again by itself.")


def _not_stored() -> str:
    return _("The slip could not be stored yet; it is sent again by itself.")


def _not_in_turn() -> str:
    return _("You play from the next turn on; this one had started when you joined.")


def _is_final() -> str:
    return _("You are a judge, and your desk has shown you this turn: your slip stays as it is.")


def _id_of_another() -> str:
    return _("This slip has the id of another one; write it anew.")


def _turn_over(turn: int) -> str:
    return _("Turn %(turn)d is over; this slip came too late.") % {"turn": turn}


def _no_turn_yet(turn: int) -> str:
    return _("Turn %(turn)d has not begun yet.") % {"turn": turn}
