"""Many rooms at once: each has a clock of its own, follows the first one by itself and hands in as its time runs out.

    python -m referee.rehearsal.rooms [--rooms 60] [--players 100] [--turns 2] [--seconds 40] [--offset 20]

A server of its own with data of its own is started, as many phones as players are connected, and one JSON object is
printed. With --servers, --database and --redis several server processes share a PostgreSQL (a throw-away database is
made in it) and a Redis. Each turn takes --seconds, the last room is --offset seconds behind the first.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

CONNECT_S = 120.0
PATIENCE_S = 90.0
LEAST_SHOWN_S = 10.0
LOOK_S = 0.05


class Evening:
    """The rooms of a rehearsal, their phones, and what was measured so far."""

    def __init__(self, remotes: Sequence[Any], window_s: float) -> None:
        self.remotes, self.remote = remotes, remotes[0]
        self.window_s = window_s
        self.crowds: list[Any] = []
        self.shown_at: dict[int, float] = {}
        self.rng = Random(1)  # noqa: S311  when who sends what

    async def do(self, step: str, **wanted: object) -> dict[str, Any]:
        """One step of the rehearsal."""
        answer: dict[str, Any] = await asyncio.to_thread(lambda: self.remote.do(step, **wanted))
        return answer

    async def load(self) -> dict[str, float]:
        """Processor time and memory of all servers."""
        all_of_them = [await asyncio.to_thread(remote.status) for remote in self.remotes]
        return {name: round(sum(each[name] or 0.0 for each in all_of_them), 2) for name in ("cpu_s", "rss_mb")}

    async def come(self, rooms: int, players: int, seconds: int, offset_s: int) -> dict[str, Any]:
        """Open the rooms and connect all phones, those of one server after the other's."""
        from referee.rehearsal.rooms_watch import RoomCrowd

        began = time.perf_counter()
        opened = await self.do("open_rooms", rooms=rooms, players=players, seconds=seconds, longest_offset_s=offset_s)
        opened_s, before = time.perf_counter() - began, await self.load()
        ahead_s = await asyncio.to_thread(self.remote.clock_ahead_s)
        halls = [remote.hall for remote in self.remotes]
        self.crowds = [RoomCrowd(halls[at % len(halls)], room, ahead_s) for at, room in enumerate(opened["rooms"])]
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

    async def turn(self) -> dict[str, Any]:
        """Play a turn in all rooms; what came of it."""
        before = await self.load()
        begun = await self.do("begin_in_first")
        number, began = begun["turn"], time.perf_counter()
        played = await asyncio.gather(*(self._room(crowd, number, begun["written"]) for crowd in self.crowds))
        took, after = time.perf_counter() - began, await self.load()
        facts, kept = await self.do("times_of_rooms", turn=number), await self.do("kept", turn=number)
        found = turn_of(self.crowds, number, facts, self.shown_at)
        self.shown_at = {room["number"]: room["shown_at"] for room in facts["rooms"]}
        return {
            "turn": number,
            "took_s": round(took, 1),
            "cpu_s": round(after["cpu_s"] - before["cpu_s"], 2),
            "rss_mb": after["rss_mb"],
            "verdicts": kept["verdicts"],
            **counted(self.crowds, played, kept),
            **found,
        }

    async def _room(self, crowd: Any, turn: int, written: Sequence[Sequence[object]]) -> list[str]:
        """A room's turn: its phones hand in while its last seconds run; the first room then places the move."""
        await _until(lambda: turn in crowd.watch.deadlines, f"room {crowd.number} is shown turn {turn}")
        left = crowd.watch.deadlines[turn] - self.window_s - (time.perf_counter() + crowd.lag)
        await asyncio.sleep(max(0.0, left))
        ids: list[str] = await crowd.hand_in(turn, written, self.rng, self.window_s)
        await crowd.acknowledged(ids, PATIENCE_S)
        phones = len(crowd.phones)
        if crowd.number == 1:
            await _until(lambda: crowd.watch.times[("over", turn)], "the first room closes")
            await self.do("place")
        reached = crowd.watch.times
        await _until(lambda: len(reached[("verdict", turn)]) >= phones, f"room {crowd.number} is shown the move")
        return ids


def counted(crowds: Sequence[Any], played: Sequence[Sequence[str]], kept: dict[str, Any]) -> dict[str, Any]:
    """Slips sent, acknowledged, lost and stored twice, and how long acknowledgements took: all, and the worst room."""
    from referee.rehearsal.playing import Result, held_against, spread

    acked = {slip_id: ms for crowd in crowds for slip_id, ms in crowd.notes.acks_ms.items()}
    result = Result(sum(len(crowd.phones) for crowd in crowds))
    held_against(kept, [slip_id for ids in played for slip_id in ids], acked, result)
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


