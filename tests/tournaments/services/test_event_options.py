from __future__ import annotations

import pytest

from tests.tournaments.night import Night
from tournaments.errors import Refused
from tournaments.models import Event, LedgerEntry
from tournaments.services import event_options


def stored(night: Night) -> Event:
    return Event.objects.get(pk=night.event.pk)


def give(night: Night, series: dict[str, int], unit: str = "points") -> None:
    event_options.set_handicap(event=night.event, unit=unit, series=series, by=night.judge, now=night.later())


def count(night: Night, best: int | None, of_each_game: bool = True) -> None:
    event_options.set_teams(event=night.event, best=best, of_each_game=of_each_game, by=night.judge, now=night.later())


def test_how_many_of_a_team_count_is_kept_and_told_in_the_ledger(night: Night) -> None:
    count(night, 3, of_each_game=False)
    assert (stored(night).team_best, stored(night).team_of_each_game) == (3, False)
    assert LedgerEntry.objects.get(kind="options").data == {"team_best": 3, "of_each_game": False}
    count(night, None)
    assert (stored(night).team_best, stored(night).team_of_each_game) == (None, True)


@pytest.mark.parametrize("best", [0, -1, 1001])
def test_a_number_that_no_team_has_is_refused(night: Night, best: int) -> None:
    with pytest.raises(Refused, match="at least 1 and at most 1000"):
        count(night, best)
    assert stored(night).team_best is None


def test_a_handicap_is_kept_by_series_and_an_empty_one_takes_it_away(night: Night) -> None:
    give(night, {"B": 20, " C ": 35, "A": 0}, "percent")
    assert stored(night).handicap == {"unit": "percent", "series": {"B": 20, "C": 35}}
    give(night, {"B": 0})
    assert stored(night).handicap == {}


@pytest.mark.parametrize("series", [{"B": 1000}, {"B": -5}, {"": 10}])
def test_a_handicap_that_cannot_be_is_refused(night: Night, series: dict[str, int]) -> None:
    with pytest.raises(Refused, match="a number from 0 to 999"):
        give(night, series)
    assert stored(night).handicap == {}


def test_a_handicap_is_in_points_or_in_percent(night: Night) -> None:
    with pytest.raises(Refused, match="in points or in percent"):
        give(night, {"B": 5}, "metres")
