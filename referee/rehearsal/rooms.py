"""Load test of many rooms, each of which follows the first one with its own clock.

    manage.py rehearse --rooms 60 [--players 100] [--turns 2] [--seconds 40] [--offset 20]

It starts a server with data of its own and connects a phone for each player. With --servers, --database and --redis
several server processes share a PostgreSQL (a temporary database is created in it) and a Redis. Each turn takes
--seconds; the last room is --offset seconds behind the first. Phones hand in as the time of their room runs out.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from referee.rehearsal.loop import run
from referee.rehearsal.own_server import temporary_data_folder
from referee.rehearsal.playing import spread
from referee.rehearsal.remote import RehearsalError, Remote
from referee.rehearsal.rooms_servers import run_servers
from referee.rehearsal.rooms_watch import RoomCrowd
from referee.rehearsal.visible_closes import VisibleCloses

CONNECT_S = 120.0
TIMEOUT_S = 300.0
LEAST_SHOWN_S = 10.0
LOOK_S = 0.05


@dataclass(frozen=True)
class RoomsRequest:
    """Size of a load test: `players` in each room, `seconds` of a turn, `offset` of the last room behind the first (s),
    `window` = last seconds of a turn in which all hand in.

    Several `servers` need `database` (a PostgreSQL whose user may create databases) and `redis`.
    """

    rooms: int
    players: int = 100
    turns: int = 2
    seconds: int = 40
    offset: int = 20
    window: float = 3.0
    servers: int = 1
    database: str = ""
    redis: str = ""


@dataclass(slots=True)
class RoomsResult:
    """Result of all turns: times in ms, and the numbers of faults, which all must be 0.

    `close_stored` and `last_phone` run from the end of a room's deadline and grace: until the close was stored and
    visible to other connections, and until the room's last phone had received it. `early` counts racks, moves and
    verdicts that a phone received before its room may know them. `details` has the figures of each turn.
    """

    close_stored: list[float] = field(default_factory=list)
    last_phone: list[float] = field(default_factory=list)
    ack: list[float] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    early: int = 0
    details: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Documented fields that scripts read."""
        return {
            "close_stored_ms": _select(self.close_stored, "p50", "max"),
            "last_phone_ms": _select(self.last_phone, "p50", "max"),
            "ack_ms": _select(self.ack, "p50", "p99"),
            "lost": self.lost,
            "doubled": self.doubled,
            "early": self.early,
        }

    @property
    def is_sound(self) -> bool:
        """True if no slip was lost or stored twice, and nothing was received too early."""
        return not (self.lost or self.doubled or self.early)


