"""Profiles: every switch there, with its source; no other value than those that there are."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.board.coordinates import Notation
from engine.judging import verdict
from engine.rules.profile import (
    CHANGED,
    OUR_DEFAULT,
    PROFILES,
    Profile,
    ProfileError,
    load_profile,
    profile_codes,
    read_profile,
)
from engine.rules.switches import SWITCHES

each_profile = pytest.mark.parametrize("code", profile_codes())


def test_the_box_and_the_club_come_with_the_program() -> None:
    assert {"it-box", "club"} <= set(profile_codes())


def test_the_italian_box_plays_by_its_manual() -> None:
    """Box rules, Multiplo: across is 8H, 2 + 2 through turn 15, then 1 + 1, blanks either, best slip, 3:00, total."""
    box = load_profile("it-box")
    assert (box.name, box.title, box.notation) == ("it-box", "Italian box", Notation.NUMBER_FIRST)
    assert (box.min_early, box.min_late, box.last_early_turn) == (2, 1, 15)
    assert (box.blanks_early, box.blanks_late, box.put_back, box.rack_size) == ("either", "either", "rejected", 7)
    assert (box.board_takes, box.clock_s, box.end_rule, box.ranking) == ("best_slip", 180, "seeds", "total")
    assert box.bonus_table == {7: 50}


def test_where_the_box_is_silent_our_default_stands_and_says_so() -> None:
    box = load_profile("it-box")
    silent = {"wrong_reference": "zero", "wrong_score": "real", "blank_unmarked": "real", "several_slips": "zero"}
    silent |= {"missing_reference": "zero", "missing_score": "real", "blank_wrong": "real"}
    assert {switch: getattr(box, switch) for switch in silent} == silent
    assert {box.source_of(switch) for switch in silent} == {OUR_DEFAULT}
    assert box.source_of("board_takes") == "box rules, Multiplo"


def test_the_club_forgives_slips_of_the_pen() -> None:
    club = load_profile("club")
    assert (club.board_takes, club.wrong_reference, club.missing_reference) == ("top", "rescue", "rescue")
    assert (club.wrong_score, club.missing_score, club.several_slips) == ("warn", "real", "latest")
    assert club.tie_order == ("keep_blank", "hooks", "nearest_a1")


@each_profile
def test_every_switch_has_a_source(code: str) -> None:
    profile = load_profile(code)
    assert set(profile.sources) == set(SWITCHES)
    assert all(profile.sources.values())


@each_profile
def test_the_rules_that_no_switch_changes_have_a_source(code: str) -> None:
    assert set(load_profile(code).rules) == {
        "no_slip",
        "late",
        "unreadable",
        "does_not_fit",
        "word_incomplete",
        "no_tile_played",
        "letters_not_in_rack",
        "misses_centre",
        "not_connected",
        "not_a_word",
        "invalid_cross_word",
    }


@each_profile
def test_a_profile_is_read_back_from_its_switches(code: str) -> None:
    profile = load_profile(code)
    assert Profile.from_switches(profile.switches()) == profile
    assert profile.switches()["name"] == code
    assert list(profile.switches())[1:] == list(SWITCHES)


def test_a_changed_profile_keeps_its_changes_and_says_who_made_them() -> None:
    changed = load_profile("it-box").with_switches(clock_s=120, bonuses={"7": 50, "8": 75}, calls_s=[30], max_turns=15)
    again = Profile.from_switches(changed.switches())
    assert again == changed
    assert (again.clock_s, again.bonus_table, again.calls_s, again.max_turns) == (120, {7: 50, 8: 75}, (30,), 15)
    assert again.source_of("clock_s") == CHANGED
    assert again.source_of("notation") == "box rules, Multiplo"


def test_a_profile_of_another_name_is_read_from_its_switches_alone() -> None:
    """An archive of somebody else's rules."""
    switches = load_profile("club").switches() | {"name": "elsewhere", "wrong_score": "zero"}
    profile = Profile.from_switches(switches)
    assert (profile.name, profile.wrong_score, profile.source_of("wrong_score")) == ("elsewhere", "zero", CHANGED)
    assert profile.switches() == switches


def test_profiles_may_be_keys() -> None:
    assert len({load_profile("it-box"), load_profile("it-box").with_switches(), load_profile("club")}) == 2


@pytest.mark.parametrize(
    ("switch", "value", "needed"),
    [
        ("notation", "X", "8H or H8, not 'X'"),
        ("board_takes", None, "top or best_slip, not None"),
        ("wrong_score", "rescue", "real, zero or warn, not 'rescue'"),
        ("blank_unmarked", "fine", "real, zero, warn or letter_value, not 'fine'"),
        ("min_early", -1, "a whole number from 0 to 7, not -1"),
        ("rack_size", True, "a whole number from 1 to 9, not True"),
        ("sanction", "5", "a whole number from 0 to 1000, not '5'"),
        ("free_warnings", 1.5, "a whole number from 0 to 1000, or none, not 1.5"),
        ("first_move_maximum", 1, "true or false, not 1"),
        ("either_letters", "Y", "a list of letters in upper case, not 'Y'"),
        ("either_letters", ["y"], "a list of letters in upper case, not ['y']"),
        ("calls_s", [60, 0], "a list of seconds before the end, such as [60, 30, 5], not [60, 0]"),
        ("bonuses", 50, 'points by number of tiles laid, such as {"7": 50}, not 50'),
        ("bonuses", {"x": 50}, """points by number of tiles laid, such as {"7": 50}, not {'x': 50}"""),
        (
            "ranking_ties",
            ["best_move", "best_move"],
            "a list of last_game, last_move_backwards, tops_found or best_move, each at most once, "
            "not ['best_move', 'best_move']",
        ),
    ],
)
def test_a_value_that_a_switch_cannot_have_is_refused(switch: str, value: Any, needed: str) -> None:
    with pytest.raises(ProfileError) as refused:
        load_profile("it-box").with_switches(**{switch: value})
    assert str(refused.value) == f"The switch {switch} of the profile it-box must be {needed}."


