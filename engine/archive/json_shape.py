"""Check of JSON values against `TypedDict`s; the error names the path of the first fault.

Types may be as simple as JSON is: `TypedDict`, `list[X]`, `dict[str, X]`, `Literal`, `X | None`, str, bool, int, float,
object.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from engine.bounded_input import read_json
from engine.version import VERSION

LONGEST_ECHO = 60


class FormatError(ValueError):
    """Text that is no file of the format wanted; the message is the reason, without a full stop."""


class MissingField(FormatError):
    """A required field is missing. `path` is like `turns[3].rack`."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is missing")
        self.path = path


class WrongValue(FormatError):
    """A value that is not what it must be; the text says path, what is wanted and what was found."""

    def __init__(self, path: str, wanted: str, value: object) -> None:
        super().__init__(f"{path} must be {wanted}, not {format_value(value)}")
        self.path = path


def check_shape(value: object, wanted: Any, path: str = "") -> None:
    """Check a JSON value against a type; `MissingField` or `WrongValue` names the first fault. Unknown keys are no
    fault."""
    if is_typeddict(wanted):
        _check_fields(value, wanted, path)
    elif (origin := get_origin(wanted)) in (Union, UnionType):
        _check_union(value, get_args(wanted), path)
    elif origin is Literal:
        if value not in get_args(wanted):
            raise WrongValue(path, _describe_choices(wanted), value)
    elif origin is list:
        for at, item in enumerate(_require_kind(value, list, "a list", path)):
            check_shape(item, get_args(wanted)[0], f"{path}[{at}]")
    elif origin is dict:
        for key, item in _require_kind(value, dict, "an object", path).items():
            check_shape(item, get_args(wanted)[1], f"{path}.{key}")
    else:
        _check_plain(value, wanted, path)


def parse_json(text: str) -> Any:
    """Parse a JSON text; `FormatError` if it is none."""
    try:
        return read_json(text)
    except ValueError as error:
        raise FormatError(f"it is not JSON ({error})") from None


def check_format(found: object, wanted: Any, name: str, version: int) -> None:
    """Check that a JSON value is a file of the format `name` in this version, with the shape `wanted`; `FormatError`
    names the first fault."""
    if not isinstance(found, dict) or found.get("format") != name:
        raise FormatError(f'its "format" is not "{name}"')
    if found.get("version") != version:
        raise FormatError(f"it {other_version_text(found.get('version'), version).rstrip('.')}")
    check_shape(found, wanted)


def other_version_text(found: object, own: int) -> str:
    """Return the end of a sentence on a file whose format has another version than the program reads."""
    text = f"is of version {format_value(found)}; only {own} is read here, by Multiplo {VERSION}"
    return f"{text}: install a newer Multiplo." if isinstance(found, int) and found > own else f"{text}."


def format_value(value: object) -> str:
    """A value as JSON, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        # What was nested just little enough to be read may be nested too much to be written.
        text = "[" * LONGEST_ECHO + "..."
    return text if len(text) <= LONGEST_ECHO else text[: LONGEST_ECHO - 3] + "..."


def _check_fields(value: object, wanted: Any, path: str) -> None:
    fields = _require_kind(value, dict, "an object", path)
    for name, hint in _hints(wanted).items():
        field_path = f"{path}.{name}" if path else name
        if name in fields:
            check_shape(fields[name], hint, field_path)
        elif name in wanted.__required_keys__:
            raise MissingField(field_path)


def _check_union(value: object, choices: tuple[Any, ...], path: str) -> None:
    """Unions are `X | None` here, so what is not null must be X."""
    if value is not None:
        check_shape(value, next(choice for choice in choices if choice is not NoneType), path)


def _check_plain(value: object, wanted: Any, path: str) -> None:
    words, fits = _PLAIN[wanted]
    if not fits(value):
        raise WrongValue(path, words, value)


_PLAIN: Mapping[Any, tuple[str, Callable[[object], bool]]] = {
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    int: (
        "a whole number of at most nine digits",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9,
    ),
    float: ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    object: ("anything", lambda value: True),
}


@cache
def _hints(wanted: Any) -> dict[str, Any]:
    return get_type_hints(wanted)


def _require_kind(value: object, kind: type[Any], words: str, path: str) -> Any:
    if not isinstance(value, kind):
        raise WrongValue(path, words, value)
    return value


def _describe_choices(wanted: Any) -> str:
    return "one of " + ", ".join(json.dumps(choice) for choice in get_args(wanted))
