"""A rack that nobody has seen, put back."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.models import Turn, TurnClock


def discard_unannounced(*, turn: Turn) -> None:
    """Take a drawn turn away that no room has announced; the caller has locked the game."""
    if TurnClock.objects.filter(turn=turn).exclude(state=ClockState.READY).exists():
        raise Refused(
            _("The rack of turn %(turn)d is announced already; play this turn to its end.") % {"turn": turn.number}
        )
    turn.delete()
