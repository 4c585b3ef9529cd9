"""What the judge sees: groups, who is missing, tops when they may be seen, the log."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.night import FOUR, Night, begin
from tournaments.enums import Ruling
from tournaments.selectors.desk import DeskView, Group, desk_view, missing_tables, tops
from tournaments.services import ending, heartbeats, rulings
from tournaments.services.players import NewPlayer


def view(night: Night) -> DeskView:
    return desk_view(night.game, night.room, night.now)


@pytest.fixture
def closed(night: Night) -> Night:
    night.begin_turn("ACEIRST")
    night.phone(1, "TRISCEA", "8H", 76)
    night.phone(2, "TRISCEA", "8H", 76)
    night.phone(3, "CARTE", "H8", 18)
    night.close()
    return night


def group(night: Night, word: str) -> Group:
    return next(group for group in view(night).groups if group.word == word)


def test_an_empty_desk(night: Night) -> None:
    desk = view(night)
    assert (desk.turn_id, desk.rack, desk.groups, desk.tops, desk.master, desk.log) == (None, "", [], None, None, [])
    assert (desk.can_undo, desk.missing, len(desk.bag)) == (False, [], 120)


def test_the_desk_shows_the_rack_before_the_hall_but_no_tops(night: Night) -> None:
    turn = night.draw()
    assert turn is not None
    desk = view(night)
    assert (desk.rack, desk.rejected, desk.hall.rack) == (turn.rack, turn.rejected, None)
    assert (desk.tops, desk.top, desk.master, desk.groups) == (None, None, None, [])
    assert tops(turn)[0].score == turn.top


def test_who_has_handed_in_nothing_is_missing(night: Night) -> None:
    night.draw()
    assert view(night).missing == []
    night.announce()
    night.phone(2, "CASA", "8H", 10)
    night.paper("17 -")
    assert view(night).missing == missing_tables(night.turn, None) == [1, 3]
    assert view(night).slips_in == 2


def test_identical_slips_are_one_group_and_the_doubtful_come_first(closed: Night) -> None:
    first, second = view(closed).groups
    assert (first.word, first.tables, first.kind, first.points) == ("TRISCEA", [1, 2], "bad", 0)
    assert first.failed == "TRISCEA"
    assert first.sentence == "Box rules, Multiplo: TRISCEA is not in the word list."
    assert (second.word, second.direction, second.kind, second.points, second.decided_by) == (
        "CARTE",
        "down",
        "ok",
        18,
        "rule",
    )


def test_a_group_says_what_is_at_stake(closed: Night) -> None:
    assert group(closed, "TRISCEA").stake == 2 * 76
    assert group(closed, "CARTE").stake == 0


def test_a_decided_group_says_by_whom_and_why(closed: Night) -> None:
    rulings.decide_group(
        turn=closed.turn,
        group=group(closed, "TRISCEA").key,
        points=30,
        reason="announced as valid",
        by=closed.judge,
        now=closed.later(),
    )
    decided = group(closed, "TRISCEA")
    assert (decided.decided_by, decided.decision_reason, decided.points, decided.kind, decided.stake) == (
        "judge",
        "announced as valid",
        30,
        "ok",
        0,
    )


def test_an_accepted_word_is_listed_and_is_the_top(closed: Night) -> None:
    closed.rule("TRISCEA", Ruling.ACCEPTED, "a field of study")
    desk = view(closed)
    assert [(line.word, line.ruling, line.from_turn, line.reason) for line in desk.rulings] == [
        ("TRISCEA", "accepted", 1, "a field of study")
    ]
    assert group(closed, "TRISCEA").is_top
    assert desk.master is not None
    assert (desk.master.word, desk.master.ref, desk.master.chosen_by) == ("TRISCEA", "8H", "slip")


def test_after_the_close_tops_and_the_master_move_are_there(closed: Night) -> None:
    desk = view(closed)
    assert desk.tops is not None
    assert (desk.top, desk.tops) == (closed.turn.top, tops(closed.turn))
    assert desk.tops[0].why
    assert desk.master is not None
    assert (desk.master.word, desk.master.ref, desk.master.direction, desk.master.score) == ("CARTE", "H8", "down", 18)
    assert desk.closed_at == closed.clock.closed_at


def test_the_log_keeps_racks_and_moves(closed: Night) -> None:
    closed.place()
    closed.draw()
    first, second = view(closed).log
    assert (first.turn, first.rack, first.master, first.ref, first.score, first.placed) == (
        1,
        "ACEIRST",
        "CARTE",
        "H8",
        18,
        True,
    )
    assert (second.kept, second.master, second.top, second.placed) == ("IS", "", None, False)


def test_undo_is_offered_when_it_is_possible(closed: Night) -> None:
    offered = [view(closed).can_undo]
    closed.place()
    offered.append(view(closed).can_undo)
    closed.draw()
    offered.append(view(closed).can_undo)
    closed.announce()
    offered.append(view(closed).can_undo)
    assert offered == [False, True, True, False]
    closed.close()
    closed.place()
    ending.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())
    assert view(closed).can_undo


def test_the_desk_says_how_long_the_server_was_away(closed: Night) -> None:
    closed.place()
    closed.begin_turn()
    heartbeats.beat(now=closed.now)
    heartbeats.wake(now=closed.later(14))
    assert view(closed).away_s == 14
    heartbeats.answer(give_back=False, now=closed.later(), by=closed.judge)
    assert view(closed).away_s is None


def test_queries_do_not_grow_with_players_groups_or_turns(judge: User) -> None:
    def queries(players: tuple[NewPlayer, ...], turns: int) -> int:
        night = begin(judge, players=players)
        for number in range(turns):
            night.begin_turn()
            for player in players:
                assert player.table is not None
                night.phone(player.table, f"CASA{'S' * player.table}", "8H", 18)
            night.close()
            if number < turns - 1:
                night.place()
        with CaptureQueriesContext(connection) as captured:
            view(night)
        return len(captured)

    assert queries(FOUR[:1], 2) == queries(FOUR, 4)
