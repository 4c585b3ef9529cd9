"""Benchmark of one hall with the figures of docs/performance.md: `manage.py rehearse --benchmark`.

It takes three to five minutes. Server and phones use separate cores if the system supports it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Collection, Coroutine
from random import Random
from typing import Any

from referee.rehearsal.crowd import Crowd
from referee.rehearsal.join_by_page import join_all
from referee.rehearsal.loop import run
from referee.rehearsal.own_server import OwnServer, run_on_own_core, temporary_data_folder
from referee.rehearsal.playing import spread
from referee.rehearsal.remote import Remote
from referee.rehearsal.watching_sockets import WatchingPhone

TURN_S = 600
SETTLE_S = 2.0
NUDGES = 20
PAUSE_S = 0.5
PINGING = 200
WATCHED_EVERY = 32  # a socket may send ten messages a second


class Bench:
    """Server under test with its phones; `figures` are the rows so far."""

    def __init__(self, remote: Remote, server: OwnServer, phones: int) -> None:
        self.remote = remote
        self.server = server
        self.phones = phones
        self.figures: dict[str, Any] = {}
        self.crowd = Crowd(remote.server, ())
        self.rng = Random(1)  # noqa: S311  times of sending; shared by all rows, so that slip ids are unique

    def note(self, row: str, **figures: Any) -> None:
        """Store a row and print it."""
        self.figures[row] = figures
        sys.stderr.write(f"{self.phones:5} phones  {row:28} {json.dumps(figures)}\n")
        sys.stderr.flush()

    async def connect_socket(self, name: str) -> WatchingPhone:
        """Connect the desk or the wall display."""
        path, cookie = (self.server.desk, self.server.session) if name == "desk" else (self.server.wall, "")
        socket = WatchingPhone(self.remote.server, path, cookie)
        await socket.connect()
        return socket

    async def begin(self, seconds: int = TURN_S) -> dict[str, Any]:
        """Start a turn and wait until all phones were shown it."""
        begun = await self.remote.execute("begin", seconds=seconds)
        await self.crowd.wait_for_phase(begun["turn"], "running", 20)
        await asyncio.sleep(SETTLE_S)
        return begun

    async def finish(self, turn: int) -> None:
        """Place the move of the turn and wait for the results on all phones."""
        await self.remote.execute("place")
        await self.crowd.wait_for_phase(turn, "placed", 20)
        await asyncio.sleep(SETTLE_S + self.phones * 0.000_6)


async def measure_connecting(bench: Bench) -> None:
    """Measure joining by the page, connecting gradually and all at once, and the memory of connections."""
    tables = (await bench.remote.execute("expect", phones=bench.phones))["tables"]
    code, before = (await bench.remote.load())["rehearsal"], await bench.remote.load()
    cookies, seconds = await join_all(bench.remote.server, code, tables)
    cpu_s = _cpu(before, await bench.remote.load())
    bench.note("joined by the page", seconds=round(seconds, 1), phones=len(cookies), cpu_s=cpu_s)
    await bench.remote.execute("begin", seconds=1)
    await bench.remote.execute("end")
    await bench.remote.execute("place")
    before = await bench.remote.load()
    bench.crowd = Crowd(bench.remote.server, cookies, await asyncio.to_thread(bench.remote.clock_ahead_s))
    seconds = await bench.crowd.connect(120)
    after = await bench.remote.load()
    growth = None if before["rss_mb"] is None else round(after["rss_mb"] - before["rss_mb"])
    bench.note("connected", seconds=round(seconds, 2), growth_mb=growth, cpu_s=_cpu(before, after))
    bench.crowd.hang_up()
    await asyncio.sleep(SETTLE_S)
    before = await bench.remote.load()
    seconds = await bench.crowd.connect(120, at_once=bench.phones)
    after = await bench.remote.load()
    bench.note("reconnect storm", seconds=round(seconds, 2), rss_mb=after["rss_mb"], cpu_s=_cpu(before, after))
    await asyncio.sleep(SETTLE_S)


async def measure_broadcasts(bench: Bench) -> None:
    """Measure the time until the last phone has a new state, after the server's stamp and the judge's click."""
    begun = await bench.begin()
    shown = bench.crowd.notes.shown
    shown.clear()
    before, clicks = await bench.remote.load(), []
    for _number in range(NUDGES):
        clicked = time.perf_counter()
        await bench.remote.execute("nudge")
        await asyncio.sleep(PAUSE_S)
        clicks.append((bench.crowd.heard_at - clicked) * 1000)
    after = await bench.remote.load()
    last = [max(each) for each in shown.values() if len(each) == len(bench.crowd.phones)]
    per_broadcast = round(_cpu(before, after) / NUDGES * 1000, 1)
    bench.note("broadcast, last phone", ms=spread(last), from_click_ms=spread(clicks), cpu_ms=per_broadcast)
    await bench.remote.execute("end")
    await bench.crowd.wait_for_phase(begun["turn"], "closed", 20)
    await bench.finish(begun["turn"])


async def measure_slips(bench: Bench, window_s: float, rounds: int, row: str) -> None:
    """Measure rounds of slips of all phones within a window, then the close and the verdicts on the desk."""
    begun = await bench.begin()
    ids, before = [], await bench.remote.load()
    for _number in range(rounds):
        ids += await bench.crowd.hand_in(begun["turn"], begun["written"], bench.rng, window_s)
    acked = await bench.crowd.acknowledged(ids, 60)
    after = await bench.remote.load()
    times = [ms for slip_id in ids if (ms := bench.crowd.notes.acks_ms.get(slip_id)) is not None]
    cost = round(_cpu(before, after) / len(ids) * 1000, 3)
    bench.note(row, acked=acked, slips=len(ids), ms=spread(times), cpu_ms_a_slip=cost, **bench.crowd.notes.refused)
    await asyncio.sleep(SETTLE_S)
    await _judged(bench, begun["turn"], f"{row}: judged on the desk")
    await bench.finish(begun["turn"])


async def measure_few_slips(bench: Bench, number: int) -> None:
    """Measure the close with slips of only some phones."""
    begun = await bench.begin()
    everybody, bench.crowd.phones = bench.crowd.phones, bench.crowd.phones[:number]
    ids = await bench.crowd.hand_in(begun["turn"], begun["written"], bench.rng, 1.0)
    await bench.crowd.acknowledged(ids, 60)
    bench.crowd.phones = everybody
    await asyncio.sleep(SETTLE_S)
    await _judged(bench, begun["turn"], f"{number} slips: judged on the desk")
    await bench.finish(begun["turn"])


async def measure_closing(bench: Bench, per_second: int = 1000) -> None:
    """Measure the end of the clock while slips come in."""
    seconds, grace_s = 6, 1.0
    began = time.perf_counter()
    begun = await bench.remote.execute("begin", seconds=seconds)
    drawn_s = time.perf_counter() - began
    window = bench.phones / per_second
    await bench.crowd.wait_for_phase(begun["turn"], "running", 20)
    await asyncio.sleep(max(0.0, seconds + grace_s + 1 - window - drawn_s))
    ids = await bench.crowd.hand_in(begun["turn"], begun["written"], bench.rng, window)
    await bench.crowd.wait_for_phase(begun["turn"], "closed", 30)
    await asyncio.sleep(SETTLE_S)
    stored = await bench.remote.execute("kept", turn=begun["turn"])
    answered = sum(slip_id in bench.crowd.notes.acks_ms for slip_id in ids)
    bench.note("closing under slips", late_ms=round(stored["closed_late_ms"], 1), per_second=per_second, acked=answered)
    await bench.finish(begun["turn"])


async def measure_printing(bench: Bench) -> None:
    """Measure ping times of phones, desk and wall display while the standings are printed."""
    begun = await bench.begin()
    watching = {name: await bench.connect_socket(name) for name in ("desk", "wall")}
    trips = {"phones": bench.crowd.notes.trips_ms, **{name: each.trips_ms for name, each in watching.items()}}
    await _ping_for(bench, watching.values(), seconds=4.0)
    quiet = {name: spread(times) for name, times in trips.items()}
    for times in trips.values():
        times.clear()
    began = time.perf_counter()
    document = (await bench.remote.execute("print"))["document"]
    while (await bench.remote.execute("printed", document=document))["state"] not in ("done", "failed", "gone"):
        await _ping_for(bench, watching.values(), seconds=0.5)
    took = round(time.perf_counter() - began, 1)
    for name, times in trips.items():
        row = f"{name} during a long sheet"
        bench.note(row, ms=spread(times), without_ms=quiet[name], sheet_s=took, lines=bench.phones)
    for each in watching.values():
        each.hang_up()
    await bench.remote.execute("end")
    await bench.crowd.wait_for_phase(begun["turn"], "closed", 20)


async def _ping_for(bench: Bench, watching: Collection[WatchingPhone], seconds: float) -> None:
    """Send at most two pings a second from each phone, spread over the time, and six from desk and wall display."""
    until, number = time.perf_counter() + seconds, 0
    while time.perf_counter() < until:
        bench.crowd.phones[number % len(bench.crowd.phones)].ping()
        if number % WATCHED_EVERY == 0:
            for each in watching:
                each.ping()
        number += 1
        await asyncio.sleep(1 / PINGING)


async def _judged(bench: Bench, turn: int, row: str) -> None:
    before, began = await bench.remote.load(), time.perf_counter()
    await bench.remote.execute("end")
    desk = await bench.remote.execute("desk")
    took = time.perf_counter() - began
    cpu_s = _cpu(before, await bench.remote.load())
    await bench.crowd.wait_for_phase(turn, "closed", 20)
    bench.note(row, seconds=round(took, 2), judged=desk["judged"], cpu_s=cpu_s)
    await asyncio.sleep(SETTLE_S + bench.phones * 0.000_6)


def _cpu(before: dict[str, Any], after: dict[str, Any]) -> float:
    spent: float = round(after["cpu_s"] - before["cpu_s"], 3)
    return spent


async def _few(bench: Bench) -> None:
    await measure_connecting(bench)
    await measure_broadcasts(bench)
    await measure_slips(bench, 1.0, 1, "slips in 1 s")


async def _many(bench: Bench) -> None:
    await measure_connecting(bench)
    await measure_broadcasts(bench)
    await measure_slips(bench, 1.0, 1, "slips in 1 s")
    await measure_slips(bench, 10.0, 2, "two slips each in 20 s")
    await measure_few_slips(bench, min(1500, bench.phones))
    await measure_closing(bench)
    await measure_printing(bench)


def measure_hall(few: int, many: int) -> dict[str, Any]:
    """Measure a hall with few phones and one with many; return the figures by number of phones.

    A line for each row is written to stderr.
    """
    return {str(number): _measure(number, work) for number, work in ((few, _few), (many, _many))}


def _measure(phones: int, work: Callable[[Bench], Coroutine[Any, Any, None]]) -> dict[str, Any]:
    with temporary_data_folder() as folder, run_on_own_core(folder) as server:
        bench = Bench(Remote(server.url), server, phones)
        run(work(bench))
        return bench.figures
