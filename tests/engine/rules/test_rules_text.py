"""Rules in plain words: everything that a switch can say is said, and a rule page tells what was changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.rules.profile import CHANGED, Profile, load_profile, profile_codes
from engine.rules.rules_text import (
    RuleGroup,
    changed_switches,
    format_source,
    format_switch,
    format_value,
    rule_page,
    switch_title,
)
from engine.rules.source_names import SOURCES, TITLES
from engine.rules.switch_types import OneOf, OrderedChoices, WholeNumber, YesNo
from engine.rules.switches import SWITCHES
from engine.variants.variant import load_variant

LISTED: dict[str, Any] = {"either_letters": ("Y",), "calls_s": (30,), "bonuses": ((7, 50), (8, 75))}


def possible_values() -> Iterator[tuple[str, Any]]:
    """Each value that a switch can have, or a few where there are many."""
    for switch, declared in SWITCHES.items():
        values: list[Any]
        match kind := declared.kind:
            case OneOf():
                values = list(kind.values)
            case OrderedChoices():
                values = [(), kind.values[:1], kind.values]
            case YesNo():
                values = [True, False]
            case WholeNumber():
                values = [kind.least, 3, *([None] if kind.optional else [])]
            case _:
                values = [(), LISTED[switch]]
        yield from ((switch, value) for value in values)


def page_of(groups: tuple[RuleGroup, ...]) -> dict[str, str]:
    return {rule.switch: rule.value for group in groups for rule in group.rules}


@pytest.mark.parametrize(("switch", "value"), list(possible_values()))
def test_every_value_of_every_switch_can_be_said(switch: str, value: Any) -> None:
    assert format_switch(switch, value) == f"{switch_title(switch)}: {format_value(switch, value)}"
    assert "%(" not in format_value(switch, value)
    assert format_value(switch, value)


def test_two_values_of_a_switch_never_say_the_same() -> None:
    said = [(switch, format_value(switch, value)) for switch, value in possible_values()]
    twice = {pair for pair in said if said.count(pair) > 1}
    assert twice == set()


@pytest.mark.parametrize(
    ("switch", "value", "text"),
    [
        ("wrong_score", "warn", "A wrong score: real points, with a warning"),
        ("blank_unmarked", "letter_value", "A blank that is not marked: real points less the value of the letter"),
        ("free_warnings", 3, "Warnings without penalty in a game: 3; each further one costs a penalty"),
        ("free_warnings", None, "Warnings without penalty in a game: warnings never cost points"),
        ("clock_s", 150, "Thinking time: 2:30"),
        ("calls_s", (60, 30, 5), "Calls of the remaining time: at 1:00, 0:30, 0:05 before the end"),
        ("bonuses", ((7, 50),), "Bonus for tiles laid in one move: 50 points for 7 tiles"),
        (
            "ranking_ties",
            ("tops_found", "best_move"),
            "Tie-break between equal players: 1. the number of tops found; 2. the best move",
        ),
    ],
)
def test_switches_are_said_as_a_judge_would(switch: str, value: Any, text: str) -> None:
    assert format_switch(switch, value) == text


def test_every_switch_stands_on_the_page_once() -> None:
    page = rule_page(load_profile("fise"), every=True)
    assert [rule.switch for group in page for rule in group.rules] == list(SWITCHES)
    titles = [group.title for group in page]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("code", profile_codes())
def test_titles_and_sources_of_the_files_are_known_to_the_translators(code: str) -> None:
    profile = load_profile(code)
    assert profile.title in TITLES
    assert {*profile.sources.values(), *profile.rules.values()} <= set(SOURCES)


def test_a_page_as_printed_changes_nothing_and_tells_each_source() -> None:
    fisf = load_profile("fisf")
    for group in rule_page(fisf):
        for rule in group.rules:
            assert (rule.changed, rule.before) == (False, "")
            assert rule.source == fisf.source_of(rule.switch)
            assert rule.our_default == (rule.source == "our default")


def test_a_changed_switch_is_marked_with_what_it_was() -> None:
    changed = Profile.from_switches(load_profile("fisf").with_switches(wrong_score="zero", clock_s=120).switches())
    assert changed_switches(changed) == ("wrong_score", "clock_s")
    marked = [rule for group in rule_page(changed) for rule in group.rules if rule.changed]
    assert [(rule.switch, rule.value, rule.before, rule.source) for rule in marked] == [
        ("wrong_score", "no points", "real points, with a warning", CHANGED),
        ("clock_s", "2:00", "3:00", CHANGED),
    ]


def test_what_the_variant_sets_is_no_change_of_the_organiser() -> None:
    variant = load_variant("7and8")
    profile = variant.apply_to(load_profile("it-box"))
    assert changed_switches(profile, variant) == ()
    rules = {rule.switch: rule for group in rule_page(profile, variant) for rule in group.rules}
    assert (rules["rack_size"].value, rules["rack_size"].source) == ("8", "set by the variant")
    assert changed_switches(profile) == ("rack_size", "bonuses")


def test_rules_without_effect_are_left_out_of_the_page() -> None:
    """NTSV has no minimum, no warnings that cost and no bonuses: nothing is said about what would follow from them."""
    ntsv = page_of(rule_page(load_profile("ntsv")))
    assert not {"min_early", "blanks_early", "blanks_late", "solo_min_players", "bonus_cap", "sanction"} & set(ntsv)
    fise = page_of(rule_page(load_profile("fise")))
    assert {"min_early", "blanks_late", "solo_min_players", "bonus_cap"} <= set(fise)
    # Romanian fines for unmarked blanks stop at the floor although nothing costs a penalty.
    assert "floor" in page_of(rule_page(load_profile("ro")))


def test_every_text_goes_through_the_translator() -> None:
    def shout(text: str) -> str:
        return (
            text.upper()
            .replace("%(N)D", "%(n)d")
            .replace("%(TIMES)S", "%(times)s")
            .replace("%(POINTS)D", "%(points)d")
            .replace("%(LAID)D", "%(laid)d")
        )

    for group in rule_page(load_profile("fisf"), translate=shout, every=True):
        assert group.title == group.title.upper()
        for rule in group.rules:
            assert (rule.title, rule.value, rule.source) == (
                rule.title.upper(),
                rule.value.upper(),
                rule.source.upper(),
            )
    assert format_source("a text of somebody else's") == "a text of somebody else's"


def test_an_archive_of_somebody_elses_rules_has_a_page_too() -> None:
    profile = Profile.from_switches(load_profile("club").switches() | {"name": "elsewhere"})
    assert changed_switches(profile) == ()
    assert {rule.source for group in rule_page(profile) for rule in group.rules} == {CHANGED}


def test_the_points_of_a_discipline_warning_and_the_late_minimum_are_said_plainly() -> None:
    assert format_switch("discipline_points", 10) == (
        "Points for a warning for discipline: 10, taken off the move of the same turn"
    )
    shown = [rule.switch for group in rule_page(load_profile("fisf")) for rule in group.rules]
    assert "early_minimum_fails" not in shown, "with a late minimum of 1 it changes nothing"
    two = load_profile("fisf").with_switches(min_late=2)
    assert "early_minimum_fails" in [rule.switch for group in rule_page(two) for rule in group.rules]
