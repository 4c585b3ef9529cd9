"""Channel of one room: its state, read once after each change and sent to all sockets of the room.

Bursts of changes are coalesced into one query. Slip counts are read separately and sent at most four times a second;
with many phones both are sent less often, so that incoming slips are not delayed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.utils import translation

from referee.live.background import Background, CoalescedReader
from referee.live.rooms.personal_cache import PersonalCache
from referee.live.sockets import messages
from referee.live.sockets.connections import AUDIENCES, Audience, ConnectionRegistry, RoomKey, Socket
from referee.live.threads import DatabaseThread
from referee.views.desk import list_missing_tables
from referee.views.hall import get_public_view
from referee.views.player import PersonalView, get_personal_views
from tournaments.models import Game, Room
from tournaments.now import utc_now
from tournaments.play.queries import live
from tournaments.play.queries.phases import PHASES_WITH_PUBLIC_RACK, Phase, get_room_turn, phase_of

T = TypeVar("T")
LEAST_PAUSE_S = 0.05
COUNT_PAUSE_S = 0.25
STATE_PAUSE_OF_A_PHONE_S = 0.000_05
COUNT_PAUSE_OF_A_PHONE_S = 0.000_2


class RoomChannelClosed(LookupError):
    """Error: the event, its game or its room no longer exists."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """State of a room. `for_phones` and `for_wall` are the encoded view, shared by all sockets. `settles_at`: the time
    after which the standings are final without another change."""

    game_id: int
    turn_id: int | None
    turn: int
    seq: int
    phase: Phase
    for_phones: str
    for_wall: str
    settles_at: datetime | None = None

    def state(self, audience: Audience, now: datetime) -> str:
        """Return the message with this snapshot."""
        return messages.state_message(self.seq, now, self.for_wall if audience == "wall" else self.for_phones)


@dataclass(frozen=True, slots=True)
class SlipCount:
    """Slip count messages: for phones and walls, and for desks."""

    for_all: str
    for_desks: str

    def count(self, audience: Audience) -> str:
        """Return the message with this count."""
        return self.for_desks if audience == "desk" else self.for_all


class RoomChannel:
    """Channel of an event's room to its phones, desks and walls."""

    def __init__(
        self, key: RoomKey, connections: ConnectionRegistry, reader: DatabaseThread, background: Background
    ) -> None:
        self.key = key
        self._connections = connections
        self._reader = reader
        self._background = background
        name = f"room {key}"
        self.snapshot = CoalescedReader(self._reading(read_snapshot), background, name)
        self.slip_count = CoalescedReader(self._reading(self._read_slip_count), background, f"{name}: count")
        self._personal: dict[str, PersonalCache] = {}
        self._is_sending_state = self._is_counting = False
        self._shown: Snapshot | None = None
        self._counted: SlipCount | None = None
        self._newcomers: list[Socket] = []
        self._phones_wait = False
        self._phones_due = 0.0

    def changed(self) -> None:
        """Read and send the state soon; further calls until then are coalesced."""
        self.snapshot.mark_stale()
        self._invalidate_personal_caches()
        self._count_soon()
        if not self._is_sending_state:
            self._is_sending_state = True
            self._background.start(self._show(), f"room {self.key}: show")

    def greet(self, newcomer: Socket) -> None:
        """Send the current state to a socket just added to the registry."""
        if (snapshot := self.snapshot.last) is not None:
            newcomer.send_queue.show("state", snapshot.state(newcomer.audience, utc_now()))
        self._newcomers.append(newcomer)
        self._count_soon()
        self.catch_up()

    def catch_up(self) -> None:
        """Read changes that were missed without sockets, or whose read failed."""
        if not self.snapshot.is_current:
            self.changed()

    def follow_time(self, now: datetime) -> None:
        """Send the state again when time alone has changed it: nobody may appeal any more."""
        snapshot = self.snapshot.last
        if self.snapshot.is_current and snapshot is not None and snapshot.settles_at and snapshot.settles_at < now:
            self.changed()

    def slips_changed(self) -> None:
        """Count the slips again."""
        self._invalidate_personal_caches()
        self._count_soon()

    async def personal(self, player_id: int, language: str) -> PersonalView | None:
        """Return the view of one player in a language."""
        views = self._personal.get(language)
        if views is None:
            views = self._personal[language] = self._create_personal_cache(language)
        return await views.of(player_id)

    def _create_personal_cache(self, language: str) -> PersonalCache:
        def read(only: Collection[int] | None) -> Awaitable[dict[int, PersonalView]]:
            return self._reading(partial(read_personal_views, language=language, only=only))()

        return PersonalCache(read, self._background, f"room {self.key}: players ({language})")

    def _reading(self, read: Callable[[Game, Room], T]) -> Callable[[], Awaitable[T]]:
        """Wrap a reader for the database thread. It raises RoomChannelClosed if the room no longer exists."""

        def read_present() -> T:
            found = live.game_and_room(*self.key)
            if found is None:
                raise RoomChannelClosed(self.key)
            try:
                return read(*found)
            except ObjectDoesNotExist:
                raise RoomChannelClosed(self.key) from None

        return lambda: self._reader.read(read_present)

    def _invalidate_personal_caches(self) -> None:
        for views in self._personal.values():
            views.mark_stale()

    def _count_soon(self) -> None:
        self.slip_count.mark_stale()
        if not self._is_counting:
            self._is_counting = True
            self._background.start(self._count(), f"room {self.key}: count")

    async def _show(self) -> None:
        try:
            while not self.snapshot.is_current and self._connections.has(self.key):
                snapshot = await self.snapshot.current()
                if snapshot != self._shown:
                    self._shown = snapshot
                    self._send(partial(snapshot.state, now=utc_now()), "state")
                await asyncio.sleep(max(LEAST_PAUSE_S, self._phones * STATE_PAUSE_OF_A_PHONE_S))
        except RoomChannelClosed:
            self._connections.close_room(self.key)
        finally:
            self._is_sending_state = False

    async def _count(self) -> None:
        try:
            while (self._phones_wait or not self.slip_count.is_current) and self._connections.has(self.key):
                self._show_count(await self.slip_count.current())
                await asyncio.sleep(COUNT_PAUSE_S)
        except RoomChannelClosed:
            self._connections.close_room(self.key)
        finally:
            self._is_counting = False

    def _show_count(self, slip_count: SlipCount | None) -> None:
        """Send a changed count to all sockets, an unchanged one only to new sockets."""
        newcomers, self._newcomers = self._newcomers, []
        before, self._counted = self._counted, slip_count
        if slip_count is None:
            self._phones_wait = False
            return
        if slip_count != before:
            self._phones_wait = True
            self._send(slip_count.count, "count", ("desk", "wall"))
        for socket in newcomers:
            socket.send_queue.show("count", slip_count.count(socket.audience))
        self._send_count_to_phones(slip_count)

    def _send_count_to_phones(self, slip_count: SlipCount) -> None:
        now = asyncio.get_running_loop().time()
        if self._phones_wait and now >= self._phones_due:
            self._phones_wait = False
            self._phones_due = now + self._phones * COUNT_PAUSE_OF_A_PHONE_S
            self._send(slip_count.count, "count", ("phone",))

    @property
    def _phones(self) -> int:
        return self._connections.count(self.key, "phone")

    def _read_slip_count(self, game: Game, room: Room) -> SlipCount | None:
        return read_slip_count(game, room, for_desks=self._connections.count(self.key, "desk") > 0)

    def _send(self, text_for: Callable[[Audience], str], kind: str, audiences: Sequence[Audience] = AUDIENCES) -> None:
        for audience in audiences:
            self._connections.send(audience, self.key, kind, text_for(audience))


