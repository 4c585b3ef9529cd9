"""In what order names stand in a list, as a reader of a language looks for them.

Letters decide first, then accents, then case, then the signs between them: `Rossi`, `Ròssi`, `rossi`. What counts as a
letter of its own differs by language: `ñ` after `n` in Spanish, `ă` and `â` after `a` in Romanian; German `ä` stands
with `a` (DIN 5007-1, words). Names are never turned round: particles and given names stay where they were written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

SortKey = tuple[tuple[tuple[tuple[int, int | str, int], ...], ...], str, str, str]
"""What `sort_key` gives; only good for comparing."""

_KEPT = 30_000
# Letters that follow another one as letters of their own: letter -> (after which, which of those that follow it).
_OWN_LETTERS: Mapping[str, Mapping[str, tuple[str, int]]] = {
    "es": {"ñ": ("n", 1)},
    "ro": {"ă": ("a", 1), "â": ("a", 2), "î": ("i", 1), "ș": ("s", 1), "ț": ("t", 1)},
}
# What is written with another sign and sorted as these letters, in every language.
_WRITTEN_OUT = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        # Romanian cedillas of old keyboards are the commas of today.
        "ş": "ș",
        "ţ": "ț",
    }
)
_APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")


@lru_cache(maxsize=_KEPT)
def sort_key(text: str, language: str) -> SortKey:
    """A key by which texts sort as the language does; `language` is a code such as "it" or "ro-md".

    Words are compared one after the other, so `De Rossi` comes before `Deandrea`, and `Rossi Bo` before `Rossini`.
    Hyphens part words, apostrophes and the point in `l·l` do not: `D'Angelo` stands with `Dangelo`. Numbers count as
    numbers (`Torino 2` before `Torino 10`). Texts that differ at all have different keys.
    """
    own = _OWN_LETTERS.get(language.partition("-")[0], {})
    written = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    small = _lowered(written)
    letters = tuple(_weights(word, own) for word in _words(small))
    return letters, _accents(small), written.swapcase(), text


def _lowered(text: str) -> str:
    """Small letters, written out; `ß` first, since the capital of it would otherwise be two letters."""
    return unicodedata.normalize("NFC", text.lower()).translate(_WRITTEN_OUT)


def _words(text: str) -> list[str]:
    parted = "".join(sign if sign.isalnum() or unicodedata.combining(sign) else _gap(sign) for sign in text)
    return parted.split()


def _gap(sign: str) -> str:
    return "" if sign in "'·." else " "


def _weights(word: str, own: Mapping[str, tuple[str, int]]) -> tuple[tuple[int, int | str, int], ...]:
    """Of each letter: numbers first, then letters, each with its place after the letter that it follows."""
    found: list[tuple[int, int | str, int]] = []
    digits = ""
    for sign in [*word, ""]:
        if sign.isdecimal():
            digits += sign
            continue
        if digits:
            found.append((0, int(digits), 0))
            digits = ""
        if sign in own:
            base, place = own[sign]
            found.append((1, base, place))
        else:
            found += [(1, base, 0) for base in _plain(sign)]
    return tuple(found)


def _plain(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def _accents(text: str) -> str:
    """The marks above and below the letters alone, each at its letter; plain letters before those with marks."""
    return "".join(" " if not unicodedata.combining(sign) else sign for sign in unicodedata.normalize("NFD", text))
