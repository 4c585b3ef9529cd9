"""Results that are stored by themselves while the program runs, and a failure that stops nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from referee.server import summary_refresher
from referee.server.summary_refresher import SummaryRefresher
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.conftest import _small_word_list, small_data_folder
from tests.tournaments.rejudged_game import accept_word, place_first_turn
from tests.waiting import PATIENCE_S, until
from tournaments.models import EventSummary, PlayerResult
from tournaments.play.services.game_end import end_game
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "small_data_folder"]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club_game(transactional_db: None) -> ClubGame:
    club_game = create_club_game(first_judge())
    place_first_turn(club_game)
    return club_game


@pytest.fixture
def running() -> Iterator[SummaryRefresher]:
    refresher = SummaryRefresher(delay_s=0.01)
    refresher.start()
    yield refresher
    refresher.stop(PATIENCE_S)  # a thread that is still writing would lock the tables of the next tests


def best_points() -> int:
    return max(PlayerResult.objects.values_list("points", flat=True), default=0)


def test_results_follow_the_end_of_a_game_and_a_later_ruling(club_game: ClubGame, running: SummaryRefresher) -> None:
    assert not EventSummary.objects.exists()
    end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    until(lambda: best_points() == 20)
    accept_word(club_game)
    until(lambda: best_points() > 20)


def test_a_failure_is_logged_and_the_next_change_tries_again(
    club_game: ClubGame, running: SummaryRefresher, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> int:
        raise OSError("the disk is full")

    with caplog.at_level(logging.ERROR), monkeypatch.context() as patch:
        patch.setattr(summary_refresher, "refresh_ratings", fail)
        end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
        until(lambda: "could not be stored" in caplog.text)
    accept_word(club_game)
    until(lambda: best_points() > 20)
