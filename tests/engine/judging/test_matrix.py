"""Rules of each country: every row of the matrix of rules, column by column, and our defaults.

Columns: the Italian box (manual, "Scrabble Multiplo"), the Catalan manual ("Scrabble duplicat"), FISF, FISE, Catalan
clubs, the Romanian federation, NTSV, and our own friendly club. A star before a value says that the sources leave it
open, so that our default stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine.rules.profile import OUR_DEFAULT, Profile, load_profile, profile_codes
from engine.rules.switches import SWITCHES

COLUMNS = ("it-box", "ca-manual", "fisf", "fise", "ca-club", "ro", "ntsv", "club")

MATRIX = """
notation                  | "8H" | "H8" | "H8" | "H8" | "H8" | "H8" | "H8" | *"8H"
min_early                 | 2 | 2 | 2 | 2 | 1 | 2 | 0 | *2
last_early_turn           | 15 | 15 | 15 | 15 | null | 15 | null | *15
min_late                  | 1 | 1 | 1 | 1 | 1 | 1 | 0 | *1
blanks_early              | "either" | "either" | "either" | "either" | "either" | "either" | *"either" | *"either"
blanks_late               | "either" | "either" | "either" | "not_counted" | "either" | "either" | *"either" | *"either"
either_letters            | [] | [] | ["Y"] | [] | [] | [] | *[] | *[]
early_minimum_fails       | *"relax" | *"relax" | *"end" | *"relax" | *"relax" | *"relax" | *"relax" | *"relax"
no_legal_move             | *"redraw" | *"redraw" | *"redraw" | "end" | *"redraw" | *"redraw" | *"redraw" | *"redraw"
put_back                  | "rejected" | "rejected" | "rejected" | "rejected" | "rejected" | "rejected" | "always" | *"rejected"
rack_size                 | 7 | 7 | 7 | 7 | 7 | 7 | 7 | *7
bonuses                   | {"7": 50} | {"7": 50} | {"7": 50} | *{"7": 50} | {"7": 50} | *{"7": 50} | *{"7": 50} | *{"7": 50}
board_takes               | "best_slip" | "best_slip" | "top" | "top" | "top" | "best_slip" | "top" | *"top"
first_word                | "any" | "any" | "any" | *"any" | *"any" | *"any" | *"any" | *"any"
first_move_maximum        | *false | *false | true | *false | *false | *false | *false | *false
wrong_reference           | *"zero" | *"zero" | "rescue" | "zero" | "zero" | *"zero" | *"zero" | *"rescue"
missing_reference         | *"zero" | *"zero" | "hook" | "zero" | "zero" | *"zero" | *"zero" | *"rescue"
rescue_when_ambiguous     | *true | *true | *true | *true | *true | *true | *true | *true
extension_needs_reference | *true | *true | false | *true | true | *true | *true | *true
last_letter               | *"zero" | *"zero" | "rescue" | *"zero" | "zero" | *"zero" | *"zero" | *"zero"
wrong_score               | *"real" | *"real" | "warn" | "zero" | "zero" | *"real" | *"real" | *"warn"
missing_score             | *"real" | *"real" | "warn" | "zero" | "zero" | *"real" | *"real" | *"real"
blank_unmarked            | *"real" | *"real" | "warn" | "zero" | "zero" | "letter_value" | *"real" | *"real"
blank_wrong               | *"real" | *"real" | "warn" | "zero" | "zero" | "letter_value" | *"real" | *"real"
delayed_slip              | *"ask" | *"ask" | *"ask" | *"ask" | *"ask" | *"ask" | *"ask" | *"ask"
several_slips             | *"zero" | *"zero" | "zero" | *"zero" | *"zero" | *"zero" | *"zero" | *"latest"
free_warnings             | *null | *null | 3 | *null | *null | *null | *null | *null
free_warnings_blitz       | *null | *null | 5 | *null | *null | *null | *null | *null
blitz_below_s             | *90 | *90 | *90 | *90 | *90 | *90 | *90 | *90
sanction                  | *5 | *5 | 5 | *5 | *5 | *5 | *5 | *5
sanctions_per_slip        | *1 | *1 | *1 | *1 | *1 | *1 | *1 | *1
discipline_points         | *0 | *0 | *0 | *0 | *0 | *0 | *0 | *0
floor                     | *0 | *0 | 0 | *0 | *0 | *0 | *0 | *0
average_for_second_zero   | *false | *false | true | *false | *false | *false | *false | *false
solo_bonus                | *0 | *0 | 10 | 10 | *0 | *0 | *0 | *0
solo_min_players          | *0 | *0 | 16 | 10 | *0 | *0 | *0 | *0
sole_best_bonus           | *0 | *0 | *0 | 5 | *0 | *0 | *0 | *0
bonus_cap                 | *null | *null | *null | 25 | *null | *null | *null | *null
clock_s                   | 180 | 180 | 180 | 180 | 180 | 180 | 180 | *180
calls_s                   | *[60, 30, 5] | *[60, 30, 5] | [30] | [60, 30, 5] | *[60, 30, 5] | *[60, 30, 5] | *[60, 30, 5] | *[60, 30, 5]
grace_ms                  | *1000 | *1000 | *1000 | *1000 | *1000 | *1000 | *1000 | *1000
end_rule                  | "seeds" | "seeds" | "fisf" | "fise" | "seeds" | "seeds" | "ntsv" | *"seeds"
max_turns                 | null | null | null | null | null | null | null | *null
nobody_correct            | *"continue" | *"continue" | *"continue" | *"continue" | *"continue" | "same_rack" | *"continue" | *"continue"
ranking                   | "total" | "total" | "total" | "average_percent" | "percent" | "ranking_points" | "percent" | *"total"
recycle_blanks            | false | false | *false | *false | *false | *false | true | *false
q_for_qu                  | *false | false | *false | *false | *false | *false | *false | *false
premiums_again            | false | false | *false | *false | *false | *false | *false | *false
open_dictionary           | false | false | *false | *false | false | *false | *false | *false
two_dictionaries          | "either" | *"either" | *"either" | *"either" | *"either" | *"either" | *"either" | *"either"
"""  # noqa: E501  a table

OUR_TIES = ["keep_blank", "hooks", "nearest_a1"]
ORDERS: dict[str, tuple[list[str], bool, list[str], bool]] = {
    # tie_order, whether it is our default; ranking_ties, whether they are
    "it-box": (OUR_TIES, True, [], True),
    "ca-manual": (OUR_TIES, True, [], True),
    "fisf": (["keep_blank", "hooks", "premium_open", "nearest_a1"], False, ["last_game", "last_move_backwards"], False),
    "fise": (
        ["keep_blank", "leave", "fewest_tiles", "alphabetical", "nearest_a1"],
        False,
        ["tops_found", "best_move"],
        False,
    ),
    "ca-club": (OUR_TIES, True, [], True),
    "ro": (OUR_TIES, True, [], False),
    "ntsv": (OUR_TIES, True, [], True),
    "club": (OUR_TIES, True, [], True),
}

DOUBTFUL = {
    ("fisf", "blanks_late"),
    ("fisf", "free_warnings_blitz"),
    ("fisf", "floor"),
    ("fisf", "solo_bonus"),
    ("fisf", "solo_min_players"),
    ("fisf", "calls_s"),
    ("fisf", "end_rule"),
    ("fisf", "max_turns"),
    ("ca-club", "board_takes"),
    ("ro", "end_rule"),
    ("ro", "max_turns"),
    ("ntsv", "notation"),
}
"""Known from others' reports alone."""