def turn_of(crowds: Sequence[Any], turn: int, facts: dict[str, Any], shown_before: dict[int, float]) -> dict[str, Any]:
    """What the clocks of a turn say and what the phones saw of it (ms); `early_*` must be 0.

    `stored` is what the room's clock holds, `first phone` and `last phone` when it was known there. A room's
    announcement is due its offset after the first one's, ten seconds after it was shown the move before at the
    earliest.
    """
    from referee.rehearsal.playing import spread

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
        racks, moves = early_looks(crowd.watch, turn, room, facts)
        early_racks, early_moves = early_racks + racks, early_moves + moves
    figures = {name: spread(values) for name, values in measured.items()}
    return {"early_racks": early_racks, "early_moves": early_moves, "by_room_ms": figures}


def early_looks(watch: Any, turn: int, room: dict[str, Any], facts: dict[str, Any]) -> tuple[int, int]:
    """How often a rack was seen before the room's announcement, and a move, its points, a verdict before its close."""
    racks = watch.early(("rack", turn), room["started_at"]) + watch.early(("running", turn), room["started_at"])
    racks += watch.spelled_before(json.dumps(facts["rack"], ensure_ascii=False), room["started_at"])
    moves = sum(watch.early((what, turn), room["closed_at"]) for what in ("move", "verdict", "placed"))
    if facts["word"]:
        moves += watch.spelled_before(json.dumps(facts["word"], ensure_ascii=False), room["closed_at"])
    return racks, moves


async def play(remotes: Sequence[Any], wanted: argparse.Namespace) -> dict[str, Any]:
    """All turns; the figures of the evening."""
    evening = Evening(remotes, wanted.window)
    figures: dict[str, Any] = {name: getattr(wanted, name) for name in ("rooms", "players", "seconds", "offset")}
    figures["servers"] = len(remotes)
    figures["coming"] = await evening.come(wanted.rooms, wanted.players, wanted.seconds, wanted.offset)
    say(figures["coming"])
    figures["turns"] = []
    for number in range(wanted.turns):
        if number:
            await asyncio.sleep(LEAST_SHOWN_S)
        figures["turns"].append(await evening.turn())
        say(figures["turns"][-1])
    for crowd in evening.crowds:
        crowd.hang_up()
    figures["phones_cpu_s"] = round(time.process_time(), 1)
    return figures


def say(figures: dict[str, Any]) -> None:
    """A line for whoever waits."""
    sys.stderr.write(json.dumps(figures) + "\n")
    sys.stderr.flush()


async def _until(is_so: Callable[[], object], what: str) -> None:
    from referee.rehearsal.remote import CannotRehearse

    until = time.perf_counter() + PATIENCE_S
    while not is_so():
        if time.perf_counter() > until:
            raise CannotRehearse(f"Waited in vain until {what}.")
        await asyncio.sleep(LOOK_S)


def arguments() -> argparse.ArgumentParser:
    """What may be asked for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rooms", type=int, default=60)
    asked.add_argument("--players", type=int, default=100, help="in each room")
    asked.add_argument("--turns", type=int, default=2)
    asked.add_argument("--seconds", type=int, default=40, help="of a turn")
    asked.add_argument("--offset", type=int, default=20, help="seconds of the last room behind the first")
    asked.add_argument("--window", type=float, default=3.0, help="the last seconds in which all hand in")
    asked.add_argument("--servers", type=int, default=1)
    asked.add_argument("--database", default="", help="a PostgreSQL whose user may create databases")
    asked.add_argument("--redis", default="", help="a Redis, with a number of its own")
    return asked


def main(given: Sequence[str] | None = None) -> None:
    """Start, play, print."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    django.setup()
    from django.conf import settings

    from referee.rehearsal.loop import run
    from referee.rehearsal.remote import Remote
    from referee.rehearsal.rooms_servers import serving
    from referee.serving.server import allow_many_sockets

    wanted = arguments().parse_args(given)
    allow_many_sockets()
    with (
        tempfile.TemporaryDirectory(prefix="rehearsal-", dir=settings.DATA_DIR) as folder,
        serving(Path(folder), wanted.servers, wanted.database, wanted.redis) as urls,
    ):
        figures = run(play([Remote(url) for url in urls], wanted))
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
