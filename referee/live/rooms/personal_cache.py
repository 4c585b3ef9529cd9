"""Cached views of single players; many concurrent requests, as after a restart, cause one query for all players.

With thousands of phones, some reconnect at any time while slips arrive; reading all players for each of them would
delay the slips.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from referee.live.background import Background, CoalescedReader
from referee.views.player import PersonalView

MOST_READ_SINGLY = 100
LINGER_S = 0.02
Views = Mapping[int, PersonalView]
Read = Callable[[Collection[int] | None], Awaitable[Views]]
_Request = tuple[int, "asyncio.Future[PersonalView | None]"]


class PersonalCache:
    """Views of a room's players in one language. `read` gets the requested players, None for all.

    `reads_all`: True while the room is so small that all players take hardly longer than one.

    `of` never returns a view read before the last `mark_stale()`.
    """

    def __init__(
        self, read: Read, background: Background, name: str, reads_all: Callable[[], bool] = lambda: False
    ) -> None:
        self._read = read
        self._reads_all = reads_all
        self._background = background
        self._name = name
        self._all = CoalescedReader(lambda: read(None), background, f"{name}: all")
        self._requests: list[_Request] = []
        self._is_reading = False

    def mark_stale(self) -> None:
        """Mark the views as outdated."""
        self._all.mark_stale()

    async def all(self) -> Views:
        """Return the views of all players, read now or later. Raises the errors of `read`."""
        return await self._all.current()

    async def of(self, player_id: int) -> PersonalView | None:
        """Return a player's view read now or later. Raises the errors of `read`."""
        if self._all.is_current and self._all.last is not None:
            return self._all.last.get(player_id)
        answer: asyncio.Future[PersonalView | None] = asyncio.get_running_loop().create_future()
        self._requests.append((player_id, answer))
        if not self._is_reading:
            self._is_reading = True
            self._background.start(self._answer_all(), self._name)
        return await answer

    async def _answer_all(self) -> None:
        try:
            while self._requests:
                await asyncio.sleep(LINGER_S)
                requests, self._requests = self._requests, []
                await self._answer(requests)
        finally:
            self._is_reading = False
            for _player_id, answer in self._requests:
                answer.cancel()

    async def _answer(self, requests: Sequence[_Request]) -> None:
        few = {player_id for player_id, _answer in requests}
        reads_few = len(few) <= MOST_READ_SINGLY and not self._reads_all()
        try:
            views = await (self._read(few) if reads_few else self._all.current())
        except asyncio.CancelledError:
            for _player_id, answer in requests:
                answer.cancel()
            raise
        except Exception as error:
            for _player_id, answer in requests:
                _fail(answer, error)
            return
        for player_id, answer in requests:
            if not answer.done():
                answer.set_result(views.get(player_id))


def _fail(answer: asyncio.Future[PersonalView | None], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
        answer.exception()  # mark as retrieved: the caller may have been cancelled
