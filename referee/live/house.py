"""Everything live in this process: the hub and what feeds it. One for each event loop, made at its first use."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import translation

from referee.live import alarms, messages
from referee.live.background import Background
from referee.live.closer import Closer
from referee.live.first_seen import FirstSeen
from referee.live.guard import ClockGuard
from referee.live.hub import NO_SEAT, Hub, StageKey
from referee.live.intake import Intake, Stamped, store
from referee.live.looking import Glance, Looking
from referee.live.outage import Outage
from referee.live.pulse import Pulse
from referee.live.relay import News, Relay
from referee.live.seating import Seating
from referee.live.stage import Stage
from referee.live.threads import DatabaseThread
from referee.live.vital_signs import TOLD_EVERY_S, Neighbours, VitalSigns, report_of, signs_of, together
from referee.security.rights import DESK_SOCKET
from referee.security.throttle import Allowance, Rate, Throttle
from tournaments.now import timeline, utc_now
from tournaments.selectors import live
from tournaments.services import clocks, heartbeats, pursuing
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
POLLS_OF_A_PHONE = Rate(per_second=2, burst=30)
_houses: dict[asyncio.AbstractEventLoop, House] = {}


def house() -> House:
    """The house of the running event loop; opened when it is not yet."""
    loop = asyncio.get_running_loop()
    for other in [known for known in _houses if known.is_closed()]:
        del _houses[other]
    if loop not in _houses:
        _houses[loop] = House()
    return _houses[loop]


def houses() -> list[House]:
    """Those of this process, for whoever looks in from another thread."""
    return [known for loop, known in list(_houses.items()) if loop.is_running()]


def vital_signs(stage: StageKey) -> VitalSigns:
    """Those of a room, in all processes of the hall; in any thread."""
    return together(signs for known in houses() for signs in known.vital_signs(stage))


class House:
    """The parts that belong together, and the news and times that move them."""

    def __init__(self) -> None:
        self.background = Background()
        self.hub = Hub()
        self.looking = Looking()
        self.reader = DatabaseThread("reader")
        self._writer = DatabaseThread("writer")
        self._clockmaker = DatabaseThread("clocks")
        self.seating = Seating(self.hub, self.reader)
        self.outage = Outage(self._sound)
        self.intake = Intake(self._write, retry=(InterfaceError, OperationalError))
        self.pulse = Pulse()
        self._name, self._neighbours = uuid4().hex, Neighbours()
        self.slips_allowed = Allowance(SLIPS_OF_A_PHONE, SLIPS_OF_A_NETWORK, SLIPS_OF_ALL)
        self.first_seen = FirstSeen()
        self.polls_allowed = Throttle(POLLS_OF_A_PHONE)
        self.closer = Closer(self._close_due, self.background)
        self.relay = Relay(self._hear)
        self._stages: dict[StageKey, Stage] = {}
        self._guard = ClockGuard(timeline)
        self._alarmed: dict[tuple[str, int | str | None], float] = {}
        self._beats = self._awake = False
        self._run()

    async def live(self) -> None:
        """Leave signs of life from now on; for a server, which may have been away.

        That it was is noted before anything else is done here: an act of its own would pass for a sign of life.
        """
        try:
            await self._clockmaker.run(_take_up)
            self._awake = True
        except DatabaseError as error:
            logger.error("the time of the last turn could not be read: %r", error)
        self._beats = True
        self.background.repeat(self._beat, BEAT_S, "heartbeat")

    def stage(self, key: StageKey) -> Stage:
        """A room of an event."""
        if key not in self._stages:
            self._stages[key] = Stage(key, self.hub, self.reader, self.background)
        return self._stages[key]

    def tell_desks(self, kind: str, **details: int | str) -> None:
        """Sound an alarm on the desks of this process, with `event_id` on those of one event; of one kind at most every
        ten seconds."""
        now, concerned = asyncio.get_running_loop().time(), (kind, details.get("event_id"))
        if now - self._alarmed.get(concerned, -ALARM_PAUSE_S) < ALARM_PAUSE_S:
            return
        self._alarmed[concerned] = now
        self._sound(kind, details)

    def _sound(self, kind: str, details: alarms.Details) -> None:
        event_id = details.get("event_id")  # without one it concerns all desks
        for desk in self.hub.desks(None if event_id is None else int(event_id)):
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
        if not settings.EMBEDDED:
            background.repeat(self._tell_vital_signs, TOLD_EVERY_S, "vital signs")
        background.keep_running(self.intake.write_forever, "slips")
        background.repeat(self._sweep, SWEEP_S, "sweep")
        background.repeat(self._look_at_clock, SWEEP_S, "clock")

    async def _write(self, batch: Sequence[Stamped]) -> list[Receipt]:
        async with self.outage.watched():
            receipts = await self._writer.run(lambda: store(batch))
        self.pulse.count(len(receipts))
        return receipts

    async def _close_due(self) -> None:
        await self._notice_pause()
        await self.intake.drain()
        await self._clockmaker.run(lambda: clocks.close_due(now=utc_now()))
        await self._arm()

    async def _arm(self) -> None:
        due = await self._clockmaker.read(live.closing_times)
        self.closer.arm(due.values(), utc_now())

    async def _beat(self) -> None:
        await self._notice_pause()
        first, self._awake = not self._awake, True
        await self._clockmaker.run(_wake if first else _beat)

    async def _notice_pause(self) -> None:
        """A laptop that slept was away, and what ran out meanwhile may not be closed before that is noted."""
        paused_at = self._guard.paused_at()
        if paused_at is not None and self._beats:
            logger.warning("nothing ran here since %s", paused_at)
            self._awake = False  # for the next beat, when the database is not there just now
            await self._clockmaker.run(lambda: _wake(paused_at))
            self._awake = True

    async def _look_at_clock(self) -> None:
        """A clock that is set moves no running turn; between turns it is followed."""
        await self._notice_pause()
        step_ms = self._guard.step_ms()
        if step_ms is None and not self._guard.is_off:
            return
        under_way = await self.reader.read(lambda: live.turn_is_under_way(utc_now()))
        if not under_way:
            self._guard.follow_wall()
        if step_ms is not None:
            logger.warning("the clock of this computer was set by %d ms", step_ms)
            self.tell_desks("clock_step", ms=step_ms, turn=int(under_way))

    async def _stay(self) -> None:
        await self.relay.stay()
        for stage in self.looking.forget(asyncio.get_running_loop().time()):
            self.show_looking(stage)
        await self.seating.check()
        await self._check_desks()

    def vital_signs(self, stage: StageKey) -> list[VitalSigns]:
        """How a room is in this process and in each of the others, in any thread."""
        return [self._own_signs(stage), *self._neighbours.signs(stage, monotonic())]

    def _own_signs(self, stage: StageKey) -> VitalSigns:
        return signs_of(self.hub, stage, self.pulse.per_second(), self.outage.standing)

    async def _tell_vital_signs(self) -> None:
        signs = {stage: self._own_signs(stage) for stage in self._stages}
        report = report_of(signs, self.pulse.per_second(), self.outage.standing)
        self.relay.post({"kind": "vital", "house": self._name, **report})

    async def _sweep(self) -> None:
        """What no news tells, or what got lost: turns that run out, rooms that follow by themselves, changed games,
        dead lines."""
        self.hub.cut_slow(asyncio.get_running_loop().time())
        await self._clockmaker.run(lambda: pursuing.follow_due(now=utc_now()))
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
            keys = {(picture.game_id, stage.key[1]) for stage, picture in watched}
            present = await self.reader.read(lambda: live.versions_of_rooms(keys))
            for stage, picture in watched:
                if stage.picture.last is picture and present.get((picture.game_id, stage.key[1])) != picture.seq:
                    stage.changed()

    def _hear(self, news: News) -> None:
        match news:
            case {"kind": "game", "game": int(game_id), "room": int(room_id)}:
                self.background.start(self._game_changed(game_id, room_id), "news of a game")
            case {"kind": "slips", "game": int(game_id), "room": int(room_id)}:
                self._slips_came(game_id, room_id)
            case {"kind": "phone", "player": int(player_id)}:
                self.background.start(self.seating.player_changed(player_id), "news of a phone")
            case {"kind": "document", "document": int(document_id)}:
                self.background.start(self._document_changed(document_id), "news of a document")
            case {"kind": "staff", "event": int(event_id), "user": int(user_id)}:
                self._role_changed(event_id, user_id)
            case _:
                self._hear_of_desks(news)

    def _hear_of_desks(self, news: News) -> None:
        match news:
            case {"kind": "looked", "game": int(game_id), "look": int(look_id)}:
                self._look_came(game_id, look_id)
            case {"kind": "look", "desk": str(desk), "event": int(event_id), "room": int(room_id), **who}:
                glance = Glance((event_id, room_id), int(who["user"]), str(who["name"]), str(who["at"]))
                if self.looking.note(desk, glance, asyncio.get_running_loop().time()):
                    self.show_looking(glance.stage)
            case {"kind": "vital", "house": str(name), **told} if name != self._name:
                self._neighbours.hear(name, told, monotonic())
            case {"kind": "alarm", "alarm": str(kind), **details}:
                self.tell_desks(kind, **details)

    def show_looking(self, stage: StageKey) -> None:
        """Tell the judges of a room where their colleagues look."""
        for desk in self.hub.desks(stage[0]):
            if desk.judges and desk.stage == stage:
                others = self.looking.others(stage, desk.user_id)
                desk.mailbox.show("looking", messages.looking(others))

    def _look_came(self, game_id: int, look_id: int) -> None:
        """A judge has looked at slips; equal ones of all rooms are decided once."""
        for stage in self._stages.values():
            if (picture := stage.picture.last) is not None and picture.game_id == game_id:
                for desk in self.hub.desks(stage.key[0]):
                    if desk.judges and desk.stage == stage.key:
                        desk.mailbox.show("looked", messages.looked(look_id))

    def _role_changed(self, event_id: int, user_id: int) -> None:
        """The desks of a colleague ask anew what they may see."""
        for desk in self.hub.desks(event_id):
            if desk.user_id == user_id:
                self.hub.end(desk, NO_SEAT)

    async def _check_desks(self) -> None:
        """End the desks of those whose role is gone, in case the news of it was lost."""
        desks = self.hub.desks()
        if desks:
            users = {desk.user_id for desk in desks}
            allowed = await self.reader.read(lambda: live.desks_allowed(users, DESK_SOCKET))
            for desk in desks:
                if (desk.stage[0], desk.user_id) not in allowed:
                    self.hub.end(desk, NO_SEAT)

    async def _game_changed(self, game_id: int, room_id: int) -> None:
        """In one room, or in all of them when that is 0."""
        shown = [
            it for it in self._stages.values() if (last := it.picture.last) is not None and last.game_id == game_id
        ]
        for stage in shown or await self._stages_of(game_id):
            if room_id in (0, stage.key[1]):
                stage.changed()
        await self._arm()

    async def _stages_of(self, game_id: int) -> list[Stage]:
        """The rooms of the event of a game that none of them shows yet."""
        event_id = await self.reader.read(lambda: live.event_of_game(game_id))
        return [stage for key, stage in self._stages.items() if key[0] == event_id]

    def _slips_came(self, game_id: int, room_id: int) -> None:
        for (_event, room), stage in self._stages.items():
            if room == room_id and (picture := stage.picture.last) is not None and picture.game_id == game_id:
                stage.slips_changed()

    async def _document_changed(self, document_id: int) -> None:
        line = await self.reader.read(lambda: live.document_line(document_id))
        if line is not None:
            for desk in self.hub.desks(line.event_id):
                self.hub.post_to(desk, messages.document(line))


def _take_up() -> None:
    heartbeats.take_up(timeline)
    _wake()


def _beat() -> None:
    steady_us = timeline.steady_us()
    heartbeats.beat(now=timeline.at(steady_us), steady_us=steady_us)


def _wake(paused_at: datetime | None = None) -> None:
    """The first beat. Unless another process is alive, the judge is told for how long the server was away."""
    steady_us, last = timeline.steady_us(), live.last_beat()
    now = timeline.at(steady_us)
    if last is not None and now - last < ALIVE:
        _beat()
    else:
        heartbeats.wake(now=now, steady_us=steady_us, alive_at=paused_at)
