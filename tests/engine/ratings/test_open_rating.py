"""The open rating: printed results of the model, the rounding, and the version."""

from __future__ import annotations

import importlib.util
import math
from importlib.metadata import version
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from engine.ratings import open_rating
from engine.ratings.open_rating import LIBRARY, VERSION, Rating, rate_game, rate_games
from engine.ratings.rated_game import MemberScore, RatedGame, sort_games


def game(*ranks: int, date: str = "2026-01-09", started: str = "") -> RatedGame:
    """A game of the members 1, 2, ... with these ranks."""
    scores = {member: MemberScore(rank, 900 - rank) for member, rank in enumerate(ranks, 1)}
    return RatedGame(date, started, "Club night", 1000, scores)


def test_the_library_gives_the_values_that_other_ports_of_the_model_print() -> None:
    """The free-for-all of three new players, as the tests of the JavaScript original and its ports print it."""
    model = PlackettLuce(tau=0)
    rated = model.rate([[model.rating()] for _ in range(3)])
    means, deviations = [each.mu for [each] in rated], [each.sigma for [each] in rated]
    assert means == pytest.approx([27.868876552746237, 25.717219138186557, 21.413904309067206], abs=1e-9)
    assert deviations == pytest.approx([8.204837030780652, 8.057829747583874, 8.057829747583874], abs=1e-9)


def weng_lin(ratings: list[tuple[float, float]], ranks: list[int]) -> list[tuple[float, float]]:
    """Algorithm 4 of Weng and Lin with gamma = 1, written from the paper, for ranks without ties."""
    variances = [deviation**2 + (25 / 300) ** 2 for _, deviation in ratings]
    c = math.sqrt(sum(variance + (25 / 6) ** 2 for variance in variances))
    power = [math.exp(mean / c) for mean, _ in ratings]
    below = [sum(p for p, other in zip(power, ranks, strict=True) if other >= rank) for rank in ranks]
    rated = []
    for i, (mean, _) in enumerate(ratings):
        share = [power[i] / below[q] if ranks[q] <= ranks[i] else 0.0 for q in range(len(ranks))]
        omega = sum((q == i) - share[q] for q in range(len(ranks)) if ranks[q] <= ranks[i])
        delta = sum(each * (1 - each) for each in share)
        shrunk = max(1 - variances[i] / c**2 * delta, 0.0001)
        rated.append((mean + variances[i] / c * omega, math.sqrt(variances[i] * shrunk)))
    return rated


@given(st.lists(st.tuples(st.floats(5, 45), st.floats(0.8, 8.3)), min_size=2, max_size=12), st.randoms())
def test_a_game_is_rated_by_the_algorithm_of_the_paper(before: list[tuple[float, float]], rng: object) -> None:
    ranks = list(range(1, len(before) + 1))
    rng.shuffle(ranks)  # type: ignore[attr-defined]  # hypothesis types its random generator as an object
    ratings = {at: Rating(round(mean, 4), round(dev, 4)) for at, (mean, dev) in enumerate(before, 1)}
    expected = weng_lin([(each.mean, each.deviation) for each in ratings.values()], ranks)
    rated = rate_game(ratings, game(*ranks))
    assert [rated[at].mean for at in ratings] == pytest.approx([mean for mean, _ in expected], abs=6e-5)
    assert [rated[at].deviation for at in ratings] == pytest.approx([dev for _, dev in expected], abs=6e-5)


def test_a_history_has_the_ratings_of_this_version() -> None:
    """If this fails, the computation has changed: increase VERSION, and write the new values here."""
    assert (1, f"openskill {version('openskill')}") == (VERSION, LIBRARY)
    rated = rate_games([game(1, 2, 3), game(2, 1, 3), game(1, 1, 3, 4)])
    assert rated == {
        1: Rating(28.5622, 7.3919, 3),
        2: Rating(28.9631, 7.4173, 3),
        3: Rating(20.1115, 7.0985, 3),
        4: Rating(21.7031, 7.9208, 1),
    }


def test_a_new_member_has_1000_and_rises_with_certainty_and_rank() -> None:
    assert Rating().shown == 1000
    assert Rating().is_provisional
    winner, loser = rate_games([game(1, 2)] * 20).values()
    assert winner.shown > 1000 > loser.shown
    assert not winner.is_provisional


def test_one_member_among_guests_is_not_rated_but_the_game_counts() -> None:
    assert rate_game({}, game(3)) == {1: Rating(games=1)}


@given(st.permutations([game(1, 2, date="2026-01-09", started=at) for at in ("", "a", "b")] + [game(2, 1)]))
def test_the_order_in_which_games_are_read_does_not_matter(games: list[RatedGame]) -> None:
    assert rate_games(sort_games(games)) == rate_games(sort_games(reversed(games)))


def other_machine(*, last_bit: bool) -> PlackettLuce:
    """The model as its source says, not compiled, on a machine whose exponentials are perhaps one last bit greater."""
    compiled = importlib.import_module("openskill.models.weng_lin.plackett_luce")
    source = Path(str(compiled.__file__)).with_name("plackett_luce.py")
    found = importlib.util.spec_from_file_location("plackett_luce_of_another_machine", source)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    math_there = SimpleNamespace(**vars(math))
    math_there.exp = lambda x: math.nextafter(math.exp(x), math.inf) if last_bit else math.exp(x)
    module.math = math_there  # type: ignore[attr-defined]  # a module loaded by its path
    here = open_rating._MODEL
    model = module.PlackettLuce(mu=here.mu, sigma=here.sigma, beta=here.beta, gamma=here.gamma, tau=here.tau)
    assert isinstance(model, module.PlackettLuce)
    return model  # type: ignore[no-any-return]


@pytest.mark.parametrize("last_bit", [False, True])
def test_another_machine_gives_the_same_ratings(monkeypatch: pytest.MonkeyPatch, last_bit: bool) -> None:
    """A history of 40 games of up to 20 members, compiled here, interpreted there with other last bits."""
    rng = Random(7)  # noqa: S311  nothing secret is drawn with it
    games = [game(*rng.choices(range(1, 20), k=rng.randint(2, 20))) for _ in range(40)]
    here = rate_games(games)
    monkeypatch.setattr(open_rating, "_MODEL", other_machine(last_bit=last_bit))
    assert rate_games(games) == here
