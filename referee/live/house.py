"""Everything live in this process: the hub and what feeds it. One for each event loop, made at its first use."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta

from django.db import InterfaceError, OperationalError
from django.utils import translation

from referee.live import alarms, messages
from referee.live.background import Background
from referee.live.closer import Closer
from referee.live.guard import ClockGuard
from referee.live.hub import Hub, StageKey
from referee.live.intake import Intake, Stamped, store
from referee.live.relay import News, Relay
from referee.live.seating import Seating
from referee.live.stage import Stage
from referee.live.threads import DatabaseThread
from referee.security.throttle import Allowance, Rate
from tournaments.now import utc_now
from tournaments.selectors import live
from tournaments.services import clocks, heartbeats
from tournaments.services.slips import Receipt

logger = logging.getLogger(__name__)
SWEEP_S = 0.5
BEAT_S = 2.0
ALIVE = timedelta(seconds=BEAT_S + 1)
STAY_S = 20.0
ALARM_PAUSE_S = 10.0
SLIPS_OF_A_PHONE = Rate(per_second=1, burst=10)
SLIPS_OF_A_NETWORK = Rate(per_second=1000, burst=10_000)
SLIPS_OF_ALL = Rate(per_second=2000, burst=20_000)
_houses: dict[asyncio.AbstractEventLoop, House] = {}


def house() -> House:
    """The house of the running event loop; opened when it is not yet."""
    loop = asyncio.get_running_loop()
    for other in [known for known in _houses if known.is_closed()]:
        del _houses[other]
    if loop not in _houses:
        _houses[loop] = House()
    return _houses[loop]


class House:
    """The parts that belong together, and the news and times that move them."""

    def __init__(self) -> None:
        self.background = Background()
        self.hub = Hub()
        self.reader = DatabaseThread("reader")
        self._writer = DatabaseThread("writer")
        self._clockmaker = DatabaseThread("clocks")
        self.seating = Seating(self.hub, self.reader)
        self.intake = Intake(
            self._write, retry=(InterfaceError, OperationalError), on_trouble=lambda: self.tell_desks("not_stored")
        )
        self.slips_allowed = Allowance(SLIPS_OF_A_PHONE, SLIPS_OF_A_NETWORK, SLIPS_OF_ALL)
        self.closer = Closer(self._close_due, self.background)
        self.relay = Relay(self._hear)
        self._stages: dict[StageKey, Stage] = {}
        self._guard = ClockGuard()
        self._alarmed: dict[str, float] = {}
        self._awake = False
        self._run()

    def live(self) -> None:
        """Leave signs of life from now on; for a server, which may have been away."""
        self.background.repeat(self._beat, BEAT_S, "heartbeat")

    def stage(self, key: StageKey) -> Stage:
        """A room of an event."""
        if key not in self._stages:
            self._stages[key] = Stage(key, self.hub, self.reader, self.background)
        return self._stages[key]

    def tell_desks(self, kind: str, **details: int | str) -> None:
        """Sound an alarm on the desks of this process; of one kind at most every ten seconds."""
        now = asyncio.get_running_loop().time()
        if now - self._alarmed.get(kind, -ALARM_PAUSE_S) < ALARM_PAUSE_S:
            return
        self._alarmed[kind] = now
        for desk in self.hub.desks():
            with translation.override(desk.language):
                self.hub.post_to(desk, messages.alarm(kind, alarms.sentence(kind, details)))

    async def close(self) -> None:
        """Store what was handed in, then end everything. The house cannot be used afterwards."""
        _houses.pop(asyncio.get_running_loop(), None)
        self.relay.leave()
        self.closer.disarm()
        await self.intake.drain()
        await self.background.stop()
        for thread in (self.reader, self._writer, self._clockmaker):
            await thread.close()

    def _run(self) -> None:
        background = self.background
        background.keep_running(self.relay.send_forever, "relay: sending")
        background.keep_running(self.relay.receive_forever, "relay: receiving")
        background.repeat(self._stay, STAY_S, "relay: membership")
        background.keep_running(self.intake.write_forever, "slips")
        background.repeat(self._sweep, SWEEP_S, "sweep")

    async def _write(self, batch: Sequence[Stamped]) -> list[Receipt]:
        return await self._writer.run(lambda: store(batch))

    async def _close_due(self) -> None:
        await self.intake.drain()
        await self._clockmaker.run(lambda: clocks.close_due(now=utc_now()))
        await self._arm()

    async def _arm(self) -> None:
        due = await self._clockmaker.read(live.closing_times)
        self.closer.arm(due.values(), utc_now())

    async def _beat(self) -> None:
        first, self._awake = not self._awake, True
        await self._clockmaker.run(_wake if first else _beat)

    async def _stay(self) -> None:
        await self.relay.stay()
        await self.seating.check()

    async def _sweep(self) -> None:
        """What no news tells, or what got lost: jumps of the clock, turns that run out, changed games, dead lines."""
        if (step_ms := self._guard.step_ms()) is not None:
            logger.warning("the clock of this computer jumped by %d ms", step_ms)
            self.tell_desks("clock_step", ms=step_ms)
        self.hub.cut_slow(asyncio.get_running_loop().time())
        await self._arm()
        await self._compare_versions()

    async def _compare_versions(self) -> None:
        looked_at = [stage for stage in self._stages.values() if self.hub.has(stage.key)]
        for stage in looked_at:
            stage.heal()
        watched = [
            (stage, picture)
            for stage in looked_at
            if stage.picture.is_current and (picture := stage.picture.last) is not None
        ]
        if watched:
            present = await self.reader.read(lambda: live.versions({picture.game_id for _, picture in watched}))
            for stage, picture in watched:
                if stage.picture.last is picture and present.get(picture.game_id) != picture.seq:
                    stage.changed()

    def _hear(self, news: News) -> None:
        match news:
            case {"kind": "game", "game": int(game_id)}:
                self.background.start(self._game_changed(game_id), "news of a game")
            case {"kind": "slips", "game": int(game_id)}:
                self._slips_came(game_id)
            case {"kind": "phone", "player": int(player_id)}:
                self.background.start(self.seating.player_changed(player_id), "news of a phone")
            case {"kind": "document", "document": int(document_id)}:
                self.background.start(self._document_changed(document_id), "news of a document")
            case {"kind": "alarm", "alarm": str(kind), **details}:
                self.tell_desks(kind, **details)

    async def _game_changed(self, game_id: int) -> None:
        shown = [
            it for it in self._stages.values() if (last := it.picture.last) is not None and last.game_id == game_id
        ]
        for stage in shown or await self._stages_of(game_id):
            stage.changed()
        await self._arm()

    async def _stages_of(self, game_id: int) -> list[Stage]:
        """The rooms of the event of a game that none of them shows yet."""
        event_id = await self.reader.read(lambda: live.event_of_game(game_id))
        return [stage for key, stage in self._stages.items() if key[0] == event_id]

    def _slips_came(self, game_id: int) -> None:
        for stage in self._stages.values():
            if (picture := stage.picture.last) is not None and picture.game_id == game_id:
                stage.slips_changed()

    async def _document_changed(self, document_id: int) -> None:
        line = await self.reader.read(lambda: live.document_line(document_id))
        if line is not None:
            for desk in self.hub.desks(line.event_id):
                self.hub.post_to(desk, messages.document(line))


def _beat() -> None:
    heartbeats.beat(now=utc_now())


def _wake() -> None:
    """The first beat. Unless another process is alive, the judge is told for how long the server was away."""
    now, last = utc_now(), live.last_beat()
    if last is not None and now - last < ALIVE:
        heartbeats.beat(now=now)
    else:
        heartbeats.wake(now=now)
