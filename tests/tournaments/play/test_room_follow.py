"""Rooms that follow by themselves: so many seconds after the drawing room, and never before their own turn is over."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.club_game import close_due
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.judging.queries.reviews import present_version
from tournaments.judging.services import reviews, rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.play.services import double_entry, room_follow, slips
from tournaments.play.services.room_follow import MIN_SHOWN_TIME

RACK = "ACEIRST"
OFFSET_S = 90


@pytest.fixture
def live_game(judge: User) -> RoomsGame:
    return create_three_rooms(judge, offset_s=OFFSET_S)


def sweep(live_game: RoomsGame, seconds: float) -> list[str]:
    """Run the sweep this number of seconds later. Return the rooms that it changed."""
    now = live_game.club_game.later(seconds)
    close_due(now)
    return [clock.room.name for clock in room_follow.advance_due_rooms(now=now)]


def started_at(live_game: RoomsGame, name: str) -> datetime:
    found = live_game.clock(name).started_at
    assert found is not None
    return found


def test_a_room_announces_by_itself_after_its_offset_and_a_room_by_hand_does_not(live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn(RACK)
    assert sweep(live_game, OFFSET_S - 1) == []
    assert sweep(live_game, 1) == ["C"]
    assert started_at(live_game, "C") - started_at(live_game, "A") == timedelta(seconds=OFFSET_S)
    assert sweep(live_game, 1) == []
    assert live_game.phase("B") == "lobby"


def test_without_an_offset_of_seconds_it_begins_with_the_drawing_room(judge: User) -> None:
    live_game = create_three_rooms(judge, offset_s=0)
    live_game.club_game.draw()
    assert sweep(live_game, 1) == []
    live_game.club_game.announce()
    assert sweep(live_game, 0) == ["C"]


def test_it_shows_the_move_by_itself_once_it_has_closed_and_nothing_is_doubtful(live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn(RACK)
    sweep(live_game, OFFSET_S)
    live_game.phone(21, "CARTE", "8H", 18)
    live_game.club_game.close()
    live_game.club_game.place()
    assert (sweep(live_game, 1), live_game.phase("C")) == ([], "running")
    assert sweep(live_game, 200) == ["C"]
    assert (live_game.phase("C"), live_game.phase("B")) == ("placed", "lobby")


def test_it_waits_for_the_drawing_room_and_for_the_judge_of_a_doubtful_slip(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    sweep(live_game, OFFSET_S)
    live_game.phone(21, "TRISCEA", "8H", 76)
    assert sweep(live_game, 400) == []
    club_game.place()
    assert (sweep(live_game, 1), live_game.phase("C")) == ([], "closed")
    rulings.decide_groups(
        turn=live_game.turn("C"),
        groups=[club_game.verdict(21).group],
        points=0,
        request=RulingRequest(reason="no word", by=club_game.judge, now=club_game.later(), room=live_game.room("C")),
    )
    assert sweep(live_game, 1) == ["C"]
    assert live_game.phase("C") == "placed"


def test_a_doubtful_slip_that_a_judge_lets_stand_holds_the_room_up_no_more(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    sweep(live_game, OFFSET_S)
    live_game.phone(21, "TRISCEA", "8H", 76)
    sweep(live_game, 400)
    club_game.place()
    room, group = live_game.room("C"), club_game.verdict(21).group
    turn = live_game.turn("C")
    reviews.accept_groups(
        turn=turn,
        groups=[group],
        version=present_version(turn, room, [group]),
        by=club_game.judge,
        now=club_game.later(),
        room=room,
    )
    assert sweep(live_game, 1) == ["C"]


def test_a_paper_slip_that_is_typed_once_only_holds_the_room_up_until_it_is_typed_again(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    double_entry.set_double_typing(event=club_game.event, wanted=True, now=club_game.later(), by=club_game.judge)
    club_game.refresh()
    club_game.begin_turn(RACK)
    sweep(live_game, OFFSET_S)
    typists = [User.objects.create(username=name) for name in ("ada", "ben")]
    line = "21 8H CARTE 18"
    slips.submit_paper_line(
        game=club_game.game, line=line, now=club_game.later(), by=typists[0], room=live_game.room("C")
    )
    assert sweep(live_game, 400) == []
    club_game.place()
    assert (sweep(live_game, 1), live_game.phase("C")) == ([], "closed")
    slips.submit_paper_line(
        game=club_game.game, line=line, now=club_game.later(), by=typists[1], room=live_game.room("C")
    )
    assert (sweep(live_game, 1), live_game.phase("C")) == (["C"], "placed")


def test_a_slip_that_the_drawing_room_has_judged_is_doubtful_no_more(live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn(RACK)
    live_game.phone(1, "TRISCEA", "8H", 76)
    sweep(live_game, OFFSET_S)
    live_game.phone(21, "TRISCEA", "8H", 76)
    sweep(live_game, 400)
    live_game.club_game.place()
    assert sweep(live_game, 1) == ["C"]


def test_a_room_that_was_held_up_shows_the_move_for_a_moment_before_the_next_rack(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    sweep(live_game, OFFSET_S)
    club_game.close()
    club_game.place()
    club_game.begin_turn()
    club_game.close()
    assert sweep(live_game, 300) == ["C"]
    assert (live_game.phase("C"), live_game.turn("C").number) == ("placed", 1)
    assert sweep(live_game, MIN_SHOWN_TIME.total_seconds() - 1) == []
    assert sweep(live_game, 1) == ["C"]
    assert (live_game.phase("C"), live_game.turn("C").number) == ("running", 2)


def test_a_move_taken_back_is_not_shown_again_without_the_judge(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    sweep(live_game, OFFSET_S)
    club_game.close()
    club_game.place()
    sweep(live_game, 300)
    room_follow.reopen_turn(
        game=club_game.refresh(), room=live_game.room("C"), now=club_game.later(), by=club_game.judge
    )
    assert live_game.room("C").offset_s is None
    assert (sweep(live_game, 60), live_game.phase("C")) == ([], "closed")


def test_a_sweep_with_nothing_to_do_asks_one_question(live_game: RoomsGame) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert room_follow.advance_due_rooms(now=live_game.club_game.now) == []
    assert len(asked) == 1