def read_snapshot(game: Game, room: Room) -> Snapshot:
    """Read the current snapshot, in a database thread."""
    turn, view = get_room_turn(game, room), get_public_view(game, room, utc_now())
    while view.turn != (0 if turn is None else turn.number):  # a rack was drawn between the two queries
        turn, view = get_room_turn(game, room), get_public_view(game, room, utc_now())
    return Snapshot(
        game_id=game.pk,
        turn_id=None if turn is None else turn.pk,
        turn=view.turn,
        seq=view.seq,
        phase=view.phase,
        for_phones=messages.phone_view(view),
        for_wall=messages.wall_view(view),
        settles_at=view.settles_at,
    )


def read_slip_count(game: Game, room: Room, *, for_desks: bool = True) -> SlipCount | None:
    """Read the current slip count, in a database thread; None before the rack is announced.

    Missing tables are only read `for_desks`.
    """
    turn = get_room_turn(game, room)
    if turn is None or phase_of(game, room, utc_now()) not in PHASES_WITH_PUBLIC_RACK:
        return None
    counts = live.count_slips(turn, room)
    for_all = messages.count_message(counts)
    return SlipCount(for_all, messages.count_message(counts, list_missing_tables(turn, room)) if for_desks else for_all)


def read_personal_views(
    game: Game, room: Room, language: str, only: Collection[int] | None = None
) -> dict[int, PersonalView]:
    """Read the current views of all players, or of `only`, in a database thread."""
    with translation.override(language):
        return get_personal_views(game, room, only)
