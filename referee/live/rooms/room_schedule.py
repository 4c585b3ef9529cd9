"""Acts for rooms at their times: closing, judging, and showing the move in rooms that follow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from datetime import datetime, timedelta
from typing import Any

from referee.live.background import Background, CoalescedReader, CoalescedRun
from referee.live.monitoring.measurements import measurements
from referee.live.rooms.ownership import Ownership
from referee.live.rooms.turn_timer import TurnTimer
from referee.live.slips.slip_queue import SlipQueue
from referee.live.threads import DatabaseThread
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.now import utc_now
from tournaments.play.queries import live
from tournaments.play.queries.phases import to_engine_clock
from tournaments.play.services import clocks, room_follow

SWEEPS_OF_ALL = 10
"""Each tenth sweep acts for the rooms of all processes."""
NOT_OWNED = timedelta(seconds=1)
"""Time after which a clock is closed by any process, if the owner of its room has not."""


class RoomSchedule:
    """Closes the clocks of rooms on time, then judges their slips. Closing, judging and following have a thread each,
    so that none of them delays another.

    `before_closing` is awaited before clocks are closed.
    """

    def __init__(
        self,
        ownership: Ownership,
        slip_queue: SlipQueue,
        background: Background,
        clock_thread: DatabaseThread,
        before_closing: Callable[[], Awaitable[None]],
    ) -> None:
        self._ownership, self._slip_queue = ownership, slip_queue
        self._clock_thread, self._before_closing = clock_thread, before_closing
        self._judge_thread = DatabaseThread("judging")
        self._following_thread = DatabaseThread("following")
        self._judging = CoalescedRun(self._judge, background, "judging")
        self._advancing = CoalescedRun(self._advance, background, "advancing")
        self._closing_times = CoalescedReader(self._read_closing_times, background, "closing times")
        self._timer = TurnTimer(self._close_due, background)
        self._sweeps = 0

    async def sweep(self) -> None:
        """Close, judge and advance what no message has announced."""
        self._sweeps += 1
        self._judging.request()
        await self.game_changed()

    async def game_changed(self) -> None:
        """Read the closing times anew; a room that has just been judged may be shown the move."""
        self._advancing.request()
        await self._arm()

    async def divide_rooms(self, sockets: Collection[int]) -> dict[str, Any]:
        """Renew the ownership of rooms, and close the clocks of the new ones on time; `sockets` are rooms with sockets
        here. Return what the other processes have to know."""
        report = await self._ownership.renew(self._closing_times.last or {}, sockets)
        self._timer.arm(self._times_to_act().values(), utc_now())
        return report

    def disarm(self) -> None:
        """Close no more clocks."""
        self._timer.disarm()

    async def close(self) -> None:
        """End the threads."""
        await self._judge_thread.close()
        await self._following_thread.close()

    async def _close_due(self) -> None:
        await self._before_closing()
        now = utc_now()
        rooms = [room for room, at in self._times_to_act().items() if at <= now]
        if rooms:
            closed = await self._clock_thread.run(lambda: clocks.close_due_clocks(now=now, rooms=rooms))
            self._judging.request()
            for clock in closed:
                if (due := to_engine_clock(clock).last_moment) is not None:
                    measurements.closings.add((utc_now() - due).total_seconds())
        await self._arm()

    async def _judge(self) -> None:
        """Judge closed rooms, with the slips that were read in time."""
        excluded = self._rooms_of_others()
        await self._slip_queue.drain()
        await self._judge_thread.run(lambda: judge_closed_rooms(now=utc_now(), excluded=excluded))

    async def _advance(self) -> None:
        """Announce and show what is due in rooms that follow."""
        excluded = self._rooms_of_others()
        await self._following_thread.run(lambda: room_follow.advance_due_rooms(now=utc_now(), excluded=excluded))

    def _rooms_of_others(self) -> Collection[int]:
        """The rooms that other processes own; now and then none, as an owner may have failed."""
        return self._ownership.list_owned_elsewhere() if self._sweeps % SWEEPS_OF_ALL else ()

    async def _arm(self) -> None:
        self._closing_times.mark_stale()
        await self._closing_times.current()
        self._timer.arm(self._times_to_act().values(), utc_now())

    def _times_to_act(self) -> dict[int, datetime]:
        """Return the time at which this process closes each running clock, by room; later for rooms of other owners."""
        due = self._closing_times.last or {}
        return {room: at if self._ownership.owns(room) else at + NOT_OWNED for room, at in due.items()}

    async def _read_closing_times(self) -> dict[int, datetime]:
        return await self._clock_thread.read(live.closing_times)
