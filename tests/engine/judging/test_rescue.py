"""Judging a slip, steps 3 and 7: rescue by the declared score."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.board.coordinates import SIZE, Direction, Reference, format_reference, parse_reference
from engine.judging.placement import Position
from engine.rules.profile import Profile
from engine.slips.slip import Slip
from engine.slips.typed_line import parse_line
from tests.engine.judging.positions import BOX, CLUB, FISE, FISF, position, slip
from tests.engine.judging.verdicts import CORNO, PUBLIERA, valid, verdict, zero


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("8E TORO 6", valid(6)),
        ("8E TOR 6", valid(1, rescue="last_letter_missing", penalty=5)),
        ("8E TORE 6", valid(1, rescue="last_letter_changed", penalty=5)),
        ("8E TOR 5", zero("word_incomplete")),
        ("8E TORE 5", zero("does_not_fit")),
        ("8E TOR -", zero("word_incomplete")),
    ],
)
def test_the_last_letter_is_rescued_when_the_score_proves_the_word(written: str, expected: dict[str, Any]) -> None:
    """FISF 5.3.1: the letter lies on the board, was left out or changed, and the score is that of the whole word."""
    assert verdict(FISF, CORNO, written) == expected


def test_the_last_letter_is_rescued_before_the_short_word_is_looked_up() -> None:
    assert verdict(FISF, CORNO, "8E TOR 6", more="TOR") == valid(1, rescue="last_letter_missing", penalty=5)


def test_other_profiles_want_the_last_letter_written() -> None:
    """The word must be written whole."""
    assert verdict(BOX, CORNO, "H5 TOR 6") == zero("word_incomplete")
    assert verdict(BOX, CORNO, "H5 TORE 6") == zero("does_not_fit")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("A1 PUBLIERA 167", valid(167)),
        ("- PUBLIERA 167", valid(162, rescue="rescued_by_score", penalty=5)),
        ("H1 PUBLIERA 167", valid(162, rescue="rescued_by_score", penalty=5)),
        ("A2 PUBLIERA 167", valid(162, rescue="rescued_by_score", penalty=5)),
        ("Z99 PUBLIERA 167", valid(162, rescue="rescued_by_score", penalty=5)),
        ("1A PUBLIERA 167", valid(162, rescue="rescued_by_score", penalty=5)),
        ("- PUBLIERA 166", zero("wrong_reference")),
        ("H1 PUBLIERA 166", zero("letters_not_in_rack")),
        ("A2 PUBLIERA -", zero("does_not_fit")),
    ],
)
def test_the_score_proves_the_place(written: str, expected: dict[str, Any]) -> None:
    """FISF 5.3.1, the printed example: PUBLIERA without or with a wrong reference, 167 at A1, gets 162; a score that
    fits no place gets nothing. No grid says the direction here, so both count."""
    assert verdict(FISF, PUBLIERA, written) == expected


def test_before_2016_nothing_was_rescued() -> None:
    old = FISF.with_switches(wrong_reference="zero", missing_reference="zero")
    assert verdict(old, PUBLIERA, "- PUBLIERA 167") == zero("wrong_reference")
    assert verdict(old, PUBLIERA, "H1 PUBLIERA 167") == zero("letters_not_in_rack")


FORGIVING = BOX.with_switches(wrong_reference="reversed")
"""Box rules at a club where H8 is often written for 8H."""


@pytest.mark.parametrize(
    ("profile", "written", "expected"),
    [
        (BOX, "8H ORA 4", zero("word_incomplete")),
        (CLUB, "8H ORA 4", valid(0, rescue="rescued_by_score", penalty=4)),
        (FORGIVING, "8H ORA 4", valid(4, rescue="rescued_by_score")),
        (FORGIVING, "8H ORA 5", zero("word_incomplete")),
        (FORGIVING, "8H ORA -", zero("word_incomplete")),
        (FORGIVING, "10H ORA 4", zero("not_connected")),
        (FORGIVING, "- ORA 4", zero("wrong_reference")),
        (FORGIVING, "Z99 ORA 4", zero("wrong_reference")),
        (FORGIVING, "H8 ORA 4", valid(4)),
    ],
)
def test_a_place_written_the_other_way_round(profile: Profile, written: str, expected: dict[str, Any]) -> None:
    """ORA down from H8 is worth 4; 8H says across. Box rules: no points, unless the club wants to count it."""
    assert verdict(profile, CORNO, written) == expected


REVERSED = [
    (FISF, PUBLIERA, "1A PUBLIERA 167", "A1"),
    (CLUB, CORNO, "8H ORA 4", "H8"),
    (FORGIVING, CORNO, "8H ORA 4", "H8"),
]


@pytest.mark.parametrize(("profile", "at", "written", "place"), REVERSED, ids=["fisf", "club", "box, reversed counts"])
def test_a_reversed_reference_is_worth_the_same_however_it_is_entered(
    profile: Profile, at: Position, written: str, place: str
) -> None:
    """A phone sends no direction, a typed line may have `>` or `|`, JSON names it."""
    ref, word, score = written.split()
    true = parse_reference(place, profile.notation).direction
    sign = ">" if true is Direction.ACROSS else "|"
    phone = Slip(word, ref, int(score))
    lines = [parse_line(f"17 {text}", profile.notation) for text in (written, f"{sign} {written}")]
    typed = [line.content for line in lines if isinstance(line.content, Slip)]
    verdicts = [verdict(profile, at, each) for each in (phone, *typed, replace(phone, direction=true))]
    penalty = min(5, int(score)) if profile.wrong_reference == "rescue" else 0
    assert {(each["points"], each["penalty"]) for each in verdicts} == {(int(score) - penalty, penalty)}


@given(st.sampled_from(REVERSED), st.integers(0, 224), st.sampled_from(Direction), st.integers(0, 1))
def test_no_direction_is_judged_as_the_true_one_unless_the_word_fits_where_it_was_written(
    case: tuple[Profile, Position, str, str], square: int, way: Direction, off: int
) -> None:
    profile, at, written, place = case
    true = parse_reference(place, profile.notation)
    ref = format_reference(Reference(*divmod(square, SIZE), way), profile.notation)
    slip = Slip(written.split()[1], ref, int(written.split()[2]) + off)
    without = verdict(profile, at, slip)
    assume(without["result"] != "valid")
    assert without["points"] == verdict(profile, at, replace(slip, direction=true.direction))["points"] or (
        profile is FORGIVING and square != true.row * SIZE + true.col
    )


def test_a_grid_without_a_reference_says_the_direction() -> None:
    across, down = slip("- PUBLIERA 167", direction=Direction.ACROSS), slip("- PUBLIERA 167", direction=Direction.DOWN)
    assert verdict(FISF, PUBLIERA, across)["points"] == 162
    assert verdict(FISF, PUBLIERA, down)["reason"] == "wrong_reference"


def test_a_word_is_judged_where_it_fits_even_when_the_score_belongs_elsewhere() -> None:
    """ORA is worth 4 at H8; the declared 5 proves nothing against it."""
    there, elsewhere = verdict(CLUB, CORNO, "H8 ORA 4"), verdict(CLUB, CORNO, "H8 ORA 5")
    assert there == valid(4)
    assert elsewhere == valid(4, "score_wrong")


def test_several_proved_places_are_rescued_unless_the_profile_says_no() -> None:
    """FISF 5.3.2 speaks of ambiguous cases: ORA is worth 4 at several places."""
    strict = CLUB.with_switches(rescue_when_ambiguous=False)
    assert verdict(CLUB, CORNO, "- ORA 4")["result"] == "rescued"
    assert verdict(strict, CORNO, "- ORA 4") == zero("wrong_reference")
    assert verdict(strict, CORNO, "- SCORNO 11")["result"] == "rescued"


def test_one_tile_with_two_names_is_one_place() -> None:
    """The O that makes CORNO and ORA at once is not ambiguous."""
    strict = CLUB.with_switches(rescue_when_ambiguous=False)
    at = position("OIIIIII", "8D CORN", "H9 RA")
    assert verdict(strict, at, "- CORNO 26") == valid(21, rescue="rescued_by_score", penalty=5)
    assert verdict(strict, at, "- ORA 26") == valid(21, rescue="rescued_by_score", penalty=5)


@pytest.mark.parametrize(("ref", "word"), [("8D", "CORNO"), ("H8", "ORA")])
@pytest.mark.parametrize("profile", [BOX, CLUB], ids=["it-box", "club"])
def test_a_one_tile_play_is_accepted_under_both_names(profile: Profile, ref: str, word: str) -> None:
    assert verdict(profile, position("OIIIIII", "8D CORN", "H9 RA"), f"{ref} {word} 26") == valid(26)


@pytest.mark.parametrize(("ref", "word"), [("H4", "CORNO"), ("8H", "ORA")])
@pytest.mark.parametrize("profile", [FISE, FISF], ids=["fise", "fisf"])
def test_a_one_tile_play_is_accepted_under_both_names_where_rows_are_lettered(
    profile: Profile, ref: str, word: str
) -> None:
    """The same O where across is written H8; the board is laid in the notation of the Italian edition."""
    assert verdict(profile, position("OIIIIII", "8D CORN", "H9 RA"), f"{ref} {word} 26") == valid(26)


def test_a_move_with_a_bad_cross_word_may_be_rescued() -> None:
    """RE down from I8 would make CORNOR; the score proves that it was meant to start at the R of CORNO."""
    assert verdict(BOX, CORNO, "I8 RE 3") == zero("invalid_cross_word", word="CORNOR")
    assert verdict(CLUB, CORNO, "I8 RE 3") == valid(0, rescue="rescued_by_score", penalty=3)


def test_a_word_that_is_no_word_is_never_rescued() -> None:
    assert verdict(CLUB, CORNO, "H8 OTRA 6") == zero("not_a_word", word="OTRA")
