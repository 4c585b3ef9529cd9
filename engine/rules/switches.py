"""The switches of a profile: their names, which other programs rely on, and the values that each may have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[object], object]
"""Gives the value as the profile holds it; `ValueError` says what it must be: "8H or H8"."""


def _one_of(*values: str) -> Check:
    def check(value: object) -> object:
        if not isinstance(value, str) or value not in values:
            raise ValueError(_in_words(values))
        return value

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return check


def _or_none(inner: Check) -> Check:
    def check(value: object) -> object:
        if value is None:
            return None
        try:
            return inner(value)
        except ValueError as error:
            raise ValueError(f"{error}, or none") from None

    return check


def _yes_or_no(value: object) -> object:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _some_of(*values: str) -> Check:
    def check(value: object) -> object:
        chosen = tuple(value) if isinstance(value, list | tuple) else (None,)
        if any(entry not in values for entry in chosen) or len(set(chosen)) < len(chosen):
            raise ValueError(f"a list of {_in_words(values)}, each at most once")
        return chosen

    return check


def _letters(value: object) -> object:
    entries = tuple(value) if isinstance(value, list | tuple) else (None,)
    if not all(isinstance(entry, str) and entry and entry == entry.upper() for entry in entries):
        raise ValueError("a list of letters in upper case")
    return entries


def _calls(value: object) -> object:
    entries = tuple(value) if isinstance(value, list | tuple) else (None,)
    second = _whole(1, 3600)
    try:
        return tuple(second(entry) for entry in entries)
    except ValueError:
        raise ValueError("a list of seconds before the end, such as [60, 30, 5]") from None


def _bonuses(value: object) -> object:
    """Pairs (tiles laid, points), by tiles laid; JSON and TOML have the number of tiles as text."""
    pairs: Any = value.items() if isinstance(value, Mapping) else value
    try:
        return tuple(sorted((_MOST_LAID(int(laid)), _POINTS(points)) for laid, points in pairs))
    except (TypeError, ValueError):
        raise ValueError('points by number of tiles laid, such as {"7": 50}') from None


def _in_words(values: tuple[str, ...]) -> str:
    return " or ".join(filter(None, (", ".join(values[:-1]), values[-1])))


_POINTS = _whole(0, 1000)
_MOST_LAID = _whole(1, 15)
_REAL_OR_ZERO = ("real", "zero", "warn")

SWITCHES: Mapping[str, Check] = {
    "notation": _one_of("8H", "H8"),
    "min_early": _whole(0, 7),
    "min_late": _whole(0, 7),
    "last_early_turn": _or_none(_whole(0, 1000)),
    "blanks_early": _one_of("either", "not_counted"),
    "blanks_late": _one_of("either", "not_counted"),
    "either_letters": _letters,
    "early_minimum_fails": _one_of("relax", "end"),
    "no_legal_move": _one_of("redraw", "end"),
    "put_back": _one_of("rejected", "always"),
    "rack_size": _whole(1, 9),
    "bonuses": _bonuses,
    "board_takes": _one_of("top", "best_slip"),
    "tie_order": _some_of("keep_blank", "hooks", "premium_open", "leave", "fewest_tiles", "alphabetical", "nearest_a1"),
    "first_word": _one_of("any", "across"),
    "first_move_maximum": _yes_or_no,
    "wrong_reference": _one_of("zero", "rescue"),
    "missing_reference": _one_of("zero", "rescue"),
    "rescue_when_ambiguous": _yes_or_no,
    "extension_needs_reference": _yes_or_no,
    "last_letter": _one_of("zero", "rescue"),
    "wrong_score": _one_of(*_REAL_OR_ZERO),
    "missing_score": _one_of(*_REAL_OR_ZERO),
    "blank_unmarked": _one_of(*_REAL_OR_ZERO, "letter_value"),
    "blank_wrong": _one_of(*_REAL_OR_ZERO, "letter_value"),
    "several_slips": _one_of("zero", "latest"),
    "free_warnings": _or_none(_whole(0, 1000)),
    "free_warnings_blitz": _or_none(_whole(0, 1000)),
    "blitz_below_s": _whole(0, 3600),
    "sanction": _POINTS,
    "sanctions_per_slip": _whole(0, 100),
    "floor": _POINTS,
    "average_for_second_zero": _yes_or_no,
    "solo_bonus": _POINTS,
    "solo_min_players": _whole(0, 100_000),
    "sole_best_bonus": _POINTS,
    "bonus_cap": _or_none(_POINTS),
    "clock_s": _whole(1, 36_000),
    "calls_s": _calls,
    "grace_ms": _whole(0, 60_000),
    "end_rule": _one_of("seeds", "fisf", "fise", "ntsv"),
    "max_turns": _or_none(_whole(1, 1000)),
    "nobody_correct": _one_of("continue", "same_rack"),
    "ranking": _one_of("total", "percent", "average_percent", "ranking_points"),
    "ranking_ties": _some_of("last_game", "last_move_backwards", "tops_found", "best_move"),
    "recycle_blanks": _yes_or_no,
    "q_for_qu": _yes_or_no,
    "premiums_again": _yes_or_no,
}
