"""States of several rooms in a game, read together: the number of queries does not depend on the number of rooms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import BigIntegerField, Case, Count, OuterRef, Q, QuerySet, Subquery, When

from tournaments.models import Entry, Game, Room, Slip, Turn, TurnClock, players_in, plays
from tournaments.play.queries.phases import PHASES_WITH_PUBLIC_RACK, Phase, phase_of_clock, rooms_over

_SECRET_FIELDS = ("seed", "typed_rejected", "end_bag", "end_kept")


@dataclass(frozen=True, slots=True)
class SlipCounts:
    """Number of a room's players with a slip this turn, and of all who play it."""

    slips_in: int
    players: int


@dataclass(frozen=True, slots=True)
class RoomState:
    """The rows on which everything shown in a room depends: the game without its seed, the turn without rack and tops.

    `placed` is the last turn that the room has been shown, with its rack; `seq` combines those of game and room.
    """

    game: Game
    room: Room
    has_rooms: bool
    turn: Turn | None
    clock: TurnClock | None
    placed: Turn | None
    phase: Phase

    @property
    def seq(self) -> int:
        """The version of what the room is shown."""
        return self.game.seq + self.room.seq

    @property
    def number(self) -> int:
        """The number of the room's turn; 0 before its first."""
        return self.turn.number if self.turn else 0

    @property
    def is_announced(self) -> bool:
        """True if the rack of the turn is public in the room."""
        return self.turn is not None and self.phase in PHASES_WITH_PUBLIC_RACK

    @property
    def knows_script(self) -> bool:
        """True if the room has been shown the whole script. A seed shown elsewhere would reveal all of it."""
        return self.room.is_drawing or self.phase is Phase.FINISHED


def read_room_states(game_id: int, room_ids: Collection[int], now: datetime) -> list[RoomState]:
    """Read the states of these rooms, in this order, as far as they exist. Raises Game.DoesNotExist."""
    games = Game.objects.defer(*_SECRET_FIELDS).select_related("event").annotate(rooms=Count("event__rooms"))
    game = games.get(pk=game_id)
    rooms = {room.pk: (room, at, shown) for room, at, shown in _rooms_with_turns(game, room_ids)}
    here = [rooms[key] for key in dict.fromkeys(room_ids) if key in rooms]
    turns = _turns(game, Turn.objects.only("game_id", "number", "placed_at"), (at for _room, at, _shown in here))
    placed = _turns(game, Turn.objects.defer("tops", "kept", "rejected"), (shown for *_, shown in here))
    clocks = {(clock.turn_id, clock.room_id): clock for clock in _clocks(turns, rooms)}
    over = rooms_over(game, [room for room, *_ in here])
    states = []
    for room, at, shown in here:
        turn, clock = turns.get(at), clocks.get((at, room.pk))
        phase = Phase.FINISHED if room.pk in over else Phase.LOBBY if turn is None else phase_of_clock(clock, now)
        states.append(RoomState(game, room, game.rooms > 1, turn, clock, placed.get(shown), phase))
    return states


def count_slips_in(states: Collection[RoomState]) -> dict[int, SlipCounts]:
    """Count players and slips, by room; before the announcement all players who have not left."""
    if not states:
        return {}
    by_turn: defaultdict[Turn | None, list[Room]] = defaultdict(list)
    for state in states:
        by_turn[state.turn if state.is_announced else None].append(state.room)
    game = next(iter(states)).game
    playing = [
        Q(room__in=rooms) & (Q(last_turn=None) if turn is None else plays(turn.number))
        for turn, rooms in by_turn.items()
    ]
    entries = Entry.objects.filter(reduce(or_, playing), game=game).values("room").annotate(n=Count("pk"))
    players = {row["room"]: row["n"] for row in entries}
    handed_in = _count_handed_in({turn: rooms for turn, rooms in by_turn.items() if turn is not None})
    return {
        state.room.pk: SlipCounts(handed_in.get(state.room.pk, 0), players.get(state.room.pk, 0)) for state in states
    }


def read_racks(states: Iterable[RoomState]) -> dict[int, str]:
    """Read the racks of the turns that are announced in one of these rooms, by the turn's key."""
    public = {state.turn.pk for state in states if state.turn is not None and state.is_announced}
    return dict(Turn.objects.filter(pk__in=public).values_list("pk", "rack")) if public else {}


def _count_handed_in(by_turn: Mapping[Turn, Collection[Room]]) -> dict[int, int]:
    if not by_turn:
        return {}
    here = reduce(or_, (Q(turn=turn, player__in=players_in(turn.game_id, *rooms)) for turn, rooms in by_turn.items()))
    rows = Slip.objects.filter(here).values("player__room").annotate(n=Count("player", distinct=True))
    return {row["player__room"]: row["n"] for row in rows}


def _rooms_with_turns(game: Game, room_ids: Collection[int]) -> Iterable[tuple[Room, int, int]]:
    """The rooms with the keys of the turn that each is at and of the last one it has been shown; 0 for none."""
    clocks = TurnClock.objects.filter(turn__game=game, room=OuterRef("pk")).order_by("-turn__number").values("turn")
    drawn = Turn.objects.filter(game=game).order_by("-number").values("pk")
    announced = clocks.filter(started_at__isnull=False)
    at = Case(
        When(number=Room.DRAWING, then=Subquery(drawn[:1])),
        default=Subquery(announced[:1]),
        output_field=BigIntegerField(),
    )
    rooms = Room.objects.filter(event=game.event_id, pk__in=room_ids).annotate(
        at=at, shown=Subquery(clocks.filter(shown_at__isnull=False)[:1])
    )
    return ((room, room.at or 0, room.shown or 0) for room in rooms)


def _turns(game: Game, turns: QuerySet[Turn], keys: Iterable[int]) -> dict[int, Turn]:
    wanted = {key for key in keys if key}
    found = turns.in_bulk(wanted) if wanted else {}
    for turn in found.values():
        turn.game = game
    return found


def _clocks(turns: Collection[int], rooms: Collection[int]) -> Iterable[TurnClock]:
    return TurnClock.objects.filter(turn__in=turns, room__in=rooms) if turns else ()
