"""A slip from a phone, by socket or by POST: read, checked against what this process knows, queued, acknowledged."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from referee.live import messages
from referee.live.house import House
from referee.live.intake import Busy, NotStored, Stamped
from referee.live.slip_form import Malformed, SlipForm, read_slip
from referee.live.stage import Picture
from tournaments.enums import SlipSource
from tournaments.selectors import live
from tournaments.selectors.live import SeatedPlayer
from tournaments.selectors.phases import TAKES_SLIPS, Phase
from tournaments.services.slips import Incoming, Receipt

BUSY_MS = 2000


async def hand_in(
    house: House, seat: SeatedPlayer, message: dict[str, Any], received_at: datetime, address: str | None
) -> str:
    """The answer to a slip message: `ack` after the commit, or `refused`. Sentences are in the active language.

    Up to the queue nothing is awaited, so that whoever closes the turn finds every slip that was read before.
    """
    try:
        form = read_slip(message)
    except Malformed as fault:
        return messages.refused(fault.client_id, "malformed", fault.sentence)
    if (wait := house.slips_allowed.take(seat.token_hash, address)) > 0.0:
        sentence = _("Slips come too quickly from this phone; this one is sent again by itself.")
        return messages.refused(form.client_id, "too_fast", sentence, retry_ms=math.ceil(wait * 1000))
    stage = house.stage((seat.event_id, seat.room_id))
    picture = stage.picture.last
    if picture is None or not _takes(picture, form):
        stage.picture.stale()  # news of an announcement may still be under way
        picture = await stage.picture.current()
    if picture.turn_id is None or not _takes(picture, form):
        return await _known_or_refused(house, seat, form, picture)
    try:
        receipt = await house.intake.offer(_stamped(form, seat, picture.turn_id, received_at))
    except Busy:
        return _again(form, "busy", _("Very many slips come in at this moment; yours is sent again by itself."))
    except NotStored:
        return _again(form, "not_stored", _("The slip could not be stored yet; it is sent again by itself."))
    return _answer(form, seat, receipt)


def _takes(picture: Picture, form: SlipForm) -> bool:
    return form.turn == picture.turn and picture.phase in TAKES_SLIPS


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
        hook="",
        received_at=received_at,
        sent_at=form.sent_at,
        in_time=False,
    )
    return Stamped(slip, seat.room_id)


async def _known_or_refused(house: House, seat: SeatedPlayer, form: SlipForm, picture: Picture) -> str:
    """The turn takes no slips now: one that is stored already gets its receipt again, another one is refused."""
    stored = await house.reader.read(lambda: live.stored_slip(form.client_id, seat.player_id))
    if stored is not None:
        return messages.ack(stored)
    over = picture.phase is Phase.FINISHED or form.turn < picture.turn or picture.phase is Phase.PLACED
    if over:
        sentence = _("Turn %(turn)d is over; this slip came too late.") % {"turn": form.turn}
        return messages.refused(form.client_id, "turn_over", sentence)
    sentence = _("Turn %(turn)d has not begun yet.") % {"turn": form.turn}
    return messages.refused(form.client_id, "no_turn", sentence)


def _answer(form: SlipForm, seat: SeatedPlayer, receipt: Receipt) -> str:
    if receipt.refused:
        sentence = _("You play from the next turn on; this one had started when you joined.")
        return messages.refused(form.client_id, receipt.refused, sentence)
    if receipt.player_id != seat.player_id:
        sentence = _("This slip has the id of another one; write it anew.")
        return messages.refused(form.client_id, "malformed", sentence)
    return messages.ack(receipt)


def _again(form: SlipForm, why: str, sentence: str) -> str:
    return messages.refused(form.client_id, why, sentence, retry_ms=BUSY_MS)
