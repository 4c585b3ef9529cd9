"""A whole night through the services, as a judge and four players live it."""

from __future__ import annotations

import pytest

from tests.tournaments.club_game import ClubGame
from tournaments.enums import GameState, Ruling
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Slip
from tournaments.play.services import game_end
from tournaments.results.queries.results import standings_rows


@pytest.fixture
def judged(club_game: ClubGame) -> ClubGame:
    """Turn 1 with the rack ACEIRST, closed: a top, a score that is wrong, a word that is none, and nobody at 17."""
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "CARTE", "8H", 3)
    club_game.paper("3 8H TRISCEA 70")
    club_game.close()
    return club_game


def test_every_slip_gets_its_verdict_at_the_close(judged: ClubGame) -> None:
    verdicts = {table: judged.verdict(table) for table in (1, 2, 3, 17)}
    assert {table: (one.result, one.reason) for table, one in verdicts.items()} == {
        1: ("valid", ""),
        2: ("valid", ""),
        3: ("zero", "not_a_word"),
        17: ("zero", "no_slip"),
    }


def test_points_are_those_of_the_board_not_those_declared(judged: ClubGame) -> None:
    # From H: C2 A1 R2 T2 and E1 on a double letter, doubled by the centre. From C: C2, E1 doubled, S2 T2 A1 I1.
    assert judged.verdict(2).points == 18
    assert judged.verdict(1).points == 20


def test_the_best_slip_goes_on_the_board_and_scores_count(judged: ClubGame) -> None:
    placed = judged.place()
    assert (placed.master_word, placed.master_ref, placed.master_chosen_by) == ("CESTAI", "8C", "slip")
    assert [(row.rank, row.table, row.total) for row in standings_rows(judged.game)] == [
        (1, 1, 20),
        (2, 2, 18),
        (3, 3, 0),
        (3, 17, 0),
    ]


def test_an_accepted_word_scores_and_becomes_the_master_move(judged: ClubGame) -> None:
    judged.rule("triscea", Ruling.ACCEPTED, "in the judge's own dictionary")
    assert judged.verdict(3).result == "valid"
    assert judged.turn.top == judged.verdict(3).points == 76
    assert judged.place().master_word == "TRISCEA"


def test_a_struck_word_takes_points_and_top_away(judged: ClubGame) -> None:
    judged.rule("CESTAI", Ruling.STRUCK)
    assert (judged.verdict(1).result, judged.verdict(1).word) == ("zero", "CESTAI")
    assert judged.place().master_word == "CARTE"


def test_the_judge_overrules_a_group_with_a_reason(judged: ClubGame) -> None:
    group = judged.verdict(2).group
    rulings.decide_groups(
        turn=judged.turn,
        groups=[group],
        points=0,
        request=RulingRequest(reason="written twice", by=judged.judge, now=judged.later()),
    )
    verdict = judged.verdict(2)
    assert (verdict.points, verdict.reason, verdict.decided_by, verdict.decision_reason) == (
        0,
        "judge",
        "judge",
        "written twice",
    )
    rulings.revoke_group(turn=judged.turn, group=group, request=RulingRequest(by=judged.judge, now=judged.later()))
    assert (judged.verdict(2).points, judged.verdict(2).decided_by) == (18, "rule")


def test_undo_takes_the_placement_back_and_the_same_rack_comes_again(judged: ClubGame) -> None:
    judged.place()
    drawn = judged.draw()
    assert drawn is not None
    assert judged.undo().number == 1
    assert judged.turn.placed_at is None
    judged.place()
    again = judged.draw()
    assert again is not None
    assert (again.rack, again.rejected, again.number) == (drawn.rack, drawn.rejected, 2)


def test_a_night_ends_by_the_judge_and_the_end_can_be_undone(judged: ClubGame) -> None:
    judged.place()
    ended = game_end.end_game(game=judged.refresh(), by=judged.judge, now=judged.later())
    assert (ended.state, ended.end_why, ended.end_kept) == (GameState.FINISHED, "judge", "R")
    judged.undo()
    assert judged.refresh().state == GameState.RUNNING
    assert judged.turn.placed_at is not None


def test_every_version_of_a_slip_stays(judged: ClubGame) -> None:
    assert Slip.objects.count() == 3
    judged.paper("1 8H CARTE 18")
    assert [slip.word for slip in Slip.objects.filter(player__table=1).order_by("version")] == ["CESTAI", "CARTE"]
    assert judged.verdict(1).points == 18
