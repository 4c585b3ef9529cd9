"""A phone written from docs/protocol.md alone: it joins, keeps each slip until its receipt comes, and comes back.

Nothing of the program is imported here, so that a second client could be written from the same page.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.cookies import SimpleCookie
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from tests.referee.live.raw_socket import Closed, NotAccepted, RawSocket

VERSION = 1
MOVED, NO_SEAT, GONE = 4001, 4401, 4404
GREETING_S, ANSWER_S, PATIENCE_S = 8.0, 5.0, 60.0
Address = tuple[str, int]


class NotSeated(Exception):
    """The server gave no seat; the sentence on its page."""


@dataclass(frozen=True)
class Answer:
    """Of an HTTP request. The names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    text: str


def wait_before(attempt: int, chance: float) -> float:
    """Seconds before try number 1, 2 ...; `chance` in 0..1 spreads a whole hall."""
    return 3.0 * chance if attempt <= 1 else min(15.0, 2.0 ** (attempt - 1)) * (0.75 + chance / 4)


@dataclass
class RawPhone:
    """A player's phone. `addresses` are the servers behind the one name that a real phone would know.

    `pace` shortens the pauses of the protocol for tests. `acks` are the receipts by the id of the slip, `refused` the
    slips that the server will never take; `contradictions` are receipts that said something else than the first for
    the same slip. `sent` counts the frames with slips, `resent` those of them with an id that had gone out before.
    """

    addresses: Sequence[Address]
    random: Random = field(default_factory=Random)
    pace: float = 1.0
    cookie: str = ""
    frames: dict[str, dict[str, Any]] = field(default_factory=dict)
    waiting: dict[int, dict[str, Any]] = field(default_factory=dict)
    written: dict[str, dict[str, Any]] = field(default_factory=dict)
    acks: dict[str, dict[str, Any]] = field(default_factory=dict)
    acked_ms: dict[str, int] = field(default_factory=dict)
    refused: dict[str, dict[str, Any]] = field(default_factory=dict)
    contradictions: list[tuple[dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    sent: int = 0
    resent: int = 0
    again: int = 0
    connections: int = 0
    ended: int | None = None
    _gone_out: set[str] = field(default_factory=set)
    _at: int = 0
    _attempt: int = 0
    _socket: RawSocket | None = None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _later: set[asyncio.Task[None]] = field(default_factory=set)

    # Joining, and the way without sockets

    async def join(self, code: str, *, table: int | None = None, name: str = "") -> None:
        """Take a seat; raises NotSeated."""
        page = await self.request("GET", f"/j/{code}/")
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        fields |= {"name": name, "table": "" if table is None else str(table)}
        jar = "; ".join(f"{key}={value}" for key, value in page.cookies.items())
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.origin, "Cookie": jar}
        answer = await self.request("POST", f"/j/{code}/", urlencode(fields), form)
        if answer.status != 302 or "seat" not in answer.cookies:
            raise NotSeated(" ".join(re.findall(r'role="alert">([^<]+)<', answer.text)) or f"status {answer.status}")
        self.cookie = f"seat={answer.cookies['seat']}"

    async def poll(self, tag: str = "") -> Answer:
        """The state by GET, 304 when it is still that of `tag`; the messages in it are taken as those of a socket."""
        headers = {"Cookie": self.cookie, **({"If-None-Match": tag} if tag else {})}
        answer = await self.request("GET", f"/play/state.json?v={VERSION}", headers=headers)
        if answer.status == 200:
            messages = json.loads(answer.text)
            for kind in ("outdated", "hello", "state", "count", "me"):
                if messages[kind] is not None:
                    await self._take(messages[kind])
        return answer

    async def post(self, slip: Mapping[str, Any]) -> None:
        """Hand a slip in by POST; its answer is taken as one of a socket."""
        headers = {"Cookie": self.cookie, "Origin": self.origin, "Content-Type": "application/json"}
        self._count(slip)
        answer = await self.request("POST", "/play/slip", json.dumps(slip), headers)
        await self._take(json.loads(answer.text))

    async def request(
        self, method: str, path: str, body: str | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One HTTP request over a connection of its own."""
        return await asyncio.to_thread(_request, self._address, method, path, body, dict(headers or {}))

    @property
    def _address(self) -> Address:
        return self.addresses[self._at % len(self.addresses)]

    @property
    def origin(self) -> str:
        """The Origin header of a browser."""
        host, port = self._address
        return f"http://{host}:{port}"

    # The socket

    async def run(self) -> None:
        """Be there until the server says that there is nothing to come back to; `ended` is then its code."""
        while self.ended is None:
            code = await self._once()
            if code in (MOVED, NO_SEAT, GONE):
                self.ended = code
                self._changed.set()
                return
            self._attempt += 1
            self._at += 1
            await asyncio.sleep(self.pace * wait_before(self._attempt, self.random.random()))

    async def _once(self) -> int:
        """One connection from its beginning to its end, with whose code."""
        socket: RawSocket | None = None
        try:
            headers = {"Origin": self.origin, "Cookie": self.cookie}
            async with asyncio.timeout(GREETING_S):
                host, port = self._address
                socket = self._socket = await RawSocket.open(host, port, f"/ws/phone/?v={VERSION}", headers)
                await self._take(json.loads(await socket.receive()))
            self._attempt = 0
            self.connections += 1
            while True:
                await self._take(json.loads(await socket.receive()))
        except Closed as end:
            return end.code
        except (OSError, TimeoutError, NotAccepted):
            return 1006
        finally:
            self._socket = None
            self._changed.set()
            if socket is not None:
                socket.drop()

    @property
    def is_online(self) -> bool:
        """True if there is a line that the server has greeted."""
        return self._socket is not None and self._attempt == 0

    async def leave(self) -> None:
        """Put the phone away; what was to be done later is not done any more."""
        for task in self._later:
            task.cancel()
        if self._socket is not None:
            await self._socket.close()

    async def send(self, message: Mapping[str, Any]) -> None:
        """Send a message if there is a line."""
        if self._socket is not None:
            await self._socket.send(json.dumps(message))

    def lose_the_line(self) -> None:
        """Give the connection up; another one is made."""
        if self._socket is not None:
            self._socket.drop()

    # Slips

    async def hand_in(self, word: str, ref: str, score: int | None, direction: str | None = None) -> str:
        """Write a slip for the present turn and send it until there is a receipt; gives its id."""
        turn = self.view["turn"]
        slip = {
            "t": "slip",
            "id": str(uuid4()),
            "turn": turn,
            "word": word,
            "ref": ref,
            "direction": direction,
            "score": score,
            "sent": round(time.time() * 1000),
        }
        self.written[slip["id"]] = self.waiting[turn] = slip
        await self._flush()
        return str(slip["id"])

    async def _flush(self) -> None:
        for slip in list(self.waiting.values()):
            if self._socket is not None:
                self._count(slip)
                await self.send(slip)
                self._soon(ANSWER_S * self.pace, partial(self._expect, self._socket, slip))

    def _count(self, slip: Mapping[str, Any]) -> None:
        self.sent += 1
        self.resent += slip["id"] in self._gone_out
        self._gone_out.add(slip["id"])

    async def _expect(self, socket: RawSocket, slip: Mapping[str, Any]) -> None:
        """A slip without an answer means that the line is dead, whatever TCP believes."""
        if slip in self.waiting.values() and self._socket is socket:
            self.lose_the_line()

    def _soon(self, seconds: float, act: Callable[[], Any]) -> None:
        async def later() -> None:
            await asyncio.sleep(seconds)
            await act()

        task = asyncio.get_running_loop().create_task(later())
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    # What comes in

    @property
    def view(self) -> dict[str, Any]:
        """The newest state; empty before the first."""
        return self.frames.get("state", {}).get("view", {})  # type: ignore[no-any-return]

    async def until(self, true: Callable[[RawPhone], object], seconds: float = PATIENCE_S) -> None:
        """Wait until something holds for this phone; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not true(self):
                self._changed.clear()
                await self._changed.wait()

    async def _take(self, message: dict[str, Any]) -> None:
        """Kinds that this client does not know are kept and change nothing."""
        kind = str(message.get("t"))
        if kind == "ack":
            self._acknowledged(message)
        elif kind == "refused":
            self._refused(message)
        elif kind == "state":
            self._show(message)
        else:
            self.frames[kind] = message
        if kind == "hello":
            await self._flush()
        self._changed.set()

    def _acknowledged(self, ack: dict[str, Any]) -> None:
        known = self.acks.setdefault(ack["id"], ack)
        self.acked_ms.setdefault(ack["id"], round(time.time() * 1000))
        if known is not ack:
            self.again += 1
            if (known["version"], known["received"]) != (ack["version"], ack["received"]):
                self.contradictions.append((known, ack))
        self._forget(ack["id"])

    def _refused(self, message: dict[str, Any]) -> None:
        self.frames["refused"] = message
        if "retry_ms" in message:
            self._soon(message["retry_ms"] / 1000, self._flush)
        elif message["id"] is not None:
            self.refused[message["id"]] = message
            self._forget(message["id"])

    def _forget(self, slip_id: str) -> None:
        self.waiting = {turn: slip for turn, slip in self.waiting.items() if slip["id"] != slip_id}

    def _show(self, message: dict[str, Any]) -> None:
        """An older state of the same game is overtaken."""
        before = self.frames.get("state")
        view = message["view"]
        if before is not None and view["game_number"] == self.view["game_number"] and message["seq"] < before["seq"]:
            return
        self.frames["state"] = message


def _request(address: Address, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
    connection = http.client.HTTPConnection(*address, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        got = response.getheaders()
        cookies = SimpleCookie()
        for name, value in got:
            if name.lower() == "set-cookie":
                cookies.load(value)
        jar = {name: morsel.value for name, morsel in cookies.items()}
        return Answer(response.status, {name.lower(): value for name, value in got}, jar, response.read().decode())
    finally:
        connection.close()