class RoomsRehearsal:
    """Rooms of a load test, their phones, and the measurements so far."""

    def __init__(self, remotes: Sequence[Remote], window_s: float, closes: VisibleCloses) -> None:
        self.remotes, self.remote = remotes, remotes[0]
        self.window_s = window_s
        self.closes = closes
        self.result = RoomsResult()
        self.crowds: list[RoomCrowd] = []
        self.shown_at: dict[int, float] = {}
        self.rng = Random(1)  # noqa: S311  times of sending

    async def load(self) -> dict[str, float]:
        """Return processor time and memory of all servers."""
        all_of_them = [await remote.load() for remote in self.remotes]
        return {name: round(sum(each[name] or 0.0 for each in all_of_them), 2) for name in ("cpu_s", "rss_mb")}

    async def connect_all(self, rooms: int, players: int, seconds: int, offset_s: int) -> dict[str, Any]:
        """Open the rooms and connect all phones, one server after the other."""
        began = time.perf_counter()
        opened = await self.remote.execute(
            "open_rooms", rooms=rooms, players=players, seconds=seconds, longest_offset_s=offset_s
        )
        opened_s, before = time.perf_counter() - began, await self.load()
        ahead_s = await asyncio.to_thread(self.remote.clock_ahead_s)
        servers = [remote.server for remote in self.remotes]
        self.crowds = [RoomCrowd(servers[at % len(servers)], room, ahead_s) for at, room in enumerate(opened["rooms"])]
        began = time.perf_counter()
        for crowd in self.crowds:
            await crowd.connect(CONNECT_S)
        after = await self.load()
        return {
            "rooms_opened_s": round(opened_s, 2),
            "connected": sum(crowd.greeted for crowd in self.crowds),
            "connected_s": round(time.perf_counter() - began, 1),
            "growth_mb": round(after["rss_mb"] - before["rss_mb"], 1),
            "cpu_s": round(after["cpu_s"] - before["cpu_s"], 2),
        }

    async def play_turn(self) -> dict[str, Any]:
        """Play a turn in all rooms; return its figures and add them to the result."""
        before = await self.load()
        begun = await self.remote.execute("begin_in_first")
        number, began = begun["turn"], time.perf_counter()
        played = await asyncio.gather(*(self._room(crowd, number, begun["written"]) for crowd in self.crowds))
        took, after = time.perf_counter() - began, await self.load()
        facts, stored = (
            await self.remote.execute("times_of_rooms", turn=number),
            await self.remote.execute("kept", turn=number),
        )
        for room in facts["rooms"]:
            room["visible_at"] = self.closes.times.get((room["number"], number), room["closed_at"])
        slips = count_slips(self.crowds, played, stored, self.result)
        times = measure_turn(self.crowds, number, facts, self.shown_at, self.result)
        self.shown_at = {room["number"]: room["shown_at"] for room in facts["rooms"]}
        return {
            "turn": number,
            "took_s": round(took, 1),
            "cpu_s": round(after["cpu_s"] - before["cpu_s"], 2),
            "rss_mb": after["rss_mb"],
            "verdicts": stored["verdicts"],
            **slips,
            **times,
        }

    async def _room(self, crowd: RoomCrowd, turn: int, written: Sequence[Sequence[object]]) -> list[str]:
        """Play a turn in one room: its phones hand in during its last seconds; the first room then places the move."""
        await _until(lambda: turn in crowd.watch.deadlines, f"room {crowd.number} is shown turn {turn}")
        left = crowd.watch.deadlines[turn] - self.window_s - (time.perf_counter() + crowd.lag)
        await asyncio.sleep(max(0.0, left))
        ids: list[str] = await crowd.hand_in(turn, written, self.rng, self.window_s)
        await crowd.acknowledged(ids, TIMEOUT_S)
        phones = len(crowd.phones)
        if crowd.number == 1:
            await _until(lambda: crowd.watch.times[("over", turn)], "the first room closes")
            await self._place()
        reached = crowd.watch.times
        await _until(lambda: len(reached[("verdict", turn)]) >= phones, f"room {crowd.number} is shown the move")
        return ids

    async def _place(self) -> None:
        """Place the move of the first room. It is refused while the close, which phones know of, is not stored."""
        until = time.perf_counter() + TIMEOUT_S
        while True:
            try:
                await self.remote.execute("place")
                return
            except RehearsalError:
                if time.perf_counter() > until:
                    raise
            await asyncio.sleep(LOOK_S)


def count_slips(
    crowds: Sequence[RoomCrowd], played: Sequence[Sequence[str]], stored: dict[str, Any], result: RoomsResult
) -> dict[str, Any]:
    """Return the numbers of slips, and the acknowledgement times of all rooms and the worst one; add to the result."""
    acked = {slip_id: ms for crowd in crowds for slip_id, ms in crowd.notes.acks_ms.items()}
    sent = [slip_id for ids in played for slip_id in ids]
    by_room = [[ms for slip_id in ids if (ms := acked.get(slip_id)) is not None] for ids in played]
    lost, doubled = len((set(sent) & acked.keys()) - set(stored["ids"])), len(stored["ids"]) - stored["players"]
    result.ack += [ms for each in by_room for ms in each]
    result.lost += lost
    result.doubled += doubled
    return {
        "slips": len(sent),
        "acked": len(set(sent) & acked.keys()),
        "lost": lost,
        "doubled": doubled,
        "refused": sum(sum(crowd.notes.refused.values()) for crowd in crowds),
        "ack_ms": spread([ms for each in by_room for ms in each]),
        "ack_ms_worst_room": max((spread(each) for each in by_room), key=lambda each: each["p99"] or 0.0),
    }


