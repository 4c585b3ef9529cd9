"""Marker for translatable messages; the engine itself does not translate."""

from __future__ import annotations


def N_(text: str) -> str:  # noqa: N802  the name that xgettext looks for
    """Return the text unchanged; the caller of the engine translates it."""
    return text
