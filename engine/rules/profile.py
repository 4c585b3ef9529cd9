"""Rule profiles: what a country, a federation or a club plays by, every rule a visible switch.

A profile comes from `engine/rules/profiles/*.toml`, where each switch has its value and the source of that value.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from engine.board.coordinates import Notation
from engine.rules.switches import ADDED_LATER, SWITCHES

PROFILES = Path(__file__).parent / "profiles"
OUR_DEFAULT = "our default"
CHANGED = "set by the organiser"
LONGEST_ECHO = 80
STANDARD_RACK_SIZE = 7

ZeroOrRescue = Literal["zero", "rescue"]
WrongReference = Literal["zero", "reversed", "rescue"]  # reversed: only one written the other way round counts
MissingReference = Literal["zero", "rescue", "hook"]  # hook: crossing letters may stand for it, else as rescue
Judged = Literal["real", "zero", "warn"]
JudgedBlank = Literal["real", "zero", "warn", "letter_value"]


class ProfileError(ValueError):
    """Unknown profile, switch or value; the message lists the known ones."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The rules of a game. One field a switch, its name fixed for other programs; `sources` says where each
    value comes from, `rules` where the rules stand that no switch changes."""

    name: str
    title: str = field(compare=False)

    # The draw.
    notation: Notation  # how a word across is written, and with it how the edges of the board are labelled
    min_early: int  # vowels, and as many consonants, that a rack must have through `last_early_turn`
    min_late: int  # the same after it
    last_early_turn: int | None  # none: the late minimum from the first turn on
    blanks_early: Literal["either", "not_counted"]  # whether a blank fills a gap of the early minimum
    blanks_late: Literal["either", "not_counted"]  # and of the late one
    either_letters: tuple[str, ...]  # letters that count as vowel or consonant, like the French Y
    early_minimum_fails: Literal["relax", "end"]  # nor the late one, which holds then: 1+1, or the end
    no_legal_move: Literal["redraw", "end"]  # a lawful rack with which no move exists
    put_back: Literal["rejected", "always"]  # always: the leftover goes back too, every turn
    rack_size: int
    bonuses: tuple[tuple[int, int], ...]  # (tiles laid, points)

    # What goes on the board.
    board_takes: Literal["top", "best_slip"]
    tie_order: tuple[str, ...]  # criteria of `ties.py`, the first that differs decides

    # How a slip is judged; the steps are those of `verdict.py`.
    first_word: Literal["any", "across"]
    first_move_maximum: bool  # 2: the first word counts at its best place, whatever was written
    wrong_reference: WrongReference  # 4 and 7: unreadable, or the word is not legal there
    missing_reference: MissingReference  # 4 and 7
    rescue_when_ambiguous: bool  # 7: also when the declared score fits several places
    extension_needs_reference: bool  # 4: false: a word that lengthens one on the board implies its place
    last_letter: ZeroOrRescue  # 3
    wrong_score: Judged  # 9: real points, zero, or real points with a warning
    missing_score: Judged  # 9
    blank_unmarked: JudgedBlank  # 8: besides, real points less the value of the letter
    blank_wrong: JudgedBlank  # 8
    delayed_slip: Literal["count", "zero", "ask"]  # 1: sent before the time was up, received later
    several_slips: Literal["zero", "latest"]  # 1: on paper; on a phone the latest in time counts everywhere

    # Warnings and what they cost: step 10.
    free_warnings: int | None  # in a game; none: warnings never cost
    free_warnings_blitz: int | None
    blitz_below_s: int  # a clock below so many seconds is blitz
    sanction: int  # points for a rescue or a warning too many
    sanctions_per_slip: int  # how many of them one slip may cost
    discipline_points: int  # besides, what a judge's warning for discipline takes off the move of that turn
    floor: int  # sanctions never take a slip below so many points
    average_for_second_zero: bool  # two zeros running for one fault: the second becomes the average of the others

    # Bonuses of a turn: `bonuses.py`.
    solo_bonus: int  # for the only player with the top
    solo_min_players: int  # with fewer there are no bonuses
    sole_best_bonus: int  # for the only player with the best score, where nobody has the top
    bonus_cap: int | None  # bonus points of a player in a game

    # Clock, end, ranking.
    clock_s: int  # seconds to think
    calls_s: tuple[int, ...]  # seconds before the end at which the time is called
    grace_ms: int  # what a slip on the way is given, never shown
    end_rule: Literal["seeds", "fisf", "fise", "ntsv"]  # whose rule ends the game
    max_turns: int | None
    nobody_correct: Literal["continue", "same_rack"]  # same_rack: the letters are announced again
    ranking: Literal["total", "percent", "average_percent", "ranking_points"]
    ranking_ties: tuple[str, ...]  # what breaks a tie, in this order

    # House rules.
    recycle_blanks: bool  # a blank on the board is exchanged for its letter and comes back
    q_for_qu: bool  # a Q on a slip stands for the tile QU
    premiums_again: bool  # premiums count for words formed later, too

    # Dictionaries.
    open_dictionary: bool  # players may look words up in the dictionary before they hand in a slip
    two_dictionaries: Literal["either", "both"]  # with two word lists: which of them must contain a word

    sources: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    rules: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def bonus_table(self) -> Mapping[int, int]:
        """Bonus points by number of tiles laid."""
        return dict(self.bonuses)

    def unnamed_bonuses(self, most_laid: int) -> tuple[int, ...]:
        """The numbers of tiles above seven that a move may lay, but for which a table of bonuses says nothing."""
        return tuple(
            laid
            for laid in range(STANDARD_RACK_SIZE + 1, most_laid + 1)
            if self.bonuses and laid not in self.bonus_table
        )

    def with_switches(self, **overrides: object) -> Profile:
        """This profile with some switches set otherwise; `ProfileError` for a switch or value that there is not."""
        values = {switch: _read_switch_value(self.name, switch, value) for switch, value in overrides.items()}
        changed = {switch: CHANGED for switch, value in values.items() if value != self.value_of(switch)}
        return replace(self, **values, sources={**self.sources, **changed})

    def value_of(self, switch: str) -> Any:
        """The value of one switch, for pages that list them by name; rules read the fields."""
        return getattr(self, switch)

    def switches(self) -> dict[str, Any]:
        """The name and every switch with its value as plain JSON, in the order of `SWITCHES`."""
        return {"name": self.name} | {switch: _as_json(switch, self.value_of(switch)) for switch in SWITCHES}

    @classmethod
    def from_switches(cls, switches: Mapping[str, object]) -> Profile:
        """The profile that `switches` gave; the inverse of it, also when the profile bears an unknown name.

        Switches that a game of an earlier version lacks have the value by which it was played.
        """
        name = switches.get("name")
        if not isinstance(name, str) or not name:
            raise ProfileError("The profile has no name.")
        values = {**ADDED_LATER, **switches}
        del values["name"]
        missing = [switch for switch in SWITCHES if switch not in values]
        if missing:
            raise ProfileError(f"The profile {name} lacks the switch {missing[0]}.")
        if name in profile_codes():
            return load_profile(name).with_switches(**values)
        return _profile(name, name, values, sources=dict.fromkeys(SWITCHES, CHANGED), rules={})

    def source_of(self, switch_or_rule: str) -> str:
        """Short reference to where a switch's value, or a rule that no switch changes, comes from."""
        return self.sources.get(switch_or_rule) or self.rules.get(switch_or_rule) or OUR_DEFAULT

    @property
    def takes_hooks(self) -> bool:
        """Return whether crossing letters may stand in place of a reference."""
        return self.missing_reference == "hook"

    @property
    def rescues_by_score(self) -> bool:
        """Return whether the declared score can prove a place, at the price of a penalty."""
        return self.wrong_reference == "rescue" or self.missing_reference != "zero"

    def quota(self, *, blitz: bool) -> int | None:
        """Number of free warnings in a game; None if warnings never cost points."""
        return self.free_warnings_blitz if blitz else self.free_warnings

    def is_blitz(self, clock_s: int) -> bool:
        """Return whether a game with this many seconds a turn is blitz."""
        return clock_s < self.blitz_below_s


