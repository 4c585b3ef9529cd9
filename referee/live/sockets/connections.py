"""Registry of this process's sockets; a text is encoded once and sent to all sockets of an audience."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal

from referee.live.sockets import messages
from referee.live.sockets.frame_encoding import encode_frame
from referee.live.sockets.send_queue import SendQueue, SendQueueFull

logger = logging.getLogger(__name__)
Audience = Literal["phone", "desk", "wall"]
AUDIENCES: tuple[Audience, ...] = ("phone", "desk", "wall")
RoomKey = tuple[int, int]
"""Primary keys of an event and of one of its rooms."""

MOVED = 4001
SERVICE_RESTART = 1012
NO_SEAT = 4401
GONE = 4404
LONGEST_BEHIND_S = 30.0
SOCKETS_OF_ONE_PHONE = 2


@dataclass(eq=False, slots=True)
class Socket:
    """One connection. `cut` aborts it without sending anything. `judges`: True for a judge's desk.

    `heard_at`: time of the last frame received, of `time.monotonic`. `route`: key by which the front chose this
    process, empty without a front.
    """

    audience: Audience
    room_key: RoomKey
    send_queue: SendQueue
    cut: Callable[[], None]
    player_id: int = 0
    token_hash: str = ""
    language: str = ""
    round_trip_ms: float | None = None
    user_id: int = 0
    judges: bool = False
    route: str = ""
    heard_at: float = field(default_factory=monotonic)


@dataclass(slots=True)
class ConnectionRegistry:
    """Sockets of this process by room and audience, and the phones of every player, the newest last."""

    _sockets: defaultdict[tuple[RoomKey, Audience], dict[Socket, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _phones: defaultdict[int, list[Socket]] = field(default_factory=lambda: defaultdict(list))

    def add(self, socket: Socket) -> None:
        """Add a socket. A player's oldest phones above the limit are disconnected."""
        self._sockets[socket.room_key, socket.audience][socket] = None
        if socket.audience == "phone":
            phones = self._phones[socket.player_id]
            phones.append(socket)
            for older in phones[:-SOCKETS_OF_ONE_PHONE]:
                self.replace_phone(older)

    def remove(self, socket: Socket) -> None:
        """Remove a socket; nothing happens if it is not registered."""
        self._sockets[socket.room_key, socket.audience].pop(socket, None)
        if not self._sockets[socket.room_key, socket.audience]:
            del self._sockets[socket.room_key, socket.audience]
        phones = self._phones.get(socket.player_id, [])
        if socket in phones:
            phones.remove(socket)
        if not phones:
            self._phones.pop(socket.player_id, None)

    def send(self, audience: Audience, room_key: RoomKey, kind: str, text: str) -> None:
        """Send a text to an audience; a slow socket gets only the newest of each kind."""
        sockets = self._sockets.get((room_key, audience))
        if sockets:
            frame = encode_frame(text)
            for socket in sockets:
                socket.send_queue.show(kind, text, frame)

    def count(self, room_key: RoomKey, audience: Audience) -> int:
        """Count the sockets of an audience in a room."""
        return len(self._sockets.get((room_key, audience), ()))

    def list_sockets(self, room_key: RoomKey, audience: Audience) -> list[Socket]:
        """Return the sockets of an audience in a room; callable from any thread."""
        return list(self._sockets.get((room_key, audience), ()))

    def desks(self, event_id: int | None = None) -> list[Socket]:
        """Return the desks of an event, or all."""
        return [it for it in self.everybody() if it.audience == "desk" and event_id in (None, it.room_key[0])]

    def list_phones(self) -> list[Socket]:
        """Return all phones."""
        return [it for it in self.everybody() if it.audience == "phone"]

    def post_to(self, socket: Socket, text: str) -> None:
        """Send a message to one socket; a socket with too many unread messages is aborted."""
        try:
            socket.send_queue.post(text)
        except SendQueueFull:
            self.cut(socket)

    def replace_phone(self, phone: Socket) -> None:
        """Tell a phone that another one replaces it, and close its socket."""
        self._send_away(phone, messages.moved_message())

    def remove_phone(self, phone: Socket) -> None:
        """Tell a phone that its player is not in the event any more, and close its socket."""
        self._send_away(phone, messages.removed_message())

    def _send_away(self, phone: Socket, text: str) -> None:
        self.remove(phone)
        self.post_to(phone, text)
        phone.send_queue.close(MOVED)

    def close_room(self, room_key: RoomKey) -> None:
        """Close all sockets of a room that no longer exists."""
        for audience in AUDIENCES:
            for socket in list(self._sockets.get((room_key, audience), ())):
                self.end(socket, GONE)

    def end(self, socket: Socket, code: int) -> None:
        """Close a socket with a close code."""
        self.remove(socket)
        socket.send_queue.close(code)

    def phones_of(self, player_ids: Collection[int]) -> list[Socket]:
        """Return the phones of these players."""
        return [phone for player_id in player_ids for phone in self._phones.get(player_id, ())]

    def has(self, room_key: RoomKey) -> bool:
        """Tell if a room has any socket."""
        return any((room_key, audience) in self._sockets for audience in AUDIENCES)

    def everybody(self) -> Iterator[Socket]:
        """Iterate over all sockets."""
        for sockets in list(self._sockets.values()):
            yield from list(sockets)

    def cut_slow(self, now: float) -> None:
        """Abort sockets that have not read for `LONGEST_BEHIND_S`; `now` is a time of the event loop."""
        for socket in self.everybody():
            if socket.send_queue.behind(now) > LONGEST_BEHIND_S:
                self.cut(socket)

    def cut(self, socket: Socket) -> None:
        """Abort a socket that does not read."""
        logger.info("aborted a %s that does not read", socket.audience)
        self.remove(socket)
        socket.cut()
