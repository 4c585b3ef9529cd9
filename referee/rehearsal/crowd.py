"""Many simulated phones in one process: they join, hand in slips and measure response times."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

from referee.rehearsal.wire import WebSocketClient, handshake, text_frame

AT_ONCE = 200
SPREAD_S = 3.0
LONGEST_RETURN_S = 60.0
LOOK_S = 0.05
SENT_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address of the server under test."""

    address: str
    port: int
    host: str
    secure: bool = False


@dataclass(slots=True)
class Measurements:
    """Measurements of the phones, times in ms.

    `shown` maps the `seq` of a state to the delays after its time stamp, one for each phone. `acks_ms` is None for a
    slip whose phone lost its connection before the acknowledgement.
    """

    sent: dict[str, float] = field(default_factory=dict)
    acks_ms: dict[str, float | None] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    shown: dict[int, list[float]] = field(default_factory=dict)
    phases: dict[tuple[int, str], float] = field(default_factory=dict)
    counts: int = 0
    results: int = 0
    trips_ms: list[float] = field(default_factory=list)

    def acked(self, slip_id: str, now: float | None) -> None:
        """Record the acknowledgement of a slip."""
        self.acks_ms[slip_id] = None if now is None else (now - self.sent[slip_id]) * 1000


class Phone:
    """Phone of one player.

    A slip that is refused temporarily, or lost with the connection, is sent again.
    """

    __slots__ = ("cookie", "crowd", "greeted", "line", "lost_line", "unacknowledged")

    def __init__(self, crowd: Crowd, cookie: str) -> None:
        self.crowd = crowd
        self.cookie = cookie
        self.line: WebSocketClient | None = None
        self.greeted = False
        self.unacknowledged: dict[str, bytes] = {}
        self.lost_line = False

    async def connect(self) -> None:
        """Open a socket. Raises OSError if the server does not answer."""
        server, loop = self.crowd.server, asyncio.get_running_loop()
        request = handshake(server.host, "/ws/phone/", self.cookie, secure=server.secure)
        self.greeted = False
        await loop.create_connection(
            lambda: self._line(request), server.address, server.port, ssl=True if server.secure else None
        )

    def hand_in(self, slip_id: str, frame: bytes) -> None:
        """Send a slip and keep it until it is acknowledged."""
        self.unacknowledged[slip_id] = frame
        self.lost_line = False
        self.crowd.notes.sent.setdefault(slip_id, time.perf_counter())
        if self.line is not None:
            self.line.send(frame)

    def send_again(self) -> None:
        """Send unacknowledged slips again with the same id."""
        for frame in self.unacknowledged.values():
            if self.line is not None:
                self.line.send(frame)

    def ping(self) -> None:
        """Send a ping and record the round trip."""
        if self.line is not None:
            self.line.send(text_frame(f'{{"t":"ping","c":{time.perf_counter()}}}'.encode()))

    def lose_line(self) -> None:
        """Drop the connection after the current messages have been sent."""
        asyncio.get_running_loop().call_soon(self.hang_up)

    def hang_up(self) -> None:
        """Drop the connection at once."""
        if self.line is not None:
            self.line.hang_up()

    def _line(self, request: bytes) -> WebSocketClient:
        self.line = WebSocketClient(request, self._hear, self._ended)
        return self.line

    def _hear(self, text: bytes, now: float) -> None:
        kind = text[6:9]
        notes = self.crowd.notes
        if kind == b"ack":
            self._acknowledged(text, now)
        elif kind == b"cou":
            notes.counts += 1
        elif kind == b"sta":
            self.crowd.record_state(text, now)
        elif kind == b'me"':
            notes.results += 1
        elif kind == b"pon":
            notes.trips_ms.append((now - float(text[text.index(b'"c":') + 4 : text.index(b",", 12)])) * 1000)
        elif kind == b"hel":
            self.greeted, self.crowd.greeted_at = True, now
            self.send_again()
        elif kind == b"ref":
            self._refused(text)

    def _acknowledged(self, text: bytes, now: float) -> None:
        at = text.index(b'"id":"') + 6
        slip_id = text[at : at + 36].decode()
        if self.unacknowledged.pop(slip_id, None) is not None:
            self.crowd.notes.acked(slip_id, None if self.lost_line else now)

    def _refused(self, text: bytes) -> None:
        message = json.loads(text)
        refused = self.crowd.notes.refused
        refused[message["why"]] = refused.get(message["why"], 0) + 1
        if (wait := message.get("retry_ms")) and message.get("id") in self.unacknowledged:
            frame = self.unacknowledged[message["id"]]
            asyncio.get_running_loop().call_later(wait / 1000, self._once_more, message["id"], frame)

    def _once_more(self, slip_id: str, frame: bytes) -> None:
        if slip_id in self.unacknowledged and self.line is not None:
            self.line.send(frame)

    def _ended(self) -> None:
        was_greeted = self.greeted
        self.line, self.greeted, self.lost_line = None, False, True
        if was_greeted:
            self.crowd.lost(self)


