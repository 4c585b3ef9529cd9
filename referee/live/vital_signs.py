"""What a hall knows of a room's phones and of itself: each process of its own, and what the others last told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from referee.live.hub import Hub, Socket, StageKey
from tournaments.now import timeline

WEAK_TRIP_MS = 1500.0
"""A ping that takes longer than the second of grace that a slip under way has: such a slip may come too late."""
BEHIND_S = 3.0
"""For so long a phone has not taken what is sent to it; after thirty seconds it is cut (referee/live/hub.py)."""
SILENT_S = 65.0
"""A phone says something every twenty seconds: three times it did not."""
TOLD_EVERY_S = 5.0
FORGOTTEN_S = 16.0
"""A process that has told nothing for three times as long is not there any more."""


@dataclass(frozen=True, slots=True)
class VitalSigns:
    """`weak` are the players whose phones are slow, behind or silent; `outage` the kind that stands, None for none;
    `clock_off_ms`: by how much the computer's clock was set and is not followed yet."""

    phones: int
    weak: tuple[int, ...]
    slips_per_second: float
    clock_off_ms: int
    outage: str | None


def signs_of(hub: Hub, stage: StageKey, slips_per_second: float, outage: str | None) -> VitalSigns:
    """Those of one room in one process. A few numbers of each phone are looked at, and nothing is asked of the
    database; in any thread."""
    phones, now = hub.looking_at(stage, "phone"), monotonic()
    return VitalSigns(
        phones=len({phone.player_id for phone in phones}),
        weak=tuple(sorted({phone.player_id for phone in phones if is_weak(phone, now)})),
        slips_per_second=slips_per_second,
        clock_off_ms=timeline.off_ms(),
        outage=outage,
    )


def together(all_signs: Iterable[VitalSigns]) -> VitalSigns:
    """Those of a room in several processes: phones and slips added up, of the rest the worst."""
    signs = list(all_signs)
    return VitalSigns(
        phones=sum(each.phones for each in signs),
        weak=tuple(sorted({player_id for each in signs for player_id in each.weak})),
        slips_per_second=sum(each.slips_per_second for each in signs),
        clock_off_ms=max((each.clock_off_ms for each in signs), key=abs, default=0),
        outage=next((each.outage for each in signs if each.outage), None),
    )


def is_weak(phone: Socket, now: float) -> bool:
    """Whether a slip from this phone may be slow; `now` as `time.monotonic` counts."""
    if phone.round_trip_ms is not None and phone.round_trip_ms > WEAK_TRIP_MS:
        return True
    return phone.mailbox.behind(now) > BEHIND_S or now - phone.heard_at > SILENT_S


class Neighbours:
    """What the other processes of a hall last told of themselves; times are those of this event loop."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[Mapping[str, Any], float]] = {}

    def hear(self, process: str, told: Mapping[str, Any], now: float) -> None:
        """Keep a report (`report_of`), and forget whoever is gone."""
        self._told = {name: kept for name, kept in self._told.items() if now - kept[1] < FORGOTTEN_S}
        self._told[process] = told, now

    def signs(self, stage: StageKey, now: float) -> list[VitalSigns]:
        """Those of a room in every other process, also where it has no phone."""
        present = [told for told, at in self._told.values() if now - at < FORGOTTEN_S]
        return [_read(told, stage) for told in present]


def report_of(signs: Mapping[StageKey, VitalSigns], slips_per_second: float, outage: str | None) -> dict[str, Any]:
    """What a process tells the others, as plain data."""
    rooms = [[*stage, each.phones, list(each.weak)] for stage, each in signs.items()]
    return {"rooms": rooms, "per_second": slips_per_second, "off_ms": timeline.off_ms(), "outage": outage}


def _read(told: Mapping[str, Any], stage: StageKey) -> VitalSigns:
    of_room = ((phones, weak) for event, room, phones, weak in told["rooms"] if (event, room) == stage)
    phones, weak = next(of_room, (0, ()))
    return VitalSigns(phones, tuple(weak), told["per_second"], told["off_ms"], told["outage"])
