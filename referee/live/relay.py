"""Carries news between the processes of a hall. One member of the channel layer a process, not one a phone.

News says only that something is different ("game 3 changed"); what is different every process reads for itself.
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
News = dict[str, Any]

_relays: list[Relay] = []
_relays_lock = threading.Lock()
_under_way: set[asyncio.Task[None]] = set()


def listen() -> None:
    """Pass on what services tell. Needs no event loop."""
    signals.game_changed.connect(_on_game, dispatch_uid="live")
    signals.slips_received.connect(_on_slips, dispatch_uid="live")
    signals.phone_replaced.connect(_on_phone, dispatch_uid="live")
    signals.document_changed.connect(_on_document, dispatch_uid="live")
    signals.staff_changed.connect(_on_staff, dispatch_uid="live")
    signals.judges_looked.connect(_on_look, dispatch_uid="live")


def alarm(kind: str, **details: Any) -> News:
    """News for the desks: something a judge should know."""
    return {"kind": "alarm", "alarm": kind, **details}


def notify(*news: News) -> None:
    """Tell every process of the hall. Never raises: what happened has happened, and the sweep notices it, too."""
    try:
        relay = _relay_of_this_process()
        if relay is not None:
            relay.post(*news)
        elif not settings.EMBEDDED:
            _send_from_outside({"type": "hall.news", "news": list(news)})
    except Exception as error:
        logger.error("news could not be passed on: %r", error)


class Relay:
    """This process's member of the channel layer. `receive` is called in the event loop with each piece of news."""

    def __init__(self, receive: Callable[[News], None]) -> None:
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._outbox: list[News] = []
        self._filled = asyncio.Event()
        self._channel: str | None = None
        with _relays_lock:
            _relays.append(self)

    @property
    def is_alive(self) -> bool:
        """Whether its event loop still runs."""
        return self._loop.is_running()

    def post(self, *news: News) -> None:
        """Send news to all processes, this one included; from any thread."""
        self._loop.call_soon_threadsafe(self._take, news)

    def leave(self) -> None:
        """Take part no longer."""
        with _relays_lock:
            if self in _relays:
                _relays.remove(self)

    async def send_forever(self) -> None:
        """Pass on what was posted, all that waits in one message. When the layer fails, this process still hears it."""
        while True:
            await self._filled.wait()
            self._filled.clear()
            news, self._outbox = self._outbox, []
            try:
                await get_channel_layer().group_send(GROUP, {"type": "hall.news", "news": news})
            except Exception as error:
                logger.error("the channel layer did not take the news: %r", error)
                self._hear(news)

    async def receive_forever(self) -> None:
        """Hear what any process sent."""
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

    async def stay(self) -> None:
        """Renew the membership: the layer in memory forgets members after a day, and after a laptop's sleep."""
        if self._channel is not None:
            await get_channel_layer().group_add(GROUP, self._channel)

    def _take(self, news: tuple[News, ...]) -> None:
        for piece in news:
            if piece not in self._outbox:
                self._outbox.append(piece)
        self._filled.set()

    def _hear(self, news: list[News]) -> None:
        for piece in news:
            try:
                self._receive(piece)
            except Exception:
                logger.exception("news was not understood: %s", piece)


def _relay_of_this_process() -> Relay | None:
    with _relays_lock:
        _relays[:] = [relay for relay in _relays if relay.is_alive]
        return _relays[-1] if _relays else None


def _send_from_outside(message: dict[str, Any]) -> None:
    """From a process that has no hall: through the layer, with or without an event loop in this thread."""
    layer = get_channel_layer()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        async_to_sync(layer.group_send)(GROUP, message)
        return
    task = loop.create_task(layer.group_send(GROUP, message))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)


def _on_game(game_id: int, room_id: int, **_: Any) -> None:
    notify({"kind": "game", "game": game_id, "room": room_id})


def _on_slips(game_id: int, room_id: int, **_: Any) -> None:
    notify({"kind": "slips", "game": game_id, "room": room_id})


def _on_phone(player_id: int, **_: Any) -> None:
    notify({"kind": "phone", "player": player_id})


def _on_document(document_id: int, **_: Any) -> None:
    notify({"kind": "document", "document": document_id})


def _on_staff(event_id: int, user_id: int, **_: Any) -> None:
    notify({"kind": "staff", "event": event_id, "user": user_id})


def _on_look(game_id: int, look_id: int, **_: Any) -> None:
    notify({"kind": "looked", "game": game_id, "look": look_id})
