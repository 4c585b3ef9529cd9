"""The plan of a run follows from its seed."""

from __future__ import annotations

import pytest

from tests.chaos.plan import CLOCKS, KINDS, MOMENTS, make_plan

MANY = range(200)


@pytest.mark.parametrize("store", KINDS)
def test_the_same_seed_gives_the_same_plan_and_another_one_another(store: str) -> None:
    assert [make_plan(seed, KINDS[store]) for seed in MANY] == [make_plan(seed, KINDS[store]) for seed in MANY]
    assert len({make_plan(seed, KINDS[store]).kills for seed in MANY}) == len(MANY)


def test_somebody_dies_in_every_turn_while_30_to_60_phones_play() -> None:
    for seed in MANY:
        plan = make_plan(seed, KINDS["postgres"])
        assert {kill.turn for kill in plan.kills} == {1, 2}
        assert 30 <= plan.players <= 60


def test_a_clock_goes_wrong_in_the_last_turn_only() -> None:
    for kinds in (KINDS["sqlite"], tuple(CLOCKS)):
        turns = [{kill.turn for kill in make_plan(seed, kinds).kills if kill.kind in CLOCKS} for seed in MANY]
        assert set().union(*turns) == {2}


def test_everything_that_a_store_has_dies_at_every_moment_of_a_turn() -> None:
    for kinds in KINDS.values():
        kills = [kill for seed in MANY for kill in make_plan(seed, kinds).kills]
        assert {kill.kind for kill in kills} == set(kinds)
        assert {kill.moment for kill in kills} == set(MOMENTS)


def test_some_servers_are_away_so_long_that_the_desk_has_to_say_it() -> None:
    away = [kill.away_s for seed in MANY for kill in make_plan(seed, KINDS["sqlite"]).kills if kill.away_s is not None]
    assert min(away) < 0.5
    assert max(away) > 3.3
