"""Who may be told moves of a turn: the one question before every answer at a desk from which a top could follow."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from tournaments.models import Membership, Room, Turn
from tournaments.selectors.phases import Phase, clock_in, phase_of_clock
from tournaments.selectors.playing_along import veil_of

_JUDGED = frozenset({Phase.CLOSED, Phase.PLACED, Phase.FINISHED})


def may_see_moves(*, turn: Turn, room: Room, user: User, now: datetime) -> bool:
    """Whether `user`, whose role opens such pages at all, may be told moves of this turn at the desk of a room.

    Not while he plays it himself. Else, once the clock has closed there, always; before, in the drawing room alone,
    where the desk shows them to whoever asks for them by a key: what a room that follows may know of the script ends at
    its own clock.
    """
    if _plays_it(turn, user, now):
        return False
    return phase_of_clock(clock_in(turn, room), now) in _JUDGED or room.is_drawing


def _plays_it(turn: Turn, user: User, now: datetime) -> bool:
    """Whether this turn is hidden from a judge who plays along: it is the one that he plays, or comes after it."""
    place = Membership.objects.filter(event=turn.game.event_id, user=user).first()
    veil = veil_of(place, turn.game, now) if place is not None else None
    return veil is not None and veil.is_down and veil.turn is not None and turn.number >= veil.turn.number
