"""Phase of a game in a room, by that room's clocks. Never stored: it follows from the game, its turns, the room's
clocks and the time.

The drawing room writes the script: its turn is the last one drawn. Every other room plays the script after it, and is
at the last turn announced there; later turns of the script are secret in that room.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from engine.play.clock import Clock
from engine.play.clock import Phase as ClockPhase
from engine.play.clock import get_clock_phase as clock_phase
from tournaments.enums import ClockState, GameState
from tournaments.events.queries.events import get_drawing_room
from tournaments.models import Entry, Event, Game, Room, Turn, TurnClock, plays


class Phase(StrEnum):
    """`drawn`: the rack is secret to phones and wall; `closed`: verdicts and top still are; `placed`: all is public."""

    LOBBY = "lobby"
    DRAWN = "drawn"
    RUNNING = "running"
    PAUSED = "paused"
    CLOSED = "closed"
    PLACED = "placed"
    FINISHED = "finished"


PHASES_WITH_PUBLIC_RACK = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.CLOSED, Phase.PLACED, Phase.FINISHED})
PHASES_TAKING_SLIPS = frozenset({Phase.RUNNING, Phase.PAUSED, Phase.CLOSED})

_BY_CLOCK = {
    ClockPhase.READY: Phase.DRAWN,
    ClockPhase.RUNNING: Phase.RUNNING,
    ClockPhase.PAUSED: Phase.PAUSED,
    ClockPhase.CLOSED: Phase.CLOSED,
}


def current_turn(game: Game) -> Turn | None:
    """The last turn of the script, which is that of the drawing room; None before the first draw."""
    return Turn.objects.filter(game=game).order_by("-number").first()


def turns_in(game: Game, room: Room) -> QuerySet[Turn]:
    """The turns that a room may know: all drawn ones in the drawing room, the announced ones in another."""
    turns = Turn.objects.filter(game=game)
    return turns if room.is_drawing else turns.filter(clocks__room=room, clocks__started_at__isnull=False)


def game_to_show(event: Event, room: Room) -> Game:
    """The game that pages of results show by default: the newest one with a turn in this room, or else the newest one.

    A finished game is therefore shown until the next one has a turn.
    """
    games = list(Game.objects.filter(event=event).select_related("event").order_by("-number"))
    return next((game for game in games if turns_in(game, room).exists()), games[0])


def get_room_turn(game: Game, room: Room | None) -> Turn | None:
    """Get the current turn of a room (the event's first one when None); None before its first."""
    return current_turn(game) if room is None else turns_in(game, room).order_by("-number").first()


def list_shown_turns(game: Game, room: Room) -> QuerySet[Turn]:
    """The turns whose move and results the room has been shown."""
    return Turn.objects.filter(game=game, clocks__room=room, clocks__shown_at__isnull=False)


def next_turn_in(game: Game, room: Room) -> Turn | None:
    """The next turn of the script for a room that follows; None when it has announced all of them.

    A turn without players in the room is skipped: late players join the script at its current turn.
    """
    last = get_room_turn(game, room)
    playing = Entry.objects.filter(plays(OuterRef("number")), game=OuterRef("game"), room=room)
    ahead = Turn.objects.filter(Exists(playing), game=game, clocks__room=room, number__gt=last.number if last else 0)
    return ahead.order_by("number").first()


def next_starting_turn_number(game: Game, room: Room) -> int:
    """The number of the first turn that has not started in a room; where nobody plays yet, in the drawing room."""
    here = Entry.objects.filter(game=game, room=room, last_turn=None).exists()
    where = room if room.is_drawing or here else get_drawing_room(game.event)
    started = TurnClock.objects.filter(turn__game=game, room=where).exclude(state=ClockState.READY)
    number = started.order_by("-turn__number").values_list("turn__number", flat=True).first()
    return (number or 0) + 1


def list_unfinished_clocks(game: Game) -> QuerySet[TurnClock]:
    """The clocks of turns that have players in the room and were not shown there."""
    return _waited_for(TurnClock.objects.filter(turn__game=game, shown_at=None))


def list_unfinished_automatic_clocks() -> QuerySet[TurnClock]:
    """The unfinished clocks of rooms of all events that follow automatically."""
    return _waited_for(TurnClock.objects.filter(shown_at=None, room__offset_s__isnull=False))


def is_complete(turn: Turn) -> bool:
    """Return True when the turn is closed in all rooms; before that, results that depend on all slips are unknown."""
    return not _waited_for(TurnClock.objects.filter(turn=turn).exclude(state=ClockState.CLOSED)).exists()


def list_unjudged_clocks() -> QuerySet[TurnClock]:
    """The clocks of all events that are closed and whose slips are not judged yet."""
    return TurnClock.objects.filter(state=ClockState.CLOSED, judged=False)


def open_turns(game: Game) -> set[int]:
    """The turns that some room still plays or has to play, or whose slips there are not judged yet."""
    waiting = _waited_for(TurnClock.objects.filter(turn__game=game).exclude(state=ClockState.CLOSED, judged=True))
    return set(waiting.values_list("turn", flat=True))


def is_over(game: Game) -> bool:
    """Return True when the game is over in every room."""
    return game.state == GameState.FINISHED and not list_unfinished_clocks(game).exists()


def list_games_over() -> QuerySet[Game]:
    """The games that are over in every room (`is_over`)."""
    waiting = _waited_for(TurnClock.objects.filter(shown_at=None)).values("turn__game")
    return Game.objects.filter(state=GameState.FINISHED).exclude(pk__in=waiting)


def list_games_not_over() -> set[int]:
    """The other games."""
    return set(Game.objects.exclude(pk__in=list_games_over().values("pk")).values_list("pk", flat=True))


def is_over_in(game: Game, room: Room) -> bool:
    """Return True when the room was shown the whole script and the game has ended."""
    return room.pk in rooms_over(game, [room])


def rooms_over(game: Game, rooms: Collection[Room]) -> set[int]:
    """Those of the rooms that were shown the whole script of a game that has ended; two queries at most."""
    if game.state != GameState.FINISHED:
        return set()
    drawing, following = [{room.pk for room in rooms if room.is_drawing is here} for here in (True, False)]
    if not following:
        return drawing
    clocks = TurnClock.objects.filter(turn__game=game, room__in=following)
    announced = TurnClock.objects.filter(turn__game=game, room=OuterRef("room"), started_at__isnull=False)
    last = Coalesce(Subquery(announced.order_by("-turn__number").values("turn__number")[:1]), 0)
    ahead = _waited_for(clocks.filter(turn__number__gt=last)).values_list("room", flat=True)
    begun = clocks.filter(shown_at=None).exclude(state=ClockState.READY).values_list("room", flat=True)
    return drawing | following.difference(ahead, begun)


def get_clock(turn: Turn, room: Room | None) -> TurnClock | None:
    """The clock of a room in a turn, of the event's first room when none is named."""
    clocks = TurnClock.objects.filter(turn=turn)
    if room is not None:
        clocks = clocks.filter(room=room)
    return clocks.order_by("room__number").first()


def to_engine_clock(stored: TurnClock) -> Clock:
    """The stored clock as the engine counts with it."""
    return Clock(
        started_at=stored.started_at,
        deadline=stored.deadline,
        paused_at=stored.paused_at,
        closed_at=stored.closed_at,
        grace_ms=stored.grace_ms,
    )


def phase_of(game: Game, room: Room | None, now: datetime) -> Phase:
    """The phase of a game in a room (the event's first one when None) at this moment."""
    room = room or get_drawing_room(game.event)
    turn = get_room_turn(game, room)
    clock = get_clock(turn, room) if turn is not None else None
    return derive_phase(game, room, turn, clock, now)


def derive_phase(game: Game, room: Room, turn: Turn | None, clock: TurnClock | None, now: datetime) -> Phase:
    """The same for whoever has read the room's turn and its clock already."""
    if game.state == GameState.FINISHED and is_over_in(game, room):
        return Phase.FINISHED
    return Phase.LOBBY if turn is None else phase_of_clock(clock, now)


def phase_of_clock(clock: TurnClock | None, now: datetime) -> Phase:
    """The phase of a turn by the room's clock in it, while the game goes on there."""
    if clock is None:
        return Phase.DRAWN
    return Phase.PLACED if clock.shown_at is not None else _BY_CLOCK[clock_phase(to_engine_clock(clock), now)]


def _waited_for(clocks: QuerySet[TurnClock]) -> QuerySet[TurnClock]:
    """Those of the drawing room, and of rooms in which somebody plays the turn."""
    playing = Entry.objects.filter(plays(OuterRef("turn__number")), game=OuterRef("turn__game"), room=OuterRef("room"))
    return clocks.filter(Q(room__number=Room.DRAWING) | Exists(playing))
