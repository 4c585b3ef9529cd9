"""One form of a text for searching: small letters without accents, and one apostrophe.

Unicode decomposes `é` into a letter and an accent, but not letters such as `ł` or `ß`: these are in a table of their
own. For names that look alike see `tournaments.players.look_alikes`; for sorting, `engine.standings.collation`.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_NAMES_KEPT = 30_000
_LETTERS = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "ħ": "h",
        "ı": "i",
        "ĸ": "k",
        "ŋ": "n",
        "ŧ": "t",
        "þ": "th",
        "ß": "ss",
        "ə": "e",
        "ɨ": "i",
        "ƒ": "f",
        "ɫ": "l",
        "·": "",
    }
)
"""Letters that have no decomposition; `l·l` is found as `ll`."""
_APOSTROPHES = frozenset("'’‘ʼʻ`´ʹ′＇‛")
_HYPHENS = frozenset("-‐‑‒–—−")


@lru_cache(maxsize=_NAMES_KEPT)
def fold_text(text: str) -> str:
    """The text as people look for it. Apostrophes are left out, so `D’Angelo`, `D'Angelo` and `Dangelo` are one;
    hyphens are blanks."""
    marked = "".join("" if sign in _APOSTROPHES else " " if sign in _HYPHENS else sign for sign in text)
    plain = unicodedata.normalize("NFKD", marked.casefold().translate(_LETTERS))
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(bare.translate(_LETTERS).split())
