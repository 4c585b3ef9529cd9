"""Turns where points were lost, and playing them again: nothing of a game that is not over, the time of the server."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.prepared.sample_game import create_prepared_game, follow_script, play_to_end
from tournaments.enums import GameState
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Exercise, Member, PlayerMember, Turn
from tournaments.training.queries.exercise_view import view_exercise
from tournaments.training.queries.lost_turns import (
    LostTurn,
    find_lost_turn,
    list_due_turns,
    list_lost_turns,
    list_missed_words,
)
from tournaments.training.services.exercises import close_expired_try, get_times, start_try, submit_try

pytestmark = pytest.mark.django_db
RACK = "ACEIRST"


@pytest.fixture
def evening(judge: User) -> ClubGame:
    """One turn in which Anna wrote a short word, Bruno nothing and Carla the top."""
    return play_evening(create_club_game(judge))


def play_evening(club_game: ClubGame) -> ClubGame:
    turn = club_game.begin_turn(RACK)
    best = turn.tops[0] if turn.tops else {}
    club_game.phone(1, "RE", "8H", 4)
    club_game.phone(3, best["word"], best["ref"], best["score"])
    club_game.close()
    club_game.place()
    return club_game


def member_at(club_game: ClubGame, *tables: int) -> Member:
    member = Member.objects.create(surname="Rossi")
    for table in tables:
        PlayerMember.objects.create(player=club_game.player(table), member=member)
    return member


def lost_turn(evening: ClubGame, table: int = 1) -> tuple[Member, LostTurn]:
    evening.end()
    member = member_at(evening, table)
    [lost] = list_lost_turns(member)
    return member, lost


def best_of(turn: Turn) -> tuple[str, str]:
    assert turn.tops
    return turn.tops[0]["word"], turn.tops[0]["ref"]


def test_a_game_that_is_not_over_leaks_nothing(evening: ClubGame) -> None:
    anna = member_at(evening, 1)
    turn = evening.turn
    assert not list_lost_turns(anna)
    assert not list_missed_words(anna)
    assert find_lost_turn(anna, turn.pk) is None
    evening.end()
    assert [lost.loss for lost in list_lost_turns(anna)] == [(turn.top or 0) - evening.verdict(1).points]
    evening.game.turns.get().clocks.update(shown_at=None)  # another room still plays it
    assert find_lost_turn(anna, turn.pk) is None


def test_only_turns_below_the_top_are_listed_and_only_to_who_played_them(evening: ClubGame) -> None:
    evening.end()
    assert not list_lost_turns(member_at(evening, 3))
    stranger = Member.objects.create(surname="Neri")
    assert find_lost_turn(stranger, evening.turn.pk) is None
    [lost] = list_lost_turns(member_at(evening, 2))
    assert (lost.word, lost.points, lost.best[0]) == ("", 0, best_of(evening.turn))


def test_a_word_missed_in_two_games_is_listed_once_with_its_number(judge: User) -> None:
    evenings = [play_evening(create_club_game(judge, date=date(2026, 3, day))) for day in (6, 13)]
    member = Member.objects.create(surname="Rossi")
    for club_game in evenings:
        club_game.end()
        PlayerMember.objects.create(player=club_game.player(1), member=member)
    [missed] = list_missed_words(member)
    assert (missed.word, missed.times, missed.last) == (best_of(evenings[0].turn)[0], 2, date(2026, 3, 13))


def test_the_top_is_judged_as_found_and_the_turn_returns_the_next_day(evening: ClubGame) -> None:
    anna, lost = lost_turn(evening)
    now = evening.later()
    exercise = start_try(member=anna, lost=lost, seconds=get_times(evening.game)[1], now=now)
    assert view_exercise(lost, exercise).phase == "running"
    word, ref = best_of(lost.turn)
    exercise = submit_try(exercise=exercise, word=word, ref=ref, now=now + timedelta(seconds=20))
    assert (exercise.result["found"], exercise.result["points"]) == (True, lost.top)
    view = view_exercise(lost, exercise)
    assert (view.phase, bool(view.new)) == ("judged", True)
    today = timezone.localdate(now)
    keeper = Member.objects.create(surname="Rossi-Neri")
    Member.objects.filter(pk=anna.pk).update(merged_into=keeper)
    assert [due.exercise for due in list_due_turns(keeper, exercise.due_on)] == [exercise]
    Member.objects.filter(pk=anna.pk).update(merged_into=None)
    assert exercise.due_on == today + timedelta(days=1)
    assert not list_due_turns(anna, today)
    assert [due.turn for due in list_due_turns(anna, exercise.due_on)] == [lost.turn]


def test_a_slip_after_the_grace_finds_nothing_and_a_double_click_changes_nothing(evening: ClubGame) -> None:
    anna, lost = lost_turn(evening)
    now, (whole, half) = evening.later(), get_times(evening.game)
    exercise = start_try(member=anna, lost=lost, seconds=half, now=now)
    with pytest.raises(AlreadyDone):
        start_try(member=anna, lost=lost, seconds=half, now=now)
    in_grace, too_late = (now + timedelta(seconds=half, milliseconds=ms) for ms in (900, 1100))
    assert close_expired_try(exercise=exercise, now=in_grace).deadline is not None
    word, ref = best_of(lost.turn)
    late = submit_try(exercise=exercise, word=word, ref=ref, now=too_late)
    assert (late.result["found"], late.result["points"]) == (False, 0)
    with pytest.raises(AlreadyDone):
        submit_try(exercise=exercise, word=word, ref=ref, now=too_late)
    assert Exercise.objects.get().tries == 1
    with pytest.raises(Refused):
        start_try(member=anna, lost=lost, seconds=whole * 2, now=now)


def test_a_try_without_a_slip_ends_with_its_time(evening: ClubGame) -> None:
    anna, lost = lost_turn(evening)
    now, (whole, _half) = evening.later(), get_times(evening.game)
    exercise = start_try(member=anna, lost=lost, seconds=whole, now=now)
    ended = close_expired_try(exercise=exercise, now=now + timedelta(seconds=whole + 2))
    assert (ended.deadline, ended.result["found"], ended.interval_days) == (None, False, 1)


def test_a_finished_game_is_secret_while_another_event_plays_its_script(judge: User) -> None:
    prepared = create_prepared_game(judge)
    first, second = (follow_script(create_club_game(judge), prepared) for _ in range(2))
    play_to_end(first)
    end_if_needed(first)
    anna = member_at(first, 1, 2, 3)
    assert not list_lost_turns(anna)
    play_to_end(second)
    end_if_needed(second)
    assert list_lost_turns(anna)


def end_if_needed(club_game: ClubGame) -> None:
    if club_game.refresh().state != GameState.FINISHED:
        club_game.end()