def test_a_switch_that_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(ProfileError, match=r"^There is no switch 'wrong_scores'\. Do you mean wrong_score\?$"):
        load_profile("it-box").with_switches(wrong_scores="zero")
    with pytest.raises(ProfileError, match=r"^There is no switch 'colour'\.$"):
        load_profile("it-box").with_switches(colour="red")


def test_switches_that_are_no_profile_are_refused() -> None:
    switches = load_profile("club").switches()
    with pytest.raises(ProfileError, match=r"^The profile has no name\.$"):
        Profile.from_switches({})
    del switches["floor"]
    with pytest.raises(ProfileError, match=r"^The profile club lacks the switch floor\.$"):
        Profile.from_switches(switches)


@pytest.mark.parametrize("name", ["club", "of another program"])
def test_a_game_of_an_earlier_version_has_the_dictionary_rules_it_was_played_by(name: str) -> None:
    switches = {**load_profile("club").switches(), "name": name}
    del switches["open_dictionary"], switches["two_dictionaries"]
    profile = Profile.from_switches(switches)
    assert (profile.open_dictionary, profile.two_dictionaries) == (False, "either")


def test_a_profile_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ProfileError) as refused:
        load_profile("../it-box")
    assert str(refused.value) == f"There is no profile '../it-box'; there are {', '.join(profile_codes())}."


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("[switches]", "[switches", None),
        (', source = "box rules, 1" }', " }", "The profile xx must give the switch first_word with its source."),
        ("floor = {", "flor = {", "The profile xx must give the switch floor with its source."),
        ("clock_s = {", "clock_s = 3\nx = {", "The profile xx must give the switch clock_s with its source."),
        ("[rules]", '[switches.colour]\nvalue = 1\nsource = "us"\n[rules]', "There is no switch 'colour'."),
        ('notation = { value = "8H"', 'notation = { value = "8"', None),
    ],
)
def test_a_profile_file_with_a_mistake_is_refused(old: str, new: str, text: str | None) -> None:
    toml = (PROFILES / "it-box.toml").read_text(encoding="utf-8")
    assert old in toml
    with pytest.raises(ProfileError) as refused:
        read_profile("xx", toml.replace(old, new, 1))
    assert text is None or str(refused.value) == text


def test_a_short_clock_is_blitz_and_has_its_own_quota() -> None:
    """FISF 5.9 as coded by others: three warnings are free, five in blitz."""
    profile = load_profile("club").with_switches(free_warnings=3, free_warnings_blitz=5)
    assert (profile.is_blitz(60), profile.is_blitz(90), profile.is_blitz(180)) == (True, False, False)
    assert (profile.quota(blitz=False), profile.quota(blitz=True)) == (3, 5)


def test_a_rack_of_eight_or_nine_needs_bonuses_for_so_many_tiles() -> None:
    text = (PROFILES / "club.toml").read_text(encoding="utf-8")
    larger = text.replace("rack_size = { value = 7", "rack_size = { value = 8")
    with pytest.raises(ProfileError, match=r"rack_size of 8, so its bonuses must name 8 tiles, too: add 8 = 75, or"):
        read_profile("mine", larger)
    named = larger.replace("{ 7 = 50 }", "{ 7 = 50, 8 = 75 }")
    assert read_profile("mine", named).bonus_table == {7: 50, 8: 75}
    assert read_profile("mine", larger.replace("{ 7 = 50 }", "{}")).bonus_table == {}


def test_an_archive_of_a_version_without_a_switch_has_the_value_by_which_it_was_played() -> None:
    older = load_profile("it-box").switches()
    del older["discipline_points"]
    assert Profile.from_switches(older) == load_profile("it-box")


def test_each_switch_of_judging_is_named_in_its_step_of_the_order() -> None:
    steps = re.split(r"^(\d+)\. ", (verdict.__doc__ or "").split("Reasons of a zero")[0], flags=re.MULTILINE)[1:]
    first: dict[str, int] = {}
    for number, text in zip(steps[::2], steps[1::2], strict=True):
        for name in re.findall(r"[a-z_]+", " ".join(re.findall(r"\[[^\]]*\]|`[^`]*`", text))):
            if name in SWITCHES:
                first.setdefault(name, int(number))
    assert first == {name: switch.step for name, switch in SWITCHES.items() if switch.step is not None}
