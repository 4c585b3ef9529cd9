from __future__ import annotations

import pytest

from engine.lexicon.sources.folding import fold, fold_all


@pytest.mark.parametrize(
    ("written", "folded"),
    [("casa", "CASA"), ("perché", "PERCHE"), ("città", "CITTA"), ("naïf", "NAIF"), ("taxi", "TAXI")],
)
def test_a_word_is_folded_to_capitals_without_signs(written: str, folded: str) -> None:
    assert fold(written) == folded


def test_a_sign_written_as_a_character_of_its_own_folds_like_the_one_character() -> None:
    assert fold("cioe\u0300") == fold("cio\u00e8") == "CIOE"


@pytest.mark.parametrize("written", ["Roma", "ABS", "l'alto", "pied-à-terre", "mp3", "hard top", "", "жук"])
def test_what_is_no_plain_word_in_small_letters_is_refused(written: str) -> None:
    assert fold(written) is None


def test_one_letter_is_too_short_and_sixteen_are_too_long() -> None:
    assert [fold("a" * length) is None for length in (1, 2, 15, 16)] == [True, False, False, True]


def test_folding_many_leaves_out_the_refused_and_the_doubles() -> None:
    assert fold_all(["però", "pero", "Però", "x"]) == {"PERO"}
