"""WebSocket consumers of phones, desks and walls. Outgoing messages come from the room channels."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable
from contextlib import suppress
from datetime import datetime
from time import monotonic
from typing import Any
from urllib.parse import parse_qs
from uuid import uuid4

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DataError
from django.http.cookie import parse_cookie
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from referee.live.monitoring import alarms
from referee.live.rooms import broadcast
from referee.live.rooms.event_reader import RoomChannelClosed
from referee.live.rooms.judge_presence import LONGEST_KEY
from referee.live.rooms.live_server import LiveServer, get_live_server
from referee.live.slips.slip_form import MalformedMessage, read_message
from referee.live.slips.submit_slip import Submission, start_submission
from referee.live.sockets import messages, versions
from referee.live.sockets.connections import GONE, NO_SEAT, Audience, RoomKey, Socket
from referee.live.sockets.language import language_of
from referee.live.sockets.send_queue import SendQueue
from referee.live.sockets.unseated_requests import no_seat_message
from referee.security import failure_throttle
from referee.security.permissions import DESK_SOCKET, JUDGES
from referee.security.request_ids import set_room
from referee.security.token_bucket import Bucket, Rate
from referee.server.uvicorn_overrides import FastWebSocketProtocol, find_fast_protocol
from tournaments.now import utc_now
from tournaments.play.queries import live
from tournaments.play.queries.live import SeatedPlayer
from tournaments.staff.queries import name_of

logger = logging.getLogger(__name__)
TOO_MANY_FRAMES = 4429
FRAMES = Rate(per_second=10, burst=20)
MOST_IGNORED = 200


class LiveConsumer(AsyncWebsocketConsumer):
    """Base of all consumers: a send queue and a place in the connection registry, without the channel layer."""

    channel_layer_alias = "unused: room channels send to the sockets"
    audience: Audience
    live_server: LiveServer
    socket: Socket | None = None
    _delivery: asyncio.Future[None] | None = None
    _protocol: FastWebSocketProtocol | None = None
    _task: asyncio.Task[Any] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket until it ends or is aborted.

        Channels' own method starts a task for each frame to listen to the channel layer, which is not used here.
        """
        self.scope, self.base_send, self._protocol = scope, send, find_fast_protocol(send)
        self._cut = False
        self._task = asyncio.current_task()
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            return
        except asyncio.CancelledError:
            if not self._cut:
                raise
        finally:
            self._leave()
            self._task = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Record the time and handle a frame. Channels' method first closes old database connections in a thread."""
        self.read_at = utc_now()
        handler = getattr(self, message["type"].replace(".", "_"))
        await handler(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """Handle the end of the connection."""
        self._leave()
        raise StopConsumer

    async def connect(self) -> None:
        """Accept the connection and call `enter`."""
        self.live_server = get_live_server()
        client = self.scope.get("client")
        self.address: str | None = client[0] if client else None
        self.cookies = parse_cookie(self._header(b"cookie"))
        self.language = language_of(self.cookies, self._header(b"accept-language"))
        await self.accept()
        with translation.override(self.language):
            try:
                await self.enter()
            except RoomChannelClosed:
                await self.close(GONE)

    async def enter(self) -> None:
        """Check the client's rights and call `begin`."""
        raise NotImplementedError

    def begin(self, room_key: RoomKey, *greetings: str, player: SeatedPlayer | None = None) -> None:
        """Register the socket. Nothing is awaited, so no change is lost between the first snapshot and the next."""
        write_now = self._write_nothing if self._protocol is None else self._protocol.write_now
        send_queue = SendQueue(self._send_text, self.close, write_now, self._deliver_soon)
        socket = Socket(self.audience, room_key, send_queue, self._end_at_once, language=self.language)
        if player is not None:
            socket.player_id, socket.token_hash = player.player_id, player.token_hash
        socket.route = self._header(b"x-route")
        self.socket = socket
        set_room(*room_key)
        for greeting in greetings:
            send_queue.post(greeting)
        self._frames = Bucket(FRAMES, FRAMES.burst, asyncio.get_running_loop().time())
        self._ignored = 0
        self.live_server.connections.add(socket)
        self.live_server.route_balance.note_arrival(socket.route)
        self.live_server.room_channel(room_key).greet(socket)
        if self._protocol is not None:
            self._protocol.on_text = self._hear

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a frame delivered by uvicorn's queue."""
        self.hear(text_data, self.read_at)

    def _hear(self, text: str) -> None:
        """Handle a text delivered directly by FastWebSocketProtocol."""
        try:
            self.hear(text, utc_now())
        except Exception:
            if self.socket is not None:
                set_room(*self.socket.room_key)  # the protocol calls outside the task of the consumer
            logger.exception("a frame of a %s could not be handled", self.audience)
            self._end_at_once()

    def hear(self, text: str | None, received_at: datetime) -> None:
        """Handle a received text; None for a binary frame."""
        if not self._may_send_frame():
            return
        if self.socket is not None:
            self.socket.heard_at = monotonic()
        try:
            message = read_message(text)
        except MalformedMessage as fault:
            self.malformed(fault)
        else:
            self.act(message, received_at)

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """Handle a message."""
        raise NotImplementedError

    def malformed(self, fault: MalformedMessage) -> None:
        """Refuse a malformed message."""
        with translation.override(self.language):
            self.post(messages.refused_message(None, "malformed", fault.sentence))

    def _may_send_frame(self) -> bool:
        """Tell if the rate limit allows the frame. A client above it gets some refusals and is closed at last."""
        if self.socket is None:
            return False
        if self._frames.take(asyncio.get_running_loop().time()) == 0.0:
            return True
        self._ignored += 1
        if self._ignored > MOST_IGNORED:
            self.live_server.connections.remove(self.socket)
            self.socket.send_queue.close(TOO_MANY_FRAMES)
        elif self._ignored % 20 == 1:
            with translation.override(self.language):
                sentence = _("Too many messages come from this phone; some were not read.")
            self.post(messages.refused_message(None, "too_fast", sentence, retry_ms=1000))
        return False

    def post(self, text: str) -> None:
        """Send a message if the socket is still open."""
        if self.socket is not None:
            self.live_server.connections.post_to(self.socket, text)

    def _deliver_soon(self) -> None:
        """Start sending queued messages, unless it has started."""
        if self._delivery is None and self.socket is not None:
            work = self._deliver(self.socket.send_queue)
            self._delivery = self.live_server.background.start(work, f"{self.audience}'s send queue")

    async def _deliver(self, send_queue: SendQueue) -> None:
        try:
            await send_queue.deliver()
        except Exception:
            self._end_at_once()  # the connection failed while sending

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    @staticmethod
    def _write_nothing(frame: bytes) -> bool:
        return False

    def _end_at_once(self) -> None:
        """Abort the connection without waiting for a client that does not read."""
        self._cut = True
        if self._protocol is not None:
            self._protocol.transport.abort()
        if self._task is not None:
            self._task.cancel()

    def _leave(self) -> None:
        """Drop all references to the socket, so that its memory is freed without garbage collection."""
        if self._protocol is not None:
            self._protocol.on_text = None
            self._protocol = None
        if self.socket is not None:
            self.live_server.connections.remove(self.socket)
            self.socket = None
        if self._delivery is not None:
            self._delivery.cancel()
            self._delivery = None

    def _header(self, name: bytes) -> str:
        return next((value.decode("latin-1") for key, value in self.scope["headers"] if key == name), "")


class PhoneConsumer(LiveConsumer):
    """A player's phone. It submits slips, requests its own results and compares clocks."""

    audience = "phone"
    seat: SeatedPlayer

    async def enter(self) -> None:
        """Find the player by the seat in the cookie; without a valid one, the phone has to join again."""
        seat = await self.live_server.phone_sessions.admit(self.cookies)
        if seat is None:
            await self._send_text(no_seat_message())
            await self.close(NO_SEAT)
            return
        self.seat = seat
        key = (seat.event_id, seat.room_id)
        channel = self.live_server.room_channel(key)
        view = await channel.personal(seat.player_id, self.language)
        snapshot = await channel.snapshot.current()
        outdated = versions.build_outdated_notice(self._named_version())
        greetings = [outdated] if outdated else []
        self.begin(key, *greetings, messages.hello_message(seat, snapshot.turn, view), player=seat)
        if self.socket is not None:
            self.socket.send_queue.show("me", messages.me_message(view))
            if self.live_server.current_outage is not None:
                self.socket.send_queue.show("outage", self.live_server.build_outage_message(self.language))

    def _named_version(self) -> str | None:
        query: bytes = self.scope["query_string"]
        return parse_qs(query.decode("latin-1")).get("v", [None])[0]

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """Handle a slip, a ping or a request for the player's results."""
        match message.get("t"):
            case "ping":
                self.post(messages.pong_message(_finite(message.get("c")), received_at))
                if self.socket is not None and (trip := _finite(message.get("rtt"))) is not None:
                    self.socket.round_trip_ms = trip
            case "slip":
                self._hand_in(message, received_at)
            case "me":
                self.live_server.background.start(self._show_me(), "a player's results")
            case _:
                self.malformed(MalformedMessage(gettext_noop("This kind of message is not known.")))

    def _hand_in(self, message: dict[str, Any], received_at: datetime) -> None:
        if not self.live_server.phone_sessions.holds(self.seat.token_hash):
            if self.socket is not None:
                self.live_server.connections.replace_phone(self.socket)
            return
        submission = Submission(self.seat, self.address, self.language, self.post)
        later = start_submission(self.live_server, submission, message, received_at)
        if later is not None:
            self.live_server.background.start(self._unless_gone(later), "a slip")

    async def _unless_gone(self, later: Awaitable[None]) -> None:
        with suppress(RoomChannelClosed):
            await later

    async def _show_me(self) -> None:
        with suppress(RoomChannelClosed):
            channel = self.live_server.room_channel((self.seat.event_id, self.seat.room_id))
            view = await channel.personal(self.seat.player_id, self.language)
            if self.socket is not None:
                self.socket.send_queue.show("me", messages.me_message(view))


class WatchingConsumer(LiveConsumer):
    """Base of desks and walls, which only receive."""

    async def enter(self) -> None:
        """Find the room by address and session; refusals are delayed after many failures."""
        try:
            key = await self.find_room()
        except DataError:  # a NUL in the address, which PostgreSQL does not accept in a text
            key = None
        if key is None:
            await failure_throttle.delay(failure_throttle.count_failure(self.address))
            await self.close(NO_SEAT)
            return
        await self.live_server.room_channel(key).snapshot.current()
        self.begin(key)

    async def find_room(self) -> RoomKey | None:
        """Return the room of the client; None if it has no access."""
        raise NotImplementedError

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """Answer a ping; ignore other messages."""
        if message.get("t") == "ping":
            self.post(messages.pong_message(_finite(message.get("c")), received_at))

    def malformed(self, fault: MalformedMessage) -> None:
        """Ignore malformed frames."""


class DeskConsumer(WatchingConsumer):
    """A desk: the session's user has a role in the event."""

    audience = "desk"
    _desk = ""
    _focus = ""

    async def enter(self) -> None:
        """Also send a current storage outage, and to a judge what the other judges review."""
        await super().enter()
        if self.socket is None:
            return
        user = self.scope["user"]
        self.socket.user_id, self._desk = user.pk, uuid4().hex
        if (kind := self.live_server.current_outage) is not None:
            self.post(messages.alarm_message(kind, alarms.build_sentence(kind, alarms.get_storage_details())))
        event_id = self.socket.room_key[0]
        judges = await self.live_server.reader.read(lambda: live.desks_allowed([user.pk], JUDGES))
        if self.socket is not None and (event_id, user.pk) in judges:
            self.socket.judges = True
            if self._focus:  # it came while the role was read
                self._show_focus()
            if others := self.live_server.judge_presence.others(self.socket.room_key, user.pk):
                self.socket.send_queue.show("looking", messages.judge_presence_message(others))

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """Also handle the card a judge reviews now."""
        if message.get("t") != "look":
            super().act(message, received_at)
        elif self.socket is not None and isinstance(at := message.get("at"), str):
            self._focus = at[:LONGEST_KEY]
            if self.socket.judges:
                self._show_focus()

    def _show_focus(self) -> None:
        """Send the judge's focus to the desks of all processes."""
        if self.socket is not None:
            user, (event_id, room_id) = self.scope["user"], self.socket.room_key
            who = {"user": user.pk, "name": name_of(user), "at": self._focus}
            broadcast.notify({"kind": "look", "desk": self._desk, "event": event_id, "room": room_id, **who})

    def _leave(self) -> None:
        """Also clear the judge's focus."""
        if self.socket is not None and self.socket.judges and self._focus:
            self._focus = ""
            self._show_focus()
        super()._leave()

    async def find_room(self) -> RoomKey | None:
        """Return the first room of the event in the address."""
        user = self.scope["user"]
        code = self.scope["url_route"]["kwargs"]["code"]
        return await self.live_server.reader.read(lambda: live.find_desk_room(code, user.pk, DESK_SOCKET))


class WallConsumer(WatchingConsumer):
    """A wall: identified by the token in its address."""

    audience = "wall"

    async def find_room(self) -> RoomKey | None:
        """Return the first room of the wall's event."""
        token = self.scope["url_route"]["kwargs"]["token"]
        return await self.live_server.reader.read(lambda: live.find_wall_room(token))


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None
