"""The players of a room with the arrival of their slips in the present turn, without the content of any slip."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from engine.standings.person_names import short_pair_name
from tournaments.enums import SlipSource
from tournaments.models import Entry, Game, Player, Room, Slip, Turn, TurnClock, plays
from tournaments.play.queries.phases import get_clock

ArrivalState = Literal["sent", "typed", "phone", "paper", "lost", "expected"]
WAITING: Collection[ArrivalState] = ("phone", "paper", "lost", "expected")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A player and the state of their slip; `clock_s`: seconds that the clock showed when the slip arrived.

    `state`: "sent" by phone or "typed" from paper; without a slip "phone" for a connected phone, "lost" for one that
    has joined and is not connected, "paper" for a player without a phone, and "expected" for one whom the check-in of
    the event still waits for.
    """

    table: int
    name: str
    state: ArrivalState
    clock_s: int | None = None

    @property
    def is_waiting(self) -> bool:
        """True while the player has no slip."""
        return self.state in WAITING


def list_arrivals(game: Game, room: Room, turn: Turn | None, connected: Collection[int]) -> list[Arrival]:
    """List the players of a room by table, in three queries; `connected` are the players with a connected phone.

    Without a turn, or while a rack is drawn but not announced, no player has a slip.
    """
    entries = Entry.objects.filter(game=game, room=room).select_related("player").order_by("player__table")
    slips: dict[int, tuple[str, datetime]] = {}
    clock = None
    if turn is None:
        entries = entries.filter(last_turn=None)
    else:
        entries, clock = entries.filter(plays(turn.number)), get_clock(turn, room)
        newest = Slip.objects.filter(turn=turn, player__in=entries.values("player")).order_by("version")
        slips = {player: (source, at) for player, source, at in newest.values_list("player", "source", "received_at")}
    players = [entry.player for entry in entries]
    checks_in = any(player.arrived_at for player in players)
    arrivals = []
    for player in players:
        name = short_pair_name(player.name)
        if player.pk in slips:
            source, received_at = slips[player.pk]
            state: ArrivalState = "typed" if source == SlipSource.PAPER else "sent"
            arrivals.append(Arrival(player.table, name, state, _shown(clock, received_at)))
        else:
            arrivals.append(Arrival(player.table, name, _state_without_slip(player, connected, checks_in)))
    return arrivals


def _state_without_slip(player: Player, connected: Collection[int], checks_in: bool) -> ArrivalState:
    if player.token_hash:
        return "phone" if player.pk in connected else "lost"
    return "expected" if checks_in and player.arrived_at is None else "paper"


def _shown(clock: TurnClock | None, at: datetime) -> int | None:
    """Return the seconds left on the clock at a moment; None after its end."""
    if clock is None or clock.deadline is None or at > clock.deadline:
        return None
    return int((clock.deadline - at).total_seconds())
