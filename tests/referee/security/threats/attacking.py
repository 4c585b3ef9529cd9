"""An attacker who sends wrong requests to the pages of phones: local, bounded, and ended automatically."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import cycle, islice
from time import monotonic
from urllib.parse import urlencode

from tests.waiting import PATIENCE_S

PER_SECOND = 300
MOST = 20_000
MOST_OPEN = 160
_TICKS = 20
_TOKEN = "c" * 32

Kind = Callable[[str, int], bytes]


def _request(line: str, host: str, *headers: str, body: str = "") -> bytes:
    head = [f"{line} HTTP/1.1", f"Host: {host}", "Connection: close", *headers]
    if body:
        head.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


def no_seat(host: str, number: int) -> bytes:
    """Request the state without a cookie."""
    return _request("GET /play/state.json", host)


def wrong_seat(host: str, number: int) -> bytes:
    """Request the state with an unsigned token."""
    return _request("GET /play/state.json", host, f"Cookie: seat=token{number}:1abcde:forged")


def wrong_code(host: str, number: int) -> bytes:
    """Request an event that does not exist."""
    return _request(f"GET /j/WRNG{number}/", host)


def wrong_code_typed(host: str, number: int) -> bytes:
    """Post a wrong code in the form."""
    form = ["Content-Type: application/x-www-form-urlencoded", f"Cookie: csrftoken={_TOKEN}"]
    fields = urlencode({"code": f"WRNG{number}", "csrfmiddlewaretoken": _TOKEN})
    return _request("POST /", host, *form, body=fields)


def slip_without_seat(host: str, number: int) -> bytes:
    """Post a slip without a token."""
    return _request("POST /play/slip", host, f"Origin: http://{host}", "Content-Type: application/json", body="{}")


KINDS: Sequence[Kind] = (no_seat, wrong_code, wrong_seat, wrong_code_typed, slip_without_seat)


class Attack:
    """`PER_SECOND` requests a second of all `kinds`, until stopped or `MOST` are sent; `answers` by status.

    On a slow machine at most `MOST_OPEN` requests are open at a time.
    """

    def __init__(self, port: int, kinds: Sequence[Kind] = KINDS) -> None:
        self._port, self._kinds = port, cycle(kinds)
        self.sent = 0
        self.answers: Counter[int] = Counter()
        self._open: set[asyncio.Task[None]] = set()
        self._sending: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Attack:
        self._sending = asyncio.get_running_loop().create_task(self._send())
        return self

    async def __aexit__(self, *_error: object) -> None:
        for task in (self._sending, *self._open):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def until_sent(self, number: int) -> None:
        """Wait until so many requests have been sent."""
        async with asyncio.timeout(PATIENCE_S):
            while self.sent < number:
                await asyncio.sleep(0.05)

    async def _send(self) -> None:
        due = monotonic()
        while self.sent < MOST:
            room = min(PER_SECOND // _TICKS, MOST_OPEN - len(self._open))
            for kind in islice(self._kinds, room):
                task = asyncio.get_running_loop().create_task(self._ask(kind, self.sent))
                self._open.add(task)
                task.add_done_callback(self._open.discard)
                self.sent += 1
            due += 1 / _TICKS
            await asyncio.sleep(max(0.0, due - monotonic()))

    async def _ask(self, kind: Kind, number: int) -> None:
        with suppress(OSError, ValueError, IndexError):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                writer.write(kind(f"127.0.0.1:{self._port}", number))
                status = int((await reader.readline()).split()[1])
                self.answers[status] += 1
                await reader.read()
            finally:
                writer.close()
