"""A rack that nobody has seen, put back."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.models import Turn, TurnClock


def return_unannounced_rack(*, turn: Turn) -> dict[str, object]:
    """Remove a drawn turn that no room has announced; the caller has locked the drawing room.

    Put the result into the ledger entry of the act: the room is told that a rack was returned.
    """
    if TurnClock.objects.filter(turn=turn).exclude(state=ClockState.READY).exists():
        raise Refused(
            _("The rack of turn %(turn)d is announced already; play this turn to its end.") % {"turn": turn.number}
        )
    put_back: dict[str, object] = {"put_back": turn.number, "rack": turn.rack}
    turn.delete()
    return put_back
