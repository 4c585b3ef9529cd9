"""A few runs of `python -m tests.crash`, small ones, three of each kind: nothing that was acknowledged is lost."""

from __future__ import annotations

import pytest

from tests.crash.__main__ import run
from tests.crash.hall import Hall
from tests.crash.plan import KINDS, make_plan

SEEDS = (1, 2, 3)


def check(hall: Hall, kind: str, seed: int) -> None:
    figures, wrong, died = run(make_plan(seed, [kind], players=(12, 24), turns=1), hall)
    assert wrong == []
    assert figures is not None
    assert died[kind] == figures.kills > 0
    assert figures.acked > 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS["sqlite"])
def test_a_hall_on_one_laptop_loses_nothing(small_hall: Hall, kind: str, seed: int) -> None:
    check(small_hall, kind, seed)


@pytest.mark.services
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS["postgres"])
def test_a_hall_on_two_servers_loses_nothing(big_hall: Hall, kind: str, seed: int) -> None:
    check(big_hall, kind, seed)
