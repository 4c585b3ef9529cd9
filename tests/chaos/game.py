"""One run: a short game that the judge plays over HTTP and the phones over sockets, while processes die."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random

from tests.chaos.desk import DeskBrowser, DeskState, Unreachable
from tests.chaos.hall import ServerGroup
from tests.chaos.plan import Kill, Plan
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.raw_phone import RawPhone
from tests.waiting import PATIENCE_S

PACE = 0.2
LOOKING_S = 0.08
LINE_BREAKS = 0.1
"""The share of slips after which the line of the phone breaks, so that it never hears of the receipt."""
Moves = Sequence[tuple[str, str, int]]


class GameStuck(Exception):
    """The game did not go on; what the judge saw last."""


@dataclass
class ServerOutage:
    """A kill that was carried out, in seconds since 1970.

    `dark`: no server lived, until one was `begun` again; `running`: the clock had still to run for a while.
    """

    kill: Kill
    died: float
    running: bool
    dark: bool = False
    begun: float = 0.0


@dataclass
class DeskAnswer:
    """The seconds that the desk `told` the judge, who answered `at` (in seconds since 1970)."""

    told: int
    at: float
    outages: list[ServerOutage]


@dataclass
class RunRecord:
    """Observations of the people of a run.

    `answers`: what the desk said about lost time, each with the outages since the last time it was answered.
    """

    phones: list[RawPhone]
    outages: list[ServerOutage] = field(default_factory=list)
    answers: list[DeskAnswer] = field(default_factory=list)
    given_back: list[int] = field(default_factory=list)
    sheets: list[tuple[str, bytes]] = field(default_factory=list)
    code: str = ""


class GameRun:
    """The people of one run in a hall that is open already."""

    def __init__(self, plan: Plan, hall: ServerGroup, clerk: DatabaseProcess) -> None:
        self.plan, self.hall, self.clerk = plan, hall, clerk
        self.rng = Random(f"{plan.seed} people")  # noqa: S311
        event = clerk.do("new_event", plan.players, plan.clock_s, plan.seed)
        self.desk = DeskBrowser(hall.addresses, event["code"], event["session"])
        self.phones = {table: self._phone(table) for table in range(1, plan.players + 1)}
        self.played = RunRecord(list(self.phones.values()), code=event["code"])
        self._kills: set[asyncio.Task[None]] = set()
        self._begun: set[tuple[int, str]] = set()
        self._answered_at = 0.0

    def _phone(self, table: int) -> RawPhone:
        phone = RawPhone(self.hall.addresses, Random(f"{self.plan.seed} phone {table}"), pace=PACE)  # noqa: S311
        phone._at = table
        return phone

    async def play(self) -> RunRecord:
        """From the first phone that joins to the sheet of paper; raises Stuck."""
        await asyncio.gather(*(phone.join(self.desk.code, table=table) for table, phone in self.phones.items()))
        lines = [asyncio.create_task(phone.run()) for phone in self.phones.values()]
        try:
            await self._turns()
            await self._do("end", lambda seen: seen.phase == "finished", turn=0)
            await self._all_know(lambda phone: phone.view.get("phase") == "finished" and "me" in phone.frames)
            await self._print()
            return self.played
        finally:
            for task in (*lines, *self._kills):
                task.cancel()
            await asyncio.gather(*(phone.leave() for phone in self.phones.values()))
            await asyncio.gather(*lines, *self._kills, return_exceptions=True)

    # The judge

    async def _turns(self) -> None:
        for turn in count(1) if self.plan.turns is None else range(1, self.plan.turns + 1):
            await self._draw(turn)
            if (await self._see()).phase == "finished":
                return
            await self._turn(turn)

    async def _draw(self, turn: int) -> None:
        await self._do("draw", lambda seen: seen.turn == turn or seen.phase == "finished", turn)

    async def _turn(self, turn: int) -> None:
        moves = await asyncio.to_thread(self._moves)
        writing = [asyncio.create_task(self._write(phone, turn, moves)) for phone in self.phones.values()]
        await self._do("announce", lambda seen: seen.phase in ("running", "closed"), turn)
        self._begin_kills(turn, "write")
        await asyncio.gather(*writing)
        await self._settle()
        await self._closed(turn)
        await self._settle()
        await self._do("place", lambda seen: seen.phase == "placed", turn)
        await asyncio.gather(*self._kills)

    async def _closed(self, turn: int) -> None:
        """Wait for the end of a short clock, unless the judge has given time back; close a long one."""
        if self.plan.clock_s < 10:
            seen = await self._see()
            while seen.phase == "running" and (seen.deadline_ms or 0) / 1000 - time.time() < self.plan.clock_s:
                await asyncio.sleep(LOOKING_S)
                seen = await self._see()
        await self._do("close", lambda seen: seen.phase == "closed", turn)

    async def _do(self, action: str, reached: Callable[[DeskState], bool], turn: int) -> None:
        """Press the button until the desk shows what it is to lead to."""
        until = time.monotonic() + PATIENCE_S
        while not reached(seen := await self._see()):
            self._begin_kills(turn, action)
            with suppress(Unreachable):
                refused = await self.desk.act(action)
                if refused and time.monotonic() > until:
                    raise GameStuck(f"{action} in turn {turn}: {refused}")
            if time.monotonic() > until:
                raise GameStuck(f"{action} in turn {turn}: the desk still shows {seen}")
            await asyncio.sleep(LOOKING_S)

    async def _see(self) -> DeskState:
        """Read the desk once it can be reached, and answer its question about lost time."""
        until = time.monotonic() + PATIENCE_S
        while True:
            with suppress(Unreachable):
                seen = await self.desk.look()
                if seen.away_s is not None:
                    await self._answer(seen)
                    continue
                return seen
            if time.monotonic() > until:
                raise GameStuck("the desk cannot be reached")
            await asyncio.sleep(LOOKING_S)

    async def _answer(self, seen: DeskState) -> None:
        answered = [outage for answer in self.played.answers for outage in answer.outages]
        dark = [outage for outage in self.played.outages if outage.dark and outage not in answered]
        if dark and seen.away_s is not None:
            self.played.answers.append(DeskAnswer(seen.away_s, time.time(), dark))
        if self.plan.gives_back and seen.offers_time and seen.away_s is not None:
            await self.desk.act("give-back")
            self.played.given_back.append(seen.away_s)
        else:
            await self.desk.act("go-on")

    async def _print(self) -> None:
        """Ask for the standings, and wait for all sheets that were asked for."""
        await self._press("make-document", kind="standings")
        until = time.monotonic() + PATIENCE_S
        while True:
            with suppress(Unreachable):
                self.played.sheets = await self.desk.sheets()
                if all(state != "under way" for state, _ in self.played.sheets):
                    return
            if time.monotonic() > until:
                raise GameStuck(f"sheets: {[state for state, _ in self.played.sheets]}")
            await asyncio.sleep(3 * LOOKING_S)

    async def _press(self, action: str, **fields: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with suppress(Unreachable):
                await self.desk.act(action, **fields)
                return
            await asyncio.sleep(LOOKING_S)
        raise GameStuck(f"{action}: the desk cannot be reached")

    def _moves(self) -> Moves:
        moves: Moves = self.clerk.do("moves", self.desk.code)
        return moves

    # The phones

    async def _write(self, phone: RawPhone, turn: int, moves: Moves) -> None:
        """One slip at some moment after the announcement, now and then a better one after it."""
        with suppress(TimeoutError):
            await phone.until(lambda it: it.view.get("turn") == turn and it.view["phase"] != "drawn", PATIENCE_S)
            await asyncio.sleep(self.rng.uniform(0, self.plan.writing_s))
            await self._hand_in(phone, turn, moves)
            if self.rng.random() < 0.3:
                await asyncio.sleep(self.rng.uniform(0, 0.5))
                await self._hand_in(phone, turn, moves)

    async def _hand_in(self, phone: RawPhone, turn: int, moves: Moves) -> None:
        word, ref, score = self.rng.choice(list(moves)) if moves else ("NOMI", "8H", 10)
        if phone.view["turn"] == turn:
            await phone.hand_in(word, ref, score + self.rng.choice((0, 0, 0, 1)))
            if self.rng.random() < LINE_BREAKS:
                phone.lose_the_line()

    async def _settle(self) -> None:
        """Wait until no phone awaits an answer."""
        await self._all_know(lambda phone: not phone.waiting)

    async def _all_know(self, true: Callable[[RawPhone], object]) -> None:
        until = [phone.until(true) for phone in self.phones.values()]
        with suppress(TimeoutError):
            await asyncio.gather(*until)

    # Whoever pulls the plugs

    def _begin_kills(self, turn: int, moment: str) -> None:
        """Those of this moment, once."""
        if (turn, moment) in self._begun:
            return
        self._begun.add((turn, moment))
        for number, kill in enumerate(self.plan.kills):
            if (kill.turn, kill.moment) == (turn, moment):
                self._kills.add(asyncio.create_task(self._kill(kill, number)))

    async def _kill(self, kill: Kill, number: int) -> None:
        if kill.kind == "writer":
            await self._burst(kill.turn)
        if kill.kind == "worker":
            await self._press("make-document", kind="match")
        await asyncio.sleep(kill.after_s)
        running = self._is_running(kill.turn)
        outage = ServerOutage(kill, died=time.time(), running=running)
        self.played.outages.append(outage)  # at once: the judge may be told of it before all is there again
        outage.dark = await self.hall.kill(kill.kind, number)
        if kill.away_s is not None:
            await self.hall.revive(kill.kind, number, kill.away_s)
        outage.begun = self.hall.recovered_after(outage.died)

    def _is_running(self, turn: int) -> bool:
        """Return True if the clock runs well beyond this moment, as the phones know it."""
        views = [phone.view for phone in self.phones.values() if phone.view.get("turn") == turn]
        deadlines = [view["deadline"] for view in views if view["phase"] == "running" and view["deadline"]]
        return bool(deadlines) and max(deadlines) / 1000 > time.time() + 0.5

    async def _burst(self, turn: int) -> None:
        """Every phone hands in at once, so that the writer has a batch in its hands."""
        await asyncio.sleep(self.plan.writing_s / 2)
        moves = [("NOMI", "8H", 10)]
        writing = (
            self._hand_in(phone, turn, moves) for phone in self.phones.values() if phone.view.get("turn") == turn
        )
        await asyncio.gather(*writing)
