"""Letters as the tiles show them: accents that an edition does not keep fall away, ligatures become two letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

_TWO_LETTERS = {"ß": "ss", "œ": "oe", "æ": "ae", "ĳ": "ij"}
_ONE_LETTER = {"ø": "o", "ł": "l", "đ": "d"}
_INSIDE_A_FACE = "·"


def fold(text: str, keeps: frozenset[str], aliases: Mapping[str, str]) -> str:
    """The text in letters of the edition, each in its case; signs that fold to nothing known stay.

    ß, Œ and the like become two letters and so two squares, which one blank cannot be: among capitals they are
    capitals in any case (STRAßE is STRASSE, without a blank), only a text all in small letters keeps them small.
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
