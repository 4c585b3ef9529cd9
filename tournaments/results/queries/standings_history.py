"""Standings after an earlier turn."""

from __future__ import annotations

from functools import lru_cache

from engine.standings.game import Standing, standings
from tournaments.models import Game, Room
from tournaments.play.position import profile_of
from tournaments.results.queries.results import ResultsKey, get_results_key, load_results

_CACHED_STANDINGS = 64


def get_standings_after(game: Game, room: Room | None = None, *, turns: int) -> list[Standing]:
    """The standings after this number of turns, best first; without ranks before the first."""
    return _standings(get_results_key(game, room), turns) if turns else []


@lru_cache(maxsize=_CACHED_STANDINGS)
def _standings(stand: ResultsKey, turns: int) -> list[Standing]:
    results = load_results(stand)
    if turns >= len(results.tops):
        return results.standings
    earlier, tops = results.until(turns)
    profile = profile_of(Game.objects.only("switches").get(pk=stand.game_id))
    return standings(earlier, tops, profile, stand.disqualified)
