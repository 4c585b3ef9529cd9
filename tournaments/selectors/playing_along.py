"""A judge who plays along: what his desk hides, until his slip is final or the time is up."""

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
from tournaments.selectors.phases import Phase, clock_in, phase_from, turn_in

_JUDGES = (Role.DIRECTOR, Role.JUDGE)
_PLAYED = (Phase.RUNNING, Phase.PAUSED)


@dataclass(frozen=True, slots=True)
class Veil:
    """What the desk of a judge hides who is `player` himself. `is_down`: the turn must not be known to him.

    `slip_in`: his slip of this turn is there, and `may_be_final`: he may say that it is the last one, and be shown the
    turn. `to_note`: the time is up and his desk is about to show him the turn, which is to be written down first.
    """

    player: Player
    turn: Turn | None
    is_down: bool
    slip_in: bool
    may_be_final: bool
    to_note: bool

    @property
    def hides_rack(self) -> bool:
        """Whether not even the rack is announced yet."""
        return self.is_down and not self.may_be_final


def veil_of(place: Membership, game: Game, now: datetime) -> Veil | None:
    """None for who does not play along, or judges no more. A handful of queries, and for most people none at all."""
    if place.plays_as_id is None or place.role not in _JUDGES:
        return None
    player = Player.objects.select_related("room").get(pk=place.plays_as_id)
    turn = turn_in(game, player.room)
    clock = clock_in(turn, player.room) if turn is not None else None
    phase = phase_from(game, player.room, turn, clock, now)
    if turn is None or not _is_open(phase) or not _plays(turn, player):
        return Veil(player, turn, is_down=False, slip_in=False, may_be_final=False, to_note=False)
    is_known = FinalSlip.objects.filter(turn=turn, player=player).exists()
    stays_closed = phase is Phase.CLOSED and not _may_reopen(clock)
    return Veil(
        player=player,
        turn=turn,
        is_down=not is_known and not stays_closed,
        slip_in=Slip.objects.filter(turn=turn, player=player).exists(),
        may_be_final=phase in _PLAYED,
        to_note=stays_closed and not is_known,
    )


def own_group(player: Player | None, turn: Turn | None) -> str:
    """The key of the group in which a judge's own slip of a turn is, empty without one."""
    if player is None or turn is None:
        return ""
    return player.verdicts.filter(turn=turn).values_list("group", flat=True).first() or ""


def player_of(event: Event | int, user: User | None) -> Player | None:
    """Who this user is among the players; None for who does not play along."""
    if user is None:
        return None
    place = Membership.objects.filter(event=event, user=user, plays_as__isnull=False).select_related("plays_as").first()
    return place.plays_as if place is not None else None


def plays_by_script(user: User, prepared: PreparedGame) -> bool:
    """Whether this user plays along in a game that follows this script and is not over."""
    following = Game.objects.filter(prepared=prepared).exclude(state=GameState.FINISHED)
    return Membership.objects.filter(user=user, plays_as__isnull=False, event__games__in=following).exists()


def _is_open(phase: Phase) -> bool:
    return phase in (Phase.DRAWN, *_PLAYED, Phase.CLOSED)


def _plays(turn: Turn, player: Player) -> bool:
    return Entry.objects.filter(plays(turn.number), game=turn.game_id, player=player).exists()


def _may_reopen(clock: TurnClock | None) -> bool:
    """Whether a time that ran out may be given back: the judge has not answered yet how long the server was away."""
    lost = Heartbeat.objects.filter(away_s__isnull=False).values_list("lost_at", flat=True).first()
    return clock is not None and lost is not None and clock.started_at is not None and clock.started_at <= lost
