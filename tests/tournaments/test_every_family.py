"""Games of every set of rules through the services: each goes with every formula, and undo takes nothing away."""

from __future__ import annotations

import json
from itertools import product

import pytest
from django.contrib.auth.models import User

from engine.archive import read_archive
from engine.formulas import formula_codes, load_formula
from engine.replay import verify
from engine.rules.profile import load_profile, profile_codes
from tests.tournaments.night import Night, begin, chance, play_turn
from tournaments import lexicons
from tournaments.selectors.archive import export_game

FORMULAS = formula_codes()
# Each set of rules with two formulas, so that every formula is met at least once.
SOME = [
    (profile, formula) for at, profile in enumerate(profile_codes()) for formula in (FORMULAS[at], FORMULAS[at - 5])
]


def _turns(night: Night) -> str:
    return json.dumps(export_game(night.refresh())["turns"])


@pytest.mark.parametrize("profile", profile_codes())
def test_a_game_by_any_rules_may_be_played_in_any_formula(judge: User, profile: str) -> None:
    for formula in FORMULAS:
        game = begin(judge, profile=profile, formula=formula).game
        expected = load_formula(formula).applied_to(load_profile(profile))
        assert (game.formula, game.switches["rack_size"]) == (formula, expected.rack_size)


@pytest.mark.parametrize(("profile", "formula"), SOME)
def test_undo_and_the_same_again_give_the_same_bytes_and_a_true_archive(
    judge: User, profile: str, formula: str
) -> None:
    night, rng = begin(judge, profile=profile, formula=formula), chance(3)
    for _ in range(3):
        assert play_turn(night, rng)
    night.draw()
    before = _turns(night)
    night.undo()
    night.place()
    night.draw()
    assert _turns(night) == before
    archive = read_archive(json.dumps(export_game(night.refresh())))
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    assert [str(difference) for difference in verify(archive, lexicon)] == []


def test_every_formula_is_met() -> None:
    assert {formula for _, formula in SOME} == set(FORMULAS)
    assert len(set(SOME)) == len(SOME) < len(list(product(profile_codes(), FORMULAS)))
