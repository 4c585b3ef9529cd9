"""Kinds of switch values: which values a switch may have.

A kind is called with a value and returns it as a profile stores it; `ValueError` says what the value must be:
"8H or H8". The fields of a kind describe the values that it allows, so that a form can be built from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    values: tuple[str, ...]

    def __call__(self, value: object) -> object:
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(_format_list(self.values))
        return value


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """A whole number between two, both included, or None where `optional`. `seconds`: it is a time."""

    least: int
    most: int
    optional: bool = False
    seconds: bool = False

    def __call__(self, value: object) -> object:
        if value is None and self.optional:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise ValueError(f"a whole number from {self.least} to {self.most}{', or none' * self.optional}")
        return value


@dataclass(frozen=True, slots=True)
class YesNo:
    """True or False."""

    def __call__(self, value: object) -> object:
        if not isinstance(value, bool):
            raise ValueError("true or false")
        return value


@dataclass(frozen=True, slots=True)
class OrderedChoices:
    """Some of a few words, each at most once, the first that decides first."""

    values: tuple[str, ...]

    def __call__(self, value: object) -> object:
        chosen = tuple(value) if isinstance(value, list | tuple) else (None,)
        if any(entry not in self.values for entry in chosen) or len(set(chosen)) < len(chosen):
            raise ValueError(f"a list of {_format_list(self.values)}, each at most once")
        return chosen


@dataclass(frozen=True, slots=True)
class TileFaces:
    """Faces of tiles, in upper case."""

    def __call__(self, value: object) -> object:
        entries = tuple(value) if isinstance(value, list | tuple) else (None,)
        if not all(isinstance(entry, str) and entry and entry == entry.upper() for entry in entries):
            raise ValueError("a list of letters in upper case")
        return entries


@dataclass(frozen=True, slots=True)
class Calls:
    """Seconds before the end."""

    def __call__(self, value: object) -> object:
        entries = tuple(value) if isinstance(value, list | tuple) else (None,)
        try:
            return tuple(_SECOND(entry) for entry in entries)
        except ValueError:
            raise ValueError("a list of seconds before the end, such as [60, 30, 5]") from None


@dataclass(frozen=True, slots=True)
class Bonuses:
    """Pairs (tiles laid, points), by tiles laid; JSON and TOML have the number of tiles as text."""

    def __call__(self, value: object) -> object:
        pairs: Any = value.items() if isinstance(value, Mapping) else value
        try:
            return tuple(sorted((_MAX_TILES_LAID(int(laid)), POINTS(points)) for laid, points in pairs))
        except (TypeError, ValueError):
            raise ValueError('points by number of tiles laid, such as {"7": 50}') from None


SwitchType = OneOf | WholeNumber | YesNo | OrderedChoices | TileFaces | Calls | Bonuses


def _format_list(values: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(values[:-1]), values[-1])))


POINTS = WholeNumber(0, 1000)
_SECOND = WholeNumber(1, 3600)
_MAX_TILES_LAID = WholeNumber(1, 15)
