"""Judging a slip, steps 4 to 6: the place of the word, and the words it forms."""

from __future__ import annotations

from typing import Any

import pytest

from engine.board.coordinates import Direction, Reference, format_reference
from engine.rules.profile import Profile
from engine.slips.slip import Slip
from tests.engine.judging.positions import BOX, CLUB, FISE, FISF, RO, position, slip
from tests.engine.judging.verdicts import CORNO, EMPTY, each_profile, valid, verdict, zero


@pytest.mark.parametrize(
    ("profile", "written", "expected"),
    [
        (BOX, "- ORA 4", zero("wrong_reference")),
        (BOX, "Z99 ORA 4", zero("wrong_reference")),
        (FISE, "- ORA 4", zero("wrong_reference")),
        (CLUB, "- ORA 4", valid(0, rescue="rescued_by_score", penalty=4)),
        (CLUB, "Z99 ORA 4", valid(0, rescue="rescued_by_score", penalty=4)),
        (CLUB, "- ORA 999", zero("wrong_reference")),
        (CLUB, "- ORA -", zero("wrong_reference")),
    ],
)
def test_a_missing_or_unreadable_reference_is_the_profiles_matter(
    profile: Profile, written: str, expected: dict[str, Any]
) -> None:
    """Box: coordinates must be written; our default: zero. Club: a rescue by the score."""
    assert verdict(profile, CORNO, written) == expected


def test_missing_and_unreadable_references_have_their_own_switches() -> None:
    missing = BOX.with_switches(missing_reference="rescue")
    assert verdict(missing, CORNO, "- ORA 4")["reason"] == "rescued_by_score"
    assert verdict(missing, CORNO, "Z99 ORA 4")["reason"] == "wrong_reference"
    wrong = BOX.with_switches(wrong_reference="rescue")
    assert verdict(wrong, CORNO, "- ORA 4")["reason"] == "wrong_reference"
    assert verdict(wrong, CORNO, "Z99 ORA 4")["reason"] == "rescued_by_score"


@each_profile
def test_a_reference_that_contradicts_the_grid_is_wrong_where_that_is_rescued(profile: Profile) -> None:
    """Order of judging, 4: ORA stands in the grid downwards, the reference says across. Without a rescue the word is
    judged downwards from that square."""
    across = "8H" if profile.notation == "8H" else "H8"
    rescued = valid(0, rescue="rescued_by_score", penalty=4)
    expected = rescued if profile.wrong_reference == "rescue" else valid(4)
    assert verdict(profile, CORNO, slip(f"{across} ORA 4", direction=Direction.DOWN)) == expected


@pytest.mark.parametrize(
    ("profile", "written", "expected"),
    [
        (FISF, "- SCORNO 11", valid(11)),
        (FISF, "A1 SCORNO 11", valid(11)),
        (FISF, "8A SCORNO 11", valid(11)),
        (FISF, "Z99 SCORNO 11", valid(11)),
        (FISF, "- SCORNO 12", valid(11, "score_wrong")),
        (FISF, "- CORNOS 11", zero("wrong_reference")),
        (CLUB, "- SCORNO 11", valid(6, rescue="rescued_by_score", penalty=5)),
        (BOX, "- SCORNO 11", zero("wrong_reference")),
    ],
)
def test_the_extension_of_a_word_implies_its_place(profile: Profile, written: str, expected: dict[str, Any]) -> None:
    """FISF, bulletin: an extension needs no reference, whatever was or was not written, free of charge."""
    assert verdict(profile, CORNO, written) == expected


def test_a_word_that_fits_where_it_was_written_is_judged_there() -> None:
    """SCORNO down onto the star is worth 13; that it would also lengthen CORNO for 11 does not matter."""
    at = position("SCORNTI", "8D CORNO")
    assert verdict(FISF, at, "8C SCORNO 13") == valid(13)
    assert verdict(FISF, at, "8C SCORNO 11") == valid(13, "score_wrong")


