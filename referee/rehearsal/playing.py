"""Course of a rehearsal: connect phones, play turns, compare the stored slips with those sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any

from django.utils.translation import gettext as _

from referee.rehearsal.api_readers import ApiMeasurements, ApiReaders
from referee.rehearsal.crowd import Crowd
from referee.rehearsal.remote import RehearsalError, Remote

CONNECT_S = 60.0
WINDOW_S = 1.0
ACK_S = 60.0
SHOW_S = 20.0
TURN_S = 600
EVERY_NTH_TWICE = 20
EVERY_NTH_LOSES_ITS_LINE = 25
Report = Callable[[str], None]


@dataclass(slots=True)
class Result:
    """Measurements of a rehearsal.

    `cpu_s` is the server's processor time for all slips, `joined_s` the time until the last phone was greeted.
    """

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
    api: ApiMeasurements | None = None

    def as_json(self) -> dict[str, Any]:
        """Documented fields that scripts read."""
        figures: dict[str, Any] = {
            "phones": self.phones,
            "slips_sent": self.slips_sent,
            "slips_acked": self.slips_acked,
            "lost": self.lost,
            "duplicated": self.duplicated,
            "broadcast_ms": spread(self.broadcast_ms),
            "ack_ms": spread(self.ack_ms),
            "server_rss_mb": self.server_rss_mb,
        }
        if self.api is not None:
            figures["api"] = {"answered": self.api.answered, "failed": self.api.failed, "ms": spread(self.api.ms)}
        return figures


def spread(values: Sequence[float]) -> dict[str, float | None]:
    """Return median, 99th percentile and maximum; None without values."""
    ordered = sorted(values)

    def at(share: float) -> float | None:
        return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 1) if ordered else None

    return {"p50": at(0.5), "p99": at(0.99), "max": at(1.0)}


async def rehearse(
    remote: Remote, phones: int, turns: int, report: Report, readers: ApiReaders | None = None
) -> Result:
    """Play turns with simulated phones, while `readers` read the API. Raises RehearsalError if it cannot go on."""
    result, rng = Result(phones), SystemRandom()
    cookies = (await remote.execute("seats", phones=phones))["cookies"]
    crowd = Crowd(remote.server, cookies, await asyncio.to_thread(remote.clock_ahead_s))
    try:
        result.joined_s = await crowd.connect(CONNECT_S)
        result.joined = crowd.greeted
        report(_("%(joined)d of %(phones)d phones are connected.") % {"joined": result.joined, "phones": phones})
        async with readers.reading() if readers is not None else nullcontext():
            for number in range(1, turns + 1):
                await _play_turn(remote, crowd, result, rng)
                report(_("Turn %(turn)d of %(turns)d is played.") % {"turn": number, "turns": turns})
    finally:
        crowd.hang_up()
    result.api = readers.notes if readers is not None else None
    result.broadcast_ms = [each for shown in crowd.notes.shown.values() for each in shown]
    result.ack_ms = [each for each in crowd.notes.acks_ms.values() if each is not None]
    return result


async def _play_turn(remote: Remote, crowd: Crowd, result: Result, rng: Random) -> None:
    begun = await remote.execute("begin", seconds=TURN_S)
    turn = begun["turn"]
    await _shown(crowd, turn, "running")
    before = await remote.load()
    written = begun["written"]
    ids = await crowd.hand_in(turn, written, rng, WINDOW_S, EVERY_NTH_TWICE, EVERY_NTH_LOSES_ITS_LINE)
    await crowd.acknowledged(ids, ACK_S)
    after = await remote.load()
    result.cpu_s += after["cpu_s"] - before["cpu_s"]
    result.server_rss_mb = after["rss_mb"]
    await remote.execute("end")
    await _shown(crowd, turn, "closed")
    await remote.execute("place")
    await _shown(crowd, turn, "placed")
    compare_stored_slips(await remote.execute("kept", turn=turn), ids, crowd.notes.acks_ms, result)


def compare_stored_slips(stored: dict[str, Any], ids: Sequence[str], acked: Container[str], result: Result) -> None:
    """Count lost and duplicated slips.

    `stored` holds the ids that the server has stored, and the number of players they belong to.
    """
    stored_ids = set(stored["ids"])
    result.slips_sent += len(ids)
    result.slips_acked += sum(slip_id in acked for slip_id in ids)
    result.lost += sum(slip_id not in stored_ids for slip_id in ids)
    result.duplicated += len(stored["ids"]) - stored["players"]


async def _shown(crowd: Crowd, turn: int, phase: str) -> None:
    if not await crowd.wait_for_phase(turn, phase, SHOW_S):
        raise RehearsalError(
            _("The phones did not receive what the desk did: the server is overloaded or does not answer.")
        )
