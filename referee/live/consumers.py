"""The three kinds of sockets: phones, desks, walls. They only read and pass on; what is shown comes from the hub."""

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

from referee.live import alarms, messages, relay, versions
from referee.live.handing_in import Handing, offer
from referee.live.house import House, house
from referee.live.hub import GONE, NO_SEAT, Audience, Socket, StageKey
from referee.live.language import language_of
from referee.live.looking import LONGEST_KEY
from referee.live.mailbox import Mailbox
from referee.live.seatless import no_seat
from referee.live.slip_form import Malformed, read_message
from referee.live.stage import StageGone
from referee.live.straight import StraightProtocol, straight
from referee.security import gate
from referee.security.rights import DESK_SOCKET, JUDGES
from referee.security.throttle import Bucket, Rate
from tournaments.now import utc_now
from tournaments.selectors import live
from tournaments.selectors.live import SeatedPlayer
from tournaments.selectors.staff import name_of

logger = logging.getLogger(__name__)
TOO_MANY = 4429
FRAMES = Rate(per_second=10, burst=20)
MOST_IGNORED = 200


class HallSocket(AsyncWebsocketConsumer):
    """What all sockets share: a mailbox, a place in the hub, and no membership in the channel layer."""

    channel_layer_alias = "sockets are fed by the hub"
    audience: Audience
    house: House
    socket: Socket | None = None
    _delivery: asyncio.Future[None] | None = None
    _line: StraightProtocol | None = None
    _task: asyncio.Task[Any] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket to its end. One that was cut because it does not read ends here, too.

        (Channels would start a task for each frame, to listen to a channel layer meanwhile; here there is none.)
        """
        self.scope, self.base_send, self._line = scope, send, straight(send)
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
        """Stamp a frame the moment it is read. (Channels would first visit a thread to tidy up connections.)"""
        self.read_at = utc_now()
        handler = getattr(self, message["type"].replace(".", "_"))
        await handler(message)

    async def websocket_disconnect(self, message: dict[str, Any]) -> None:
        """The other end is gone."""
        self._leave()
        raise StopConsumer

    async def connect(self) -> None:
        """Accept, find out what may be seen, and show it from now on."""
        self.house = house()
        client = self.scope.get("client")
        self.address: str | None = client[0] if client else None
        self.cookies = parse_cookie(self._header(b"cookie"))
        self.language = language_of(self.cookies, self._header(b"accept-language"))
        await self.accept()
        with translation.override(self.language):
            try:
                await self.enter()
            except StageGone:
                await self.close(GONE)

    async def enter(self) -> None:
        """Check who this is, and begin to show."""
        raise NotImplementedError

    def begin(self, stage_key: StageKey, *letters: str, player: SeatedPlayer | None = None) -> None:
        """Take a place in the hub. Awaits nothing, so that no change falls between the first picture and the next."""
        write_now = self._write_nothing if self._line is None else self._line.write_now
        mailbox = Mailbox(self._send_text, self.close, write_now, self._deliver_soon)
        socket = Socket(self.audience, stage_key, mailbox, self._end_at_once, language=self.language)
        if player is not None:
            socket.player_id, socket.token_hash = player.player_id, player.token_hash
        self.socket = socket
        for letter in letters:
            mailbox.post(letter)
        self._frames = Bucket(FRAMES, FRAMES.burst, asyncio.get_running_loop().time())
        self._ignored = 0
        self.house.hub.add(socket)
        self.house.stage(stage_key).greet(socket)
        if self._line is not None:
            self._line.hear = self._hear

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A frame that came by the book."""
        self.hear(text_data, self.read_at)

    def _hear(self, text: str) -> None:
        """A frame that came the short way."""
        try:
            self.hear(text, utc_now())
        except Exception:
            logger.exception("a frame of a %s was not understood", self.audience)
            self._end_at_once()

    def hear(self, text: str | None, received_at: datetime) -> None:
        """What came over the line, None for a frame that is no text."""
        if not self._may_speak():
            return
        if self.socket is not None:
            self.socket.heard_at = monotonic()
        try:
            message = read_message(text)
        except Malformed as fault:
            self.malformed(fault)
        else:
            self.act(message, received_at)

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """Do what a message asks for."""
        raise NotImplementedError

    def malformed(self, fault: Malformed) -> None:
        """What came is no message: say so."""
        with translation.override(self.language):
            self.post(messages.refused(None, "malformed", fault.sentence))

    def _may_speak(self) -> bool:
        """Whether a frame is to be read. Whoever sends too many is told so now and then, and ended at last."""
        if self.socket is None:
            return False
        if self._frames.take(asyncio.get_running_loop().time()) == 0.0:
            return True
        self._ignored += 1
        if self._ignored > MOST_IGNORED:
            self.house.hub.remove(self.socket)
            self.socket.mailbox.close(TOO_MANY)
        elif self._ignored % 20 == 1:
            with translation.override(self.language):
                sentence = _("Too many messages come from this phone; some were not read.")
            self.post(messages.refused(None, "too_fast", sentence, retry_ms=1000))
        return False

    def post(self, text: str) -> None:
        """Send a letter, if the socket is still there."""
        if self.socket is not None:
            self.house.hub.post_to(self.socket, text)

    def _deliver_soon(self) -> None:
        """Something waits: from now on somebody looks after the mailbox."""
        if self._delivery is None and self.socket is not None:
            work = self._deliver(self.socket.mailbox)
            self._delivery = self.house.background.start(work, f"{self.audience}'s mailbox")

    async def _deliver(self, mailbox: Mailbox) -> None:
        try:
            await mailbox.deliver()
        except Exception:
            self._end_at_once()  # the line broke while something was being sent

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    @staticmethod
    def _write_nothing(frame: bytes) -> bool:
        return False

    def _end_at_once(self) -> None:
        """Without waiting for a peer that does not read: where the line is known, it is dropped."""
        self._cut = True
        if self._line is not None:
            self._line.transport.abort()
        if self._task is not None:
            self._task.cancel()

    def _leave(self) -> None:
        """Forget everything that holds this socket, so that it is gone at once and not when garbage is collected."""
        if self._line is not None:
            self._line.hear = None
            self._line = None
        if self.socket is not None:
            self.house.hub.remove(self.socket)
            self.socket = None
        if self._delivery is not None:
            self._delivery.cancel()
            self._delivery = None

    def _header(self, name: bytes) -> str:
        return next((value.decode("latin-1") for key, value in self.scope["headers"] if key == name), "")


