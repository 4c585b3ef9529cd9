"""Texts of the rules: labels, values and sources of switches, and the whole rule page.

The caller passes `translate` (gettext); the default leaves the English of `switches.py` and `source_names.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine.board.coordinates import Notation
from engine.i18n import N_
from engine.rules.profile import CHANGED, OUR_DEFAULT, Profile, load_profile, profile_codes
from engine.rules.source_names import BY_VARIANT
from engine.rules.switch_types import Bonuses, Calls, OneOf, OrderedChoices, TileFaces, WholeNumber, YesNo
from engine.rules.switches import SWITCHES, Switch
from engine.variants.variant import Variant

Translate = Callable[[str], str]

_PAIR = N_("%(title)s: %(value)s")
_BONUS_ENTRY = N_("%(points)d points for %(laid)d tiles")
_CALLS = N_("at %(times)s before the end")


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
    """The label of a switch: "A wrong score"."""
    return translate(SWITCHES[switch].label)


def format_value(switch: str, value: Any, translate: Translate = str) -> str:
    """A valid value of a switch in words: "real points, with a warning"."""
    declared = SWITCHES[switch]
    match declared.kind:
        case OneOf() | YesNo():
            return translate(declared.phrases[value.value if isinstance(value, Notation) else value])
        case WholeNumber(seconds=True):
            return clock_text(value)
        case WholeNumber():
            return _number(declared, value, translate)
        case kind:
            listed = [_entry(declared, kind, entry, translate) for entry in value]
            return _list(kind, listed, translate) if listed else translate(declared.empty)


def format_switch(switch: str, value: Any, translate: Translate = str) -> str:
    """A switch with its value: "A wrong score: real points, with a warning"."""
    pair = {"title": switch_title(switch, translate), "value": format_value(switch, value, translate)}
    return translate(_PAIR) % pair


def format_source(source: str, translate: Translate = str) -> str:
    """The source of a value in words; references to texts that `source_names.py` does not know stay as they are."""
    return translate(source)


def clock_text(seconds: int) -> str:
    """Seconds as a clock shows them: 3:00."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def rule_page(
    profile: Profile, variant: Variant | None = None, translate: Translate = str, *, every: bool = False
) -> tuple[RuleGroup, ...]:
    """The rules of a game in groups, each against the profile of the same name.

    What the variant sets is no change of the organiser's. Rules that can have no effect under the others (the minimum
    of early racks where there are none) are left out, unless `every` one is asked for.
    """
    silent = set() if every else _list_ineffective_switches(profile)
    changed = changed_switches(profile, variant)

    def rule(switch: str) -> Rule:
        return _rule(
            profile, switch, translate, changed=switch in changed, by_variant=switch in _switches_set_by(variant)
        )

    shown = (switch for switch in SWITCHES.values() if switch.name not in silent)
    return tuple(
        RuleGroup(translate(title), tuple(rule(switch.name) for switch in switches))
        for title, switches in groupby(shown, lambda switch: switch.group)
    )


def changed_switches(profile: Profile, variant: Variant | None = None) -> tuple[str, ...]:
    """The switches that the organiser has set otherwise than the profile of this name, in the order of `SWITCHES`."""
    if profile.name not in profile_codes():
        return ()
    base = load_profile(profile.name)
    by_variant = _switches_set_by(variant)
    return tuple(
        switch for switch in SWITCHES if switch not in by_variant and profile.value_of(switch) != base.value_of(switch)
    )


def _rule(profile: Profile, switch: str, translate: Translate, *, changed: bool, by_variant: bool) -> Rule:
    value = profile.value_of(switch)
    source = BY_VARIANT if by_variant else profile.source_of(switch)
    before = load_profile(profile.name).value_of(switch) if changed else value
    return Rule(
        switch=switch,
        title=switch_title(switch, translate),
        value=format_value(switch, value, translate),
        source=format_source(CHANGED if changed else source, translate),
        changed=changed,
        our_default=source == OUR_DEFAULT,
        before=format_value(switch, before, translate) if changed else "",
    )


def _switches_set_by(variant: Variant | None) -> set[str]:
    """The switches whose values a variant gives."""
    return set(variant.switches) if variant else set()


def _list_ineffective_switches(profile: Profile) -> set[str]:
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
    if not _has_penalties(profile):
        silent |= {"sanction", "sanctions_per_slip"}
        if "letter_value" not in (profile.blank_unmarked, profile.blank_wrong) and not profile.discipline_points:
            silent.add("floor")
    return silent


def _has_penalties(profile: Profile) -> bool:
    """Return whether anything costs a penalty: a rescue, or a warning beyond a quota."""
    rescues = profile.rescues_by_score or profile.last_letter == "rescue"
    return rescues or any(profile.quota(blitz=blitz) is not None for blitz in (False, True))


def _number(switch: Switch, value: int | None, translate: Translate) -> str:
    if value in switch.phrases:
        return translate(switch.phrases[value])
    return translate(switch.number) % {"n": value} if switch.number else str(value)


def _entry(switch: Switch, kind: Bonuses | Calls | TileFaces | OrderedChoices, entry: Any, translate: Translate) -> str:
    match kind:
        case OrderedChoices():
            return translate(switch.phrases[entry])
        case Bonuses():
            laid, points = entry
            return translate(_BONUS_ENTRY) % {"points": points, "laid": laid}
        case Calls():
            return clock_text(entry)
        case TileFaces():
            return str(entry)


def _list(kind: Bonuses | Calls | TileFaces | OrderedChoices, listed: Iterable[str], translate: Translate) -> str:
    """Criteria are numbered, since their order counts; the rest is a plain list."""
    if isinstance(kind, OrderedChoices):
        entries = list(listed)
        return "; ".join(f"{n}. {entry}" for n, entry in enumerate(entries, 1)) if len(entries) > 1 else entries[0]
    text = ", ".join(listed)
    return translate(_CALLS) % {"times": text} if isinstance(kind, Calls) else text
