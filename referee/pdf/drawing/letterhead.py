"""Letterhead of the documents that are being drawn: logo, sponsor line, venue and text of the organiser.

`use_letterhead` sets it for a block, as `translation.override` sets the language. Documents drawn from a file have an
empty one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tournaments.documents.queries import LetterheadView

_current: ContextVar[LetterheadView] = ContextVar("letterhead")


@contextmanager
def use_letterhead(letterhead: LetterheadView) -> Iterator[None]:
    """Draw the documents of the block with this letterhead."""
    token = _current.set(letterhead)
    try:
        yield
    finally:
        _current.reset(token)


def current_letterhead() -> LetterheadView:
    """Return the letterhead of the documents that are being drawn."""
    return _current.get(LetterheadView())
