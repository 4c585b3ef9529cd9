"""The public pages as they were made last: made once for everybody who reads, anew when something can be seen.

What an event's pages depend on is asked at most once a second, however many read; a page is made when somebody wants
it. A page is bytes, the same for everybody, in the language of the event: nothing of the reader is in it.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from django.utils import translation

from tournaments.models import PublicPage
from tournaments.selectors.public_page import Version, page_of, version_of

LOOKED_AT_EVERY_S = 1.0
MOST_EVENTS, MOST_PAGES = 64, 600
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Answer:
    """A page as it goes out."""

    body: bytes
    zipped: bytes
    etag: str
    language: str
    may_be_found: bool


@dataclass(slots=True)
class _Event:
    version: Version | None = None
    looked_at: float = float("-inf")
    pages: OrderedDict[str, Answer | None] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Kept:
    """The pages of the events that are read now, the oldest forgotten first."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._events: OrderedDict[str, _Event] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, token: str, name: str, make: Callable[[PublicPage], str | None]) -> Answer | None:
        """The page `name` of the event with this token, made by `make` when it is not kept; None when there is none."""
        event = self._event(token)
        with event.lock:
            self._look(event, token)
            if event.version is None:
                self._drop(token)
                return None
            if name not in event.pages:
                event.pages[name] = _made(token, make)
                if len(event.pages) > MOST_PAGES:
                    event.pages.popitem(last=False)
            return event.pages[name]

    def knows(self, token: str) -> bool:
        """Whether this is the address of an event that was read before."""
        event = self._events.get(token)
        return event is not None and event.version is not None

    def forget(self) -> None:
        """Everything is made anew."""
        with self._lock:
            self._events.clear()

    def _event(self, token: str) -> _Event:
        with self._lock:
            event = self._events.setdefault(token, _Event())
            self._events.move_to_end(token)
            if len(self._events) > MOST_EVENTS:
                self._events.popitem(last=False)
            return event

    def _drop(self, token: str) -> None:
        """Addresses that somebody tries push nothing out of the store."""
        with self._lock:
            self._events.pop(token, None)

    def _look(self, event: _Event, token: str) -> None:
        now = self._clock()
        if now - event.looked_at < LOOKED_AT_EVERY_S:
            return
        version = version_of(token)
        if version != event.version:
            event.version = version
            event.pages.clear()
        event.looked_at = now


def _made(token: str, make: Callable[[PublicPage], str | None]) -> Answer | None:
    page = page_of(token)
    if page is None:
        return None
    with translation.override(page.event.language):
        text = make(page)
    if text is None:
        return None
    body = text.encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    return Answer(body, gzip.compress(body, 6, mtime=0), etag, page.event.language, page.may_be_found)