@pytest.mark.parametrize(
    ("profile", "hook", "expected"),
    [
        (FISF, "ORN", valid(4)),
        (FISF, "orn", valid(4)),
        (FISF, "OR", valid(4, "hook_letters")),
        (FISF, "ARE", valid(4, "hook_letters", rescue="rescued_by_score")),
        (FISF, "😀", valid(4, "hook_letters", rescue="rescued_by_score")),
        (CLUB, "ORN", valid(0, rescue="rescued_by_score", penalty=4)),
        (BOX, "ORN", zero("wrong_reference")),
    ],
)
def test_crossing_letters_stand_for_a_reference(profile: Profile, hook: str, expected: dict[str, Any]) -> None:
    """FISF, bulletin: three letters of the word it hooks on; two, or wrong ones, earn a warning. Other rules do not
    know them."""
    assert verdict(profile, CORNO, slip("- ORA 4", hook=hook)) == expected


@each_profile
@pytest.mark.parametrize(
    ("place", "word", "reason"),
    [
        ((7, 11, "across"), "CORNO", "does_not_fit"),
        ((11, 7, "down"), "CORNO", "does_not_fit"),
        ((7, 3, "across"), "CASA", "does_not_fit"),
        ((7, 3, "across"), "CORN", "word_incomplete"),
        ((7, 4, "across"), "ORNO", "word_incomplete"),
        ((7, 8, "across"), "SI", "word_incomplete"),
        ((7, 3, "across"), "CORNO", "no_tile_played"),
        ((7, 7, "down"), "ORZA", "letters_not_in_rack"),
        ((0, 0, "across"), "ORE", "not_connected"),
        ((9, 7, "across"), "ORE", "not_connected"),
    ],
)
def test_the_first_fault_at_the_place_is_the_reason(
    profile: Profile, place: tuple[int, int, str], word: str, reason: str
) -> None:
    """Order of judging, 5; tournament rules 1999, 2 and 6. The score proves no other place either."""
    ref = format_reference(Reference(*place[:2], Direction(place[2])), profile.notation)
    assert verdict(profile, CORNO, Slip(word, ref, 999), more="ORZA ORNO") == zero(reason)


@pytest.mark.parametrize("profile", [BOX, CLUB, FISE, RO], ids=["it-box", "club", "fise", "ro"])
def test_the_first_word_must_cover_the_centre(profile: Profile) -> None:
    """Tournament rules 1999, 2."""
    ref = "8C" if profile.notation == "8H" else "H3"
    assert verdict(profile, EMPTY, f"{ref} CORNO 999") == zero("misses_centre")


@each_profile
def test_a_word_that_is_not_in_the_list_is_named(profile: Profile) -> None:
    """Box rules, Multiplo: an inadmissible word gets nothing. Blanks that lie are named as they lie."""
    ref = "H8" if profile.notation == "8H" else "8H"
    assert verdict(profile, CORNO, f"{ref} OTRA 5") == zero("not_a_word", word="OTRA")


@each_profile
def test_a_cross_word_that_is_not_in_the_list_is_named(profile: Profile) -> None:
    """Box rules, 3: letters that touch others must form words with them."""
    at = position("SARETIO", "8D CoRNO")
    ref = "9E" if profile.notation == "8H" else "I5"
    assert verdict(profile, at, f"{ref} RE 999") == zero("invalid_cross_word", word="oR")


def test_a_word_may_need_a_letter_that_only_a_blank_can_be() -> None:
    """Tournament rules 1999, 5: TAXI."""
    at = position("TAI?OEC", turn=1)
    assert verdict(BOX, at, "8H TAxI 8") == valid(8)
    assert verdict(BOX, at, "8H TAXI 8") == valid(8)
    assert verdict(BOX, position("TAIEOEC", turn=1), "8H TAXI 8") == zero("letters_not_in_rack")
