"""Names, clubs and series in the order of the language of whoever reads the list."""

from __future__ import annotations

from django.utils.translation import get_language

from engine.collation import SortKey, sort_key


def alphabetic(text: str) -> SortKey:
    """The key for `sorted` in the active language; databases sort by code points, or as their own server does."""
    return sort_key(text, get_language() or "")
