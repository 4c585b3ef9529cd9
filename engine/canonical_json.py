"""Canonical JSON: the one way to write a value as bytes, so that equal values have equal hashes."""

from __future__ import annotations

import json
from collections.abc import Mapping

_PLAIN = (str, int, bool, type(None))


class NotCanonical(ValueError):
    """A value that canonical JSON cannot hold: a float, or something that is no JSON at all."""


def canonical_json(value: object) -> bytes:
    """The one way to write a JSON value: keys sorted, no spaces, UTF-8. `NotCanonical` for floats and other objects."""
    _refuse_floats(value)
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return text.encode("utf-8")
    except (TypeError, ValueError) as error:
        raise NotCanonical(f"this cannot be written as canonical JSON: {error}") from None


def _refuse_floats(value: object) -> None:
    if type(value) in _PLAIN:
        return
    if isinstance(value, float):
        raise NotCanonical(f"canonical JSON holds no floats, and {value!r} is one")
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise NotCanonical(f"the keys of canonical JSON are texts, and {key!r} is none")
            _refuse_floats(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_floats(inner)
