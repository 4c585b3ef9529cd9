"""Rooms that follow by themselves: so many seconds after the drawing room, and never before their own turn is over."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.hall_of_rooms import Evening, three_rooms
from tournaments.selectors.looks import present_version
from tournaments.services import clocks, double_typing, looking, pursuing, rulings, slips
from tournaments.services.pursuing import LEAST_LOOK

RACK = "ACEIRST"
OFFSET_S = 90


@pytest.fixture
def evening(judge: User) -> Evening:
    return three_rooms(judge, offset_s=OFFSET_S)


def sweep(evening: Evening, seconds: float) -> list[str]:
    """What the sweep does so many seconds later: the rooms in which something happened."""
    now = evening.night.later(seconds)
    clocks.close_due(now=now)
    return [clock.room.name for clock in pursuing.follow_due(now=now)]


def started_at(evening: Evening, name: str) -> datetime:
    found = evening.clock(name).started_at
    assert found is not None
    return found


def test_a_room_announces_by_itself_after_its_offset_and_a_room_by_hand_does_not(evening: Evening) -> None:
    evening.night.begin_turn(RACK)
    assert sweep(evening, OFFSET_S - 1) == []
    assert sweep(evening, 1) == ["C"]
    assert started_at(evening, "C") - started_at(evening, "A") == timedelta(seconds=OFFSET_S)
    assert sweep(evening, 1) == []
    assert evening.phase("B") == "lobby"


def test_without_an_offset_of_seconds_it_begins_with_the_drawing_room(judge: User) -> None:
    evening = three_rooms(judge, offset_s=0)
    evening.night.draw()
    assert sweep(evening, 1) == []
    evening.night.announce()
    assert sweep(evening, 0) == ["C"]


def test_it_shows_the_move_by_itself_once_it_has_closed_and_nothing_is_doubtful(evening: Evening) -> None:
    evening.night.begin_turn(RACK)
    sweep(evening, OFFSET_S)
    evening.phone(21, "CARTE", "8H", 18)
    evening.night.close()
    evening.night.place()
    assert (sweep(evening, 1), evening.phase("C")) == ([], "running")
    assert sweep(evening, 200) == ["C"]
    assert (evening.phase("C"), evening.phase("B")) == ("placed", "lobby")


def test_it_waits_for_the_drawing_room_and_for_the_judge_of_a_doubtful_slip(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    sweep(evening, OFFSET_S)
    evening.phone(21, "TRISCEA", "8H", 76)
    assert sweep(evening, 400) == []
    night.place()
    assert (sweep(evening, 1), evening.phase("C")) == ([], "closed")
    rulings.decide_group(
        turn=evening.turn("C"),
        group=night.verdict(21).group,
        points=0,
        reason="no word",
        by=night.judge,
        now=night.later(),
        room=evening.room("C"),
    )
    assert sweep(evening, 1) == ["C"]
    assert evening.phase("C") == "placed"


def test_a_doubtful_slip_that_a_judge_lets_stand_holds_the_room_up_no_more(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    sweep(evening, OFFSET_S)
    evening.phone(21, "TRISCEA", "8H", 76)
    sweep(evening, 400)
    night.place()
    room, group = evening.room("C"), night.verdict(21).group
    turn = evening.turn("C")
    looking.accept(
        turn=turn,
        groups=[group],
        version=present_version(turn, room, [group]),
        by=night.judge,
        now=night.later(),
        room=room,
    )
    assert sweep(evening, 1) == ["C"]


def test_a_paper_slip_that_is_typed_once_only_holds_the_room_up_until_it_is_typed_again(evening: Evening) -> None:
    night = evening.night
    double_typing.set_double_typing(event=night.event, wanted=True, now=night.later(), by=night.judge)
    night.refresh()
    night.begin_turn(RACK)
    sweep(evening, OFFSET_S)
    typists = [User.objects.create(username=name) for name in ("ada", "ben")]
    line = "21 8H CARTE 18"
    slips.enter_paper(game=night.game, line=line, now=night.later(), by=typists[0], room=evening.room("C"))
    assert sweep(evening, 400) == []
    night.place()
    assert (sweep(evening, 1), evening.phase("C")) == ([], "closed")
    slips.enter_paper(game=night.game, line=line, now=night.later(), by=typists[1], room=evening.room("C"))
    assert (sweep(evening, 1), evening.phase("C")) == (["C"], "placed")


def test_a_slip_that_the_drawing_room_has_judged_is_doubtful_no_more(evening: Evening) -> None:
    evening.night.begin_turn(RACK)
    evening.phone(1, "TRISCEA", "8H", 76)
    sweep(evening, OFFSET_S)
    evening.phone(21, "TRISCEA", "8H", 76)
    sweep(evening, 400)
    evening.night.place()
    assert sweep(evening, 1) == ["C"]


def test_a_room_that_was_held_up_shows_the_move_for_a_moment_before_the_next_rack(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    sweep(evening, OFFSET_S)
    night.close()
    night.place()
    night.begin_turn()
    night.close()
    assert sweep(evening, 300) == ["C"]
    assert (evening.phase("C"), evening.turn("C").number) == ("placed", 1)
    assert sweep(evening, LEAST_LOOK.total_seconds() - 1) == []
    assert sweep(evening, 1) == ["C"]
    assert (evening.phase("C"), evening.turn("C").number) == ("running", 2)


def test_a_move_taken_back_is_not_shown_again_without_the_judge(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    sweep(evening, OFFSET_S)
    night.close()
    night.place()
    sweep(evening, 300)
    pursuing.take_back(game=night.refresh(), room=evening.room("C"), now=night.later(), by=night.judge)
    assert evening.room("C").offset_s is None
    assert (sweep(evening, 60), evening.phase("C")) == ([], "closed")


def test_a_sweep_with_nothing_to_do_asks_one_question(evening: Evening) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert pursuing.follow_due(now=evening.night.now) == []
    assert len(asked) == 1
