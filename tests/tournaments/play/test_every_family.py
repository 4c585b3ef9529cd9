"""Games of every set of rules through the services: each goes with every variant, and undo takes nothing away."""

from __future__ import annotations

import json
from itertools import product

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from engine.rules.profile import load_profile, profile_codes
from engine.variants.variant import load_variant, variant_codes
from tests.examples import one_in
from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tournaments.lexicons import word_lists
from tournaments.results.queries.archive import export_game

VARIANTS = variant_codes()
# Each set of rules with two variants, so that every variant is met at least once.
SOME = [
    (profile, variant) for at, profile in enumerate(profile_codes()) for variant in (VARIANTS[at], VARIANTS[at - 5])
]


def _turns(club_game: ClubGame) -> str:
    return json.dumps(export_game(club_game.refresh())["turns"])


@pytest.mark.parametrize("profile", one_in(4, profile_codes()))
def test_a_game_by_any_rules_may_be_played_in_any_variant(judge: User, profile: str) -> None:
    for variant in VARIANTS:
        game = create_club_game(judge, profile=profile, variant=variant).game
        expected = load_variant(variant).apply_to(load_profile(profile))
        assert (game.variant, game.switches["rack_size"]) == (variant, expected.rack_size)


@pytest.mark.parametrize(("profile", "variant"), one_in(8, SOME))
def test_undo_and_the_same_again_give_the_same_bytes_and_a_true_archive(
    judge: User, profile: str, variant: str
) -> None:
    club_game, rng = create_club_game(judge, profile=profile, variant=variant), seeded_random(3)
    for _ in range(3):
        assert play_turn(club_game, rng)
    club_game.draw()
    before = _turns(club_game)
    club_game.undo()
    club_game.place()
    club_game.draw()
    assert _turns(club_game) == before
    archive = read_archive(json.dumps(export_game(club_game.refresh())))
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    assert [str(difference) for difference in verify(archive, lexicon)] == []


def test_every_variant_is_met() -> None:
    assert {variant for _, variant in SOME} == set(VARIANTS)
    assert len(set(SOME)) == len(SOME) < len(list(product(profile_codes(), VARIANTS)))
