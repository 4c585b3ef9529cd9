"""Words that can be cut into tiles in several ways: which reading a slip is judged by, and what the player is told."""

from __future__ import annotations

import pytest

from engine.judging.verdict import Verdict, judge_slip
from engine.judging.verdict_text import verdict_sentence
from engine.slips.slip import Slip
from engine.tiles.edition import Edition, load_edition, read_edition
from tests.engine.judging.positions import CA, CLUB, position, words

ES = load_edition("es")
APART = read_edition("es", ES.toml.replace("may_be_split = []", 'may_be_split = ["CH", "RR"]'))
LISTED = "CHICO [C]HICO PERRO PE[R]RO CHICA ROCA"


LETTER_FIRST = CLUB.with_switches(notation="H8")


def judged(written: str, rack: str, edition: Edition = ES, ref: str = "H4", listed: str = "CHICO") -> Verdict:
    at = position(rack, edition=edition, turn=1)
    return judge_slip(Slip(written, ref, None), at, LETTER_FIRST, words(edition, listed))


def test_c_and_h_cannot_be_laid_for_ch_where_the_federation_forbids_it() -> None:
    """Rules of the Spanish federation, double letters: the tile CH, not C and H."""
    verdict = judged("CHICO", "CHICOAE")
    assert (verdict.result, verdict.reason, verdict.points) == ("zero", "letters_not_in_rack", 0)
    assert verdict_sentence(verdict) == (
        "Club rules: The rack has no tiles for these letters: [CH]. "
        "With the tiles [C]HICO it could be laid, but in this edition the word is not spelt that way."
    )


@pytest.mark.parametrize("written", ["CHICO", "[CH]ICO", "chico"])
def test_the_tile_ch_is_one_square_and_has_its_own_points(written: str) -> None:
    """From H4 its four tiles miss the star on H8; from H5 they are worth (5 + 1 + 3 + 1) x 2."""
    assert judged(written, "[CH]ICOAEE").reason == "misses_centre"
    verdict = judged(written, "[CH]ICOAEE", ref="H5")
    assert verdict.move is not None
    assert (verdict.move.word_text(ES), verdict.points) == ("[CH]ICO", 20)


def test_brackets_fix_the_reading() -> None:
    verdict = judged("[C]HICO", "CHICOAE")
    assert (verdict.reason, verdict.word) == ("not_a_word", "[C]HICO")
    assert judged("[CH]ICO", "CHICOAE").reason == "letters_not_in_rack"


def test_a_blank_may_be_the_tile_ch() -> None:
    verdict = judged("chICO", "?ICOAEE", ref="H5")
    assert verdict.move is not None
    assert (verdict.result, verdict.warnings, verdict.move.word_text(ES)) == ("valid", (), "[ch]ICO")


def test_where_both_readings_are_allowed_the_one_that_the_rack_can_lay_counts() -> None:
    laid_apart = judged("CHICO", "CHICOAE", APART, listed=LISTED)
    assert laid_apart.move is not None
    assert laid_apart.move.word_text(APART) == "[C]HICO"
    assert (laid_apart.result, laid_apart.points) == ("valid", 2 * (2 * 3 + 4 + 1 + 3 + 1))
    joined = judged("CHICO", "[CH]ICOAEE", APART, ref="H5", listed=LISTED)
    assert joined.move is not None
    assert joined.move.word_text(APART) == "[CH]ICO"


def test_of_two_readings_that_can_be_laid_the_declared_score_tells_which_was_meant() -> None:
    """H5, with C, H and CH on the rack: CH-I-C-O is worth 20; C-H-I-C-O is longer and worth more."""
    at = position("[CH]CHICO", edition=APART, turn=1)
    listed = words(APART, LISTED)
    scores = {
        text: judge_slip(Slip(text, "H5", None), at, LETTER_FIRST, listed).points
        for text in ("[CH]ICO", "[C]HICO", "CHICO")
    }
    assert scores["CHICO"] == max(scores.values())
    assert scores["[CH]ICO"] != scores["[C]HICO"]
    for text in ("[CH]ICO", "[C]HICO"):
        verdict = judge_slip(Slip("CHICO", "H5", scores[text]), at, LETTER_FIRST, listed)
        assert verdict.move is not None
        assert (verdict.move.word_text(APART), verdict.points, verdict.warnings) == (text, scores[text], ())


def test_rr_and_ll_follow_their_own_rule() -> None:
    """The edition lets CH and RR be laid apart, not LL."""
    assert judged("PERRO", "PERROLL", APART, listed="PERRO PE[R]RO").result == "valid"
    assert judged("CALLO", "CALLOEE", APART, listed="CALLO CA[L]LO").reason == "letters_not_in_rack"


@pytest.mark.parametrize("written", ["COL·LEGI", "COL.LEGI", "COL-LEGI", "COĿLEGI", "COĿEGI", "col·legi", "COL•LEGI"])
def test_the_dotted_l_is_the_tile_however_it_is_written(written: str) -> None:
    verdict = judged(written, "CO[L·L]EGIA", CA, listed="COL·LEGI")
    assert (verdict.result, verdict.reason) == ("valid", None)


def test_two_l_are_never_the_dotted_tile_but_the_player_is_told() -> None:
    verdict = judged("COLLEGI", "CO[L·L]EGIA", CA, listed="COL·LEGI")
    assert (verdict.result, verdict.reason, verdict.points) == ("zero", "letters_not_in_rack", 0)
    assert verdict_sentence(verdict).endswith(
        "With the tiles CO[L·L]EGI it could be laid, but in this edition the word is not spelt that way."
    )
    plain = judged("CALLA", "CALLAEE", CA, listed="CALLA CAL·LA")
    assert (plain.result, plain.move is not None) == ("valid", True)
    plain_zero = verdict_sentence(judged("CALLE", "CALLEEE", CA, listed="CALLA"))
    assert plain_zero == "Tournament rules 1999, 8: CALLE is not in the word list."
