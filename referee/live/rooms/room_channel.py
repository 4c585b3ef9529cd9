"""Channel of one room: its state, read once after each change and sent to all sockets of the room.

Bursts of changes are coalesced into one query. Slip counts are read separately and sent at most four times a second;
with many phones both are sent less often, so that incoming slips are not delayed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial

from referee.live.background import Background, CoalescedReader, CoalescedRun
from referee.live.rooms.event_reader import EventReader, RoomChannelClosed
from referee.live.rooms.personal_cache import MOST_READ_SINGLY, PersonalCache
from referee.live.rooms.snapshots import SlipCount, Snapshot
from referee.live.sockets import messages
from referee.live.sockets.connections import AUDIENCES, Audience, ConnectionRegistry, RoomKey, Socket
from referee.views.player import PersonalView
from tournaments.now import utc_now
from tournaments.play.queries.phases import Phase

LEAST_PAUSE_S = 0.05
COUNT_PAUSE_S = 0.25
STATE_PAUSE_OF_A_PHONE_S = 0.000_05
COUNT_PAUSE_OF_A_PHONE_S = 0.000_2
OWNER_WAIT_S = 0.4
"""Time after a change within which the owner of a room publishes its snapshot; then it is read here."""
_MARGIN_S = 0.002
_PHASES_WITH_RESULTS = (Phase.PLACED, Phase.FINISHED)
RESULTS_PAUSE_S = 1.0
"""Time after which results of a turn are sent again, so that they do not delay those of other rooms."""
_RESULTS_AT_ONCE = 50
"""Results that are encoded before other work of the event loop goes on."""


class RoomChannel:
    """Channel of an event's room to its phones, desks and walls. `publish` is called with each snapshot read here."""

    def __init__(
        self,
        key: RoomKey,
        connections: ConnectionRegistry,
        reader: EventReader,
        background: Background,
        publish: Callable[[RoomKey, Snapshot], None] = lambda key, snapshot: None,
    ) -> None:
        self.key = key
        self._connections = connections
        self._reader = reader
        self._background = background
        self._publish = publish
        name, room_id = f"room {key}", key[1]
        self.snapshot = CoalescedReader(self._read_snapshot, background, name)
        self.slip_count = CoalescedReader(partial(reader.slip_count, room_id), background, f"{name}: count")
        self._personal: dict[str, PersonalCache] = {}
        self._results = CoalescedRun(self._send_results, background, f"{name}: results")
        self._is_sending_state = self._is_counting = False
        self._shown: Snapshot | None = None
        self._turn_of_results: int | None = None
        self._closing: asyncio.TimerHandle | None = None
        self._waiting: asyncio.TimerHandle | None = None
        self._counted: SlipCount | None = None
        self._newcomers: list[Socket] = []
        self._phones_wait = False
        self._phones_due = 0.0

    def changed(self) -> None:
        """Read and send the state soon; further calls until then are coalesced."""
        self._stop_waiting()
        self.snapshot.mark_stale()
        self.personal_changed()
        self._count_soon()
        if not self._is_sending_state:
            self._is_sending_state = True
            self._background.start(self._show(), f"room {self.key}: show")

    def changed_elsewhere(self) -> None:
        """Wait for the snapshot of the process that owns the room; without one, read it here."""
        self.personal_changed()
        self._count_soon()
        if self._is_sending_state:
            self.changed()  # what is being read may be older
        elif self._waiting is None:
            self._waiting = asyncio.get_running_loop().call_later(OWNER_WAIT_S, self.changed)

    def adopt(self, snapshot: Snapshot) -> None:
        """Show a snapshot that another process has read, unless a later one is known."""
        last = self.snapshot.last
        if last is None or snapshot.is_older_than(last):
            return
        self._stop_waiting()
        self.personal_changed()
        self.snapshot.replace(current := self._follow_clock(snapshot))
        self._send_snapshot(current)

    def close(self) -> None:
        """Cancel the timers."""
        self._stop_waiting()
        self._stop_closing()

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
        self.personal_changed()
        self._count_soon()

    def personal_changed(self) -> None:
        """Read the views of players again before they are next sent."""
        for views in self._personal.values():
            views.mark_stale()

    async def personal(self, player_id: int, language: str) -> PersonalView | None:
        """Return the view of one player in a language."""
        return await self._personal_cache(language).of(player_id)

    def _personal_cache(self, language: str) -> PersonalCache:
        if language not in self._personal:
            self._personal[language] = self._create_personal_cache(language)
        return self._personal[language]

    def _create_personal_cache(self, language: str) -> PersonalCache:
        def read(only: Collection[int] | None) -> Awaitable[dict[int, PersonalView]]:
            return self._reader.personal_views(self.key[1], language, only)

        name = f"room {self.key}: players ({language})"
        return PersonalCache(read, self._background, name, lambda: self._phones <= MOST_READ_SINGLY)

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
                    self._publish(self.key, snapshot)
                self._send_snapshot(snapshot)
                await asyncio.sleep(max(LEAST_PAUSE_S, self._phones * STATE_PAUSE_OF_A_PHONE_S))
        except RoomChannelClosed:
            self._connections.close_room(self.key)
        finally:
            self._is_sending_state = False

    def _send_snapshot(self, snapshot: Snapshot) -> None:
        """Send a changed snapshot; versions only grow."""
        if snapshot != self._shown and not snapshot.is_older_than(self._shown):
            self._shown = snapshot
            self._send(partial(snapshot.state, now=utc_now()), "state")
            if snapshot.phase in _PHASES_WITH_RESULTS:
                self._results.request()

    async def _send_results(self) -> None:
        """Send every phone the results of its player, read once for each language; changed ones a moment later."""
        turn = None if self._shown is None else self._shown.turn_id
        if turn == self._turn_of_results:
            await asyncio.sleep(RESULTS_PAUSE_S)
        self._turn_of_results = turn
        by_language: dict[str, list[Socket]] = {}
        for phone in self._connections.list_sockets(self.key, "phone"):
            by_language.setdefault(phone.language, []).append(phone)
        for language, phones in by_language.items():
            with suppress(RoomChannelClosed):
                views = await self._personal_cache(language).all()
                for number, phone in enumerate(phones, 1):
                    phone.send_queue.show("me", messages.me_message(views.get(phone.player_id)))
                    if number % _RESULTS_AT_ONCE == 0:
                        await asyncio.sleep(0)

    async def _read_snapshot(self) -> Snapshot:
        return self._follow_clock(await self._reader.snapshot(self.key[1]))

    def _follow_clock(self, snapshot: Snapshot) -> Snapshot:
        """Return a new snapshot, closed if its time is up. When it will be up, all sockets are told from memory,
        before the database and the judging know it."""
        self._stop_closing()
        if snapshot.closes_at is not None:
            seconds = (snapshot.closes_at - utc_now()).total_seconds()
            if seconds <= 0:
                return snapshot.close()
            self._closing = asyncio.get_running_loop().call_later(seconds + _MARGIN_S, self._close_from_memory)
        return snapshot

    def _close_from_memory(self) -> None:
        self._closing = None
        if (last := self.snapshot.last) is not None:
            self.snapshot.replace(current := self._follow_clock(last))  # it still runs if the clock was corrected
            self._send_snapshot(current)

    def _stop_closing(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

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

    def _send(self, text_for: Callable[[Audience], str], kind: str, audiences: Sequence[Audience] = AUDIENCES) -> None:
        for audience in audiences:
            self._connections.send(audience, self.key, kind, text_for(audience))
