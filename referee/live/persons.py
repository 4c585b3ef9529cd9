"""What single players may know: read for all at once when many ask, as after a turn, and for the few who ask otherwise.

In a hall of thousands somebody's phone always comes back, and slips come in meanwhile: to read everybody anew for each
of them would leave the server no time for the slips.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from referee.live.background import Background
from tournaments.selectors.personal import PersonalView

FEW = 100
LINGER_S = 0.02
Views = Mapping[int, PersonalView]
Read = Callable[[Collection[int] | None], Awaitable[Views]]
_Asking = tuple[int, "asyncio.Future[PersonalView | None]"]


class Persons:
    """The views of a room in one language. `read` gets the players that are asked for, None for all.

    Nobody is given what was read before the last `stale()`.
    """

    def __init__(self, read: Read, background: Background, name: str) -> None:
        self._read = read
        self._background = background
        self._name = name
        self._version = 1
        self._all_version = 0
        self._all: Views = {}
        self._asking: list[_Asking] = []
        self._is_reading = False

    def stale(self) -> None:
        """What has been read may no longer be true."""
        self._version += 1

    async def of(self, player_id: int) -> PersonalView | None:
        """What this player may know as of now or later. Raises what the reading raised."""
        if self._all_version == self._version:
            return self._all.get(player_id)
        answer: asyncio.Future[PersonalView | None] = asyncio.get_running_loop().create_future()
        self._asking.append((player_id, answer))
        if not self._is_reading:
            self._is_reading = True
            self._background.start(self._answer_all(), self._name)
        return await answer

    async def _answer_all(self) -> None:
        try:
            while self._asking:
                await asyncio.sleep(LINGER_S)
                asking, self._asking = self._asking, []
                await self._answer(asking)
        finally:
            self._is_reading = False
            for _player_id, answer in self._asking:
                answer.cancel()

    async def _answer(self, asking: Sequence[_Asking]) -> None:
        version, few = self._version, {player_id for player_id, _answer in asking}
        only = few if len(few) <= FEW else None
        try:
            views = await self._read(only)
        except asyncio.CancelledError:
            for _player_id, answer in asking:
                answer.cancel()
            raise
        except Exception as error:
            for _player_id, answer in asking:
                _fail(answer, error)
            return
        if only is None:
            self._all, self._all_version = views, version
        for player_id, answer in asking:
            if not answer.done():
                answer.set_result(views.get(player_id))


def _fail(answer: asyncio.Future[PersonalView | None], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
        answer.exception()  # whoever asked may have left
