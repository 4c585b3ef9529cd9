"""Invisible characters: default ignorable ones (Unicode 17, DerivedCoreProperties.txt) and blank symbols."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

# Default ignorable characters that the general category Cf does not cover.
_IGNORABLE = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0}).union(
    range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xFFF0, 0xFFF9), range(0xE0000, 0xE1000)
)
_BLANK = frozenset("\u2800\U0001d159")  # the empty Braille pattern, the notehead that is not drawn
_ZWNJ, _ZWJ, _EMOJI_STYLE = "\u200c", "\u200d", "\ufe0f"
_VIRAMA = 9


def is_invisible(character: str) -> bool:
    """Return True for a character without a shape. Ordinary blanks and line breaks do not count."""
    category = unicodedata.category(character)
    return category in ("Cc", "Cf", "Cs") or ord(character) in _IGNORABLE or character in _BLANK


def first_invisible(text: str) -> str | None:
    """The first invisible character that has no reason to be where it stands, None without one.

    A joiner has one in scripts that need it (RFC 5892, A.1 and A.2: after a virama; the non-joiner also between two
    Arabic letters), joiner and emoji style in emoji.
    """
    return next((text[place] for place in _needless(text)), None)


def without_invisible(text: str) -> str:
    """The text without the characters that `first_invisible` finds."""
    needless = set(_needless(text))
    return "".join(character for place, character in enumerate(text) if place not in needless)


def _needless(text: str) -> Iterator[int]:
    return (place for place, sign in enumerate(text) if is_invisible(sign) and not _is_needed(text, place))


def _is_needed(text: str, place: int) -> bool:
    character, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if character not in (_ZWNJ, _ZWJ, _EMOJI_STYLE) or not before:
        return False
    if character == _EMOJI_STYLE:
        return _is_emoji(before)
    if unicodedata.combining(before) == _VIRAMA:
        return True
    if character == _ZWNJ:
        return bool(after) and {unicodedata.bidirectional(before), unicodedata.bidirectional(after)} == {"AL"}
    return bool(after) and _is_emoji(after) and (_is_emoji(before) or before == _EMOJI_STYLE)


def _is_emoji(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk") and character not in _BLANK
