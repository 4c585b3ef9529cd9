"""Judging a slip, step 8: the blank."""

from __future__ import annotations

from typing import Any

import pytest

from engine.judging.verdict import judge_slip
from engine.rules.profile import Profile
from engine.slips.slip import Slip
from tests.engine.judging.positions import BOX, CLUB, FISE, FISF, IT, RO, position, words
from tests.engine.judging.verdicts import CORNO, NO_R, each_profile, valid, verdict, zero


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (BOX, valid(2)),
        (CLUB, valid(2)),
        (FISF, valid(2, "blank_not_marked")),
        (FISE, zero("blank_not_marked", move_score=2)),
        (RO, valid(0, penalty=2)),
    ],
)
def test_a_blank_that_is_not_marked(profile: Profile, expected: dict[str, Any]) -> None:
    """Box: our default; FISF: a warning; FISE: zero; Romania: minus the value of the letter it stands for."""
    ref = "H8" if profile.notation == "8H" else "8H"
    assert verdict(profile, NO_R, f"{ref} ORA 2") == expected
    assert verdict(profile, NO_R, f"{ref} OrA 2") == valid(2)


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (BOX, valid(2)),
        (CLUB, valid(2)),
        (FISF, valid(2, "wrong_blank_marked")),
        (FISE, zero("blank_not_marked", move_score=2)),
        (RO, valid(0, penalty=2)),
    ],
)
def test_a_blank_that_is_marked_on_another_letter(profile: Profile, expected: dict[str, Any]) -> None:
    ref = "H8" if profile.notation == "8H" else "8H"
    assert verdict(profile, NO_R, f"{ref} ORa 2") == expected


def test_the_two_faults_have_their_own_switches() -> None:
    mixed = BOX.with_switches(blank_unmarked="zero", blank_wrong="warn")
    assert verdict(mixed, NO_R, "H8 ORA 2") == zero("blank_not_marked", move_score=2)
    assert verdict(mixed, NO_R, "H8 ORa 2") == valid(2, "wrong_blank_marked")


@each_profile
def test_a_marked_letter_is_the_blank_even_when_the_rack_has_its_tile(profile: Profile) -> None:
    """Order of judging, 8."""
    ref = "H8" if profile.notation == "8H" else "8H"
    at = position("SAR?TIE", "8D CORNO")
    assert verdict(profile, at, f"{ref} OrA 2") == valid(2)
    assert verdict(profile, at, f"{ref} ORA 4") == valid(4)


@each_profile
def test_a_mark_without_a_blank_is_ignored_with_a_warning(profile: Profile) -> None:
    """Order of judging, 8."""
    ref = "H8" if profile.notation == "8H" else "8H"
    assert verdict(profile, CORNO, f"{ref} OrA 4") == valid(4, "wrong_blank_marked")


@each_profile
def test_the_case_of_a_letter_that_lies_is_ignored(profile: Profile) -> None:
    """Order of judging, 8."""
    ref = "H8" if profile.notation == "8H" else "8H"
    assert verdict(profile, CORNO, f"{ref} oRA 4") == valid(4)


@pytest.mark.parametrize(("profile", "expected"), [(BOX, valid(2)), (FISE, zero("blank_not_marked", move_score=2))])
def test_more_marks_than_blanks_are_no_marks(profile: Profile, expected: dict[str, Any]) -> None:
    """Order of judging, 8: a word typed in lower case on a phone."""
    ref = "H8" if profile.notation == "8H" else "8H"
    assert verdict(profile, NO_R, f"{ref} ora 2") == expected


@pytest.mark.parametrize(
    ("word", "played", "score"), [("ALTRA", "ALTRa", 18), ("aLTRA", "aLTRA", 16), ("ALTRa", "ALTRa", 18)]
)
def test_a_blank_that_is_not_marked_stands_where_it_costs_the_player_least(word: str, played: str, score: int) -> None:
    """The A on light blue is the real one: (2 + 3 + 2 + 2) x 2."""
    judged = judge_slip(Slip(word, "8D", score), position("ALTR?EE", turn=1), BOX, words(IT, "ALTRA"))
    assert judged.points == score
    assert judged.move is not None
    assert judged.move.word_text(IT) == played


def test_of_two_blanks_one_may_be_marked() -> None:
    """C and N are missing; only N is marked."""
    at = position("O?R?OEE", turn=1)
    assert verdict(BOX, at, "8D CORnO 8") == valid(8)
    assert verdict(FISE, at, "H4 CORnO 8") == zero("blank_not_marked", move_score=8)
    assert verdict(RO, at, "H4 CORnO 8") == valid(6, penalty=2)
    assert verdict(RO, at, "H4 CORNO 8") == valid(3, penalty=5)