class PhoneSocket(HallSocket):
    """A player's phone. It may hand in slips, ask for its own results and compare clocks."""

    audience = "phone"
    seat: SeatedPlayer

    async def enter(self) -> None:
        """By the seat in the cookie; without a valid one the phone is told to join again."""
        seat = await self.house.seating.admit(self.cookies)
        if seat is None:
            await self._send_text(no_seat())
            await self.close(NO_SEAT)
            return
        self.seat = seat
        key = (seat.event_id, seat.room_id)
        stage = self.house.stage(key)
        view = await stage.personal(seat.player_id, self.language)
        picture = await stage.picture.current()
        outdated = versions.notice(self._named_version())
        letters = [outdated] if outdated else []
        self.begin(key, *letters, messages.hello(seat, picture.turn, view), player=seat)
        if view is not None and self.socket is not None:
            self.socket.mailbox.show("me", messages.me(view))

    def _named_version(self) -> str | None:
        query: bytes = self.scope["query_string"]
        return parse_qs(query.decode("latin-1")).get("v", [None])[0]

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """A slip, a ping, or the wish for one's own results."""
        match message.get("t"):
            case "ping":
                self.post(messages.pong(_finite(message.get("c")), received_at))
                if self.socket is not None and (trip := _finite(message.get("rtt"))) is not None:
                    self.socket.round_trip_ms = trip
            case "slip":
                self._hand_in(message, received_at)
            case "me":
                self.house.background.start(self._show_me(), "a player's results")
            case _:
                self.malformed(Malformed(gettext_noop("This kind of message is not known.")))

    def _hand_in(self, message: dict[str, Any], received_at: datetime) -> None:
        if not self.house.seating.holds(self.seat.token_hash):
            if self.socket is not None:
                self.house.hub.move_out(self.socket)
            return
        handing = Handing(self.seat, self.address, self.language, self.post)
        later = offer(self.house, handing, message, received_at)
        if later is not None:
            self.house.background.start(self._unless_gone(later), "a slip")

    async def _unless_gone(self, later: Awaitable[None]) -> None:
        with suppress(StageGone):
            await later

    async def _show_me(self) -> None:
        with suppress(StageGone):
            stage = self.house.stage((self.seat.event_id, self.seat.room_id))
            view = await stage.personal(self.seat.player_id, self.language)
            if view is not None and self.socket is not None:
                self.socket.mailbox.show("me", messages.me(view))


