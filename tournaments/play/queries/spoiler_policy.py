"""Permission to see the moves of a turn, checked before every answer of a desk from which a top could follow."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from tournaments.models import Membership, Room, Turn
from tournaments.play.queries.phases import Phase, get_clock, phase_of_clock
from tournaments.play.queries.playing_judge import get_spoiler_guard

_JUDGED = frozenset({Phase.CLOSED, Phase.PLACED, Phase.FINISHED})


def may_see_moves(*, turn: Turn, room: Room, user: User, now: datetime) -> bool:
    """Return True when `user`, who has access to such pages, may see moves of this turn at the desk of a room.

    Never while the user plays the turn. Otherwise always after the clock has closed there; before that only in the
    drawing room, whose desk shows them on a key press. A room that follows sees the script up to its own clock.
    """
    if _plays_it(turn, user, now):
        return False
    return phase_of_clock(get_clock(turn, room), now) in _JUDGED or room.is_drawing


def _plays_it(turn: Turn, user: User, now: datetime) -> bool:
    """Return True for the turn that a judge who plays along is playing, and for later ones."""
    place = Membership.objects.filter(event=turn.game.event_id, user=user).first()
    guard = get_spoiler_guard(place, turn.game, now) if place is not None else None
    return guard is not None and guard.is_down and guard.turn is not None and turn.number >= guard.turn.number
