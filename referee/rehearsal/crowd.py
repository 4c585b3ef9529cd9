"""Many phones in one process: they join, hand in slips, and note when they heard what."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

from referee.rehearsal.wire import Line, handshake, text_frame

AT_ONCE = 200
SPREAD_S = 3.0
LONGEST_RETURN_S = 60.0
LOOK_S = 0.05
SENT_AT_ONCE = 50
ASK_WITHIN_S = 0.8
ASK_OF_A_PHONE_S = 0.000_6
_RESULTS_AFTER_S = {"closed": 1.0, "placed": 0.0, "finished": 0.0}
_ME = text_frame(b'{"t":"me"}')


@dataclass(frozen=True, slots=True)
class Hall:
    """Where the phones go."""

    address: str
    port: int
    host: str
    secure: bool = False


@dataclass(slots=True)
class Notes:
    """What the phones heard, times in ms. `shown`: by `seq` of a state how long after its own stamp each heard it.

    `acks_ms` has no time for a slip whose phone had lost its line meanwhile.
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
        """A slip is acknowledged."""
        self.acks_ms[slip_id] = None if now is None else (now - self.sent[slip_id]) * 1000


class Phone:
    """One player's phone. A slip that is refused for the moment, or lost with the line, is sent again."""

    __slots__ = ("cookie", "crowd", "greeted", "line", "lost_line", "unsure")

    def __init__(self, crowd: Crowd, cookie: str) -> None:
        self.crowd = crowd
        self.cookie = cookie
        self.line: Line | None = None
        self.greeted = False
        self.unsure: dict[str, bytes] = {}
        self.lost_line = False

    async def connect(self) -> None:
        """Open a socket. Raises OSError when nobody answers."""
        hall, loop = self.crowd.hall, asyncio.get_running_loop()
        request = handshake(hall.host, "/ws/phone/", self.cookie, secure=hall.secure)
        self.greeted = False
        await loop.create_connection(
            lambda: self._line(request), hall.address, hall.port, ssl=True if hall.secure else None
        )

    def hand_in(self, slip_id: str, frame: bytes) -> None:
        """Send a slip and keep it until it is acknowledged."""
        self.unsure[slip_id] = frame
        self.lost_line = False
        self.crowd.notes.sent.setdefault(slip_id, time.perf_counter())
        if self.line is not None:
            self.line.send(frame)

    def send_again(self) -> None:
        """Send what is not acknowledged once more, with the same id."""
        for frame in self.unsure.values():
            if self.line is not None:
                self.line.send(frame)

    def ping(self) -> None:
        """Ask for the time; how long the answer took is noted."""
        if self.line is not None:
            self.line.send(text_frame(f'{{"t":"ping","c":{time.perf_counter()}}}'.encode()))

    def lose_line(self) -> None:
        """Lose the line in the next moment, when what was sent is on its way."""
        asyncio.get_running_loop().call_soon(self.hang_up)

    def hang_up(self) -> None:
        """Lose the line at once."""
        if self.line is not None:
            self.line.hang_up()

    def _line(self, request: bytes) -> Line:
        self.line = Line(request, self._hear, self._ended)
        return self.line

    def _hear(self, text: bytes, now: float) -> None:
        kind = text[6:9]
        notes = self.crowd.notes
        if kind == b"ack":
            self._acknowledged(text, now)
        elif kind == b"cou":
            notes.counts += 1
        elif kind == b"sta":
            if (after_s := self.crowd.saw(text, now)) is not None:
                self._ask_soon(after_s)
        elif kind == b'me"':
            notes.results += 1
        elif kind == b"pon":
            notes.trips_ms.append((now - float(text[text.index(b'"c":') + 4 : text.index(b",", 12)])) * 1000)
        elif kind == b"hel":
            self.greeted, self.crowd.greeted_at = True, now
            self.send_again()
        elif kind == b"ref":
            self._refused(text)

    def _ask_soon(self, after_s: float) -> None:
        """A phone asks for its player's results, at a moment of its own."""
        crowd = self.crowd
        within = max(ASK_WITHIN_S, len(crowd.phones) * ASK_OF_A_PHONE_S)
        asyncio.get_running_loop().call_later(after_s + crowd.chance() * within, self._ask)

    def _ask(self) -> None:
        if self.line is not None:
            self.line.send(_ME)

    def _acknowledged(self, text: bytes, now: float) -> None:
        at = text.index(b'"id":"') + 6
        slip_id = text[at : at + 36].decode()
        if self.unsure.pop(slip_id, None) is not None:
            self.crowd.notes.acked(slip_id, None if self.lost_line else now)

    def _refused(self, text: bytes) -> None:
        message = json.loads(text)
        refused = self.crowd.notes.refused
        refused[message["why"]] = refused.get(message["why"], 0) + 1
        if (wait := message.get("retry_ms")) and message.get("id") in self.unsure:
            frame = self.unsure[message["id"]]
            asyncio.get_running_loop().call_later(wait / 1000, self._once_more, message["id"], frame)

    def _once_more(self, slip_id: str, frame: bytes) -> None:
        if slip_id in self.unsure and self.line is not None:
            self.line.send(frame)

    def _ended(self) -> None:
        was_greeted = self.greeted
        self.line, self.greeted, self.lost_line = None, False, True
        if was_greeted:
            self.crowd.lost(self)