def profile_codes() -> tuple[str, ...]:
    """The codes of the profiles that come with the program, sorted."""
    return tuple(sorted(path.stem for path in PROFILES.glob("*.toml")))


@cache
def load_profile(code: str) -> Profile:
    """The profile with this code ("it-box"); `ProfileError` when there is none."""
    if code not in profile_codes():
        raise ProfileError(f"There is no profile {code!r}; there are {', '.join(profile_codes())}.")
    return read_profile(code, (PROFILES / f"{code}.toml").read_text(encoding="utf-8"))


def read_profile(code: str, text: str) -> Profile:
    """A profile from the text of its TOML file; `ProfileError` names the switch that is wrong and why."""
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"The profile {code} is no TOML: {error}.") from None
    entries, rules = table.get("switches"), table.get("rules", {})
    if not isinstance(entries, dict) or not isinstance(rules, dict):
        raise ProfileError(f"The profile {code} must have its switches and rules as tables, [switches] and [rules].")
    for switch in SWITCHES:
        entry = entries.get(switch)
        if not isinstance(entry, dict) or not isinstance(entry.get("source"), str) or not entry["source"]:
            raise ProfileError(f"The profile {code} must give the switch {switch} with its source.")
    for switch in entries:
        _check_name(switch)
    values = {switch: entry.get("value") for switch, entry in entries.items()}
    sources = {switch: entry["source"] for switch, entry in entries.items()}
    profile = _profile(code, str(table.get("title", code)), values, sources, rules)
    unnamed = profile.unnamed_bonuses(profile.rack_size)
    if unnamed:
        raise ProfileError(
            f"The profile {code} has a rack_size of {profile.rack_size}, so its bonuses must name {unnamed[0]} tiles, "
            f"too: add {unnamed[0]} = 75, or {unnamed[0]} = 0 for no bonus."
        )
    return profile


def _profile(
    name: str, title: str, values: Mapping[str, object], sources: Mapping[str, str], rules: Mapping[str, str]
) -> Profile:
    checked: dict[str, Any] = {switch: _read_switch_value(name, switch, value) for switch, value in values.items()}
    return Profile(name=name, title=title, sources=sources, rules=rules, **checked)


def _check_name(switch: str) -> None:
    if switch not in SWITCHES:
        near = get_close_matches(switch, SWITCHES, 1)
        hint = f" Do you mean {near[0]}?" if near else ""
        raise ProfileError(f"There is no switch {switch!r}.{hint}")


def _read_switch_value(name: str, switch: str, value: object) -> Any:
    _check_name(switch)
    try:
        read = SWITCHES[switch].kind(value)
    except ValueError as error:
        raise ProfileError(
            f"The switch {switch} of the profile {name} must be {error}, not {_format_value(value)}."
        ) from None
    return Notation(str(read)) if switch == "notation" else read


def _format_value(value: object) -> str:
    """The value as it was written, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "that"
    return text if len(text) <= LONGEST_ECHO else f"{text[:LONGEST_ECHO]}..."


def _as_json(switch: str, value: object) -> object:
    if switch == "bonuses" and isinstance(value, tuple):
        return {str(laid): points for laid, points in value}
    if isinstance(value, Notation):
        return value.value
    return list(value) if isinstance(value, tuple) else value
