"""Events by code, wall token or user."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from engine.bounded_input import parse_whole_number
from tournaments.enums import Role
from tournaments.models import Event, Game, Room

RoomLabels = dict[tuple[int, int], tuple[str, int]]
"""Code of the event and number of the room, by the primary keys of both."""


def event_by_code(code: str) -> Event | None:
    """The event with the code that players type; case and blanks do not matter."""
    return Event.objects.filter(code="".join(code.split()).upper()).first()


def room_by_wall_token(token: str) -> Room | None:
    """The room whose wall this token opens, with its event."""
    drawing = Q(event__wall_token=token, number=Room.DRAWING)
    return Room.objects.filter(drawing | Q(wall_token=token)).select_related("event").first()


def wall_token_of(room: Room) -> str:
    """Get the token that opens the wall of a room."""
    return room.wall_token or room.event.wall_token


def desk_address(event: Event, room: Room) -> str:
    """Name the desk of a room in URLs: the code of the event, followed by the room number except for the drawing
    room."""
    return format_desk_address(event.code, room.number)


def format_desk_address(code: str, number: int) -> str:
    """The same of the code of the event and the number of the room."""
    return code if number == Room.DRAWING else f"{code}-{number}"


def parse_desk_address(desk: str) -> tuple[str, int]:
    """Parse a `desk_address` into the code of the event and the number of the room."""
    code, dash, number = desk.upper().rpartition("-")
    room = parse_whole_number(number, digits=5) if dash else None
    if room is not None:
        return code, room
    return desk.upper(), Room.DRAWING


def label_rooms(rooms: Collection[int]) -> RoomLabels:
    """Return the labels of these rooms (primary keys)."""
    found = Room.objects.filter(pk__in=rooms).values_list("event_id", "pk", "event__code", "number")
    return {(event_id, room_id): (code, number) for event_id, room_id, code, number in found}


def rooms_of(event: Event) -> list[Room]:
    """The rooms of an event, the drawing room first."""
    return list(Room.objects.filter(event=event).order_by("number"))


def events_of(user: User) -> QuerySet[Event]:
    """The events that this user may see, the newest first."""
    return Event.objects.filter(memberships__user=user).order_by("-date", "-pk")


def events_directed_by(user: User) -> QuerySet[Event]:
    """The events that this user directs, the newest first."""
    directed = Event.objects.filter(memberships__user=user, memberships__role=Role.DIRECTOR)
    return directed.order_by("-date", "-pk")


def current_game(event: Event) -> Game:
    """The current game of an event: the one added last."""
    return Game.objects.filter(event=event).select_related("event").order_by("-number")[:1].get()


def get_drawing_room(event: Event) -> Room:
    """The drawing room; a club has only this one."""
    return Room.objects.get(event=event, number=Room.DRAWING)
