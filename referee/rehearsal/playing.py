"""A rehearsal as it goes: phones come, turns are played, and what was stored is held against what was sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any

from django.utils.translation import gettext as _

from referee.rehearsal.crowd import Crowd
from referee.rehearsal.remote import CannotRehearse, Remote

CONNECT_S = 60.0
WINDOW_S = 1.0
ACK_S = 60.0
SHOW_S = 20.0
TURN_S = 600
EVERY_NTH_TWICE = 20
EVERY_NTH_LOSES_ITS_LINE = 25
Tell = Callable[[str], None]


@dataclass(slots=True)
class Result:
    """What came of it. `cpu_s` of the server for all slips, `joined_s` until the last phone was greeted."""

    phones: int
    joined: int = 0
    joined_s: float = 0.0
    slips_sent: int = 0
    slips_acked: int = 0
    lost: int = 0
    duplicated: int = 0
    broadcast_ms: list[float] = field(default_factory=list)
    ack_ms: list[float] = field(default_factory=list)
    cpu_s: float = 0.0
    server_rss_mb: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The fields that design and scripts know."""
        return {
            "phones": self.phones,
            "slips_sent": self.slips_sent,
            "slips_acked": self.slips_acked,
            "lost": self.lost,
            "duplicated": self.duplicated,
            "broadcast_ms": spread(self.broadcast_ms),
            "ack_ms": spread(self.ack_ms),
            "server_rss_mb": self.server_rss_mb,
        }


def spread(values: Sequence[float]) -> dict[str, float | None]:
    """Median, 99th percentile and maximum; None without values."""
    ordered = sorted(values)

    def at(share: float) -> float | None:
        return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1) if ordered else None

    return {"p50": at(0.5), "p99": at(0.99), "max": at(1.0)}


async def rehearse(remote: Remote, phones: int, turns: int, tell: Tell) -> Result:
    """Play so many turns with so many phones. Raises CannotRehearse when it does not go on."""
    result, rng = Result(phones), SystemRandom()
    cookies = (await _do(remote, "seats", phones=phones))["cookies"]
    crowd = Crowd(remote.hall, cookies, await asyncio.to_thread(remote.clock_ahead_s))
    try:
        result.joined_s = await crowd.connect(CONNECT_S)
        result.joined = crowd.greeted
        tell(_("%(joined)d of %(phones)d phones are connected.") % {"joined": result.joined, "phones": phones})
        for number in range(1, turns + 1):
            await _play_turn(remote, crowd, result, rng)
            tell(_("Turn %(turn)d of %(turns)d is played.") % {"turn": number, "turns": turns})
    finally:
        crowd.hang_up()
    result.broadcast_ms = [each for shown in crowd.notes.shown.values() for each in shown]
    result.ack_ms = [each for each in crowd.notes.acks_ms.values() if each is not None]
    return result


async def _play_turn(remote: Remote, crowd: Crowd, result: Result, rng: Random) -> None:
    begun = await _do(remote, "begin", seconds=TURN_S)
    turn = begun["turn"]
    await _shown(crowd, turn, "running")
    before = await asyncio.to_thread(remote.status)
    written = begun["written"]
    ids = await crowd.hand_in(turn, written, rng, WINDOW_S, EVERY_NTH_TWICE, EVERY_NTH_LOSES_ITS_LINE)
    await crowd.acknowledged(ids, ACK_S)
    after = await asyncio.to_thread(remote.status)
    result.cpu_s += after["cpu_s"] - before["cpu_s"]
    result.server_rss_mb = after["rss_mb"]
    await _do(remote, "end")
    await _shown(crowd, turn, "closed")
    await _do(remote, "place")
    await _shown(crowd, turn, "placed")
    held_against(await _do(remote, "kept", turn=turn), ids, crowd.notes.acks_ms, result)


def held_against(kept: dict[str, Any], ids: Sequence[str], acked: Container[str], result: Result) -> None:
    """Every slip that was sent is stored once; `kept` is what the server has: ids, and how many players they are of."""
    stored = set(kept["ids"])
    result.slips_sent += len(ids)
    result.slips_acked += sum(slip_id in acked for slip_id in ids)
    result.lost += sum(slip_id not in stored for slip_id in ids)
    result.duplicated += len(kept["ids"]) - kept["players"]


async def _shown(crowd: Crowd, turn: int, phase: str) -> None:
    if not await crowd.saw_phase(turn, phase, SHOW_S):
        raise CannotRehearse(_("The phones were not shown what the desk did: the server is overloaded, or gone."))


async def _do(remote: Remote, step: str, **wanted: object) -> dict[str, Any]:
    return await asyncio.to_thread(lambda: remote.do(step, **wanted))
