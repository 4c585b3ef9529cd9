"""Judges who play along: their desk hides the turn until their slip is final or the time is up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from tournaments.enums import GameState, Role
from tournaments.models import (
    Entry,
    Event,
    FinalSlip,
    Game,
    Heartbeat,
    Membership,
    Player,
    PreparedGame,
    Slip,
    Turn,
    TurnClock,
    plays,
)
from tournaments.play.queries.phases import Phase, derive_phase, get_clock, get_room_turn

_JUDGES = (Role.DIRECTOR, Role.JUDGE)
_PLAYED = (Phase.RUNNING, Phase.PAUSED)


@dataclass(frozen=True, slots=True)
class SpoilerGuard:
    """Restrictions of the desk of a judge who plays along as `player`. `is_down`: the turn must stay hidden from the
    judge.

    `slip_in`: the judge's slip of this turn is stored. `may_be_final`: the judge may declare it final and see the
    turn. `must_record_opening`: the time is up and the desk is about to show the turn, which must be recorded first.
    """

    player: Player
    turn: Turn | None
    is_down: bool
    slip_in: bool
    may_be_final: bool
    must_record_opening: bool

    @property
    def hides_rack(self) -> bool:
        """Return True when the rack is not announced yet either."""
        return self.is_down and not self.may_be_final


def get_spoiler_guard(place: Membership, game: Game, now: datetime) -> SpoilerGuard | None:
    """Get the restrictions for a user; None for users who do not play along or are no longer judges."""
    if place.plays_as_id is None or place.role not in _JUDGES:
        return None
    player = Player.objects.select_related("room").get(pk=place.plays_as_id)
    turn = get_room_turn(game, player.room)
    clock = get_clock(turn, player.room) if turn is not None else None
    phase = derive_phase(game, player.room, turn, clock, now)
    if turn is None or not _is_open(phase) or not _plays(turn, player):
        return SpoilerGuard(player, turn, is_down=False, slip_in=False, may_be_final=False, must_record_opening=False)
    is_known = FinalSlip.objects.filter(turn=turn, player=player).exists()
    stays_closed = phase is Phase.CLOSED and not _may_reopen(clock)
    return SpoilerGuard(
        player=player,
        turn=turn,
        is_down=not is_known and not stays_closed,
        slip_in=Slip.objects.filter(turn=turn, player=player).exists(),
        may_be_final=phase in _PLAYED,
        must_record_opening=stays_closed and not is_known,
    )


def own_group(player: Player | None, turn: Turn | None) -> str:
    """The key of the group in which a judge's own slip of a turn is, empty without one."""
    if player is None or turn is None:
        return ""
    return player.verdicts.filter(turn=turn).values_list("group", flat=True).first() or ""


def player_of(event: Event | int, user: User | None) -> Player | None:
    """The player that this user is; None for users who do not play along."""
    if user is None:
        return None
    place = Membership.objects.filter(event=event, user=user, plays_as__isnull=False).select_related("plays_as").first()
    return place.plays_as if place is not None else None


def is_playing_script(user: User, prepared: PreparedGame) -> bool:
    """Return True when this user plays along in an unfinished game that follows this script."""
    following = Game.objects.filter(prepared=prepared).exclude(state=GameState.FINISHED)
    return Membership.objects.filter(user=user, plays_as__isnull=False, event__games__in=following).exists()


def is_playing_turn(user: User, now: datetime) -> bool:
    """Return True when this user plays along in a turn that their desk hides from them."""
    places = Membership.objects.filter(user=user, plays_as__isnull=False).select_related("event")
    guards = (get_spoiler_guard(place, place.event.games.latest("number"), now) for place in places)
    return any(guard is not None and guard.is_down for guard in guards)


def _is_open(phase: Phase) -> bool:
    return phase in (Phase.DRAWN, *_PLAYED, Phase.CLOSED)


def _plays(turn: Turn, player: Player) -> bool:
    return Entry.objects.filter(plays(turn.number), game=turn.game_id, player=player).exists()


def _may_reopen(clock: TurnClock | None) -> bool:
    """Return True while the judge may still give time back for an interruption of the server."""
    lost = Heartbeat.objects.filter(away_s__isnull=False).values_list("lost_at", flat=True).first()
    return clock is not None and lost is not None and clock.started_at is not None and clock.started_at <= lost