def cells() -> Iterator[tuple[str, str, Any, bool]]:
    """(switch, profile, value as JSON, whether it is our default), row by row."""
    for row in MATRIX.strip().splitlines():
        switch, *values = (cell.strip() for cell in row.split("|"))
        for code, cell in zip(COLUMNS, values, strict=True):
            yield switch, code, json.loads(cell.lstrip("*")), cell.startswith("*")


def as_json(profile: Profile, switch: str) -> Any:
    return json.loads(json.dumps(profile.switches()[switch]))


def test_these_are_all_profiles_and_all_switches() -> None:
    assert set(COLUMNS) == set(profile_codes()) == set(ORDERS)
    rows = {switch for switch, _, _, _ in cells()}
    assert rows | {"tie_order", "ranking_ties"} == set(SWITCHES)


@pytest.mark.parametrize(("switch", "code", "value", "ours"), list(cells()))
def test_a_profile_has_the_value_of_the_matrix_and_says_whether_it_is_our_default(
    switch: str, code: str, value: Any, ours: bool
) -> None:
    profile = load_profile(code)
    assert as_json(profile, switch) == value
    assert (profile.source_of(switch) == OUR_DEFAULT) is ours, profile.source_of(switch)


@pytest.mark.parametrize("code", COLUMNS)
def test_equal_tops_and_equal_players_are_decided_in_the_order_of_the_sources(code: str) -> None:
    """FISE: without blank, balanced leave, fewest letters, alphabet, A1; then masters found, most valuable play.
    FISF: practice of clubs; then the last game, the last move and the one before. Romania: shared places average."""
    profile = load_profile(code)
    tie_order, ours, ranking_ties, our_ranking = ORDERS[code]
    assert (list(profile.tie_order), profile.source_of("tie_order") == OUR_DEFAULT) == (tie_order, ours)
    assert list(profile.ranking_ties) == ranking_ties
    assert (profile.source_of("ranking_ties") == OUR_DEFAULT) is our_ranking


@pytest.mark.parametrize("code", COLUMNS)
def test_what_only_others_report_is_called_second_hand(code: str) -> None:
    told = {switch for switch in SWITCHES if "second-hand" in load_profile(code).source_of(switch)}
    assert told == {switch for profile, switch in DOUBTFUL if profile == code}


def test_the_paragraphs_of_the_fisf_are_named() -> None:
    fisf = load_profile("fisf")
    named = {switch: fisf.source_of(switch) for switch in ("wrong_reference", "missing_reference", "last_letter")}
    assert set(named.values()) == {"FISF 5.3.1"}
    assert fisf.source_of("solo_bonus").startswith("FISF 3.5")
    assert fisf.source_of("floor").startswith("FISF 5.6")
    assert fisf.source_of("free_warnings_blitz").startswith("FISF 5.9")
