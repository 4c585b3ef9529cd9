"""The three kinds of sockets: phones, desks, walls. They only read and pass on; what is shown comes from the hub."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from datetime import datetime
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.http.cookie import parse_cookie
from django.utils import translation
from django.utils.translation import gettext as _

from referee.live import messages
from referee.live.handing_in import hand_in
from referee.live.house import House, house
from referee.live.hub import GONE, Audience, Socket, StageKey
from referee.live.language import language_of
from referee.live.mailbox import Mailbox
from referee.live.slip_form import Malformed, read_message
from referee.live.stage import StageGone
from referee.security import gate
from referee.security.throttle import Bucket, Rate
from tournaments.now import utc_now
from tournaments.selectors import live
from tournaments.selectors.live import SeatedPlayer

NO_SEAT = 4401
TOO_MANY = 4429
FRAMES = Rate(per_second=10, burst=20)
MOST_IGNORED = 200


class HallSocket(AsyncWebsocketConsumer):
    """What all sockets share: a mailbox, a place in the hub, and no membership in the channel layer."""

    channel_layer_alias = "sockets are fed by the hub"
    audience: Audience
    house: House
    socket: Socket | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket to its end. One that was cut because it does not read ends here, too."""
        self._cut = False
        self._task = asyncio.current_task()
        try:
            await super().__call__(scope, receive, send)
        except asyncio.CancelledError:
            if not self._cut:
                raise
        finally:
            self._leave()

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
        mailbox = Mailbox(self._send_text, self.close)
        socket = Socket(self.audience, stage_key, mailbox, self._end_at_once, language=self.language)
        if player is not None:
            socket.player_id, socket.token_hash = player.player_id, player.token_hash
        for letter in letters:
            mailbox.post(letter)
        self.socket = socket
        self._delivery = self.house.background.start(self._deliver(mailbox), f"{self.audience}'s mailbox")
        self._frames = Bucket(FRAMES, FRAMES.burst, asyncio.get_running_loop().time())
        self._ignored = 0
        self.house.hub.add(socket)
        self.house.stage(stage_key).greet(socket)

    async def may_speak(self) -> bool:
        """Whether a frame is to be read. Whoever sends too many is told so now and then, and ended at last."""
        if self.socket is None:
            return False
        if self._frames.take(asyncio.get_running_loop().time()) == 0.0:
            return True
        self._ignored += 1
        if self._ignored > MOST_IGNORED:
            self._leave()
            await self.close(TOO_MANY)
        elif self._ignored % 20 == 1:
            sentence = _("Too many messages come from this phone; some were not read.")
            self.post(messages.refused(None, "too_fast", sentence, retry_ms=1000))
        return False

    def post(self, text: str) -> None:
        """Send a letter, if the socket is still there."""
        if self.socket is not None:
            self.house.hub.post_to(self.socket, text)

    async def _deliver(self, mailbox: Mailbox) -> None:
        try:
            await mailbox.deliver()
        except Exception:
            self._end_at_once()  # the line broke while something was being sent

    async def _send_text(self, text: str) -> None:
        await self.send(text_data=text)

    def _end_at_once(self) -> None:
        """Without waiting for a peer that does not read. A server that shows its transport drops the line."""
        self._cut = True
        transport = getattr(getattr(self.base_send, "__self__", None), "transport", None)
        if transport is not None:
            transport.abort()
        if self._task is not None:
            self._task.cancel()

    def _leave(self) -> None:
        if self.socket is not None:
            self.house.hub.remove(self.socket)
            self._delivery.cancel()
            self.socket = None

    def _header(self, name: bytes) -> str:
        return next((value.decode("latin-1") for key, value in self.scope["headers"] if key == name), "")


class PhoneSocket(HallSocket):
    """A player's phone. It may hand in slips, ask for its own results and compare clocks."""

    audience = "phone"
    seat: SeatedPlayer

    async def enter(self) -> None:
        """By the seat in the cookie; without a valid one the phone is told to join again."""
        seat = await self.house.seating.admit(self.cookies, self.address)
        if seat is None:
            sentence = _("This phone has no place in the game; join again with the code.")
            await self._send_text(messages.refused(None, "no_seat", sentence))
            await self.close(NO_SEAT)
            return
        self.seat = seat
        key = (seat.event_id, seat.room_id)
        stage = self.house.stage(key)
        view = await stage.personal(seat.player_id, self.language)
        picture = await stage.picture.current()
        self.begin(key, messages.hello(seat, picture.turn, view), player=seat)
        if view is not None and self.socket is not None:
            self.socket.mailbox.show("me", messages.me(view))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """A frame: a slip, a ping, or the wish for one's own results."""
        received_at = self.read_at
        with translation.override(self.language):
            if not await self.may_speak():
                return
            try:
                message = read_message(text_data)
            except Malformed as fault:
                self.post(messages.refused(None, "malformed", fault.sentence))
                return
            self._act(message, received_at)

    def _act(self, message: dict[str, Any], received_at: datetime) -> None:
        match message.get("t"):
            case "ping":
                self.post(messages.pong(_finite(message.get("c")), received_at))
            case "slip":
                self.house.background.start(self._hand_in(message, received_at), "a slip")
            case "me":
                self.house.background.start(self._show_me(), "a player's results")
            case _:
                self.post(messages.refused(None, "malformed", _("This kind of message is not known.")))

    async def _hand_in(self, message: dict[str, Any], received_at: datetime) -> None:
        with translation.override(self.language):
            if not self.house.seating.holds(self.seat.token_hash):
                if self.socket is not None:
                    self.house.hub.move_out(self.socket)
                return
            with suppress(StageGone):
                self.post(await hand_in(self.house, self.seat, message, received_at, self.address))

    async def _show_me(self) -> None:
        with suppress(StageGone):
            stage = self.house.stage((self.seat.event_id, self.seat.room_id))
            view = await stage.personal(self.seat.player_id, self.language)
            if view is not None and self.socket is not None:
                self.socket.mailbox.show("me", messages.me(view))


class WatchingSocket(HallSocket):
    """Desk and wall: they are shown things and say nothing."""

    async def enter(self) -> None:
        """By what the address and the session say."""
        key = await self.find_stage()
        if key is None:
            gate.failed(self.address)
            await self.close(NO_SEAT)
            return
        await self.house.stage(key).picture.current()
        self.begin(key)

    async def find_stage(self) -> StageKey | None:
        """The room that may be seen; None when this socket may see nothing."""
        raise NotImplementedError

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Only a ping is answered."""
        received_at = self.read_at
        if not await self.may_speak():
            return
        try:
            message = read_message(text_data)
        except Malformed:
            return
        if message.get("t") == "ping":
            self.post(messages.pong(_finite(message.get("c")), received_at))


class DeskSocket(WatchingSocket):
    """A judge's desk, by the session of a user who has a role in the event."""

    audience = "desk"

    async def find_stage(self) -> StageKey | None:
        """The first room of the event in the address."""
        user = self.scope["user"]
        code = self.scope["url_route"]["kwargs"]["code"]
        return await self.house.reader.read(lambda: live.stage_of_desk(code, user.pk))


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
