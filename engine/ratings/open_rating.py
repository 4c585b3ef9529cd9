"""The open rating: strength of a member, estimated from the ranks of all games by the model of Plackett and Luce.

The library openskill computes it (Weng and Lin, "A Bayesian Approximation Method for Online Ranking", algorithm 4). A
rating is a mean and a standard deviation; a new member has 25 ± 8.3333. After each game both are rounded to
`DECIMALS`. The last bits of an exponential differ between machines, by some 10⁻¹⁴; the rounding removes these
differences after each step, so that archives give the same ratings everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from openskill.models import PlackettLuce

from engine.ratings.rated_game import RatedGame

VERSION: Final = 1
"""Version of the computation. It changes with the library, the parameters, the rounding or the games that count, so
that ratings of different versions are never compared."""
LIBRARY: Final = "openskill 6.2.0"
MEAN: Final = 25.0
DEVIATION: Final = 8.3333
DECIMALS: Final = 4
DEVIATIONS_BELOW: Final = 3
SHOWN_START, SHOWN_UNIT = 1000, 10
FEWEST_GAMES: Final = 10
"""The number of games before which a rating is provisional."""


def _gamma(*_facts: object) -> float:
    """Return 1: each game takes away as much uncertainty as it has information (gamma of the paper, section 3).

    The library's default, deviation / c, is made for few teams; among 20 players the deviation would stay at 8 for
    years.
    """
    return 1.0


_MODEL = PlackettLuce(
    mu=MEAN,
    sigma=DEVIATION,
    beta=25 / 6,
    kappa=0.0001,
    gamma=_gamma,
    tau=25 / 300,
    margin=0.0,
    limit_sigma=False,
    balance=False,
)


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimated strength of a member: `mean` and standard `deviation`, after `games` games that count."""

    mean: float = MEAN
    deviation: float = DEVIATION
    games: int = 0

    @property
    def shown(self) -> int:
        """The number on pages, a cautious one: a new member has 1000.

        1000 + 10 × the change of (mean − 3 × deviation) since then. The strength is above it with great probability, so
        it rises as more games are known.
        """
        lower = Decimal(repr(self.mean)) - DEVIATIONS_BELOW * Decimal(repr(self.deviation))
        start = Decimal(repr(MEAN)) - DEVIATIONS_BELOW * Decimal(repr(DEVIATION))
        return int((SHOWN_START + SHOWN_UNIT * (lower - start)).quantize(Decimal(1), rounding=ROUND_HALF_UP))

    @property
    def is_provisional(self) -> bool:
        """True while too few games count."""
        return self.games < FEWEST_GAMES


def rate_game(ratings: Mapping[int, Rating], game: RatedGame) -> dict[int, Rating]:
    """Return the ratings of the game's members after it; members who have none in `ratings` begin with the usual one.

    Ranks are those among all players; only their order matters, and equal ranks are a tie. A game with a single member
    changes no rating but counts as a game.
    """
    order = sorted(game.scores, key=lambda member: (game.scores[member].rank, member))
    before = [ratings.get(member, Rating()) for member in order]
    teams = [[_MODEL.create_rating([each.mean, each.deviation])] for each in before]
    after = _MODEL.rate(teams, ranks=[float(game.scores[member].rank) for member in order]) if len(order) > 1 else teams
    return {
        member: Rating(round(rated.mu, DECIMALS), round(rated.sigma, DECIMALS), old.games + 1)
        for member, old, [rated] in zip(order, before, after, strict=True)
    }


def rate_games(games: Iterable[RatedGame], ratings: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
    """Rate games, given in their order, one after the other; `ratings` are those before the first."""
    current = dict(ratings or {})
    for game in games:
        current |= rate_game(current, game)
    return current
