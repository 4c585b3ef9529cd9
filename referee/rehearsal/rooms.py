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
from dataclasses import dataclass
from random import Random
from typing import Any

from referee.rehearsal.loop import run
from referee.rehearsal.own_server import temporary_data_folder
from referee.rehearsal.playing import Result, compare_stored_slips, spread
from referee.rehearsal.remote import RehearsalError, Remote
from referee.rehearsal.rooms_servers import run_servers
from referee.rehearsal.rooms_watch import RoomCrowd

CONNECT_S = 120.0
TIMEOUT_S = 90.0
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


class RoomsRehearsal:
    """Rooms of a load test, their phones, and the measurements so far."""

    def __init__(self, remotes: Sequence[Remote], window_s: float) -> None:
        self.remotes, self.remote = remotes, remotes[0]
        self.window_s = window_s
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
        """Play a turn in all rooms; return its measurements."""
        before = await self.load()
        begun = await self.remote.execute("begin_in_first")
        number, began = begun["turn"], time.perf_counter()
        played = await asyncio.gather(*(self._room(crowd, number, begun["written"]) for crowd in self.crowds))
        took, after = time.perf_counter() - began, await self.load()
        facts, stored = (
            await self.remote.execute("times_of_rooms", turn=number),
            await self.remote.execute("kept", turn=number),
        )
        found = measure_turn(self.crowds, number, facts, self.shown_at)
        self.shown_at = {room["number"]: room["shown_at"] for room in facts["rooms"]}
        return {
            "turn": number,
            "took_s": round(took, 1),
            "cpu_s": round(after["cpu_s"] - before["cpu_s"], 2),
            "rss_mb": after["rss_mb"],
            "verdicts": stored["verdicts"],
            **count_slips(self.crowds, played, stored),
            **found,
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
            await self.remote.execute("place")
        reached = crowd.watch.times
        await _until(lambda: len(reached[("verdict", turn)]) >= phones, f"room {crowd.number} is shown the move")
        return ids


def count_slips(crowds: Sequence[RoomCrowd], played: Sequence[Sequence[str]], stored: dict[str, Any]) -> dict[str, Any]:
    """Return slips sent, acknowledged, lost and duplicated, and the acknowledgement times of all rooms and the worst
    one."""
    acked = {slip_id: ms for crowd in crowds for slip_id, ms in crowd.notes.acks_ms.items()}
    result = Result(sum(len(crowd.phones) for crowd in crowds))
    compare_stored_slips(stored, [slip_id for ids in played for slip_id in ids], acked, result)
    by_room = [[ms for slip_id in ids if (ms := acked.get(slip_id)) is not None] for ids in played]
    worst = max((spread(each) for each in by_room), key=lambda each: each["p99"] or 0.0)
    return {
        "slips": result.slips_sent,
        "acked": result.slips_acked,
        "lost": result.lost,
        "doubled": result.duplicated,
        "refused": sum(sum(crowd.notes.refused.values()) for crowd in crowds),
        "ack_ms": spread([ms for each in by_room for ms in each]),
        "ack_ms_worst_room": worst,
    }


def measure_turn(
    crowds: Sequence[RoomCrowd], turn: int, facts: dict[str, Any], shown_before: dict[int, float]
) -> dict[str, Any]:
    """Compare the clocks of a turn with the messages to the phones (ms). All `early_*` values must be 0.

    `stored` is the time of the room's clock, `first phone` and `last phone` when phones knew of it. A room's
    announcement is due its offset after the first room's, but at least ten seconds after the room was shown the
    previous move.
    """
    first = facts["rooms"][0]["started_at"]
    measured: dict[str, list[float]] = {}
    early_racks = early_moves = 0

    def note(name: str, seconds: float) -> None:
        measured.setdefault(name, []).append(seconds * 1000)

    for crowd, room in zip(crowds, facts["rooms"], strict=True):
        times = crowd.watch.times
        over = room["deadline"] + room["grace_s"]
        note("closing: stored", room["closed_at"] - over)
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


async def play_turns(remotes: Sequence[Remote], wanted: RoomsRequest) -> dict[str, Any]:
    """Play all turns; return the figures."""
    rehearsal = RoomsRehearsal(remotes, wanted.window)
    figures: dict[str, Any] = {name: getattr(wanted, name) for name in ("rooms", "players", "seconds", "offset")}
    figures["servers"] = len(remotes)
    figures["coming"] = await rehearsal.connect_all(wanted.rooms, wanted.players, wanted.seconds, wanted.offset)
    print_figures(figures["coming"])
    figures["turns"] = []
    for number in range(wanted.turns):
        if number:
            await asyncio.sleep(LEAST_SHOWN_S)
        figures["turns"].append(await rehearsal.play_turn())
        print_figures(figures["turns"][-1])
    for crowd in rehearsal.crowds:
        crowd.hang_up()
    figures["phones_cpu_s"] = round(time.process_time(), 1)
    return figures


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


def rehearse_rooms(wanted: RoomsRequest) -> dict[str, Any]:
    """Run the load test; return its figures. Progress is written to stderr."""
    with (
        temporary_data_folder() as folder,
        run_servers(folder, wanted.servers, wanted.database, wanted.redis) as urls,
    ):
        return run(play_turns([Remote(url) for url in urls], wanted))
