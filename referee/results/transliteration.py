"""Texts in encodings that cannot write all letters: `Țuc` becomes `Tuc` in Latin-1."""

from __future__ import annotations

import unicodedata

_SIGNS = {
    **dict.fromkeys("‘’‚‛′ʼʻ", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒–—−", "-"),
    **{"…": "...", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "ħ": "h", "Ħ": "H"},
    **{"ŋ": "n", "Ŋ": "N", "ŧ": "t", "Ŧ": "T", "ə": "e", "Ə": "E", "ĸ": "k", "€": "EUR"},
}
"""Signs that Unicode does not decompose."""


def write_in(text: str, encoding: str) -> str:
    """Return the text with other letters where the encoding cannot write them; a question mark if there are none."""
    return "".join(sign if _fits(sign, encoding) else _replace(sign, encoding) for sign in text)


def _replace(sign: str, encoding: str) -> str:
    bare = "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))
    for candidate in (_SIGNS.get(sign), bare):
        if candidate and _fits(candidate, encoding):
            return candidate
    return "" if unicodedata.combining(sign) else "?"


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
