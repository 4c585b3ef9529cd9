"""All figures of "How many phones the hall holds" (docs/performance.md) in one go, in three to five minutes.

    python -m referee.rehearsal.bench [--phones 5000] [--few 400]

Server and phones each have a core of their own where the system allows it. Prints a line a row as it goes, then one
JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.rehearsal.onlookers import Onlooker
    from referee.rehearsal.own_server import OwnServer

TURN_S = 600
SETTLE_S = 2.0
NUDGES = 20
PAUSE_S = 0.5
PINGING = 200
WATCHED_EVERY = 32  # a socket may send ten messages a second


class Bench:
    """One server and its crowd; `figures` are the rows so far."""

    def __init__(self, remote: Any, server: OwnServer, phones: int) -> None:
        self.remote = remote
        self.server = server
        self.phones = phones
        self.figures: dict[str, Any] = {}
        self.crowd: Any = None
        self.rng = Random(1)  # noqa: S311  when who sends what; one for all, for no slip may have the id of another

    def note(self, row: str, **figures: Any) -> None:
        """Keep a row, and print it."""
        self.figures[row] = figures
        sys.stderr.write(f"{self.phones:5} phones  {row:28} {json.dumps(figures)}\n")
        sys.stderr.flush()

    async def do(self, step: str, **wanted: object) -> dict[str, Any]:
        """One step of the rehearsal."""
        answer: dict[str, Any] = await asyncio.to_thread(lambda: self.remote.do(step, **wanted))
        return answer

    async def onlooker(self, name: str) -> Onlooker:
        """The desk or the wall, connected."""
        from referee.rehearsal.onlookers import Onlooker

        path, cookie = (self.server.desk, self.server.session) if name == "desk" else (self.server.wall, "")
        onlooker = Onlooker(self.remote.hall, path, cookie)
        await onlooker.connect()
        return onlooker

    async def status(self) -> dict[str, Any]:
        """Memory and processor time of the server."""
        answer: dict[str, Any] = await asyncio.to_thread(self.remote.status)
        return answer

    async def begin(self, seconds: int = TURN_S) -> dict[str, Any]:
        """A new turn, shown to everybody."""
        begun = await self.do("begin", seconds=seconds)
        await self.crowd.saw_phase(begun["turn"], "running", 20)
        await asyncio.sleep(SETTLE_S)
        return begun

    async def finish(self, turn: int) -> None:
        """Place the turn and let everybody ask for results."""
        await self.do("place")
        await self.crowd.saw_phase(turn, "placed", 20)
        await asyncio.sleep(SETTLE_S + self.phones * 0.000_6)


async def connected(bench: Bench) -> None:
    """How long phones take to come, by the page and then with their sockets, calmly and all at once; their memory."""
    from referee.rehearsal.crowd import Crowd
    from referee.rehearsal.door import join_all

    tables = (await bench.do("expect", phones=bench.phones))["tables"]
    code, before = (await bench.status())["rehearsal"], await bench.status()
    cookies, seconds = await join_all(bench.remote.hall, code, tables)
    cpu_s = _cpu(before, await bench.status())
    bench.note("joined by the page", seconds=round(seconds, 1), phones=len(cookies), cpu_s=cpu_s)
    await bench.do("begin", seconds=1)
    await bench.do("end")
    await bench.do("place")
    before = await bench.status()
    bench.crowd = Crowd(bench.remote.hall, cookies, await asyncio.to_thread(bench.remote.clock_ahead_s))
    seconds = await bench.crowd.connect(120)
    after = await bench.status()
    growth = None if before["rss_mb"] is None else round(after["rss_mb"] - before["rss_mb"])
    bench.note("connected", seconds=round(seconds, 2), growth_mb=growth, cpu_s=_cpu(before, after))
    bench.crowd.hang_up()
    await asyncio.sleep(SETTLE_S)
    before = await bench.status()
    seconds = await bench.crowd.connect(120, at_once=bench.phones)
    after = await bench.status()
    bench.note("reconnect storm", seconds=round(seconds, 2), rss_mb=after["rss_mb"], cpu_s=_cpu(before, after))
    await asyncio.sleep(SETTLE_S)


async def broadcasts(bench: Bench) -> None:
    """A change of state to all: when the last phone has it, after the server's stamp and after the judge's click."""
    begun = await bench.begin()
    shown = bench.crowd.notes.shown
    shown.clear()
    before, clicks = await bench.status(), []
    for _number in range(NUDGES):
        clicked = time.perf_counter()
        await bench.do("nudge")
        await asyncio.sleep(PAUSE_S)
        clicks.append((bench.crowd.heard_at - clicked) * 1000)
    after = await bench.status()
    last = [max(each) for each in shown.values() if len(each) == len(bench.crowd.phones)]
    per_broadcast = round(_cpu(before, after) / NUDGES * 1000, 1)
    bench.note("broadcast, last phone", ms=_spread(last), from_click_ms=_spread(clicks), cpu_ms=per_broadcast)
    await bench.do("end")
    await bench.crowd.saw_phase(begun["turn"], "closed", 20)
    await bench.finish(begun["turn"])


async def slips(bench: Bench, window_s: float, rounds: int, row: str) -> None:
    """Slips of all phones in a window, some rounds of them; then the close and what the desk has."""
    begun = await bench.begin()
    ids, before = [], await bench.status()
    for _number in range(rounds):
        ids += await bench.crowd.hand_in(begun["turn"], begun["written"], bench.rng, window_s)
    acked = await bench.crowd.acknowledged(ids, 60)
    after = await bench.status()
    times = [ms for slip_id in ids if (ms := bench.crowd.notes.acks_ms.get(slip_id)) is not None]
    cost = round(_cpu(before, after) / len(ids) * 1000, 3)
    bench.note(row, acked=acked, slips=len(ids), ms=_spread(times), cpu_ms_a_slip=cost, **bench.crowd.notes.refused)
    await asyncio.sleep(SETTLE_S)
    await _judged(bench, begun["turn"], f"{row}: judged on the desk")
    await bench.finish(begun["turn"])


async def few_hand_in(bench: Bench, number: int) -> None:
    """A smaller hall in the same event: only so many phones hand in, then the close."""
    begun = await bench.begin()
    everybody, bench.crowd.phones = bench.crowd.phones, bench.crowd.phones[:number]
    ids = await bench.crowd.hand_in(begun["turn"], begun["written"], bench.rng, 1.0)
    await bench.crowd.acknowledged(ids, 60)
    bench.crowd.phones = everybody
    await asyncio.sleep(SETTLE_S)
    await _judged(bench, begun["turn"], f"{number} slips: judged on the desk")
    await bench.finish(begun["turn"])


async def closing(bench: Bench, per_second: int = 1000) -> None:
    """The clock runs out while slips come in."""
    seconds, grace_s = 6, 1.0
    began = time.perf_counter()
    begun = await bench.do("begin", seconds=seconds)
    drawn_s = time.perf_counter() - began
    window = bench.phones / per_second
    await bench.crowd.saw_phase(begun["turn"], "running", 20)
    await asyncio.sleep(max(0.0, seconds + grace_s + 1 - window - drawn_s))
    ids = await bench.crowd.hand_in(begun["turn"], begun["written"], bench.rng, window)
    await bench.crowd.saw_phase(begun["turn"], "closed", 30)
    await asyncio.sleep(SETTLE_S)
    kept = await bench.do("kept", turn=begun["turn"])
    answered = sum(slip_id in bench.crowd.notes.acks_ms for slip_id in ids)
    bench.note("closing under slips", late_ms=round(kept["closed_late_ms"], 1), per_second=per_second, acked=answered)
    await bench.finish(begun["turn"])


async def printing(bench: Bench) -> None:
    """Messages while the standings of everybody are printed: the answers to pings of phones, desk and wall."""
    begun = await bench.begin()
    watching = {name: await bench.onlooker(name) for name in ("desk", "wall")}
    trips = {"phones": bench.crowd.notes.trips_ms, **{name: each.trips_ms for name, each in watching.items()}}
    await _ping_for(bench, watching.values(), seconds=4.0)
    quiet = {name: _spread(times) for name, times in trips.items()}
    for times in trips.values():
        times.clear()
    began = time.perf_counter()
    document = (await bench.do("print"))["document"]
    while (await bench.do("printed", document=document))["state"] not in ("done", "failed", "gone"):
        await _ping_for(bench, watching.values(), seconds=0.5)
    took = round(time.perf_counter() - began, 1)
    for name, times in trips.items():
        row = f"{name} during a long sheet"
        bench.note(row, ms=_spread(times), without_ms=quiet[name], sheet_s=took, lines=bench.phones)
    for each in watching.values():
        each.hang_up()
    await bench.do("end")
    await bench.crowd.saw_phase(begun["turn"], "closed", 20)


async def _ping_for(bench: Bench, watching: Collection[Onlooker], seconds: float) -> None:
    """Of every phone two pings a second at the most, spread over the time; of desk and wall six."""
    until, number = time.perf_counter() + seconds, 0
    while time.perf_counter() < until:
        bench.crowd.phones[number % len(bench.crowd.phones)].ping()
        if number % WATCHED_EVERY == 0:
            for each in watching:
                each.ping()
        number += 1
        await asyncio.sleep(1 / PINGING)


async def _judged(bench: Bench, turn: int, row: str) -> None:
    before, began = await bench.status(), time.perf_counter()
    await bench.do("end")
    desk = await bench.do("desk")
    took = time.perf_counter() - began
    cpu_s = _cpu(before, await bench.status())
    await bench.crowd.saw_phase(turn, "closed", 20)
    bench.note(row, seconds=round(took, 2), judged=desk["judged"], cpu_s=cpu_s)
    await asyncio.sleep(SETTLE_S + bench.phones * 0.000_6)


def _cpu(before: dict[str, Any], after: dict[str, Any]) -> float:
    spent: float = round(after["cpu_s"] - before["cpu_s"], 3)
    return spent


def _spread(values: list[float]) -> dict[str, float | None]:
    from referee.rehearsal.playing import spread

    return spread(values)


async def _few(bench: Bench) -> None:
    await connected(bench)
    await broadcasts(bench)
    await slips(bench, 1.0, 1, "slips in 1 s")


async def _many(bench: Bench) -> None:
    await connected(bench)
    await broadcasts(bench)
    await slips(bench, 1.0, 1, "slips in 1 s")
    await slips(bench, 10.0, 2, "two slips each in 20 s")
    await few_hand_in(bench, min(1500, bench.phones))
    await closing(bench)
    await printing(bench)


def main() -> None:
    """Measure and print."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    django.setup()
    from referee.serving.server import allow_many_sockets

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--phones", type=int, default=5000)
    arguments.add_argument("--few", type=int, default=400)
    wanted = arguments.parse_args()
    allow_many_sockets()
    figures = {str(number): _measure(number, work) for number, work in ((wanted.few, _few), (wanted.phones, _many))}
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def _measure(phones: int, work: Any) -> dict[str, Any]:
    from django.conf import settings

    from referee.rehearsal.loop import run
    from referee.rehearsal.own_server import OwnServer
    from referee.rehearsal.remote import Remote

    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    apart = len(cores) > 1
    with tempfile.TemporaryDirectory(prefix="rehearsal-", dir=settings.DATA_DIR) as folder:
        server = OwnServer(Path(folder), cores[0] if apart else None)
        if apart:
            os.sched_setaffinity(0, set(cores[1:]))
        try:
            bench = Bench(Remote(server.url), server, phones)
            run(work(bench))
            return bench.figures
        finally:
            server.stop()
            if apart:
                os.sched_setaffinity(0, set(cores))


if __name__ == "__main__":
    main()
