"""Parsing of integers and JSON from outside the program, with limits on size and depth."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn

MAX_DIGITS = 15
"""Highest number of digits of an integer in JSON; a double is exact up to there."""
MAX_DEPTH = 50
"""Highest nesting of lists and objects; no file or message of docs/formats.md and docs/protocol.md reaches ten."""
_INVALID_CHARACTER = re.compile("[\0\ud800-\udfff]")
_INVALID_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")


def parse_whole_number(text: str, digits: int = 6) -> int | None:
    """Parse a number of the digits 0 to 9; return None for anything else and for more than `digits` digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None


def read_json(text: str | bytes, *, half_signs: bool = False) -> Any:
    """Parse a JSON text; ValueError if it is malformed or exceeds the limits.

    NUL characters and unpaired surrogates, which databases and files cannot store as text, are errors too, unless
    `half_signs` is true.
    """
    written = text if isinstance(text, str) else text.decode("utf-8-sig")
    try:
        found = _DECODER.decode(written)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check_depth(found)
    if not half_signs:
        _check_characters(written, found)
    return found


def _check_depth(found: Any) -> None:
    level = [found]
    for _ in range(MAX_DEPTH):
        parts = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [part for each in parts for part in each if isinstance(part, dict | list)]
        if not level:
            return
    raise ValueError(_TOO_DEEP)


def _check_characters(text: str, found: Any) -> None:
    """Raise ValueError for invalid characters; the value is searched only if the source text may contain one."""
    if (_INVALID_ESCAPE.search(text) or _INVALID_CHARACTER.search(text)) and any(
        map(_INVALID_CHARACTER.search, _texts(found))
    ):
        raise ValueError(_NOT_TEXT)


def _texts(found: Any) -> Iterator[str]:
    """Yield all strings in a value, including the keys of objects."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict | list):
        for part in found:
            yield from _texts(part)
        if isinstance(found, dict):
            yield from _texts(list(found.values()))


def _parse_int(text: str) -> int:
    return int(text) if len(text) <= MAX_DIGITS else _refuse_constant(text)


def _parse_float(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refuse_constant(text)


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text[: MAX_DIGITS + 1]} is no number that is read here")


_TOO_DEEP = f"it holds more than {MAX_DEPTH} lists and objects within each other"
_NOT_TEXT = "it holds a sign that is no text (a NUL or half of a surrogate pair)"
_DECODER = json.JSONDecoder(parse_int=_parse_int, parse_float=_parse_float, parse_constant=_refuse_constant)