class Crowd:
    """All phones of this process. `ahead_s` is what the server's clock is ahead of this computer's."""

    def __init__(self, hall: Hall, cookies: Iterable[str], ahead_s: float = 0.0) -> None:
        self.hall = hall
        self.notes = Notes()
        self.chance = Random(1).random  # noqa: S311  when a phone does what
        self.greeted_at = self.heard_at = 0.0
        self._results_after_s: dict[int, float | None] = {}
        self._returning: set[asyncio.Task[None]] = set()
        self._stays = False
        self.phones = [Phone(self, cookie) for cookie in cookies]
        self._lag = time.time() - time.perf_counter() + ahead_s

    @property
    def greeted(self) -> int:
        """How many phones the server has greeted and not lost since."""
        return sum(phone.greeted for phone in self.phones)

    async def connect(self, seconds: float, *, at_once: int = AT_ONCE) -> float:
        """Open the sockets of all phones that have none; gives the seconds until all were greeted, at most these."""
        began, gate = time.perf_counter(), asyncio.Semaphore(at_once)
        waiting = [phone for phone in self.phones if phone.line is None]
        self.greeted_at, self._stays = began, True
        await asyncio.gather(*(self._connect(phone, gate, began + seconds) for phone in waiting))
        return self.greeted_at - began if self.greeted == len(self.phones) else seconds

    async def _connect(self, phone: Phone, gate: asyncio.Semaphore, until: float) -> None:
        """As a phone's page does: whoever is not let in tries again, at a random moment."""
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
        """Every phone hands in one of these slips (word, reference, score) at a random moment of the window.

        Every `twice`-th sends its slip a second time, as a phone that was not sure; every `loses_line`-th loses the
        line before it can know. Gives the ids.
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
        """Wait until these slips are acknowledged; False when the time is up."""
        until = time.perf_counter() + seconds
        while not self.notes.acks_ms.keys() >= set(ids):
            if time.perf_counter() > until:
                return False
            await asyncio.sleep(0.01)
        return True

    async def saw_phase(self, turn: int, phase: str, seconds: float) -> bool:
        """Wait until the phones were shown a turn in this phase."""
        until = time.perf_counter() + seconds
        while (turn, phase) not in self.notes.phases:
            if time.perf_counter() > until:
                return False
            await asyncio.sleep(0.01)
        return True

    def lost(self, phone: Phone) -> None:
        """A phone lost its line; unless all are to go, it comes back by itself."""
        if self._stays:
            task = asyncio.get_running_loop().create_task(self._come_back(phone))
            self._returning.add(task)
            task.add_done_callback(self._returning.discard)

    async def _come_back(self, phone: Phone) -> None:
        await asyncio.sleep(self.chance() * SPREAD_S)
        await self._connect(phone, asyncio.Semaphore(1), time.perf_counter() + LONGEST_RETURN_S)

    def hang_up(self) -> None:
        """All phones lose the network, and stay away."""
        self._stays = False
        for phone in self.phones:
            phone.hang_up()

    def saw(self, text: bytes, now: float) -> float | None:
        """A phone was shown a state: note how long after its own stamp. After how many seconds its results may be asked
        for, None when there are none."""
        at = text.index(b'"seq":') + 6
        seq = int(text[at : text.index(b",", at)])
        at = text.index(b'"now":') + 6
        stamp = int(text[at : text.index(b",", at)]) / 1000
        notes, self.heard_at = self.notes, now
        if seq not in notes.shown:
            notes.shown[seq] = []
            view = json.loads(text)["view"]
            notes.phases.setdefault((view["turn"], view["phase"]), now)
            self._results_after_s[seq] = _RESULTS_AFTER_S.get(view["phase"])
        notes.shown[seq].append((now + self._lag - stamp) * 1000)
        return self._results_after_s[seq]


def _slip(turn: int, written: Sequence[Sequence[object]], rng: Random) -> tuple[str, bytes]:
    slip_id = str(UUID(int=rng.getrandbits(128), version=4))
    word, ref, score = written[rng.randrange(len(written))] if written else ("RE", "8H", 4)
    message = {"t": "slip", "id": slip_id, "turn": turn, "word": word, "ref": ref, "score": score}
    return slip_id, text_frame(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode())
