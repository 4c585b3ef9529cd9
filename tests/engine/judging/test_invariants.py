"""Invariants of all rules and slips: the order of slips changes nothing, nobody scores more than the top."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.coordinates import Direction
from engine.judging.placement import Position, list_legal_placements
from engine.judging.verdict import Verdict, judge_slip
from engine.lexicon.graph import Lexicon
from engine.rules.profile import Profile, load_profile, profile_codes
from engine.search.solver import Solver
from engine.slips.slip import Slip
from engine.turn_results.averages import Fault, apply_averages, fault_of
from engine.turn_results.bonuses import apply_bonuses, find_solo_table
from tests.engine.judging.positions import IT, WORDS, position, words
from tests.engine.judging.test_fuzz import slips
from tests.examples import examples

POSITIONS = [
    position("CORNOAE", turn=1),
    position("C?RN?AE", turn=1),
    position("SARETIO", "8D CORNO"),
    position("SAR?TIO", "8D CORNO", "H8 ORA"),
]
LISTED = words(IT)


@cache
def solver(*, premiums_again: bool) -> Solver:
    return Solver(Lexicon.build(IT, WORDS.split()), first_word_across=False, premiums_again=premiums_again)


@cache
def legal_slips(at: int, notation: str) -> list[Slip]:
    """Slips that say legal moves, by every profile of this notation."""
    rules = load_profile("it-box").with_switches(notation=notation)
    moves = [
        legal.move
        for word in WORDS.split()
        for legal in list_legal_placements(IT.parse_word(word), list(Direction), POSITIONS[at], rules, LISTED)
    ]
    return [Slip(move.word_text(IT), move.reference_text(rules.notation), move.score) for move in moves]


def judged(
    handed_in: dict[int, Slip], at: Position, profile: Profile, prior: dict[int, int], before: dict[int, Fault | None]
) -> tuple[dict[int, Verdict], int | None]:
    """A whole turn, the slips in the order of the mapping."""
    top = solver(premiums_again=profile.premiums_again).ranked(at.board, at.rack).top
    single = {
        table: judge_slip(slip, at, profile, LISTED, prior_warnings=prior.get(table, 0))
        for table, slip in handed_in.items()
    }
    whole = apply_bonuses(apply_averages(single, before, profile), top, profile)
    return whole, find_solo_table(single, top)


@pytest.mark.parametrize("code", profile_codes())
@examples(40)
@given(data=st.data())
def test_a_turn_is_judged_alike_in_every_order_and_nobody_gets_more_than_there_is(
    code: str, data: st.DataObject
) -> None:
    house = {"premiums_again": data.draw(st.booleans()), "solo_min_players": data.draw(st.sampled_from([0, 16]))}
    profile = load_profile(code).with_switches(**house)
    number = data.draw(st.integers(0, len(POSITIONS) - 1))
    at = POSITIONS[number]
    one = st.one_of(slips, st.sampled_from(legal_slips(number, profile.notation.value)))
    tables = dict(enumerate(data.draw(st.lists(one, min_size=1, max_size=20)), 1))
    prior = {table: data.draw(st.integers(0, 6)) for table in tables}
    before = {table: fault_of(judge_slip(slip, at, profile, LISTED)) for table, slip in tables.items() if table % 2}
    verdicts, solo = judged(tables, at, profile, prior, before)
    order = data.draw(st.permutations(list(tables)))
    again, solo_again = judged({table: tables[table] for table in order}, at, profile, prior, before)
    assert (again, solo_again) == (verdicts, solo)
    top = solver(premiums_again=profile.premiums_again).ranked(at.board, at.rack).top
    for verdict in verdicts.values():
        assert verdict.points >= 0
        assert verdict.points <= top + verdict.bonus
        assert verdict.bonus <= max(profile.solo_bonus, profile.sole_best_bonus)
        assert verdict.as_json()["text"]
