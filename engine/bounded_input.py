"""Whole numbers and JSON from outside the program, read within bounds, so that no input costs more than a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn

MOST_DIGITS = 15
"""Of a whole number in JSON: what other programs read as a double is exact up to there."""
DEEPEST = 50
"""Lists and objects within each other; no file or message of docs/formats.md and docs/protocol.md has ten."""
_BAD_SIGN = re.compile("[\0\ud800-\udfff]")
_NO_TEXT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def whole_number(text: str, digits: int = 6) -> int | None:
    """The number that is written in the digits 0 to 9; None for anything else, and for more than so many digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def read_json(text: str | bytes, *, half_signs: bool = False) -> Any:
    """The value of a JSON text; ValueError for one that is none or goes beyond the bounds.

    A NUL and half of a surrogate pair, which no database and no file takes as text, are refused too; with
    `half_signs` they are left to the caller.
    """
    written = text if isinstance(text, str) else text.decode("utf-8-sig")
    try:
        found = _DECODER.decode(written)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check_depth(found)
    if not half_signs:
        _check_signs(written, found)
    return found


def _check_depth(found: Any) -> None:
    level = [found]
    for _ in range(DEEPEST):
        parts = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [part for each in parts for part in each if isinstance(part, dict | list)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _check_signs(text: str, found: Any) -> None:
    """Only a text with an escape of this kind, or with such a sign itself, can hold one."""
    if (_NO_TEXT.search(text) or _BAD_SIGN.search(text)) and any(map(_BAD_SIGN.search, _texts(found))):
        raise ValueError(_NOT_TEXT)


def _texts(found: Any) -> Iterator[str]:
    """All texts in a value, the names of fields included."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for part in found:
            yield from _texts(part)
        if isinstance(found, dict):
            yield from _texts(list(found.values()))


def _whole(text: str) -> int:
    return int(text) if len(text) <= MOST_DIGITS else _refuse(text)


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse(text)


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"{text[: MOST_DIGITS + 1]} is no number that is read here")


_TOO_DEEP = f"it holds more than {DEEPEST} lists and objects within each other"
_NOT_TEXT = "it holds a sign that is no text (a NUL or half of a surrogate pair)"
_DECODER = json.JSONDecoder(parse_int=_whole, parse_float=_finite, parse_constant=_refuse)
