"""Signs of life, so that a restart can say how long the server was away, and the judge can give that time back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q, QuerySet

from tournaments import signals
from tournaments.enums import ClockState
from tournaments.models import Heartbeat, LedgerEntry, TurnClock
from tournaments.services import clocks

# On top of what was lost, for finding back into the turn.
FOR_COMPOSURE = timedelta(seconds=20)
_ONLY_ROW = 1


def beat(*, now: datetime) -> None:
    """Say that the server lives; meant for every two seconds."""
    if not Heartbeat.objects.filter(pk=_ONLY_ROW).update(at=now):
        Heartbeat.objects.get_or_create(pk=_ONLY_ROW, defaults={"at": now})


def wake(*, now: datetime) -> int | None:
    """Say that the server has started; the seconds it was away when a clock ran meanwhile, else None.

    The judge is asked until `answer`, also over a second crash.
    """
    with transaction.atomic():
        last = Heartbeat.objects.select_for_update().filter(pk=_ONLY_ROW).first()
        beat(now=now)
        if last is None:
            return None
        lost_at = last.lost_at or _last_sign_of_life(last.at, now)
        robbed = list(_robbed(lost_at))
        if not robbed:
            Heartbeat.objects.filter(pk=_ONLY_ROW).update(lost_at=None, away_s=None)
            return None
        away_s = max(1, round((now - lost_at).total_seconds()))
        Heartbeat.objects.filter(pk=_ONLY_ROW).update(lost_at=lost_at, away_s=away_s)
        for clock in robbed:
            signals.changed(clock.turn.game)
    return away_s


def _last_sign_of_life(beat_at: datetime, now: datetime) -> datetime:
    """An act in a ledger shows a living server as well as a beat does, and may be newer."""
    acted_at = LedgerEntry.objects.filter(at__lte=now).aggregate(newest=Max("at"))["newest"]
    return max(beat_at, acted_at) if acted_at is not None else beat_at


def answer(*, give_back: bool, now: datetime, by: User | None) -> list[TurnClock]:
    """What the judge wants: the lost time back and some more to find into the turn again, or to go on as it is.

    A clock that ran out while the server was away opens again with the time it had left. Gives the changed clocks.
    """
    with transaction.atomic():
        heart = Heartbeat.objects.select_for_update().filter(pk=_ONLY_ROW, away_s__isnull=False).first()
        if heart is None or heart.lost_at is None or heart.away_s is None:
            return []
        robbed = list(_robbed(heart.lost_at))
        Heartbeat.objects.filter(pk=heart.pk).update(lost_at=None, away_s=None)
        changed = []
        for clock in robbed:
            if give_back:
                # A closed clock lost all the time until this answer, a running one only until the restart.
                open_again = clock.state == ClockState.OPEN
                lost = timedelta(seconds=heart.away_s) if open_again else now - heart.lost_at
                seconds = round((lost + FOR_COMPOSURE).total_seconds())
                changed.append(
                    clocks.give_back(turn=clock.turn, room=clock.room, seconds=seconds, now=now, by=by)
                )
            else:
                signals.changed(clock.turn.game)
    return changed


def _robbed(lost_at: datetime) -> QuerySet[TurnClock]:
    """The clocks that were running when the server was last known to live, and whose turn is still open."""
    ran_out = Q(state=ClockState.CLOSED, closed_at__gt=lost_at)
    return (
        TurnClock.objects.select_related("turn__game", "room")
        .filter(Q(state=ClockState.OPEN) | ran_out, turn__placed_at=None)
        .filter(started_at__lte=lost_at, deadline__gt=lost_at)
    )
