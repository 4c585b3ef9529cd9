"""Cache of the public pages; a page is rendered once for all readers, and again when its content changes.

The version of an event's content is read at most once a second, for any number of readers. A page is rendered on
request, in the language of the event, and contains nothing of the reader.
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
from tournaments.now import utc_now
from tournaments.results.queries.public_page import Version, page_of, version_of

VERSION_CHECK_S = 1.0
MOST_EVENTS, MOST_PAGES = 64, 600
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class CachedPage:
    """Rendered page, with its compressed form."""

    body: bytes
    zipped: bytes
    etag: str
    language: str
    may_be_found: bool


@dataclass(slots=True)
class _Event:
    version: Version | None = None
    checked_at: float = float("-inf")
    pages: OrderedDict[str, CachedPage | None] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class PageCache:
    """Pages of recently read events; the least recently used are dropped."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._events: OrderedDict[str, _Event] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, token: str, name: str, make: Callable[[PublicPage], str | None]) -> CachedPage | None:
        """Return the page `name` of an event, rendered by `make` if not cached; None if there is none."""
        event = self._event(token)
        with event.lock:
            self._check_version(event, token)
            if event.version is None:
                self._drop(token)
                return None
            if name not in event.pages:
                event.pages[name] = _make_page(token, make)
                if len(event.pages) > MOST_PAGES:
                    event.pages.popitem(last=False)
            return event.pages[name]

    def knows(self, token: str) -> bool:
        """Tell if this is the token of an event read before."""
        event = self._events.get(token)
        return event is not None and event.version is not None

    def forget(self) -> None:
        """Clear the cache."""
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
        """Remove an unknown token, so that guessed addresses evict no pages."""
        with self._lock:
            self._events.pop(token, None)

    def _check_version(self, event: _Event, token: str) -> None:
        now = self._clock()
        if now - event.checked_at < VERSION_CHECK_S:
            return
        version = version_of(token, utc_now())
        if version != event.version:
            event.version = version
            event.pages.clear()
        event.checked_at = now


def _make_page(token: str, make: Callable[[PublicPage], str | None]) -> CachedPage | None:
    page = page_of(token)
    if page is None:
        return None
    with translation.override(page.event.language):
        text = make(page)
    if text is None:
        return None
    body = text.encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    return CachedPage(body, gzip.compress(body, 6, mtime=0), etag, page.event.language, page.may_be_found)
