"""Heartbeats of the server: a restart measures the downtime, and the judge can give the lost time back."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from tournaments import signals
from tournaments.enums import ClockState, GameState
from tournaments.models import Game, Heartbeat, LedgerEntry, TurnClock
from tournaments.now import Timeline, get_boot_id
from tournaments.play.queries.live import is_turn_under_way
from tournaments.play.services import clocks
from tournaments.play.services.game_lock import append_to_ledger, lock_events, lock_game

# Extra time besides the lost time, for players to resume the turn.
EXTRA_TIME = timedelta(seconds=20)
_ONLY_ROW = 1
_SEQ_INCREMENT = 1_000_000
_CHECK_INTERVAL = timedelta(seconds=1)  # a running server checks itself more often than this


def record_heartbeat(*, now: datetime, steady_us: int | None = None) -> None:
    """Store a heartbeat; called every two seconds. `steady_us`: reading of the steady clock at `now`."""
    fields = {"at": now, "boot": "" if steady_us is None else get_boot_id(), "steady_us": steady_us}
    if not Heartbeat.objects.filter(pk=_ONLY_ROW).update(**fields):
        Heartbeat.objects.get_or_create(pk=_ONLY_ROW, defaults=fields)


def continue_timeline(timeline: Timeline) -> None:
    """Continue the time scale of the last heartbeat if a turn is open on this computer.

    The computer's clock may have been set since; stored deadlines refer to the old time scale.
    """
    last = Heartbeat.objects.filter(pk=_ONLY_ROW).first()
    if last is None or last.steady_us is None or not last.boot or last.boot != get_boot_id():
        return
    if is_turn_under_way(last.at):
        timeline.continue_from(last.at, last.steady_us)


def record_start(*, now: datetime, steady_us: int | None = None, alive_at: datetime | None = None) -> int | None:
    """Record the start of the server; return the seconds of downtime if a clock was running, otherwise None.

    The judge is asked until they answer, even after a second crash. `alive_at`: the last active time of a server that
    was only suspended (laptop asleep).
    """
    with transaction.atomic():
        last = Heartbeat.objects.select_for_update().filter(pk=_ONLY_ROW).first()
        record_heartbeat(now=now, steady_us=steady_us)
        if last is None:
            return None
        lost_at = last.lost_at or _last_sign_of_life(
            alive_at or last.at, alive_at + _CHECK_INTERVAL if alive_at else now
        )
        robbed = list(_interrupted_clocks(lost_at))
        if not robbed:
            Heartbeat.objects.filter(pk=_ONLY_ROW).update(lost_at=None, away_s=None)
            return None
        away_s = max(1, round((now - lost_at).total_seconds()))
        Heartbeat.objects.filter(pk=_ONLY_ROW).update(lost_at=lost_at, away_s=away_s)
        lock_events({clock.turn.game.event_id for clock in robbed})
        signals.send_games_changed([(clock.turn.game, None) for clock in robbed])
    return away_s


def _last_sign_of_life(beat_at: datetime, until: datetime) -> datetime:
    """Time of the last heartbeat or the last ledger entry, whichever is newer."""
    acted_at = LedgerEntry.objects.filter(at__lte=until).aggregate(newest=Max("at"))["newest"]
    return max(beat_at, acted_at) if acted_at is not None else beat_at


def record_restore(*, backup_at: datetime) -> None:
    """Record that this database was restored from a backup of that time, until the judge has confirmed it.

    Connected pages have seen later states and must not discard the restored ones as outdated.
    """
    Game.objects.update(seq=F("seq") + _SEQ_INCREMENT)
    record_heartbeat(now=backup_at)
    Heartbeat.objects.filter(pk=_ONLY_ROW).update(backup_at=backup_at, lost_at=None, away_s=None)


def settle_lost_time(*, give_back: bool, now: datetime, by: User | None, anew: bool = False) -> list[TurnClock]:
    """Apply the judge's answer: add the lost time plus a short extra time to the clocks, or continue unchanged.

    A clock that ran out during the downtime is opened again with its remaining time; with `anew` every clock restarts
    with its full time. Slips stay and can be replaced. Return the changed clocks.
    """
    with transaction.atomic():
        heart = Heartbeat.objects.select_for_update().filter(pk=_ONLY_ROW).first()
        if heart is None or (heart.away_s is None and heart.backup_at is None):
            return []
        robbed = list(_interrupted_clocks(heart.lost_at)) if heart.lost_at is not None else []
        Heartbeat.objects.filter(pk=heart.pk).update(lost_at=None, away_s=None, backup_at=None)
        going_on = (
            Game.objects.exclude(state=GameState.FINISHED) if heart.backup_at is not None else Game.objects.none()
        )
        lock_events({game.event_id for game in [*going_on, *(clock.turn.game for clock in robbed)]})
        signals.send_games_changed([(game, None) for game in going_on])
        changed = []
        for clock in robbed:
            if give_back:
                seconds = round(_time_to_give_back(clock, heart, now, anew=anew).total_seconds())
                changed.append(clocks.give_time_back(turn=clock.turn, room=clock.room, seconds=seconds, now=now, by=by))
            else:
                _decline_lost_time(clock, heart.away_s or 0, now, by)
    return changed


def _decline_lost_time(clock: TurnClock, away_s: int, now: datetime, by: User | None) -> None:
    """Record in the ledger that the judge does not give the lost time back."""
    details = {"turn": clock.turn.number, "room": clock.room.name, "away_s": away_s}
    with lock_game(clock.turn.game) as game:
        append_to_ledger(game=game, kind="go_on", by=by, now=now, data=details)
        signals.send_game_changed(game)


def _time_to_give_back(clock: TurnClock, heart: Heartbeat, now: datetime, *, anew: bool) -> timedelta:
    """Time to add to the deadline of a clock."""
    if anew and clock.deadline is not None:
        return now + timedelta(seconds=clock.turn.game.turn_seconds) - clock.deadline
    lost = timedelta(seconds=heart.away_s or 0)
    if clock.state != ClockState.OPEN and heart.lost_at is not None:
        lost = now - heart.lost_at  # a closed clock lost all the time until this answer, a running one less
    return lost + EXTRA_TIME


def _interrupted_clocks(lost_at: datetime) -> QuerySet[TurnClock]:
    """The clocks that were running at the last sign of life and whose turn is still open."""
    ran_out = Q(state=ClockState.CLOSED, closed_at__gt=lost_at)
    return (
        TurnClock.objects.select_related("turn__game", "room")
        .filter(Q(state=ClockState.OPEN) | ran_out, turn__placed_at=None)
        .filter(started_at__lte=lost_at, deadline__gt=lost_at)
    )
