from __future__ import annotations

import pytest

from tests.tournaments.club_game import ClubGame
from tournaments.errors import Refused
from tournaments.events.services import options
from tournaments.models import Event, LedgerEntry


def stored(club_game: ClubGame) -> Event:
    return Event.objects.get(pk=club_game.event.pk)


def give(club_game: ClubGame, series: dict[str, int], unit: str = "points") -> None:
    options.set_handicap(event=club_game.event, unit=unit, series=series, by=club_game.judge, now=club_game.later())


def count(club_game: ClubGame, best: int | None, of_each_game: bool = True) -> None:
    options.set_teams(
        event=club_game.event, best=best, of_each_game=of_each_game, by=club_game.judge, now=club_game.later()
    )


def test_how_many_of_a_team_count_is_kept_and_told_in_the_ledger(club_game: ClubGame) -> None:
    count(club_game, 3, of_each_game=False)
    assert (stored(club_game).team_best, stored(club_game).team_of_each_game) == (3, False)
    assert LedgerEntry.objects.get(kind="options").data == {"team_best": 3, "of_each_game": False}
    count(club_game, None)
    assert (stored(club_game).team_best, stored(club_game).team_of_each_game) == (None, True)


@pytest.mark.parametrize("best", [0, -1, 1001])
def test_a_number_that_no_team_has_is_refused(club_game: ClubGame, best: int) -> None:
    with pytest.raises(Refused, match="at least 1 and at most 1000"):
        count(club_game, best)
    assert stored(club_game).team_best is None


def test_a_handicap_is_kept_by_series_and_an_empty_one_takes_it_away(club_game: ClubGame) -> None:
    give(club_game, {"B": 20, " C ": 35, "A": 0}, "percent")
    assert stored(club_game).handicap == {"unit": "percent", "series": {"B": 20, "C": 35}}
    give(club_game, {"B": 0})
    assert stored(club_game).handicap == {}


@pytest.mark.parametrize("series", [{"B": 1000}, {"B": -5}, {"": 10}])
def test_a_handicap_that_cannot_be_is_refused(club_game: ClubGame, series: dict[str, int]) -> None:
    with pytest.raises(Refused, match="a number from 0 to 999"):
        give(club_game, series)
    assert stored(club_game).handicap == {}


def test_a_handicap_is_in_points_or_in_percent(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="in points or in percent"):
        give(club_game, {"B": 5}, "metres")
