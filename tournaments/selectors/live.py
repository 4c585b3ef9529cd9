"""What the live hall keeps asking: small questions with small answers, each one or two queries."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from engine.clock import Clock
from tournaments.enums import ClockState
from tournaments.models import Document, Entry, Event, Game, Heartbeat, Player, Room, Slip, Turn, TurnClock, plays
from tournaments.selectors.phases import clock_of


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player and the hash of the token of the phone that speaks for him, the newest one."""

    player_id: int
    event_id: int
    room_id: int
    table: int
    name: str
    token_hash: str


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of a room's players have handed in a slip this turn."""

    slips_in: int
    players: int


@dataclass(frozen=True, slots=True)
class StoredSlip:
    """What a receipt tells about a slip."""

    client_id: UUID
    version: int
    received_at: datetime
    in_time: bool


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """How far the making of a sheet has come."""

    document_id: int
    event_id: int
    kind: str
    state: str
    progress: int


def seat_of(token_hash: str) -> SeatedPlayer | None:
    """The player for whom the phone with this token speaks; None when the token is void."""
    fields = ("pk", "event_id", "room_id", "table", "name", "token_hash")
    row = Player.objects.filter(token_hash=token_hash).exclude(token_hash="").values_list(*fields).first()
    return None if row is None else SeatedPlayer(*row)


def tokens_of(player_ids: Collection[int]) -> dict[int, str]:
    """The hash of the token that counts for each of these players, as far as they still exist."""
    return dict(Player.objects.filter(pk__in=player_ids).values_list("pk", "token_hash"))


def event_of_game(game_id: int) -> int | None:
    """The event a game belongs to."""
    return Game.objects.filter(pk=game_id).values_list("event_id", flat=True).first()


def stage_of_desk(code: str, user_id: int | None) -> tuple[int, int] | None:
    """The event of this code and its first room, when this user has a role there."""
    if user_id is None:
        return None
    return _with_first_room(Event.objects.filter(code=code.upper(), memberships__user=user_id))


def stage_of_wall(wall_token: str) -> tuple[int, int] | None:
    """The event that this token opens the wall of, and its first room."""
    return _with_first_room(Event.objects.filter(wall_token=wall_token))


def _with_first_room(events: QuerySet[Event]) -> tuple[int, int] | None:
    return events.order_by("rooms__pk").values_list("pk", "rooms__pk").first()


def game_and_room(event_id: int, room_id: int) -> tuple[Game, Room] | None:
    """The event's present game and one of its rooms; None when either is gone."""
    game = Game.objects.filter(event_id=event_id).select_related("event").order_by("-number").first()
    room = Room.objects.filter(pk=room_id, event_id=event_id).first()
    return None if game is None or room is None else (game, room)


def last_beat() -> datetime | None:
    """When a server was last known to live on this database."""
    return Heartbeat.objects.values_list("at", flat=True).first()


def versions(game_ids: Collection[int]) -> dict[int, int]:
    """The present `seq` of each game that still exists."""
    return dict(Game.objects.filter(pk__in=game_ids).values_list("pk", "seq"))


def counts(turn: Turn, room: Room) -> Counts:
    """Players of the room with a slip in this turn, and all who play it."""
    playing = Entry.objects.filter(plays(turn.number), game_id=turn.game_id, player__room=room)
    handed_in = Slip.objects.filter(turn=turn, player__room=room).values("player").distinct()
    return Counts(slips_in=handed_in.count(), players=playing.count())


def closing_times() -> dict[int, datetime]:
    """The first moment at which each running clock is to be closed, by the clock's key."""
    running = TurnClock.objects.filter(state=ClockState.OPEN)
    return {stored.pk: due for stored in running if (due := clock_of(stored).closes_at) is not None}


def clocks_of(turn_ids: Collection[int]) -> dict[tuple[int, int], Clock]:
    """The clocks of these turns as they are now, by turn and room."""
    stored = TurnClock.objects.filter(turn__in=turn_ids)
    return {(clock.turn_id, clock.room_id): clock_of(clock) for clock in stored}


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
