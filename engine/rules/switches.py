"""The switches of a profile: their names, which other programs rely on, and the values that each may have.

Each kind of switch is called with a value and gives it as the profile holds it; `ValueError` says what the value must
be: "8H or H8". What a kind allows can be read from its fields, so that a form can be made of it.
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
            raise ValueError(_listed(self.values))
        return value


@dataclass(frozen=True, slots=True)
class Whole:
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
class Order:
    """Some of a few words, each at most once, the first that decides first."""

    values: tuple[str, ...]

    def __call__(self, value: object) -> object:
        chosen = tuple(value) if isinstance(value, list | tuple) else (None,)
        if any(entry not in self.values for entry in chosen) or len(set(chosen)) < len(chosen):
            raise ValueError(f"a list of {_listed(self.values)}, each at most once")
        return chosen


@dataclass(frozen=True, slots=True)
class Letters:
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
            return tuple(sorted((_MOST_LAID(int(laid)), _POINTS(points)) for laid, points in pairs))
        except (TypeError, ValueError):
            raise ValueError('points by number of tiles laid, such as {"7": 50}') from None


Kind = OneOf | Whole | YesNo | Order | Letters | Calls | Bonuses


def _listed(values: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(values[:-1]), values[-1])))


_POINTS = Whole(0, 1000)
_SECOND = Whole(1, 3600)
_MOST_LAID = Whole(1, 15)
_QUOTA = Whole(0, 1000, optional=True)
_ZERO_OR_RESCUE = OneOf(("zero", "rescue"))
_JUDGED = OneOf(("real", "zero", "warn"))
_JUDGED_BLANK = OneOf((*_JUDGED.values, "letter_value"))
_COUNTED = OneOf(("either", "not_counted"))
_TIES = ("keep_blank", "hooks", "premium_open", "leave", "fewest_tiles", "alphabetical", "nearest_a1")

SWITCHES: Mapping[str, Kind] = {
    "notation": OneOf(("8H", "H8")),
    "min_early": Whole(0, 7),
    "min_late": Whole(0, 7),
    "last_early_turn": _QUOTA,
    "blanks_early": _COUNTED,
    "blanks_late": _COUNTED,
    "either_letters": Letters(),
    "early_minimum_fails": OneOf(("relax", "end")),
    "no_legal_move": OneOf(("redraw", "end")),
    "put_back": OneOf(("rejected", "always")),
    "rack_size": Whole(1, 9),
    "bonuses": Bonuses(),
    "board_takes": OneOf(("top", "best_slip")),
    "tie_order": Order(_TIES),
    "first_word": OneOf(("any", "across")),
    "first_move_maximum": YesNo(),
    "wrong_reference": OneOf(("zero", "reversed", "rescue")),
    "missing_reference": OneOf(("zero", "rescue", "hook")),
    "rescue_when_ambiguous": YesNo(),
    "extension_needs_reference": YesNo(),
    "last_letter": _ZERO_OR_RESCUE,
    "wrong_score": _JUDGED,
    "missing_score": _JUDGED,
    "blank_unmarked": _JUDGED_BLANK,
    "blank_wrong": _JUDGED_BLANK,
    "several_slips": OneOf(("zero", "latest")),
    "free_warnings": _QUOTA,
    "free_warnings_blitz": _QUOTA,
    "blitz_below_s": Whole(0, 3600, seconds=True),
    "sanction": _POINTS,
    "sanctions_per_slip": Whole(0, 100),
    "discipline_points": _POINTS,
    "floor": _POINTS,
    "average_for_second_zero": YesNo(),
    "solo_bonus": _POINTS,
    "solo_min_players": Whole(0, 100_000),
    "sole_best_bonus": _POINTS,
    "bonus_cap": _QUOTA,
    "clock_s": Whole(1, 36_000, seconds=True),
    "calls_s": Calls(),
    "grace_ms": Whole(0, 60_000),
    "end_rule": OneOf(("seeds", "fisf", "fise", "ntsv")),
    "max_turns": Whole(1, 1000, optional=True),
    "nobody_correct": OneOf(("continue", "same_rack")),
    "ranking": OneOf(("total", "percent", "average_percent", "ranking_points")),
    "ranking_ties": Order(("last_game", "last_move_backwards", "tops_found", "best_move")),
    "recycle_blanks": YesNo(),
    "q_for_qu": YesNo(),
    "premiums_again": YesNo(),
    "open_dictionary": YesNo(),
    "two_dictionaries": OneOf(("either", "both")),
}

ADDED_LATER: Mapping[str, object] = {
    "discipline_points": 0,
    "open_dictionary": False,
    "two_dictionaries": "either",
}
"""Switches that games and archives of older versions lack, with the value by which these were played."""
