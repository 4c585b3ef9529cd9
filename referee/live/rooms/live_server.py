"""Live server of this process: connections, room channels, slip queue and timers. One for each event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from uuid import uuid4

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import translation

from referee.live.background import Background
from referee.live.monitoring import alarms
from referee.live.monitoring.health import (
    REPORT_EVERY_S,
    Health,
    PeerReports,
    build_report,
    measure_health,
    merge_health,
)
from referee.live.monitoring.heartbeat import HEARTBEAT_S, Heartbeat
from referee.live.monitoring.outage_monitor import OutageMonitor
from referee.live.monitoring.service_probes import ServiceProbes
from referee.live.rooms import route_balance
from referee.live.rooms.broadcast import Broadcast, BroadcastMessage
from referee.live.rooms.event_reader import EventReader, RoomChannelClosed
from referee.live.rooms.judge_presence import JudgeFocus, JudgePresence
from referee.live.rooms.ownership import Ownership
from referee.live.rooms.room_channel import RoomChannel
from referee.live.rooms.room_schedule import RoomSchedule
from referee.live.rooms.snapshots import Snapshot
from referee.live.slips.receipt_times import ReceiptTimes
from referee.live.slips.slip_queue import QueuedSlip, SlipQueue, store_batch
from referee.live.slips.throughput import Throughput
from referee.live.sockets import messages
from referee.live.sockets.connections import NO_SEAT, ConnectionRegistry, RoomKey, Socket
from referee.live.sockets.phone_sessions import PhoneSessions
from referee.live.threads import DatabaseThread
from referee.outgoing.sender_thread import SenderThread
from referee.security.permissions import DESK_SOCKET
from referee.security.token_bucket import Allowance, Rate, Throttle
from referee.task_dispatch import dispatch_messages
from tournaments.documents.services.documents import queue_lost_documents
from tournaments.now import timeline, utc_now
from tournaments.play.queries import live
from tournaments.play.queries.phases import Phase
from tournaments.play.services import room_follow
from tournaments.play.services.slips import Receipt

logger = logging.getLogger(__name__)
SWEEP_S = 0.5
OWNERS_S = 0.5
MEMBERSHIP_S = 20.0
LOST_DOCUMENTS_S = 5.0
SEALS_S = 10.0
ALARM_PAUSE_S = 10.0
SLIPS_OF_A_PHONE = Rate(per_second=1, burst=10)
SLIPS_OF_A_NETWORK = Rate(per_second=1000, burst=10_000)
SLIPS_OF_ALL = Rate(per_second=2000, burst=20_000)
POLLS_OF_A_PHONE = Rate(per_second=2, burst=30)
_live_servers: dict[asyncio.AbstractEventLoop, LiveServer] = {}


def get_live_server() -> LiveServer:
    """Return the live server of the running event loop; create it at first use."""
    loop = asyncio.get_running_loop()
    for other in [known for known in _live_servers if known.is_closed()]:
        del _live_servers[other]
    if loop not in _live_servers:
        _live_servers[loop] = LiveServer()
    return _live_servers[loop]


def list_live_servers() -> list[LiveServer]:
    """Return the live servers of this process; callable from any thread."""
    return [known for loop, known in list(_live_servers.items()) if loop.is_running()]


def get_room_health(room_key: RoomKey) -> Health:
    """Return the health of a room over all processes; callable from any thread."""
    return merge_health(signs for known in list_live_servers() for signs in known.measure_room_health(room_key))


class LiveServer:
    """The parts of the live server, and their reactions to messages and timers."""

    def __init__(self) -> None:
        self.background = Background()
        self.connections = ConnectionRegistry()
        self.judge_presence = JudgePresence()
        self.reader = DatabaseThread("reader")
        self._writer = DatabaseThread("writer")
        self._clock_thread = DatabaseThread("clocks")
        self._document_thread = DatabaseThread("documents")
        self._name, self._peer_reports = uuid4().hex, PeerReports()
        self.ownership = Ownership(self._name)
        self.phone_sessions = PhoneSessions(self.connections, self.reader)
        self.storage_monitor = OutageMonitor(self._show_outage, "stored_again")
        self.redis_monitor = OutageMonitor(self._show_outage, "redis_again")
        self._probes = ServiceProbes(self.storage_monitor, self.redis_monitor)
        self.slip_queue = SlipQueue(self._write, retry=(InterfaceError, OperationalError))
        self.throughput = Throughput()
        self.route_balance = route_balance.RouteBalance(self.connections)
        self.slips_allowed = Allowance(SLIPS_OF_A_PHONE, SLIPS_OF_A_NETWORK, SLIPS_OF_ALL)
        self.receipt_times = ReceiptTimes()
        self.polls_allowed = Throttle(POLLS_OF_A_PHONE)
        self.broadcast = Broadcast(self._hear)
        self._sender = SenderThread(dispatch_messages)
        self._room_channels: dict[RoomKey, RoomChannel] = {}
        self._event_readers: dict[int, EventReader] = {}
        self._alarmed: dict[tuple[str, int | str | None], float] = {}
        self.heartbeat = Heartbeat(
            self._clock_thread, self.reader, self.storage_monitor, self._peer_reports, self.alarm_desks
        )
        self._room_schedule = RoomSchedule(
            self.ownership, self.slip_queue, self.background, self._clock_thread, self.heartbeat.notice_pause
        )
        self._run()

    async def live(self) -> None:
        """Start sending heartbeats, and messages to other programs and members."""
        await self.heartbeat.begin()
        self._probes.start(self.background)
        if not settings.EMBEDDED:
            self.background.repeat(self._queue_lost_documents, LOST_DOCUMENTS_S, "lost sheets")
        self.background.repeat(self.heartbeat.beat, HEARTBEAT_S, "heartbeat")
        self.background.repeat(self._seal_finished_games, SEALS_S, "seals of finished games")
        self._sender.start()

    async def _queue_lost_documents(self) -> None:
        await self._document_thread.run(lambda: queue_lost_documents(now=utc_now()))

    async def _seal_finished_games(self) -> None:
        await self._document_thread.run(lambda: room_follow.seal_finished_games(now=utc_now()))

    def room_channel(self, key: RoomKey) -> RoomChannel:
        """Return the channel of a room; create it at first use."""
        if key not in self._room_channels:
            reader = self._event_reader(key[0])
            self._room_channels[key] = RoomChannel(key, self.connections, reader, self.background, self._publish)
        return self._room_channels[key]

    def _event_reader(self, event_id: int) -> EventReader:
        if event_id not in self._event_readers:
            reader = EventReader(event_id, self.connections, self.reader, self.background)
            self._event_readers[event_id] = reader
        return self._event_readers[event_id]

    def _publish(self, key: RoomKey, snapshot: Snapshot) -> None:
        """Send a snapshot to the processes that have sockets in a room of which this one is the owner."""
        if self.ownership.publishes(key[1]):
            fields = snapshot.to_message()
            self.broadcast.post({"kind": "state", "house": self._name, "room": list(key), "snapshot": fields})

    def alarm_desks(self, kind: str, **details: int | str) -> None:
        """Show an alarm on this process's desks, or on those of `event_id`; each kind once in ten seconds."""
        now, concerned = asyncio.get_running_loop().time(), (kind, details.get("event_id"))
        if now - self._alarmed.get(concerned, -ALARM_PAUSE_S) < ALARM_PAUSE_S:
            return
        self._alarmed[concerned] = now
        self._show_alarm(kind, details)

    def _show_alarm(self, kind: str, details: alarms.Details) -> None:
        event_id = details.get("event_id")  # without one, all desks get it
        for desk in self.connections.desks(None if event_id is None else int(event_id)):
            with translation.override(desk.language):
                self.connections.post_to(desk, messages.alarm_message(kind, alarms.build_sentence(kind, details)))

    def _show_outage(self, kind: str, details: alarms.Details) -> None:
        """Show the beginning, the cause or the end of an outage on desks and phones; the storage comes first."""
        if kind not in (self.redis_monitor.current_outage, "redis_again") or not self.storage_monitor.current_outage:
            self._show_alarm(kind, details)
        texts = {}
        for phone in self.connections.list_phones():
            if phone.language not in texts:
                texts[phone.language] = self.build_outage_message(phone.language)
            phone.send_queue.show("outage", texts[phone.language])

    def build_outage_message(self, language: str) -> str:
        """Build the message about the current outage, or about its end, for phones."""
        outage = self.current_outage
        with translation.override(language):
            return messages.outage_message("" if outage is None else alarms.build_phone_sentence(outage))

    @property
    def current_outage(self) -> str | None:
        """The kind of alarm of an outage of the storage, else of Redis."""
        return self.storage_monitor.current_outage or self.redis_monitor.current_outage

    async def close(self) -> None:
        """Store queued slips, then stop everything. The live server cannot be used afterwards."""
        _live_servers.pop(asyncio.get_running_loop(), None)
        self.broadcast.leave()
        self._sender.stop()
        self._room_schedule.disarm()
        await self.slip_queue.drain()
        await self.background.stop()
        for channel in self._room_channels.values():
            channel.close()
        await self.ownership.close()
        for thread in (self.reader, self._writer, self._clock_thread, self._document_thread):
            await thread.close()
        await self._room_schedule.close()
        self._probes.stop()  # until here, it keeps the threads from waiting for a database that does not answer

    def _run(self) -> None:
        background = self.background
        background.keep_running(self.broadcast.send_forever, "broadcast: sending")
        background.keep_running(self.broadcast.receive_forever, "broadcast: receiving")
        background.repeat(self._refresh_memberships, MEMBERSHIP_S, "broadcast: membership")
        if self.ownership.is_shared:
            background.repeat(self._divide_rooms, OWNERS_S, "owners of rooms")
        if not settings.EMBEDDED:
            background.repeat(self._broadcast_health, REPORT_EVERY_S, "health reports")
            background.repeat(self._balance_routes, route_balance.REPORT_EVERY_S, "routes")
        background.keep_running(self.slip_queue.write_forever, "slips")
        background.repeat(self._sweep, SWEEP_S, "sweep")
        background.repeat(self.heartbeat.check_clock, SWEEP_S, "clock")

    async def _write(self, batch: Sequence[QueuedSlip]) -> list[Receipt]:
        async with self.storage_monitor.watched("slips"):
            receipts = await self._writer.run(lambda: store_batch(batch))
        self.throughput.count(len(receipts))
        return receipts

    async def _divide_rooms(self) -> None:
        sockets = {key[1] for key in self._room_channels if self.connections.has(key)}
        report = await self._room_schedule.divide_rooms(sockets)
        self.broadcast.post({"kind": "owner", "house": self._name, **report})

    async def _refresh_memberships(self) -> None:
        await self.broadcast.renew_membership()
        for room_key in self.judge_presence.forget(asyncio.get_running_loop().time()):
            self.show_judge_presence(room_key)
        await self.phone_sessions.check()
        await self._check_desks()

    def measure_room_health(self, room_key: RoomKey) -> list[Health]:
        """Return the health of a room in each process; callable from any thread."""
        return [self._measure_own_health(room_key), *self._peer_reports.signs(room_key, monotonic())]

    def _measure_own_health(self, room_key: RoomKey) -> Health:
        return measure_health(
            self.connections, room_key, self.throughput.per_second(), self.storage_monitor.current_outage
        )

    async def _broadcast_health(self) -> None:
        signs = {key: self._measure_own_health(key) for key in self._room_channels}
        report = build_report(
            signs, self.throughput.per_second(), timeline.off_ms(), self.storage_monitor.current_outage
        )
        self.broadcast.post({"kind": "vital", "house": self._name, **report})

    async def _balance_routes(self) -> None:
        """Report new sockets to the other processes; let those connect again that the front sends elsewhere now."""
        if (keys := self.route_balance.take_arrivals()) is not None:
            self.broadcast.post({"kind": "routes", "house": self._name, "keys": keys})
        self.route_balance.move(self._is_quiet, monotonic())

    def _is_quiet(self, socket: Socket) -> bool:
        """Tell if a socket may connect again without a loss: no turn is played or about to be played in its room."""
        snapshot = self.room_channel(socket.room_key).snapshot.last
        return snapshot is not None and snapshot.phase not in (Phase.DRAWN, Phase.RUNNING, Phase.PAUSED)

    async def _sweep(self) -> None:
        """Do what no message triggers: close expired turns, judge closed rooms, advance following rooms, find missed
        changes and standings that have become final, abort slow sockets."""
        self.connections.cut_slow(asyncio.get_running_loop().time())
        await self._room_schedule.sweep()
        await self._compare_versions()

    async def _compare_versions(self) -> None:
        watched_channels = [channel for channel in self._room_channels.values() if self.connections.has(channel.key)]
        for channel in watched_channels:
            channel.catch_up()
            channel.follow_time(utc_now())
        watched = [
            (channel, snapshot)
            for channel in watched_channels
            if channel.snapshot.is_current and (snapshot := channel.snapshot.last) is not None
        ]
        if watched:
            keys = {(snapshot.game_id, channel.key[1]) for channel, snapshot in watched}
            present = await self.reader.read(lambda: live.list_room_versions(keys))
            for channel, snapshot in watched:
                if (
                    channel.snapshot.last is snapshot
                    and present.get((snapshot.game_id, channel.key[1])) != snapshot.seq
                ):
                    self._change(channel)

    def _change(self, channel: RoomChannel) -> None:
        """Read a room again, or wait for the snapshot of its owner."""
        if self.ownership.is_served_elsewhere(channel.key[1]):
            channel.changed_elsewhere()
        else:
            channel.changed()

    def _hear(self, update: BroadcastMessage) -> None:
        match update:
            case {"kind": "game", "game": int(game_id), "room": int(room_id)}:
                self.background.start(self._game_changed(game_id, room_id), "change of a game")
                self._sender.wake()
            case {"kind": "slips", "game": int(game_id), "room": int(room_id)}:
                self._count_new_slips(game_id, room_id)
            case {"kind": "phone", "player": int(player_id)}:
                self.background.start(self.phone_sessions.player_changed(player_id), "change of a phone")
            case {"kind": "place", "player": int(player_id)}:
                self.background.start(self._show_place(player_id), "a player's place")
            case {"kind": "message"}:
                self._sender.wake()
            case {"kind": "document", "document": int(document_id)}:
                self.background.start(self._document_changed(document_id), "change of a document")
            case {"kind": "staff", "event": int(event_id), "user": int(user_id)}:
                self._role_changed(event_id, user_id)
            case {"house": str(name)}:
                if name != self._name:
                    self._hear_process(name, update)
            case _:
                self._receive_desk_message(update)

    def _hear_process(self, name: str, update: BroadcastMessage) -> None:
        """Handle a message by which another process tells of itself."""
        match update:
            case {"kind": "state", "room": [int(event_id), int(room)], "snapshot": dict(fields)}:
                if (channel := self._room_channels.get((event_id, room))) is not None:
                    channel.adopt(Snapshot.from_message(fields))
            case {"kind": "owner", "sockets": list(sockets), "owned": list(owned)}:
                self.ownership.hear(name, sockets, owned)
            case {"kind": "vital", "house": str(), **report}:
                self._peer_reports.hear(name, report, monotonic())
            case {"kind": "routes", "keys": list(keys)}:
                self.route_balance.hear(name, keys, monotonic())

    async def _show_place(self, player_id: int) -> None:
        """Tell the phone of a player who left, came back or was disqualified; there is one at most."""
        for phone in self.connections.phones_of([player_id]):
            with suppress(RoomChannelClosed):
                channel = self.room_channel(phone.room_key)
                channel.personal_changed()
                view = await channel.personal(player_id, phone.language)
                phone.send_queue.show("me", messages.me_message(view))

    def _receive_desk_message(self, update: BroadcastMessage) -> None:
        match update:
            case {"kind": "looked", "game": int(game_id), "look": int(look_id)}:
                self._show_review(game_id, look_id)
            case {"kind": "look", "desk": str(desk), "event": int(event_id), "room": int(room_id), **who}:
                focus = JudgeFocus((event_id, room_id), int(who["user"]), str(who["name"]), str(who["at"]))
                if self.judge_presence.note(desk, focus, asyncio.get_running_loop().time()):
                    self.show_judge_presence(focus.room_key)
            case {"kind": "alarm", "alarm": str(kind), **details}:
                self.alarm_desks(kind, **details)

    def show_judge_presence(self, room_key: RoomKey) -> None:
        """Send the judges of a room the focus of the others."""
        for desk in self.connections.desks(room_key[0]):
            if desk.judges and desk.room_key == room_key:
                others = self.judge_presence.others(room_key, desk.user_id)
                desk.send_queue.show("looking", messages.judge_presence_message(others))

    def _show_review(self, game_id: int, look_id: int) -> None:
        """Tell judges' desks in all rooms of a review, as a ruling applies to equal slips in all rooms."""
        for channel in self._room_channels.values():
            if (snapshot := channel.snapshot.last) is not None and snapshot.game_id == game_id:
                for desk in self.connections.desks(channel.key[0]):
                    if desk.judges and desk.room_key == channel.key:
                        desk.send_queue.show("looked", messages.review_message(look_id))

    def _role_changed(self, event_id: int, user_id: int) -> None:
        """Close the desks of a user, who connect again with their new role."""
        for desk in self.connections.desks(event_id):
            if desk.user_id == user_id:
                self.connections.end(desk, NO_SEAT)

    async def _check_desks(self) -> None:
        """Close the desks of users without a role, in case the message of the change was lost."""
        desks = self.connections.desks()
        if desks:
            users = {desk.user_id for desk in desks}
            allowed = await self.reader.read(lambda: live.desks_allowed(users, DESK_SOCKET))
            for desk in desks:
                if (desk.room_key[0], desk.user_id) not in allowed:
                    self.connections.end(desk, NO_SEAT)

    async def _game_changed(self, game_id: int, room_id: int) -> None:
        """Update one room, or all rooms if `room_id` is 0."""
        shown = [
            channel
            for channel in self._room_channels.values()
            if (last := channel.snapshot.last) is not None and last.game_id == game_id
        ]
        for channel in shown or await self._find_room_channels(game_id):
            if room_id in (0, channel.key[1]):
                self._change(channel)
        await self._room_schedule.game_changed()

    async def _find_room_channels(self, game_id: int) -> list[RoomChannel]:
        """Return the channels of a game's event, for a game that no channel shows yet."""
        event_id = await self.reader.read(lambda: live.event_of_game(game_id))
        return [channel for key, channel in self._room_channels.items() if key[0] == event_id]

    def _count_new_slips(self, game_id: int, room_id: int) -> None:
        for (_event, room), channel in self._room_channels.items():
            if room == room_id and (snapshot := channel.snapshot.last) is not None and snapshot.game_id == game_id:
                channel.slips_changed()

    async def _document_changed(self, document_id: int) -> None:
        line = await self.reader.read(lambda: live.document_line(document_id))
        if line is not None:
            for desk in self.connections.desks(line.event_id):
                self.connections.post_to(desk, messages.document_message(line))
