"""Folding of text to the letters of an edition: accents are removed unless kept, ligatures become two letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

_TWO_LETTERS = {"ß": "ss", "œ": "oe", "æ": "ae", "ĳ": "ij"}
_ONE_LETTER = {"ø": "o", "ł": "l", "đ": "d"}
_INSIDE_A_FACE = "·"


def fold(text: str, keeps: frozenset[str], aliases: Mapping[str, str]) -> str:
    """Fold the text to letters of the edition and keep the case; other characters are unchanged.

    ß, Œ and similar letters become two letters, that is two squares, which one blank cannot cover. In a text with
    capitals they therefore become capitals (STRAßE is STRASSE, without a blank); in a text of small letters they stay
    small.
    """
    text = unicodedata.normalize("NFC", text)
    for alias, face in aliases.items():
        text = text.replace(alias, face)
    if text.isascii():
        return text
    capitals = any(sign.isupper() for sign in text)
    return "".join(_fold_sign(sign, keeps, capitals) for sign in text)


def _fold_sign(sign: str, keeps: frozenset[str], capitals: bool) -> str:
    if sign.isascii() or sign == _INSIDE_A_FACE or sign.upper() in keeps:
        return sign
    two = _TWO_LETTERS.get(sign.lower())
    if two is not None:
        return two.upper() if capitals else two
    one = _ONE_LETTER.get(sign.lower())
    if one is not None:
        return one.upper() if sign.isupper() else one
    return "".join(c for c in unicodedata.normalize("NFD", sign) if not unicodedata.combining(c))
