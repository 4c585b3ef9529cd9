"""Network between two programs of a run: a relay whose data come late and in small pieces while it is slow."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

DELAY_S = 0.15
PIECE = 4096


class SlowLink:
    """Relay of connections to a port of this computer; its own is `port`. A thread passes the data on.

    While `is_slow`, each direction of a connection passes on a piece of at most `PIECE` bytes every `DELAY_S`.
    """

    def __init__(self, target: int) -> None:
        self.is_slow = False
        self.port = 0
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=f"link to {target}", daemon=True)

    def open(self) -> SlowLink:
        """Start to take connections."""
        self._server = self._loop.run_until_complete(asyncio.start_server(self._relay, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        self._thread.start()
        return self

    def close(self) -> None:
        """End all connections."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect to the target; a connection that it refuses or breaks is broken here as well."""
        try:
            there, to_there = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        with suppress(asyncio.CancelledError):  # `close`; Python 3.11 would log it
            await asyncio.gather(self._pass_on(reader, to_there), self._pass_on(there, writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                while data := await reader.read(PIECE):
                    if self.is_slow:
                        await asyncio.sleep(DELAY_S)
                    writer.write(data)
                    await writer.drain()
        finally:
            writer.close()
