"""Small queries of the live server, one or two database queries each."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet

from engine.play.clock import Clock
from tournaments.enums import ClockState, GameState
from tournaments.events.queries.events import format_desk_address, parse_desk_address, room_by_wall_token
from tournaments.models import (
    Document,
    Event,
    Game,
    Heartbeat,
    LedgerEntry,
    Membership,
    Player,
    Room,
    Slip,
    Turn,
    TurnClock,
)
from tournaments.play.queries.phases import to_engine_clock

RECENT_TURN = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player and the hash of the token of their phone, the newest one. `room` is the address of the room's desk."""

    player_id: int
    event_id: int
    room_id: int
    table: int
    name: str
    token_hash: str
    room: str


@dataclass(frozen=True, slots=True)
class StoredSlip:
    """The fields of a slip that its receipt shows."""

    client_id: UUID
    version: int
    received_at: datetime
    in_time: bool


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """Progress of a document."""

    document_id: int
    event_id: int
    kind: str
    state: str
    progress: int


def seat_of(token_hash: str) -> SeatedPlayer | None:
    """The player of the phone with this token; None when the token is void."""
    return next(_list_seats(Player.objects.filter(token_hash=token_hash).exclude(token_hash="")), None)


def find_seats(player_ids: Collection[int]) -> dict[int, SeatedPlayer]:
    """The current seat of each of these players, as far as they still exist."""
    return {seat.player_id: seat for seat in _list_seats(Player.objects.filter(pk__in=player_ids))}


def _list_seats(players: QuerySet[Player]) -> Iterator[SeatedPlayer]:
    fields = ("pk", "event_id", "room_id", "table", "name", "token_hash", "event__code", "room__number")
    for player, event, room, table, name, token_hash, code, number in players.values_list(*fields):
        yield SeatedPlayer(player, event, room, table, name, token_hash, format_desk_address(code, number))


def event_of_game(game_id: int) -> int | None:
    """The event a game belongs to."""
    return Game.objects.filter(pk=game_id).values_list("event_id", flat=True).first()


def find_desk_room(code: str, user_id: int | None, roles: Collection[str]) -> tuple[int, int] | None:
    """The event and the room of this desk (`events.parse_desk_address`), when this user has one of these roles
    there."""
    if user_id is None:
        return None
    event, number = parse_desk_address(code)
    there = Event.objects.filter(code=event, memberships__user=user_id, memberships__role__in=roles)
    return Room.objects.filter(event__in=there, number=number).values_list("event", "pk").first()


def desks_allowed(user_ids: Collection[int], roles: Collection[str]) -> set[tuple[int, int]]:
    """Events and users, as far as these users are active and have one of these roles there."""
    places = Membership.objects.filter(user__in=user_ids, user__is_active=True, role__in=roles)
    return set(places.values_list("event_id", "user_id"))


def find_wall_room(wall_token: str) -> tuple[int, int] | None:
    """The event and the room that this token opens the wall of."""
    room = room_by_wall_token(wall_token)
    return None if room is None else (room.event_id, room.pk)


def list_room_versions(keys: Collection[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The current `HallView.seq`, by game and room, as far as both still exist."""
    games = list_game_versions({game for game, _ in keys})
    rooms = dict(Room.objects.filter(pk__in={room for _, room in keys}).values_list("pk", "seq"))
    return {(game, room): games[game] + rooms[room] for game, room in keys if game in games and room in rooms}


def current_game_of(event_id: int) -> int | None:
    """The event's present game; None when it has none."""
    return Game.objects.filter(event_id=event_id).order_by("-number").values_list("pk", flat=True).first()


def game_and_room(event_id: int, room_id: int) -> tuple[Game, Room] | None:
    """The event's present game and one of its rooms; None when either is gone."""
    game = Game.objects.filter(event_id=event_id).select_related("event").order_by("-number").first()
    room = Room.objects.filter(pk=room_id, event_id=event_id).first()
    return None if game is None or room is None else (game, room)


def last_beat() -> datetime | None:
    """Time of the last heartbeat of a server on this database; None for a database just restored."""
    return Heartbeat.objects.filter(backup_at=None).values_list("at", flat=True).first()


def last_act(game: Game) -> datetime | None:
    """Time of the last act in a game, slips included."""
    return LedgerEntry.objects.filter(game=game).order_by("-pk").values_list("at", flat=True).first()


def list_game_versions(game_ids: Collection[int]) -> dict[int, int]:
    """The present `seq` of each game that still exists."""
    return dict(Game.objects.filter(pk__in=game_ids).values_list("pk", "seq"))


def closing_times() -> dict[int, datetime]:
    """The first moment at which a running clock is to be closed, by room."""
    running = TurnClock.objects.filter(state=ClockState.OPEN)
    due = [(to_engine_clock(clock).closes_at, clock.room_id) for clock in running]
    return {room: at for at, room in sorted(((at, room) for at, room in due if at is not None), reverse=True)}


def is_turn_under_way(now: datetime) -> bool:
    """Return True when a rack is announced somewhere and not placed; one left open on another day does not count."""
    recently = (now - RECENT_TURN, now + RECENT_TURN)
    open_turns = Turn.objects.filter(placed_at=None, drawn_at__range=recently)
    return open_turns.exclude(game__state=GameState.FINISHED).exists()


def find_running_clock(now: datetime) -> TurnClock | None:
    """A clock of any event that has not run out and is not paused."""
    clocks = TurnClock.objects.filter(state=ClockState.OPEN, deadline__gt=now, turn__placed_at=None)
    return clocks.select_related("turn__game__event").first()


def clocks_of(turn_ids: Collection[int]) -> dict[tuple[int, int], Clock]:
    """The clocks of these turns as they are now, by turn and room."""
    stored = TurnClock.objects.filter(turn__in=turn_ids)
    return {(clock.turn_id, clock.room_id): to_engine_clock(clock) for clock in stored}


def stored_slip(client_id: UUID, player_id: int) -> StoredSlip | None:
    """The slip of this player that came with this id, whatever its turn."""
    fields = ("client_id", "version", "received_at", "in_time")
    row = Slip.objects.filter(client_id=client_id, player_id=player_id).values_list(*fields).first()
    return None if row is None else StoredSlip(*row)


def document_line(document_id: int) -> DocumentLine | None:
    """A sheet in the making; None when it is gone."""
    document = Document.objects.filter(pk=document_id).select_related("game").first()
    if document is None:
        return None
    return DocumentLine(document.pk, document.game.event_id, document.kind, document.state, document.progress)
