"""Rules in plain words: what a switch is called, what its value says, where it comes from, and the whole rule page.

`translate` is handed in by the edge (gettext); the default leaves the English of `phrases.py` and `source_names.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.formulas import Formula
from engine.rules import phrases
from engine.rules.profile import CHANGED, OUR_DEFAULT, Profile, load_profile, profile_codes
from engine.rules.source_names import BY_FORMULA
from engine.rules.switches import SWITCHES, Bonuses, Calls, Letters, OneOf, Order, Whole, YesNo

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Rule:
    """One switch on a rule page. `changed`: it differs from the profile, where `before` was its value in words."""

    switch: str
    title: str
    value: str
    source: str
    changed: bool
    our_default: bool
    before: str


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules that belong together, under their title."""

    title: str
    rules: tuple[Rule, ...]


def switch_title(switch: str, translate: Translate = str) -> str:
    """What a switch is called: "A wrong score"."""
    return translate(phrases.TITLES[switch])


def value_in_words(switch: str, value: Any, translate: Translate = str) -> str:
    """What a value of a switch says: "real points, with a warning". The value is one that the switch can have."""
    match SWITCHES[switch]:
        case OneOf() | YesNo():
            return translate(phrases.VALUES[switch, getattr(value, "value", value)])
        case Whole(seconds=True):
            return clock_text(value)
        case Whole():
            return _number(switch, value, translate)
        case kind:
            listed = [_entry(kind, entry, translate) for entry in value]
            return _list(kind, listed, translate) if listed else translate(phrases.EMPTY[switch])


def in_words(switch: str, value: Any, translate: Translate = str) -> str:
    """A switch with its value: "A wrong score: real points, with a warning"."""
    pair = {"title": switch_title(switch, translate), "value": value_in_words(switch, value, translate)}
    return translate(phrases.PAIR) % pair


def source_in_words(source: str, translate: Translate = str) -> str:
    """Where a value comes from; references to texts that `source_names.py` does not know stay as they are."""
    return translate(source)


def clock_text(seconds: int) -> str:
    """Seconds as a clock shows them: 3:00."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def rule_page(
    profile: Profile, formula: Formula | None = None, translate: Translate = str, *, every: bool = False
) -> tuple[RuleGroup, ...]:
    """The rules of a game in groups, each against the profile of the same name.

    What the formula sets is no change of the organiser's. Rules that can have no effect under the others (the minimum
    of early racks where there are none) are left out, unless `every` one is asked for.
    """
    silent = set() if every else _without_effect(profile)
    changed = changed_switches(profile, formula)

    def rule(switch: str) -> Rule:
        return _rule(profile, switch, translate, changed=switch in changed, by_formula=switch in _set_by(formula))

    groups = ((title, [switch for switch in switches if switch not in silent]) for title, switches in phrases.GROUPS)
    return tuple(
        RuleGroup(translate(title), tuple(rule(switch) for switch in switches))
        for title, switches in groups
        if switches
    )


def changed_switches(profile: Profile, formula: Formula | None = None) -> tuple[str, ...]:
    """The switches that the organiser has set otherwise than the profile of this name, in the order of `SWITCHES`."""
    if profile.name not in profile_codes():
        return ()
    base = load_profile(profile.name)
    by_formula = _set_by(formula)
    return tuple(
        switch for switch in SWITCHES if switch not in by_formula and getattr(profile, switch) != getattr(base, switch)
    )


def _rule(profile: Profile, switch: str, translate: Translate, *, changed: bool, by_formula: bool) -> Rule:
    value = getattr(profile, switch)
    source = BY_FORMULA if by_formula else profile.source_of(switch)
    before = getattr(load_profile(profile.name), switch) if changed else value
    return Rule(
        switch=switch,
        title=switch_title(switch, translate),
        value=value_in_words(switch, value, translate),
        source=source_in_words(CHANGED if changed else source, translate),
        changed=changed,
        our_default=source == OUR_DEFAULT,
        before=value_in_words(switch, before, translate) if changed else "",
    )


def _set_by(formula: Formula | None) -> set[str]:
    """The switches whose values a formula gives."""
    wanted = {"rack_size": formula.rack_size, "bonuses": formula.bonuses} if formula else {}
    return {switch for switch, value in wanted.items() if value is not None}


def _without_effect(profile: Profile) -> set[str]:
    """Switches that change nothing while others stand as they do."""
    silent: set[str] = set()
    if profile.last_early_turn is None:
        silent |= {"min_early", "blanks_early"}
    if not profile.min_early:
        silent |= {"blanks_early"}
    if profile.min_late <= 1:
        silent |= {"early_minimum_fails"}
    if not profile.min_late:
        silent |= {"blanks_late"}
    if profile.free_warnings == profile.free_warnings_blitz:
        silent |= {"free_warnings_blitz", "blitz_below_s"}
    if not profile.solo_bonus and not profile.sole_best_bonus:
        silent |= {"sole_best_bonus", "solo_min_players", "bonus_cap"}
    if not profile.rescues_by_score:
        silent.add("rescue_when_ambiguous")
    if not _may_cost(profile):
        silent |= {"sanction", "sanctions_per_slip"}
        if "letter_value" not in (profile.blank_unmarked, profile.blank_wrong) and not profile.discipline_points:
            silent.add("floor")
    return silent


def _may_cost(profile: Profile) -> bool:
    """Whether anything costs a penalty: a rescue, or a warning beyond a quota."""
    rescues = profile.rescues_by_score or profile.last_letter == "rescue"
    return rescues or any(profile.quota(blitz=blitz) is not None for blitz in (False, True))


def _number(switch: str, value: int | None, translate: Translate) -> str:
    special = phrases.SPECIAL.get((switch, value))
    if special is not None:
        return translate(special)
    template = phrases.NUMBERS.get(switch)
    return translate(template) % {"n": value} if template else str(value)


def _entry(kind: Bonuses | Calls | Letters | Order, entry: Any, translate: Translate) -> str:
    match kind:
        case Order():
            return translate(phrases.ENTRIES[entry])
        case Bonuses():
            laid, points = entry
            return translate(phrases.BONUS_ENTRY) % {"points": points, "laid": laid}
        case Calls():
            return clock_text(entry)
        case Letters():
            return str(entry)


def _list(kind: Bonuses | Calls | Letters | Order, listed: Iterable[str], translate: Translate) -> str:
    """Criteria are numbered, since their order counts; the rest is a plain list."""
    if isinstance(kind, Order):
        entries = list(listed)
        return "; ".join(f"{n}. {entry}" for n, entry in enumerate(entries, 1)) if len(entries) > 1 else entries[0]
    text = ", ".join(listed)
    return translate(phrases.CALLS) % {"times": text} if isinstance(kind, Calls) else text
