"""Messages between server processes. Each process, not each phone, is one member of the channel layer.

A message says only that something has changed ("game 3"); each process reads the change from the database.
`notify` may be called from anywhere: a view's thread, the event loop, a Celery worker, a management command.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings

from tournaments import signals

logger = logging.getLogger(__name__)
GROUP = "multiplo.hall"
LONGEST_SEND_S = 1.0
"""Time that Redis has to take messages, after which this process at least receives them."""
BroadcastMessage = dict[str, Any]

_broadcasts: list[Broadcast] = []
_broadcasts_lock = threading.Lock()
_pending_sends: set[asyncio.Task[None]] = set()


def connect_signals() -> None:
    """Send a message for each signal of the services. Needs no event loop."""
    signals.game_changed.connect(_on_game, dispatch_uid="live")
    signals.slips_received.connect(_on_slips, dispatch_uid="live")
    signals.phone_replaced.connect(_on_phone, dispatch_uid="live")
    signals.place_changed.connect(_on_place, dispatch_uid="live")
    signals.message_queued.connect(_on_message, dispatch_uid="live")
    signals.document_changed.connect(_on_document, dispatch_uid="live")
    signals.staff_changed.connect(_on_staff, dispatch_uid="live")
    signals.slips_reviewed.connect(_on_look, dispatch_uid="live")


def send_alarm(kind: str, **details: Any) -> BroadcastMessage:
    """Build an alarm message for the desks."""
    return {"kind": "alarm", "alarm": kind, **details}


def notify(*updates: BroadcastMessage) -> None:
    """Send messages to every process. Never raises, as the change is stored and the next sweep finds it."""
    try:
        broadcast = _find_local_broadcast()
        if broadcast is not None:
            broadcast.post(*updates)
        elif not settings.EMBEDDED:
            _send_from_outside({"type": "hall.news", "news": list(updates)})
    except Exception as error:
        logger.error("messages to other processes could not be sent: %r", error)


class Broadcast:
    """This process's member of the channel layer. `receive` is called in the event loop with each message."""

    def __init__(self, receive: Callable[[BroadcastMessage], None]) -> None:
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._outbox: list[BroadcastMessage] = []
        self._filled = asyncio.Event()
        self._channel: str | None = None
        with _broadcasts_lock:
            _broadcasts.append(self)

    @property
    def is_alive(self) -> bool:
        """True if its event loop still runs."""
        return self._loop.is_running()

    def post(self, *updates: BroadcastMessage) -> None:
        """Send messages to all processes, this one included; callable from any thread."""
        self._loop.call_soon_threadsafe(self._take, updates)

    def leave(self) -> None:
        """Stop receiving messages posted by `notify`."""
        with _broadcasts_lock:
            if self in _broadcasts:
                _broadcasts.remove(self)

    async def send_forever(self) -> None:
        """Send posted messages in groups. If the channel layer fails, this process still receives them."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            updates, self._outbox = self._outbox, []
            try:
                async with asyncio.timeout(LONGEST_SEND_S):
                    await get_channel_layer().group_send(GROUP, {"type": "hall.news", "news": updates})
            except Exception as error:
                logger.error("the channel layer did not accept messages: %r", error)
                self._hear(updates)

    async def receive_forever(self) -> None:
        """Receive the messages of all processes."""
        layer = get_channel_layer()
        self._channel = await layer.new_channel()
        await layer.group_add(GROUP, self._channel)
        try:
            while True:
                message = await layer.receive(self._channel)
                self._hear(message["news"])
        finally:
            channel, self._channel = self._channel, None
            await layer.group_discard(GROUP, channel)

    async def renew_membership(self) -> None:
        """Renew the membership, which expires in the in-memory layer after a day or a laptop's sleep."""
        if self._channel is not None:
            await get_channel_layer().group_add(GROUP, self._channel)

    def _take(self, updates: tuple[BroadcastMessage, ...]) -> None:
        for update in updates:
            if update not in self._outbox:
                self._outbox.append(update)
        self._filled.set()

    def _hear(self, updates: list[BroadcastMessage]) -> None:
        for update in updates:
            try:
                self._receive(update)
            except Exception:
                logger.exception("a message could not be handled: %s", update)


def _find_local_broadcast() -> Broadcast | None:
    with _broadcasts_lock:
        _broadcasts[:] = [broadcast for broadcast in _broadcasts if broadcast.is_alive]
        return _broadcasts[-1] if _broadcasts else None


def _send_from_outside(message: dict[str, Any]) -> None:
    """Send from a process without a live server, with or without an event loop in this thread."""
    layer = get_channel_layer()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        async_to_sync(layer.group_send)(GROUP, message)
        return
    task = loop.create_task(layer.group_send(GROUP, message))
    _pending_sends.add(task)
    task.add_done_callback(_pending_sends.discard)


def _on_game(game_id: int, room_id: int, **_: Any) -> None:
    notify({"kind": "game", "game": game_id, "room": room_id})


def _on_slips(game_id: int, room_id: int, **_: Any) -> None:
    notify({"kind": "slips", "game": game_id, "room": room_id})


def _on_phone(player_id: int, **_: Any) -> None:
    notify({"kind": "phone", "player": player_id})


def _on_place(player_id: int, **_: Any) -> None:
    notify({"kind": "place", "player": player_id})


def _on_message(**_: Any) -> None:
    notify({"kind": "message"})


def _on_document(document_id: int, **_: Any) -> None:
    notify({"kind": "document", "document": document_id})


def _on_staff(event_id: int, user_id: int, **_: Any) -> None:
    notify({"kind": "staff", "event": event_id, "user": user_id})


def _on_look(game_id: int, look_id: int, **_: Any) -> None:
    notify({"kind": "looked", "game": game_id, "look": look_id})
