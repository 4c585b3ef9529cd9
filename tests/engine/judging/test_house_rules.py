"""Digraph tiles, house rules, and the rule that a verdict cites."""

from __future__ import annotations

import pytest

from engine.judging.placement import Position
from engine.judging.verdict import judge_slip
from engine.rules.profile import Profile
from engine.slips.slip import Slip
from tests.engine.judging.positions import BOX, CA, CLUB, FISE, IT, RO, position, slip, words
from tests.engine.judging.verdicts import CORNO, EMPTY, NO_R, valid, verdict


@pytest.mark.parametrize("word", ["COL·LEGI", "COL.LEGI", "COL-LEGI", "COĿEGI", "CO[L·L]EGI", "col·legi"])
def test_a_tile_of_several_letters_may_be_written_in_every_way(word: str) -> None:
    """In lower case there are more marks than blanks: not marked."""
    at = position("CO[L·L]EGIA", edition=CA, turn=1)
    judged = judge_slip(Slip(word, "H4", 40), at, FISE, words(CA, "COL·LEGI"))
    assert (judged.result, judged.points) == ("valid", 40)


def test_a_marked_digraph_is_one_blank() -> None:
    """AnyS is a blank standing for NY."""
    at = position("AS?EEEE", edition=CA, turn=1)
    judged = judge_slip(Slip("AnyS", "H7", 4), at, FISE, words(CA, "ANYS"))
    assert (judged.result, judged.points, judged.warnings) == ("valid", 4, ())


@pytest.mark.parametrize(("word", "points"), [("JAQUETA", 42), ("JAQETA", 42), ("JA[QU]ETA", 42)])
def test_a_q_may_stand_for_qu_by_a_house_rule(word: str, points: int) -> None:
    """Catalan manual, house rules: JAQETA for JAQUETA."""
    at = position("JA[QU]ETAE", edition=CA, turn=1)
    rule = FISE.with_switches(q_for_qu=True)
    listed = words(CA, "JAQUETA")
    judged = judge_slip(Slip(word, "H3", points), at, rule, listed)
    assert judged.move is not None
    assert judged.move.word_text(CA) == "JA[QU]ETA"
    plain = judge_slip(Slip("JAQETA", "H3", points), at, FISE, listed)
    assert plain.reason == "not_a_word"


def test_premiums_may_count_again_by_a_house_rule() -> None:
    """Box rules, home variants: SCORNO over light blue and the star, (2 + 4 + 1 + 2 + 3 + 1) x 2."""
    again = BOX.with_switches(premiums_again=True)
    assert verdict(again, CORNO, "8C SCORNO 26") == valid(26)
    assert verdict(BOX, CORNO, "8C SCORNO 11") == valid(11)


def test_the_bonus_is_that_of_the_profile() -> None:
    """Seven tiles: 50 by box rule 17, otherwise where the profile says so."""
    at = position("CORNICE", turn=1)
    listed = words(IT, "CORNICE")
    assert judge_slip(slip("8D CORNICE -"), at, BOX, listed).points == 2 * (4 + 1 + 2 + 3 + 1 + 2 + 1) + 50
    seventy = BOX.with_switches(bonuses={"7": 70})
    assert judge_slip(slip("8D CORNICE -"), at, seventy, listed).points == 2 * 14 + 70


@pytest.mark.parametrize(
    ("profile", "at", "written", "rule"),
    [
        (BOX, EMPTY, "8D CORNO 22", None),
        (BOX, EMPTY, "8D CARNO 22", "box rules, Multiplo"),
        (BOX, CORNO, "H8 OTRA 5", "box rules, Multiplo"),
        (BOX, CORNO, "9E RE 5", "box rules, 3"),
        (BOX, CORNO, "A1 ORE 5", "tournament rules 1999, 6"),
        (BOX, EMPTY, "8C CORNO 5", "box rules, 1"),
        (BOX, CORNO, "- ORA 4", "our default"),
        (FISE, EMPTY, "H4 CORNO 21", "set by the organiser"),
        (CLUB, EMPTY, "8D CORNO 21", "our default"),
        (RO, NO_R, "8H ORA 2", "set by the organiser"),
    ],
)
def test_a_verdict_cites_its_rule(profile: Profile, at: Position, written: str, rule: str | None) -> None:
    assert judge_slip(slip(written), at, profile, words(IT)).rule == rule
