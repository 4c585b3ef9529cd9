"""Signs of life, so that a restart can say how long the server was away, and the judge can give that time back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from tournaments import signals
from tournaments.enums import ClockState, GameState
from tournaments.models import Game, Heartbeat, LedgerEntry, TurnClock
from tournaments.now import Timeline, boot
from tournaments.selectors.live import turn_is_under_way
from tournaments.services import clocks
from tournaments.services.acting import acting_on, record

# On top of what was lost, for finding back into the turn.
FOR_COMPOSURE = timedelta(seconds=20)
_ONLY_ROW = 1
_AHEAD = 1_000_000
_SOON = timedelta(seconds=1)  # a server looks at itself more often than this


def beat(*, now: datetime, steady_us: int | None = None) -> None:
    """Say that the server lives; meant for every two seconds. `steady_us`: what the steady clock shows at `now`."""
    fields = {"at": now, "boot": "" if steady_us is None else boot(), "steady_us": steady_us}
    if not Heartbeat.objects.filter(pk=_ONLY_ROW).update(**fields):
        Heartbeat.objects.get_or_create(pk=_ONLY_ROW, defaults=fields)


def take_up(timeline: Timeline) -> None:
    """Count the time as the server did that beat last, when it left a turn behind on this computer.

    Somebody may have set the computer's clock since; the deadline that is stored was none of that clock.
    """
    last = Heartbeat.objects.filter(pk=_ONLY_ROW).first()
    if last is None or last.steady_us is None or not last.boot or last.boot != boot():
        return
    if turn_is_under_way(last.at):
        timeline.continue_from(last.at, last.steady_us)


def wake(*, now: datetime, steady_us: int | None = None, alive_at: datetime | None = None) -> int | None:
    """Say that the server has started; the seconds it was away when a clock ran meanwhile, else None.

    The judge is asked until `answer`, also over a second crash. `alive_at`: when a server that only stood still
    (the laptop slept) knows itself to have lived last.
    """
    with transaction.atomic():
        last = Heartbeat.objects.select_for_update().filter(pk=_ONLY_ROW).first()
        beat(now=now, steady_us=steady_us)
        if last is None:
            return None
        lost_at = last.lost_at or _last_sign_of_life(alive_at or last.at, alive_at + _SOON if alive_at else now)
        robbed = list(_robbed(lost_at))
        if not robbed:
            Heartbeat.objects.filter(pk=_ONLY_ROW).update(lost_at=None, away_s=None)
            return None
        away_s = max(1, round((now - lost_at).total_seconds()))
        Heartbeat.objects.filter(pk=_ONLY_ROW).update(lost_at=lost_at, away_s=away_s)
        for clock in robbed:
            signals.changed(clock.turn.game)
    return away_s


def _last_sign_of_life(beat_at: datetime, until: datetime) -> datetime:
    """An act in a ledger shows a living server as well as a beat does, and may be newer."""
    acted_at = LedgerEntry.objects.filter(at__lte=until).aggregate(newest=Max("at"))["newest"]
    return max(beat_at, acted_at) if acted_at is not None else beat_at


def restored(*, backup_at: datetime) -> None:
    """Remember that this database is the backup of that moment, until the judge has been told.

    Whoever watched the games has seen later states than these, and must not take these for old news.
    """
    Game.objects.update(seq=F("seq") + _AHEAD)
    beat(now=backup_at)
    Heartbeat.objects.filter(pk=_ONLY_ROW).update(backup_at=backup_at, lost_at=None, away_s=None)


def answer(*, give_back: bool, now: datetime, by: User | None, anew: bool = False) -> list[TurnClock]:
    """What the judge wants: the lost time back and some more to find into the turn again, or to go on as it is.

    A clock that ran out while the server was away opens again with the time it had left; with `anew` every one begins
    again with its full time. Slips stay and can be replaced. Gives the changed clocks.
    """
    with transaction.atomic():
        heart = Heartbeat.objects.select_for_update().filter(pk=_ONLY_ROW).first()
        if heart is None or (heart.away_s is None and heart.backup_at is None):
            return []
        robbed = list(_robbed(heart.lost_at)) if heart.lost_at is not None else []
        Heartbeat.objects.filter(pk=heart.pk).update(lost_at=None, away_s=None, backup_at=None)
        if heart.backup_at is not None:
            for game in Game.objects.exclude(state=GameState.FINISHED):
                signals.changed(game)
        changed = []
        for clock in robbed:
            if give_back:
                seconds = round(_owed(clock, heart, now, anew=anew).total_seconds())
                changed.append(clocks.give_back(turn=clock.turn, room=clock.room, seconds=seconds, now=now, by=by))
            else:
                _go_on_without(clock, heart.away_s or 0, now, by)
    return changed


def _go_on_without(clock: TurnClock, away_s: int, now: datetime, by: User | None) -> None:
    """The judge's word that the lost time is not given back, in the ledger of the game."""
    told = {"turn": clock.turn.number, "room": clock.room.name, "away_s": away_s}
    with acting_on(clock.turn.game) as game:
        record(game=game, kind="go_on", by=by, now=now, data=told)
        signals.changed(game)


def _owed(clock: TurnClock, heart: Heartbeat, now: datetime, *, anew: bool) -> timedelta:
    """By how much the deadline of a clock moves on."""
    if anew and clock.deadline is not None:
        return now + timedelta(seconds=clock.turn.game.rhythm_s) - clock.deadline
    lost = timedelta(seconds=heart.away_s or 0)
    if clock.state != ClockState.OPEN and heart.lost_at is not None:
        lost = now - heart.lost_at  # a closed clock lost all the time until this answer, a running one less
    return lost + FOR_COMPOSURE


def _robbed(lost_at: datetime) -> QuerySet[TurnClock]:
    """The clocks that were running when the server was last known to live, and whose turn is still open."""
    ran_out = Q(state=ClockState.CLOSED, closed_at__gt=lost_at)
    return (
        TurnClock.objects.select_related("turn__game", "room")
        .filter(Q(state=ClockState.OPEN) | ran_out, turn__placed_at=None)
        .filter(started_at__lte=lost_at, deadline__gt=lost_at)
    )
