"""Judging a slip, steps 9 and 10: the score, warnings and their price."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rules.profile import Profile
from tests.engine.judging.positions import BOX, CLUB, FISE, FISF, position
from tests.engine.judging.verdicts import CORNO, EMPTY, NO_R, valid, verdict, zero


@pytest.mark.parametrize(
    ("profile", "ref", "wrong", "missing"),
    [
        (BOX, "8D", valid(22), valid(22)),
        (CLUB, "8D", valid(22, "score_wrong"), valid(22)),
        (FISF, "H4", valid(22, "score_wrong"), valid(22, "score_missing")),
        (FISE, "H4", zero("wrong_score", move_score=22), zero("wrong_score", move_score=22)),
    ],
)
@pytest.mark.parametrize("declared", [0, 21, 23, -22, 10**30])
def test_a_wrong_or_missing_score(
    profile: Profile, ref: str, wrong: dict[str, Any], missing: dict[str, Any], declared: int
) -> None:
    """Box: our default is the real points; FISF: a warning; FISE and Catalan clubs: wrong data is worth zero."""
    assert verdict(profile, EMPTY, f"{ref} CORNO {declared}") == wrong
    assert verdict(profile, EMPTY, f"{ref} CORNO -") == missing
    assert verdict(profile, EMPTY, f"{ref} CORNO 22") == valid(22)


def test_the_blank_is_judged_before_the_score() -> None:
    assert verdict(FISE, NO_R, "8H ORA 99")["reason"] == "blank_not_marked"


@pytest.mark.parametrize(
    ("prior", "blitz", "penalty"),
    [(0, False, 0), (2, False, 0), (3, False, 5), (9, False, 5), (3, True, 0), (4, True, 0), (5, True, 5)],
)
def test_warnings_beyond_the_free_ones_cost_five(prior: int, blitz: bool, penalty: int) -> None:
    """FISF 5.9: three free warnings a game, five in blitz."""
    judged = verdict(FISF, EMPTY, "H4 CORNO 21", prior=prior, blitz=blitz)
    assert judged == valid(22 - penalty, "score_wrong", penalty=penalty)


NO_N = position("SCOR?TI", "8D CORNO")
"""SCORNO down onto the star needs the blank for N: 10 points."""


@pytest.mark.parametrize(("per_slip", "penalty"), [(1, 5), (2, 10), (0, 0)])
def test_one_slip_costs_at_most_one_sanction(per_slip: int, penalty: int) -> None:
    """Two warnings beyond the quota; our default is that they cost once."""
    judged = verdict(FISF.with_switches(sanctions_per_slip=per_slip), NO_N, "8C SCORNO 99", prior=9)
    assert judged == valid(10 - penalty, "blank_not_marked", "score_wrong", penalty=penalty)


def test_only_warnings_beyond_the_free_ones_count() -> None:
    """Two warnings on one slip, one of them free."""
    profile = FISF.with_switches(sanctions_per_slip=9)
    assert verdict(profile, NO_N, "8C SCORNO 99", prior=1)["penalty"] == 0
    assert verdict(profile, NO_N, "8C SCORNO 99", prior=2)["penalty"] == 5
    assert verdict(profile, NO_N, "8C SCORNO 99", prior=3)["penalty"] == 10


def test_a_rescue_and_a_warning_cost_once() -> None:
    profile = FISF.with_switches(extension_needs_reference=True)
    judged = verdict(profile, NO_N, "1A SCORNO 10", prior=9)
    assert judged == valid(5, "blank_not_marked", rescue="rescued_by_score", penalty=5)


def test_a_sanction_never_takes_a_move_below_the_floor() -> None:
    """FISF 5.6: a penalty on a move worth 4 or less leaves 0; `penalty` is what was really taken off."""
    assert verdict(FISF, CORNO, "8H ORA 5", prior=3) == valid(0, "score_wrong", penalty=4)
    floor = FISF.with_switches(floor=2)
    assert verdict(floor, CORNO, "8H ORA 5", prior=3) == valid(2, "score_wrong", penalty=2)
    assert verdict(floor.with_switches(floor=9), CORNO, "8H ORA 5", prior=3) == valid(4, "score_wrong")


def test_another_sanction_may_be_set() -> None:
    assert verdict(FISF.with_switches(sanction=3), EMPTY, "H4 CORNO 21", prior=3)["penalty"] == 3


def test_where_there_is_no_quota_warnings_never_cost() -> None:
    """Warnings are listed in every profile that gives them and cost only where there is a quota."""
    assert verdict(CLUB, EMPTY, "8D CORNO 21", prior=99) == valid(22, "score_wrong")


def test_a_zero_earns_no_warning() -> None:
    assert verdict(FISF, CORNO, "8H OTRA 99", prior=9)["warnings"] == []
    unmarked = FISE.with_switches(wrong_score="warn")
    assert verdict(unmarked, NO_R, "8H ORA 99")["warnings"] == []