class Crowd:
    """All phones of this process. `ahead_s` is how far the server's clock is ahead of this computer's."""

    def __init__(self, server: ServerAddress, cookies: Iterable[str], ahead_s: float = 0.0) -> None:
        self.server = server
        self.notes = Measurements()
        self.chance = Random(1).random  # noqa: S311  times of simulated actions
        self.greeted_at = self.heard_at = 0.0
        self._returning: set[asyncio.Task[None]] = set()
        self._stays = False
        self.phones = [Phone(self, cookie) for cookie in cookies]
        self._lag = time.time() - time.perf_counter() + ahead_s

    @property
    def greeted(self) -> int:
        """Number of connected phones that have received the server's greeting."""
        return sum(phone.greeted for phone in self.phones)

    async def connect(self, seconds: float, *, at_once: int = AT_ONCE) -> float:
        """Connect all phones that are not connected; return the seconds until all were greeted, at most `seconds`."""
        began, gate = time.perf_counter(), asyncio.Semaphore(at_once)
        waiting = [phone for phone in self.phones if phone.line is None]
        self.greeted_at, self._stays = began, True
        await asyncio.gather(*(self._connect(phone, gate, began + seconds) for phone in waiting))
        return self.greeted_at - began if self.greeted == len(self.phones) else seconds

    async def _connect(self, phone: Phone, gate: asyncio.Semaphore, until: float) -> None:
        """Retry at random moments until connected, as the phone page does."""
        while not phone.greeted and time.perf_counter() < until:
            with suppress(OSError):
                async with gate:
                    await phone.connect()
                while phone.line is not None and not phone.greeted and time.perf_counter() < until:
                    await asyncio.sleep(LOOK_S)
            if not phone.greeted:
                await asyncio.sleep(self.chance() * SPREAD_S)

    async def hand_in(
        self,
        turn: int,
        written: Sequence[Sequence[object]],
        rng: Random,
        window_s: float,
        twice: int = 0,
        loses_line: int = 0,
    ) -> list[str]:
        """Hand in one of these slips (word, reference, score) from every phone at a random moment; return the ids.

        Every `twice`-th phone sends its slip a second time; every `loses_line`-th drops the connection before the
        acknowledgement.
        """
        slips = [_slip(turn, written, rng) for _ in self.phones]
        moments = sorted(rng.random() * window_s for _ in self.phones)
        order = rng.sample(self.phones, len(self.phones))
        began = time.perf_counter()
        for number, (moment, phone, (slip_id, frame)) in enumerate(zip(moments, order, slips, strict=True), 1):
            if (wait := began + moment - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            elif number % SENT_AT_ONCE == 0:
                await asyncio.sleep(0)
            phone.hand_in(slip_id, frame)
            if twice and number % twice == 0:
                phone.send_again()
            if loses_line and number % loses_line == 0:
                phone.lose_line()
        return [slip_id for slip_id, _frame in slips]

    async def acknowledged(self, ids: Collection[str], seconds: float) -> bool:
        """Wait until these slips are acknowledged; return False on timeout."""
        until = time.perf_counter() + seconds
        while not self.notes.acks_ms.keys() >= set(ids):
            if time.perf_counter() > until:
                return False
            await asyncio.sleep(0.01)
        return True

    async def wait_for_phase(self, turn: int, phase: str, seconds: float) -> bool:
        """Wait until the phones have received this phase of a turn; return False on timeout."""
        until = time.perf_counter() + seconds
        while (turn, phase) not in self.notes.phases:
            if time.perf_counter() > until:
                return False
            await asyncio.sleep(0.01)
        return True

    def lost(self, phone: Phone) -> None:
        """Reconnect a phone that lost its connection, unless all were disconnected on purpose."""
        if self._stays:
            task = asyncio.get_running_loop().create_task(self._come_back(phone))
            self._returning.add(task)
            task.add_done_callback(self._returning.discard)

    async def _come_back(self, phone: Phone) -> None:
        await asyncio.sleep(self.chance() * SPREAD_S)
        await self._connect(phone, asyncio.Semaphore(1), time.perf_counter() + LONGEST_RETURN_S)

    def hang_up(self) -> None:
        """Disconnect all phones for good."""
        self._stays = False
        for phone in self.phones:
            phone.hang_up()

    def record_state(self, text: bytes, now: float) -> None:
        """Record the delay of a state after its time stamp."""
        at = text.index(b'"seq":') + 6
        seq = int(text[at : text.index(b",", at)])
        at = text.index(b'"now":') + 6
        stamp = int(text[at : text.index(b",", at)]) / 1000
        notes, self.heard_at = self.notes, now
        if seq not in notes.shown:
            notes.shown[seq] = []
            view = json.loads(text)["view"]
            notes.phases.setdefault((view["turn"], view["phase"]), now)
        notes.shown[seq].append((now + self._lag - stamp) * 1000)


def _slip(turn: int, written: Sequence[Sequence[object]], rng: Random) -> tuple[str, bytes]:
    slip_id = str(UUID(int=rng.getrandbits(128), version=4))
    word, ref, score = written[rng.randrange(len(written))] if written else ("RE", "8H", 4)
    message = {"t": "slip", "id": slip_id, "turn": turn, "word": word, "ref": ref, "score": score}
    return slip_id, text_frame(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())
