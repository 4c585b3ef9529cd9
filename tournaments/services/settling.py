"""A judge settles a paper slip that was typed in two ways: one of the readings counts, or what he types anew."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.enums import SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Game, Room, Slip, Turn, Typing
from tournaments.selectors.typings import readings_in
from tournaments.services import double_typing, slips
from tournaments.services.acting import acting_on
from tournaments.services.rulings import unshown
from tournaments.services.slips import Incoming
from tournaments.typings import Readings, Standing


def choose_typing(*, turn: Turn, typing_id: int, by: User | None, now: datetime, room: Room) -> Typing:
    """Let one of the readings of a slip count: the one with this key, which the judge was shown."""
    with acting_on(turn.game) as game:
        current = unshown(game, turn, room)
        chosen = Typing.objects.filter(pk=typing_id, turn=current, player__room=room).first()
        readings = _demand_open(current, chosen.player_id if chosen else 0)
        if chosen is None or chosen not in (readings.counting, *readings.others):
            raise Refused(_("This slip was typed anew meanwhile: look at the two readings again."))
        standing = chosen.slip if chosen == readings.counting else None
        return _settle(game, _as_typed(chosen, now), chosen.raw, standing, by, now)


def type_anew(*, turn: Turn, line: str, by: User | None, now: datetime, room: Room) -> Typing:
    """Let what the judge himself reads on the paper count, typed as a whole line: `17 8H CORNO 22`."""
    with acting_on(turn.game) as game:
        current = unshown(game, turn, room)
        echo = slips.read_paper(game=game, line=line, room=room)
        player = slips.player_at_table(game, echo.table, room)
        counting = _demand_open(current, player.pk).counting
        kept = {"in_time": counting.in_time, "several": counting.several}
        typed = slips.paper_slip(player=player, turn=current, slip=echo.slip, now=now, **kept)
        return _settle(game, typed, line, None, by, now)


def _demand_open(turn: Turn, player_id: int) -> Readings:
    readings = readings_in(turn, player_id)
    if readings is None or readings.standing is not Standing.DIFFERS:
        raise AlreadyDone(_("This slip is typed in one way only."))
    return readings


def _as_typed(typing: Typing, now: datetime) -> Incoming:
    return Incoming(
        player_id=typing.player_id,
        turn_id=typing.turn_id,
        client_id=uuid4(),
        source=SlipSource.PAPER,
        word=typing.word,
        ref=typing.ref,
        direction=typing.direction,
        declared=typing.declared,
        hook=typing.hook,
        received_at=now,
        sent_at=None,
        in_time=typing.in_time,
        several=typing.several,
    )


def _settle(game: Game, typed: Incoming, raw: str, slip: Slip | None, by: User | None, now: datetime) -> Typing:
    """`slip` is there already when the reading counts that did so all the time."""
    if slip is None:
        slips.store_paper([typed], now=now, by=by)
        slip = Slip.objects.get(client_id=typed.client_id)
    return double_typing.note(game=game, typed=typed, raw=raw, by=by, now=now, slip=slip, settles=True)
