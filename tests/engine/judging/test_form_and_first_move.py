"""Judging a slip, steps 1 and 2: its form, and the first word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import pytest

from engine.judging.verdict import judge_slip
from engine.rules.profile import Profile
from engine.slips.slip import Received, Slip
from tests.engine.judging.positions import BOX, CLUB, FISF, IT, position, slip, words
from tests.engine.judging.verdicts import CORNO, EMPTY, each_profile, valid, verdict, zero


@each_profile
def test_a_slip_with_nothing_on_it_is_no_slip(profile: Profile) -> None:
    """Also when it came late or twice. FISF, nullity."""
    for received in get_args(Received):
        assert verdict(profile, EMPTY, Slip("", " ", None, received=received)) == zero("no_slip")


@each_profile
@pytest.mark.parametrize("written", ["8D - 22", "8D - -", "- - 22"])
def test_a_slip_without_a_word_is_unreadable(profile: Profile, written: str) -> None:
    assert verdict(profile, EMPTY, written) == zero("unreadable")


@each_profile
def test_a_late_slip_is_zero_but_its_move_is_known(profile: Profile) -> None:
    """Box rules, Multiplo: three minutes. The move is legal and fails by form only."""
    written = "8D CORNO 22" if profile.notation == "8H" else "H4 CORNO 22"
    assert verdict(profile, EMPTY, slip(written, received="late")) == zero("late", move_score=22)
    assert verdict(profile, EMPTY, slip("8D CARNO 22", received="late")) == zero("late")
    assert verdict(profile, EMPTY, slip("- - 22", received="late")) == zero("late")


def test_several_slips_are_zero_or_the_latest_counts() -> None:
    """FISF, nullity; club: the latest. A phone's latest slip counts everywhere and comes as one slip."""
    several = slip("8D CORNO 22", received="several")
    assert verdict(BOX, EMPTY, several) == zero("several_slips")
    assert verdict(BOX.with_switches(several_slips="latest"), EMPTY, several) == valid(22)
    assert verdict(CLUB, EMPTY, several) == valid(22)
    assert verdict(FISF, EMPTY, several) == zero("several_slips")


@each_profile
@pytest.mark.parametrize("word", ["😀", "C0RNO", "COR NO", "?", "[CH]E", "CORN("])
def test_a_word_that_cannot_be_tiled_is_no_word(profile: Profile, word: str) -> None:
    """Whatever reference it has, and before any place is looked at."""
    for ref in ("8D", "", "Z99"):
        assert verdict(profile, EMPTY, Slip(word, ref, 22)) == zero("not_a_word", word=word)


@each_profile
def test_a_slip_of_ten_thousand_signs_is_judged_like_any_other(profile: Profile) -> None:
    judged = verdict(profile, CORNO, Slip("A" * 10_000, "8D", 22))
    assert judged == zero("does_not_fit")
    judged = verdict(profile, CORNO, Slip("😀" * 10_000, "8D", 22))
    assert judged["reason"] == "not_a_word"
    assert judged["word"] == "😀" * 39 + "…"


@pytest.mark.parametrize("profile", [BOX, CLUB], ids=["it-box", "club"])
def test_the_first_word_of_the_box_scores_22(profile: Profile) -> None:
    """Box rules, example A."""
    assert verdict(profile, EMPTY, "8D CORNO 22") == valid(22)


def test_the_first_word_may_lie_down() -> None:
    """Box rules, 1: vertically or horizontally."""
    assert verdict(BOX, EMPTY, "H4 CORNO 22") == valid(22)


def test_a_profile_may_want_the_first_word_across() -> None:
    across = BOX.with_switches(first_word="across")
    assert verdict(across, EMPTY, "8D CORNO 22") == valid(22)
    assert verdict(across, EMPTY, "H4 CORNO 22") == zero("wrong_reference")
    assert verdict(across, CORNO, "H8 ORA 4") == valid(4)


@pytest.mark.parametrize(
    ("written", "points", "warnings", "rescue"),
    [
        ("H4 CORNO 22", 22, [], None),
        ("- CORNO 22", 22, [], None),
        ("H8 CORNO 22", 22, [], "first_move_maximum"),
        ("4H CORNO 22", 22, [], "first_move_maximum"),
        ("A1 CORNO 22", 22, [], "first_move_maximum"),
        ("Z99 CORNO 22", 22, [], "first_move_maximum"),
        ("H4 CORNO 20", 22, ["score_wrong"], None),
        ("H5 CORNO 20", 22, ["score_wrong"], "first_move_maximum"),
        ("H4 CORNO -", 22, ["score_missing"], None),
        ("H4 cORNO 22", 22, [], "first_move_maximum"),
    ],
)
def test_the_first_word_counts_at_its_best_place(
    written: str, points: int, warnings: Sequence[str], rescue: str | None
) -> None:
    """FISF, first slip: a reference is not required and a wrong one costs nothing; a wrong score earns its warning."""
    assert verdict(FISF, EMPTY, written) == valid(points, *warnings, rescue=rescue)


@pytest.mark.parametrize(
    ("written", "rescue"),
    [
        ("H4 COrNO 18", None),
        ("H4 CORNO 18", None),
        ("H4 cORNO 18", "first_move_maximum"),
        ("H8 COrNO 18", "first_move_maximum"),
    ],
)
def test_the_first_word_counts_with_its_best_blank(written: str, rescue: str | None) -> None:
    """FISF: whichever letter was circled. The rack has no R, so R must be the blank: 18 with C on light blue."""
    assert verdict(FISF, position("CONO?AE", turn=1), written) == valid(18, rescue=rescue)


def test_the_best_blank_of_a_doubled_letter_stands_off_the_premium() -> None:
    """CASA with one A: the blank goes where it costs least."""
    at = position("CSA?EEE", turn=1)
    judged = judge_slip(slip("H5 CASA -"), at, FISF, words(IT))
    assert judged.move is not None
    assert judged.move_score == 2 * (2 + 1 + 2) == 10


@each_profile
@pytest.mark.parametrize(
    ("word", "reason", "failing"),
    [("CORNI", "letters_not_in_rack", None), ("ORCO", "not_a_word", "ORCO"), ("O", "not_a_word", "O")],
)
def test_the_first_word_must_be_a_word_of_the_rack(
    profile: Profile, word: str, reason: str, failing: str | None
) -> None:
    ref = "8H" if profile.notation == "8H" else "H8"
    assert verdict(profile, EMPTY, f"{ref} {word} 22") == zero(reason, word=failing)
