"""Settle a paper slip that was typed in two ways: a judge chooses one reading or types the slip again."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.enums import SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.judging.services.ruling_checks import get_unshown_turn
from tournaments.models import Game, Room, Slip, Turn, Typing
from tournaments.play.double_entry import SlipReadings, TypingState
from tournaments.play.queries.typing_conflicts import readings_in
from tournaments.play.services import double_entry, slips
from tournaments.play.services.game_lock import lock_room
from tournaments.play.services.slips import IncomingSlip


def choose_typing(*, turn: Turn, typing_id: int, by: User | None, now: datetime, room: Room) -> Typing:
    """Make one of the readings of a slip count, given by its key."""
    with lock_room(turn.game, room) as game:
        current = get_unshown_turn(game, turn, room)
        chosen = Typing.objects.filter(pk=typing_id, turn=current, player__room=room).first()
        readings = _require_open(current, chosen.player_id if chosen else 0)
        if chosen is None or chosen not in (readings.counting, *readings.others):
            raise Refused(_("This slip was typed again in the meantime: look at the two readings again."))
        standing = chosen.slip if chosen == readings.counting else None
        settled = _settle_conflict(game, _to_typed_slip(chosen, now), chosen.raw, standing, by, now)
    judge_closed_rooms(now=now, rooms=[room.pk])
    return settled


def retype_slip(*, turn: Turn, line: str, by: User | None, now: datetime, room: Room) -> Typing:
    """Make the judge's own reading count, typed as a whole line: `17 8H CORNO 22`."""
    with lock_room(turn.game, room) as game:
        current = get_unshown_turn(game, turn, room)
        echo = slips.read_paper_line(game=game, line=line, room=room)
        player = slips.player_at_table(game, echo.table, room)
        counting = _require_open(current, player.pk).counting
        received = {"in_time": counting.in_time, "several": counting.several}
        typed = slips.make_paper_slip(player=player, turn=current, slip=echo.slip, now=now, **received)
        settled = _settle_conflict(game, typed, line, None, by, now)
    judge_closed_rooms(now=now, rooms=[room.pk])
    return settled


def _require_open(turn: Turn, player_id: int) -> SlipReadings:
    readings = readings_in(turn, player_id)
    if readings is None or readings.standing is not TypingState.DIFFERS:
        raise AlreadyDone(_("This slip is typed in one way only."))
    return readings


def _to_typed_slip(typing: Typing, now: datetime) -> IncomingSlip:
    return IncomingSlip(
        player_id=typing.player_id,
        turn_id=typing.turn_id,
        client_id=uuid4(),
        source=SlipSource.PAPER,
        content=typing.content,
        received_at=now,
        sent_at=None,
        in_time=typing.in_time,
        several=typing.several,
    )


def _settle_conflict(
    game: Game, typed: IncomingSlip, raw: str, slip: Slip | None, by: User | None, now: datetime
) -> Typing:
    """Record the settlement. `slip` is given when the reading already counted."""
    if slip is None:
        slips.store_paper_slips([typed], now=now, by=by)
        slip = Slip.objects.get(client_id=typed.client_id)
    return double_entry.record_typing(game=game, typed=typed, raw=raw, by=by, now=now, slip=slip, settles=True)
