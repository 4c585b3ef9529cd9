"""The sockets of this process and what is shown to them: a text is made once and put into every mailbox."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal

from referee.live import messages
from referee.live.mailbox import Mailbox, Overfull
from referee.live.straight import frame_of

logger = logging.getLogger(__name__)
Audience = Literal["phone", "desk", "wall"]
AUDIENCES: tuple[Audience, ...] = ("phone", "desk", "wall")
StageKey = tuple[int, int]
"""An event and one of its rooms, by their keys."""

MOVED = 4001
AGAIN = 1012
NO_SEAT = 4401
GONE = 4404
LONGEST_BEHIND_S = 30.0
SOCKETS_OF_ONE_PHONE = 2


@dataclass(eq=False, slots=True)
class Socket:
    """One connection. `cut` ends it at once, without sending anything more. `judges`: it is the desk of a judge.
    `heard_at`: when something came over it last, as `time.monotonic` counts."""

    audience: Audience
    stage: StageKey
    mailbox: Mailbox
    cut: Callable[[], None]
    player_id: int = 0
    token_hash: str = ""
    language: str = ""
    round_trip_ms: float | None = None
    user_id: int = 0
    judges: bool = False
    heard_at: float = field(default_factory=monotonic)


@dataclass(slots=True)
class Hub:
    """Process-local: sockets by stage and audience, and the phones of every player, the newest last."""

    _sockets: defaultdict[tuple[StageKey, Audience], dict[Socket, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    _phones: defaultdict[int, list[Socket]] = field(default_factory=lambda: defaultdict(list))

    def add(self, socket: Socket) -> None:
        """Show things to this socket from now on. A player's older phones have to go."""
        self._sockets[socket.stage, socket.audience][socket] = None
        if socket.audience == "phone":
            phones = self._phones[socket.player_id]
            phones.append(socket)
            for older in phones[:-SOCKETS_OF_ONE_PHONE]:
                self.move_out(older)

    def remove(self, socket: Socket) -> None:
        """Show nothing more to this socket; also when it is gone already."""
        self._sockets[socket.stage, socket.audience].pop(socket, None)
        if not self._sockets[socket.stage, socket.audience]:
            del self._sockets[socket.stage, socket.audience]
        phones = self._phones.get(socket.player_id, [])
        if socket in phones:
            phones.remove(socket)
        if not phones:
            self._phones.pop(socket.player_id, None)

    def send(self, audience: Audience, stage: StageKey, kind: str, text: str) -> None:
        """Show a text to an audience; of each kind only the newest reaches a slow socket."""
        sockets = self._sockets.get((stage, audience))
        if sockets:
            frame = frame_of(text)
            for socket in sockets:
                socket.mailbox.show(kind, text, frame)

    def count(self, stage: StageKey, audience: Audience) -> int:
        """How many sockets of an audience look at a stage."""
        return len(self._sockets.get((stage, audience), ()))

    def looking_at(self, stage: StageKey, audience: Audience) -> list[Socket]:
        """The sockets of an audience that look at a stage, whoever asks in whatever thread."""
        return list(self._sockets.get((stage, audience), ()))

    def desks(self, event_id: int | None = None) -> list[Socket]:
        """The desks of an event, or all."""
        return [it for it in self.everybody() if it.audience == "desk" and event_id in (None, it.stage[0])]

    def post_to(self, socket: Socket, text: str) -> None:
        """Send a letter to one socket; one that leaves hundreds unread is cut."""
        try:
            socket.mailbox.post(text)
        except Overfull:
            self.cut(socket)

    def move_out(self, phone: Socket) -> None:
        """Tell a phone that another one took its place, and end it."""
        self.remove(phone)
        self.post_to(phone, messages.moved())
        phone.mailbox.close(MOVED)

    def dismiss(self, stage: StageKey) -> None:
        """End all sockets of a stage that is not there any more."""
        for audience in AUDIENCES:
            for socket in list(self._sockets.get((stage, audience), ())):
                self.end(socket, GONE)

    def end(self, socket: Socket, code: int) -> None:
        """End a socket with a code that tells why."""
        self.remove(socket)
        socket.mailbox.close(code)

    def phones_of(self, player_ids: Collection[int]) -> list[Socket]:
        """The phones of these players."""
        return [phone for player_id in player_ids for phone in self._phones.get(player_id, ())]

    def has(self, stage: StageKey) -> bool:
        """Whether anybody looks at this stage."""
        return any((stage, audience) in self._sockets for audience in AUDIENCES)

    def everybody(self) -> Iterator[Socket]:
        """All sockets."""
        for sockets in list(self._sockets.values()):
            yield from list(sockets)

    def cut_slow(self, now: float) -> None:
        """End the sockets that have taken nothing for too long; `now` by the clock of the event loop."""
        for socket in self.everybody():
            if socket.mailbox.behind(now) > LONGEST_BEHIND_S:
                self.cut(socket)

    def cut(self, socket: Socket) -> None:
        """End a socket that does not read."""
        logger.info("a %s that does not read was cut", socket.audience)
        self.remove(socket)
        socket.cut()
