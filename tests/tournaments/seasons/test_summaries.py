"""Stored results of events: after each act on a finished event they are what a first computation gives."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.club_game import NEXT_SEED, ClubGame, create_club_game
from tests.tournaments.rejudged_game import accept_word, decide_slip, place_first_turn, set_warning
from tests.tournaments.rooms_game import create_three_rooms
from tournaments.events.services import events, options
from tournaments.models import Event, EventSummary, Member, PlayerResult, ResultMail
from tournaments.play.services.game_end import end_game
from tournaments.players.services import disqualification, players
from tournaments.seasons.queries.results import list_counting_events
from tournaments.seasons.services import seasons
from tournaments.seasons.services.summaries import refresh_summaries

pytestmark = pytest.mark.django_db
PLAYERS = (
    players.NewPlayer(1, "Anna Rossi", series="A"),
    players.NewPlayer(2, "Bruno Verdi", series="B"),
    players.NewPlayer(3, "Carla Neri", series="B"),
    players.NewPlayer(17, "Dario Bianchi", series="A"),
)


@pytest.fixture
def ended(judge: User) -> ClubGame:
    """A game of one turn in which CESTAI is on the board and TRISCEA of two players is no word; it is over."""
    club_game = create_club_game(judge, PLAYERS, switches={"free_warnings": 0, "sanction": 5})
    place_first_turn(club_game)
    end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    refresh_summaries()
    return club_game


def stored_facts() -> dict[str, Any]:
    """Return everything that is stored about the results, without the numbers of the rows."""
    ignored = {"id", "summary_id", "state"}
    return {
        "events": [{k: v for k, v in row.items() if k not in ignored} for row in EventSummary.objects.values()],
        "results": [
            {k: v for k, v in row.items() if k not in ignored}
            for row in PlayerResult.objects.order_by("player").values()
        ],
    }


def set_handicap(club_game: ClubGame) -> None:
    event = Event.objects.get(pk=club_game.event.pk)
    options.set_handicap(event=event, unit="points", series={"B": 40}, by=club_game.judge, now=club_game.later())


def change_series(club_game: ClubGame) -> None:
    set_handicap(club_game)
    refresh_summaries()
    details = players.PlayerDetails(series="B")
    players.rename_player(club_game.player(1), details, now=club_game.later(), by=club_game.judge)


def disqualify(club_game: ClubGame) -> None:
    disqualification.disqualify(player=club_game.player(1), reason="shouted", by=club_game.judge, now=club_game.later())


def reinstate(club_game: ClubGame) -> None:
    disqualify(club_game)
    refresh_summaries()
    disqualification.reinstate(player=club_game.player(1), by=club_game.judge, now=club_game.later())


def remove_player(club_game: ClubGame) -> None:
    players.remove_player(player=club_game.player(17), by=club_game.judge, now=club_game.later())


def rename_event(club_game: ClubGame) -> None:
    Event.objects.filter(pk=club_game.event.pk).update(name="Another name")


def move_date(club_game: ClubGame) -> None:
    Event.objects.filter(pk=club_game.event.pk).update(date=date(2020, 2, 29))


ACTS: dict[str, Callable[[ClubGame], object]] = {
    "a word is accepted": accept_word,
    "points of a slip are decided": lambda club_game: decide_slip(club_game, 3, 33),
    "a warning is given": lambda club_game: set_warning(club_game, 1, "discipline", given=True),
    "a handicap is set": set_handicap,
    "a player is in another series": change_series,
    "a player is disqualified": disqualify,
    "a disqualification is taken back": reinstate,
    "a player is removed": remove_player,
    "the event is renamed": rename_event,
    "the event has another date": move_date,
}


@pytest.mark.parametrize("act", ACTS)
def test_an_act_on_a_finished_event_changes_the_stored_results(ended: ClubGame, act: str) -> None:
    before = stored_facts()
    assert refresh_summaries() == 0
    ACTS[act](ended)
    assert refresh_summaries() == 1
    after = stored_facts()
    assert (after == before) == (act == "a disqualification is taken back")
    EventSummary.objects.all().delete()
    refresh_summaries()
    assert stored_facts() == after


def test_an_event_that_goes_on_counts_no_more_until_it_is_over_again(ended: ClubGame) -> None:
    ended.undo()
    refresh_summaries()
    assert not EventSummary.objects.exists()
    assert not PlayerResult.objects.exists()
    end_game(game=ended.refresh(), by=ended.judge, now=ended.later())
    refresh_summaries()
    assert EventSummary.objects.get().results.count() == 4


def test_a_choice_by_hand_and_a_sent_e_mail_outlast_a_game_that_goes_on(ended: ClubGame) -> None:
    season = seasons.create_season(seasons.SeasonFields("Year", date(2000, 1, 1), date(2000, 12, 31)))
    evening, anna = EventSummary.objects.get(), Member.objects.create(surname="Rossi", first_name="Anna")
    seasons.choose_events(season, {evening.pk: True})
    ResultMail.objects.create(summary=evening, member=anna, requested_at=ended.later(), sent_at=ended.later())
    ended.undo()
    refresh_summaries()
    assert not list_counting_events(season)
    end_game(game=ended.refresh(), by=ended.judge, now=ended.later())
    refresh_summaries()
    assert list_counting_events(season) == [evening]
    assert ResultMail.objects.get().summary == evening


def test_nothing_is_computed_again_without_a_change(
    ended: ClubGame, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        assert refresh_summaries() == 0


def test_a_second_game_of_the_event_is_added_to_the_first(ended: ClubGame) -> None:
    first = {row.player_id: row.points for row in PlayerResult.objects.all()}
    second = events.add_game(event=ended.event, by=ended.judge, now=ended.later(), seed=NEXT_SEED)
    refresh_summaries()
    assert not EventSummary.objects.exists()
    again = ClubGame(second, ended.judge, ended.now)
    again.begin_turn()
    again.close()
    again.place()
    end_game(game=again.refresh(), by=again.judge, now=again.later())
    assert refresh_summaries() == 1
    assert EventSummary.objects.get().games == 2
    assert {row.player_id: row.points for row in PlayerResult.objects.all()} == first
    assert refresh_summaries() == 0


def test_a_deleted_event_and_a_rehearsal_do_not_count(ended: ClubGame) -> None:
    Event.objects.filter(pk=ended.event.pk).update(is_rehearsal=True)
    refresh_summaries()
    assert not EventSummary.objects.exists()


def test_an_event_counts_once_the_last_room_has_seen_its_last_turn(judge: User) -> None:
    rooms_game = create_three_rooms(judge)
    club_game = rooms_game.club_game
    place_first_turn(club_game)
    end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    for name in ("B", "C"):
        assert refresh_summaries() == 0
        rooms_game.play(name)
    assert refresh_summaries() == 1
    assert EventSummary.objects.get().results.get(rank=1).best_word == "CESTAI"
