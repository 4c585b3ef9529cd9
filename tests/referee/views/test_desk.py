"""View of the desk: groups, missing tables, tops once they may be shown, the log."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.views.desk import DeskView, SlipGroup, get_desk_view, list_missing_tables, list_tops
from tests.tournaments.club_game import FOUR_PLAYERS, ClubGame, create_club_game
from tournaments.backups.services import heartbeats
from tournaments.enums import Ruling
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.play.services import game_end
from tournaments.players.services.players import NewPlayer


def view(club_game: ClubGame) -> DeskView:
    return get_desk_view(club_game.game, club_game.room, club_game.now)


@pytest.fixture
def closed(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "TRISCEA", "8H", 76)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.phone(3, "CARTE", "H8", 18)
    club_game.close()
    return club_game


def group(club_game: ClubGame, word: str) -> SlipGroup:
    return next(group for group in view(club_game).groups if group.word == word)


def test_an_empty_desk(club_game: ClubGame) -> None:
    desk = view(club_game)
    assert (desk.turn_id, desk.rack, desk.groups, desk.tops, desk.master, desk.log) == (None, "", [], None, None, [])
    assert (desk.can_undo, len(desk.bag)) == (False, 120)


def test_the_desk_shows_the_rack_before_the_hall_but_no_tops(club_game: ClubGame) -> None:
    turn = club_game.draw()
    assert turn is not None
    desk = view(club_game)
    assert (desk.rack, desk.rejected, desk.hall.rack) == (turn.rack, turn.rejected, None)
    assert (desk.tops, desk.top, desk.master, desk.groups) == (None, None, None, [])
    assert list_tops(turn)[0].score == turn.top


def test_who_has_handed_in_nothing_is_missing(club_game: ClubGame) -> None:
    club_game.draw()
    club_game.announce()
    club_game.phone(2, "CASA", "8H", 10)
    club_game.paper("17 -")
    assert list_missing_tables(club_game.turn, None) == [1, 3]
    assert view(club_game).hall.slips_in == 2


def test_identical_slips_are_one_group_and_the_doubtful_come_first(closed: ClubGame) -> None:
    first, second = view(closed).groups
    assert (first.word, first.tables, first.kind, first.points) == ("TRISCEA", [1, 2], "bad", 0)
    assert first.failed == "TRISCEA"
    assert (first.sentence, first.source) == ("TRISCEA is not in the word list.", "Box rules, Multiplo")
    assert (second.word, second.direction, second.kind, second.points, second.decided_by) == (
        "CARTE",
        "down",
        "ok",
        18,
        "rule",
    )


def test_a_group_says_what_is_at_stake(closed: ClubGame) -> None:
    assert group(closed, "TRISCEA").stake == 2 * 76
    assert group(closed, "CARTE").stake == 0


def test_a_decided_group_says_by_whom_and_why(closed: ClubGame) -> None:
    rulings.decide_groups(
        turn=closed.turn,
        groups=[group(closed, "TRISCEA").key],
        points=30,
        request=RulingRequest(reason="announced as valid", by=closed.judge, now=closed.later()),
    )
    decided = group(closed, "TRISCEA")
    assert (decided.decided_by, decided.decision_reason, decided.points, decided.kind, decided.stake) == (
        "judge",
        "announced as valid",
        30,
        "ok",
        0,
    )


def test_an_accepted_word_is_listed_and_is_the_top(closed: ClubGame) -> None:
    closed.rule("TRISCEA", Ruling.ACCEPTED, "a field of study")
    desk = view(closed)
    assert [(line.word, line.ruling, line.from_turn, line.reason) for line in desk.rulings] == [
        ("TRISCEA", "accepted", 1, "a field of study")
    ]
    assert group(closed, "TRISCEA").is_top
    assert desk.master is not None
    assert (desk.master.word, desk.master.ref, desk.master.chosen_by) == ("TRISCEA", "8H", "slip")


def test_after_the_close_tops_and_the_master_move_are_there(closed: ClubGame) -> None:
    desk = view(closed)
    assert desk.tops is not None
    assert (desk.top, desk.tops) == (closed.turn.top, list_tops(closed.turn))
    assert desk.tops[0].why
    assert desk.master is not None
    assert (desk.master.word, desk.master.ref, desk.master.direction, desk.master.score) == ("CARTE", "H8", "down", 18)
    assert desk.closed_at == closed.clock.closed_at


def test_the_log_keeps_racks_and_moves(closed: ClubGame) -> None:
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


def test_undo_is_offered_when_it_is_possible(closed: ClubGame) -> None:
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
    game_end.end_game(game=closed.refresh(), by=closed.judge, now=closed.later())
    assert view(closed).can_undo


def test_the_desk_says_how_long_the_server_was_away(closed: ClubGame) -> None:
    closed.place()
    closed.begin_turn()
    heartbeats.record_heartbeat(now=closed.now)
    heartbeats.record_start(now=closed.later(14))
    assert view(closed).away_s == 14
    heartbeats.settle_lost_time(give_back=False, now=closed.later(), by=closed.judge)
    assert view(closed).away_s is None


def test_queries_do_not_grow_with_players_groups_or_turns(judge: User) -> None:
    def queries(players: tuple[NewPlayer, ...], turns: int) -> int:
        club_game = create_club_game(judge, players=players)
        for number in range(turns):
            club_game.begin_turn()
            for player in players:
                assert player.table is not None
                club_game.phone(player.table, f"CASA{'S' * player.table}", "8H", 18)
            club_game.close()
            if number < turns - 1:
                club_game.place()
        with CaptureQueriesContext(connection) as captured:
            view(club_game)
        return len(captured)

    assert queries(FOUR_PLAYERS[:1], 2) == queries(FOUR_PLAYERS, 4)
