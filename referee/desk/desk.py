"""The desk that a request is about."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.events.queries.events import desk_address
from tournaments.models import Event, Game, Room, Turn
from tournaments.play.queries.phases import get_room_turn
from tournaments.play.queries.playing_judge import SpoilerGuard


@dataclass(frozen=True, slots=True)
class Desk:
    """The desk of one room of an event, as one user with one role sees it.

    `has_rooms` is true if the event has several rooms. `spoiler_guard` is None unless the user plays along as a judge.
    """

    event: Event
    game: Game
    room: Room
    user: User
    role: Role
    has_rooms: bool = False
    spoiler_guard: SpoilerGuard | None = None

    @property
    def is_turn_hidden(self) -> bool:
        """True if the present turn is hidden from the user."""
        return self.spoiler_guard is not None and self.spoiler_guard.is_down

    @property
    def code(self) -> str:
        """The name of this desk in addresses."""
        return desk_address(self.event, self.room)

    def require_turn(self) -> Turn:
        """Return the present turn of the room; `Refused` if no rack has been drawn yet."""
        turn = get_room_turn(self.game, self.room)
        if turn is None:
            raise Refused(_("No rack has been drawn yet: draw one first."))
        return turn
