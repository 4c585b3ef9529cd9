"""Standings as they were after an earlier turn, whatever came later."""

from __future__ import annotations

from functools import lru_cache

from engine.standings import Standing, standings
from tournaments.models import Game, Room
from tournaments.position import profile_of
from tournaments.selectors.results import Stand, results_at, stand_of

_KEPT = 64


def standings_then(game: Game, room: Room | None = None, *, turns: int) -> list[Standing]:
    """The standings after so many turns, best first; nobody is ranked before the first."""
    return _standings(stand_of(game, room), turns) if turns else []


@lru_cache(maxsize=_KEPT)
def _standings(stand: Stand, turns: int) -> list[Standing]:
    results = results_at(stand)
    if turns >= len(results.tops):
        return results.standings
    earlier = {
        table: [result for result in played if result.turn <= turns] for table, played in results.by_table.items()
    }
    profile = profile_of(Game.objects.only("switches").get(pk=stand.game_id))
    return standings(earlier, results.tops[:turns], profile, stand.disqualified)
