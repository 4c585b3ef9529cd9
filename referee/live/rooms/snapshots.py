"""Snapshots for the sockets of rooms, read from the database in batches; each batch is of one state of the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import translation

from referee.live.sockets import messages
from referee.live.sockets.connections import Audience
from referee.views.desk import list_missing_tables_in
from referee.views.hall import PublicView, read_public_views
from referee.views.player import PersonalView, get_personal_views
from tournaments.consistent_read import consistent_read
from tournaments.now import utc_now
from tournaments.play.queries import live
from tournaments.play.queries.phases import Phase
from tournaments.play.queries.room_states import count_slips_in, read_room_states

_RUNNING, _CLOSED = f'"phase":"{Phase.RUNNING}"', f'"phase":"{Phase.CLOSED}"'
_TIMES = ("settles_at", "closes_at")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """State of a room. `for_phones` and `for_wall` are the encoded view, shared by all sockets.

    `settles_at`: the time after which the standings are final without another change; `closes_at`: the time at which a
    running clock is closed without another change.
    """

    game_id: int
    turn_id: int | None
    turn: int
    seq: int
    phase: Phase
    for_phones: str
    for_wall: str
    settles_at: datetime | None = None
    closes_at: datetime | None = None

    def state(self, audience: Audience, now: datetime) -> str:
        """Return the message with this snapshot."""
        return messages.state_message(self.seq, now, self.for_wall if audience == "wall" else self.for_phones)

    def is_older_than(self, other: Snapshot | None) -> bool:
        """True if the other one is of the same game and has a later version."""
        return other is not None and self.game_id == other.game_id and self.seq < other.seq

    def close(self) -> Snapshot:
        """Return the snapshot once the time of its running clock is over; only the phase is another.

        A quotation mark inside a JSON text is escaped, so the phase is not found in a name.
        """
        views = [text.replace(_RUNNING, _CLOSED, 1) for text in (self.for_phones, self.for_wall)]
        return replace(self, phase=Phase.CLOSED, for_phones=views[0], for_wall=views[1], closes_at=None)

    def to_message(self) -> dict[str, Any]:
        """Return the snapshot as JSON data, for other processes. It has nothing that phones may not know."""
        times = {name: None if (at := getattr(self, name)) is None else at.isoformat() for name in _TIMES}
        return {**asdict(self), "phase": str(self.phase), **times}

    @classmethod
    def from_message(cls, fields: Mapping[str, Any]) -> Snapshot:
        """Return the snapshot that `to_message` has written."""
        times = {name: fields[name] and datetime.fromisoformat(fields[name]) for name in _TIMES}
        return cls(**{**fields, "phase": Phase(fields["phase"]), **times})


@dataclass(frozen=True, slots=True)
class SlipCount:
    """Slip count messages: for phones and walls, and for desks."""

    for_all: str
    for_desks: str

    def count(self, audience: Audience) -> str:
        """Return the message with this count."""
        return self.for_desks if audience == "desk" else self.for_all


def read_snapshots(event_id: int, room_ids: Collection[int]) -> dict[int, Snapshot]:
    """Read the snapshots of rooms, as far as they exist."""
    with consistent_read():
        game_id = live.current_game_of(event_id)
        views = {} if game_id is None else read_public_views(game_id, room_ids, utc_now())
    return {room_id: _snapshot(view) for room_id, view in views.items()}


def read_slip_counts(event_id: int, room_ids: Collection[int], desks: Collection[int]) -> dict[int, SlipCount | None]:
    """Read the slip counts of rooms, as far as they exist; None before the rack is announced.

    Missing tables are only read for rooms in `desks`.
    """
    with consistent_read():
        game_id = live.current_game_of(event_id)
        states = [] if game_id is None else read_room_states(game_id, room_ids, utc_now())
        announced = [state for state in states if state.is_announced]
        counts = count_slips_in(announced)
        missing = list_missing_tables_in([state for state in announced if state.room.pk in desks])
    found: dict[int, SlipCount | None] = {state.room.pk: None for state in states}
    for room_id, count in counts.items():
        for_all = messages.count_message(count)
        of_desk = missing.get(room_id)
        found[room_id] = SlipCount(for_all, for_all if of_desk is None else messages.count_message(count, of_desk))
    return found


def read_personal_views(
    event_id: int, room_id: int, language: str, only: Collection[int] | None = None
) -> dict[int, PersonalView] | None:
    """Read the current views of all players of a room, or of `only`; None if the room does not exist."""
    with consistent_read(), translation.override(language):
        found = live.game_and_room(event_id, room_id)
        return None if found is None else get_personal_views(*found, only)


def _snapshot(view: PublicView) -> Snapshot:
    return Snapshot(
        game_id=view.game_id,
        turn_id=view.turn_id,
        turn=view.turn,
        seq=view.seq,
        phase=view.phase,
        for_phones=messages.phone_view(view),
        for_wall=messages.wall_view(view),
        settles_at=view.settles_at,
        closes_at=view.closes_at,
    )