class WatchingSocket(HallSocket):
    """Desk and wall: they are shown things and say nothing."""

    async def enter(self) -> None:
        """By what the address and the session say; a refusal is delayed where many were wrong before."""
        try:
            key = await self.find_stage()
        except DataError:  # a NUL in the address, which PostgreSQL takes in no text
            key = None
        if key is None:
            await gate.delay(gate.failed(self.address))
            await self.close(NO_SEAT)
            return
        await self.house.stage(key).picture.current()
        self.begin(key)

    async def find_stage(self) -> StageKey | None:
        """The room that may be seen; None when this socket may see nothing."""
        raise NotImplementedError

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """Only a ping is answered."""
        if message.get("t") == "ping":
            self.post(messages.pong(_finite(message.get("c")), received_at))

    def malformed(self, fault: Malformed) -> None:
        """Nothing is said to whoever has nothing to say."""


class DeskSocket(WatchingSocket):
    """A judge's desk, by the session of a user who has a role in the event."""

    audience = "desk"
    _desk = ""
    _looks_at = ""

    async def enter(self) -> None:
        """As any watcher; a desk that is opened during an outage is told of it, too, and a judge where others look."""
        await super().enter()
        if self.socket is None:
            return
        user = self.scope["user"]
        self.socket.user_id, self._desk = user.pk, uuid4().hex
        if (kind := self.house.outage.standing) is not None:
            self.post(messages.alarm(kind, alarms.sentence(kind, alarms.here())))
        event_id = self.socket.stage[0]
        judges = await self.house.reader.read(lambda: live.desks_allowed([user.pk], JUDGES))
        if self.socket is not None and (event_id, user.pk) in judges:
            self.socket.judges = True
            if others := self.house.looking.others(self.socket.stage, user.pk):
                self.socket.mailbox.show("looking", messages.looking(others))

    def act(self, message: dict[str, Any], received_at: datetime) -> None:
        """A judge's desk says which slips he has before him; the rest as any watcher."""
        if message.get("t") != "look":
            super().act(message, received_at)
        elif self.socket is not None and self.socket.judges and isinstance(at := message.get("at"), str):
            self._look(at[:LONGEST_KEY])

    def _look(self, at: str) -> None:
        """Tell the desks of all processes."""
        if self.socket is not None:
            self._looks_at = at
            user, (event_id, room_id) = self.scope["user"], self.socket.stage
            who = {"user": user.pk, "name": name_of(user), "at": at}
            relay.notify({"kind": "look", "desk": self._desk, "event": event_id, "room": room_id, **who})

    def _leave(self) -> None:
        """Whoever is gone looks at nothing."""
        if self.socket is not None and self.socket.judges and self._looks_at:
            self._look("")
        super()._leave()

    async def find_stage(self) -> StageKey | None:
        """The first room of the event in the address."""
        user = self.scope["user"]
        code = self.scope["url_route"]["kwargs"]["code"]
        return await self.house.reader.read(lambda: live.stage_of_desk(code, user.pk, DESK_SOCKET))


class WallSocket(WatchingSocket):
    """The wall, by the token in its address."""

    audience = "wall"

    async def find_stage(self) -> StageKey | None:
        """The first room of the event whose wall this is."""
        token = self.scope["url_route"]["kwargs"]["token"]
        return await self.house.reader.read(lambda: live.stage_of_wall(token))


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if math.isfinite(value) else None
