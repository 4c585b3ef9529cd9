"""Cache of the public pages; a page is rendered once for all readers, and again when its content changes.

The version of the content, for example of an event, is read once a second at most, for any number of readers. A page
is rendered on request, in the language of the content, and contains nothing of the reader.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from django.utils import translation

from tournaments.models import PublicPage
from tournaments.now import utc_now
from tournaments.results.queries.public_page import page_of, version_of

VERSION_CHECK_S = 1.0
MOST_EVENTS, MOST_PAGES = 64, 600
Clock = Callable[[], float]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CachedPage:
    """Rendered page, with its compressed form."""

    body: bytes
    zipped: bytes
    etag: str
    language: str
    may_be_found: bool


@dataclass(frozen=True, slots=True)
class Source(Generic[T]):
    """Content of pages: they stay the same while `version` does."""

    version: object
    content: T
    language: str
    may_be_found: bool = False


@dataclass(slots=True)
class _Entry(Generic[T]):
    source: Source[T] | None = None
    checked_at: float = float("-inf")
    pages: OrderedDict[str, CachedPage | None] = field(default_factory=OrderedDict)
    lock: threading.Lock = field(default_factory=threading.Lock)


class AnswerCache(Generic[T]):
    """Pages of recently read contents, found by a key; the least recently used are dropped."""

    def __init__(
        self,
        find: Callable[[str], Source[T] | None],
        clock: Clock = time.monotonic,
        check_s: float = VERSION_CHECK_S,
    ) -> None:
        self._find = find
        self._check_s = check_s
        self._clock = clock
        self._entries: OrderedDict[str, _Entry[T]] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, key: str, name: str, make: Callable[[T], str | None]) -> CachedPage | None:
        """Return the page `name` of a content, rendered by `make` if not cached; None if there is none."""
        entry = self._entry(key)
        with entry.lock:
            self._check_version(entry, key)
            if entry.source is None:
                self._drop(key)
                return None
            if name not in entry.pages:
                entry.pages[name] = _make_page(entry.source, make)
                if len(entry.pages) > MOST_PAGES:
                    entry.pages.popitem(last=False)
            return entry.pages[name]

    def knows(self, key: str) -> bool:
        """Tell if this is the key of a content read before."""
        entry = self._entries.get(key)
        return entry is not None and entry.source is not None

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._entries.clear()

    def _entry(self, key: str) -> _Entry[T]:
        with self._lock:
            entry = self._entries.setdefault(key, _Entry())
            self._entries.move_to_end(key)
            if len(self._entries) > MOST_EVENTS:
                self._entries.popitem(last=False)
            return entry

    def _drop(self, key: str) -> None:
        """Remove an unknown key, so that guessed addresses evict no pages."""
        with self._lock:
            self._entries.pop(key, None)

    def _check_version(self, entry: _Entry[T], key: str) -> None:
        now = self._clock()
        if now - entry.checked_at < self._check_s:
            return
        source = self._find(key)
        if source is None or entry.source is None or source.version != entry.source.version:
            entry.pages.clear()
        entry.source = source
        entry.checked_at = now


class PageCache(AnswerCache[PublicPage]):
    """The public pages of events, found by their token."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        super().__init__(_find_page, clock)


def _find_page(token: str) -> Source[PublicPage] | None:
    page = page_of(token)
    return None if page is None else source_of(page)


def source_of(page: PublicPage) -> Source[PublicPage]:
    """Return the page with its version."""
    return Source(version_of(page, utc_now()), page, page.event.language, page.may_be_found)


def _make_page(source: Source[T], make: Callable[[T], str | None]) -> CachedPage | None:
    with translation.override(source.language):
        text = make(source.content)
    if text is None:
        return None
    body = text.encode()
    etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
    return CachedPage(body, gzip.compress(body, 6, mtime=0), etag, source.language, source.may_be_found)
