"""Nothing that a player can write breaks the judge, and its verdicts always add up."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.coordinates import Direction
from engine.judging.placement import Position, list_legal_placements
from engine.judging.verdict import judge_slip
from engine.rules.profile import Profile
from engine.slips.slip import Received, Slip
from engine.tiles.edition import load_edition
from tests.engine.judging.positions import BOX, CA, CLUB, FISE, FISF, IT, RO, position, words
from tests.examples import examples

ES = load_edition("es")
POSITIONS = [
    position("CORNOAE", turn=1),
    position("C?RN?AE", turn=1),
    position("SAR?TIO", "8D CORNO", "H8 ORA"),
    position("", "8D CORNO"),
    position("A[QU]?[NY]L[L·L]S", "H4 CORNA", edition=CA),
    position("CH?[CH]RRO", "H4 CARRO", edition=ES),
]
LISTED = {"it": words(IT), "ca": words(CA, "CORNA CORNAS ORA"), "es": words(ES, "CARRO CARROS CHICO PERRO ORA")}
written = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="CORNSAEIT?ornsaeit·[]()QU ny", max_size=18),
    st.text(alphabet="CHIORRchr[]()", max_size=18),
    st.sampled_from(["CHICO", "[C]HICO", "CHRRO", "CH" * 20]),
    st.sampled_from(["CORNO", "ORA", "oRA", "SCORNO", "TORO", "CASA", "RE", "QU", "A" * 10_000, "😀" * 5_000]),
)
references = st.one_of(
    st.text(max_size=6), st.builds("{}{}".format, st.sampled_from("ABCDEFGHIJKLMNOZ"), st.integers(0, 16))
)
slips = st.builds(
    Slip,
    word=written,
    ref=references,
    declared=st.none() | st.integers(-10, 200) | st.integers(),
    direction=st.none() | st.sampled_from(Direction),
    hook=st.just("") | st.text(max_size=4) | st.sampled_from(["ORN", "OR"]),
    received=st.sampled_from(get_args(Received)),
)
REAL = ["real", "zero", "warn"]
free_choices = st.fixed_dictionaries(
    {
        "notation": st.sampled_from(["8H", "H8"]),
        "first_word": st.sampled_from(["any", "across"]),
        "first_move_maximum": st.booleans(),
        "wrong_reference": st.sampled_from(["zero", "rescue"]),
        "missing_reference": st.sampled_from(["zero", "rescue"]),
        "rescue_when_ambiguous": st.booleans(),
        "extension_needs_reference": st.booleans(),
        "last_letter": st.sampled_from(["zero", "rescue"]),
        "wrong_score": st.sampled_from(REAL),
        "missing_score": st.sampled_from(REAL),
        "blank_unmarked": st.sampled_from([*REAL, "letter_value"]),
        "blank_wrong": st.sampled_from([*REAL, "letter_value"]),
        "several_slips": st.sampled_from(["zero", "latest"]),
        "free_warnings": st.none() | st.integers(0, 3),
        "sanction": st.integers(0, 9),
        "sanctions_per_slip": st.integers(0, 3),
        "floor": st.integers(0, 9),
        "q_for_qu": st.booleans(),
        "premiums_again": st.booleans(),
    }
)


@examples(400)
@given(slips, st.sampled_from(POSITIONS), free_choices, st.integers(0, 9), st.booleans())
def test_every_slip_gets_a_verdict_that_adds_up(
    slip: Slip, at: Position, switches: dict[str, object], prior: int, blitz: bool
) -> None:
    profile = BOX.with_switches(**switches)
    verdict = judge_slip(slip, at, profile, LISTED[at.board.edition.code], prior_warnings=prior, blitz=blitz)
    assert verdict.points >= 0
    assert verdict.as_json()["text"]
    if verdict.result == "zero":
        assert (verdict.points, verdict.warnings, verdict.penalty, verdict.move) == (0, (), 0, None)
        assert verdict.reason
    else:
        assert verdict.move is not None
        assert verdict.move_score == verdict.move.score
        assert verdict.points == verdict.move.score - verdict.penalty
        assert (verdict.reason is None) == (verdict.result == "valid")
        assert at.rack.holds(verdict.move.laid(at.board))


@pytest.mark.parametrize("profile", [BOX, CLUB, FISF, FISE, RO])
@examples(60)
@given(st.sampled_from(POSITIONS[:4]), st.sampled_from(["CORNO", "ORA", "SCORNO", "TORO", "RE", "CASA"]))
def test_every_legal_place_of_a_word_is_valid_when_it_is_written(profile: Profile, at: Position, word: str) -> None:
    codes = IT.parse_word(word)
    for legal in list_legal_placements(codes, list(Direction), at, profile, words(IT)):
        move = legal.move
        slip = Slip(move.word_text(IT), move.reference_text(profile.notation), move.score)
        verdict = judge_slip(slip, at, profile, words(IT))
        if not (profile.first_move_maximum and at.board.is_empty):
            assert (verdict.result, verdict.points, verdict.warnings) == ("valid", move.score, ())