def measure_turn(
    crowds: Sequence[RoomCrowd],
    turn: int,
    facts: dict[str, Any],
    shown_before: dict[int, float],
    result: RoomsResult,
) -> dict[str, Any]:
    """Compare the clocks of a turn with the messages to the phones (ms); add to the result.

    `stored` is the time of the room's clock, for a close the time at which other connections could read it if that is
    later; `first phone` and `last phone` are when phones knew of it. A room's announcement is due its offset after the
    first room's, but at least ten seconds after the room was shown the previous move.
    """
    first = facts["rooms"][0]["started_at"]
    measured: dict[str, list[float]] = {}
    early_racks = early_moves = 0

    def note(name: str, seconds: float) -> None:
        measured.setdefault(name, []).append(seconds * 1000)

    for crowd, room in zip(crowds, facts["rooms"], strict=True):
        times = crowd.watch.times
        over = room["deadline"] + room["grace_s"]
        note("closing: stored", max(room["closed_at"], room["visible_at"]) - over)
        note("closing: first phone", min(times[("over", turn)]) - over)
        note("closing: last phone", max(times[("over", turn)]) - over)
        note("close to placed: last phone", max(times[("placed", turn)]) - room["closed_at"])
        note("close to own verdict: last phone", max(times[("verdict", turn)]) - room["closed_at"])
        if room["number"] > 1:
            due = max(first + crowd.offset_s, shown_before.get(room["number"], 0.0) + LEAST_SHOWN_S)
            note("announcement: stored", room["started_at"] - due)
            note("announcement: last phone", max(times[("running", turn)]) - due)
            note("close to shown: stored", room["shown_at"] - max(room["closed_at"], facts["rooms"][0]["shown_at"]))
        racks, moves = count_early_sightings(crowd.watch, turn, room, facts)
        early_racks, early_moves = early_racks + racks, early_moves + moves
    result.close_stored += measured["closing: stored"]
    result.last_phone += measured["closing: last phone"]
    result.early += early_racks + early_moves
    figures = {name: spread(values) for name, values in measured.items()}
    return {"early_racks": early_racks, "early_moves": early_moves, "by_room_ms": figures}


def count_early_sightings(watch: Any, turn: int, room: dict[str, Any], facts: dict[str, Any]) -> tuple[int, int]:
    """Count racks seen before the room's announcement, and moves, points and verdicts before its close."""
    racks = watch.early(("rack", turn), room["started_at"]) + watch.early(("running", turn), room["started_at"])
    racks += watch.count_texts_before(json.dumps(facts["rack"], ensure_ascii=False), room["started_at"])
    moves = sum(watch.early((what, turn), room["closed_at"]) for what in ("move", "verdict", "placed"))
    if facts["word"]:
        moves += watch.count_texts_before(json.dumps(facts["word"], ensure_ascii=False), room["closed_at"])
    return racks, moves


async def play_turns(rehearsal: RoomsRehearsal, wanted: RoomsRequest) -> RoomsResult:
    """Play all turns; return the result."""
    details = rehearsal.result.details
    details |= {name: getattr(wanted, name) for name in ("rooms", "players", "seconds", "offset", "servers")}
    details["coming"] = await rehearsal.connect_all(wanted.rooms, wanted.players, wanted.seconds, wanted.offset)
    print_figures(details["coming"])
    details["turns"] = []
    for number in range(wanted.turns):
        if number:
            await asyncio.sleep(LEAST_SHOWN_S)
        details["turns"].append(await rehearsal.play_turn())
        print_figures(details["turns"][-1])
    for crowd in rehearsal.crowds:
        crowd.hang_up()
    details["phones_cpu_s"] = round(time.process_time(), 1)
    return rehearsal.result


def print_figures(figures: dict[str, Any]) -> None:
    """Write figures to stderr, as progress."""
    sys.stderr.write(json.dumps(figures) + "\n")
    sys.stderr.flush()


async def _until(is_so: Callable[[], object], what: str) -> None:
    until = time.perf_counter() + TIMEOUT_S
    while not is_so():
        if time.perf_counter() > until:
            raise RehearsalError(f"Waited in vain until {what}.")
        await asyncio.sleep(LOOK_S)


def rehearse_rooms(wanted: RoomsRequest) -> RoomsResult:
    """Run the load test; return its result. Progress is written to stderr."""
    with (
        temporary_data_folder() as folder,
        run_servers(folder, wanted.servers, wanted.database, wanted.redis) as servers,
        VisibleCloses().watching(servers.database) as closes,
    ):
        return run(play_turns(RoomsRehearsal([Remote(url) for url in servers.urls], wanted.window, closes), wanted))


def _select(values: Sequence[float], *names: str) -> dict[str, float | None]:
    figures = spread(values)
    return {name: figures[name] for name in names}
