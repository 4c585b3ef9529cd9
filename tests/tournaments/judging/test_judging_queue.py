"""The judging queue: few items for thousands of slips, doubtful ones first, each decided by one act."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.views.desk import DeskView, get_desk_view
from tests.tournaments.club_game import ClubGame, create_club_game, seeded_random
from tournaments.enums import Ruling, SlipSource
from tournaments.judging.queries.judging_queue import JudgingQueue, QueueItem
from tournaments.judging.services import reviews, rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons.word_lists import get_solver
from tournaments.models import Entry, Player, Verdict
from tournaments.play.position import board_before, edition_of, profile_of, rack_of
from tournaments.play.services import slips
from tournaments.play.services.slips import IncomingSlip
from tournaments.play.simulation import make_simulated_players, write_slip
from tournaments.players.services.players import NewPlayer
from tournaments.slip_content import SlipContent

pytestmark = pytest.mark.django_db
IN_A_HALL = 1500
NO_WORDS = ("TRISCEA", "CERSITA")
"""Letters of the rack in an order that is no word, as players in doubt write them."""


def view(club_game: ClubGame) -> DeskView:
    return get_desk_view(club_game.game, club_game.room, club_game.now)


def queue(club_game: ClubGame) -> JudgingQueue:
    return view(club_game).queue


def asked(club_game: ClubGame, word: str) -> QueueItem:
    return next(question for question in queue(club_game).open if question.first.word == word)


def fill_the_hall(club_game: ClubGame, size: int) -> None:
    """Slips of simulated players, with mistakes; every twenty-fifth one has a doubtful word."""
    turn, rng = club_game.turn, seeded_random(11)
    moves = get_solver(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    players = list(Player.objects.filter(event=club_game.event).order_by("table"))
    handed_in = []
    for each in make_simulated_players(players, rng):
        slip = write_slip(each.strength, moves, edition, notation, rng)
        if slip is None:
            continue
        word, ref, declared = slip.word, slip.ref, slip.declared
        if each.player.table % 25 == 0:
            word, ref, declared = rng.choice(NO_WORDS), rng.choice(("8B", "8H", "B8")), rng.choice((70, 76, 80))
        handed_in.append(
            IncomingSlip(
                player_id=each.player.pk,
                turn_id=turn.pk,
                client_id=UUID(int=rng.getrandbits(128)),
                source=SlipSource.PHONE,
                content=SlipContent(word, ref, declared),
                received_at=club_game.now,
                sent_at=None,
                in_time=True,
            )
        )
    slips.submit_batch(handed_in, now=club_game.now)


def hall(judge: User, size: int) -> ClubGame:
    club_game = create_club_game(
        judge, [NewPlayer(table, f"Player {table}") for table in range(1, size + 1)], profile="club"
    )
    club_game.begin_turn("ACEIRST")
    fill_the_hall(club_game, size)
    club_game.close()
    return club_game


@pytest.mark.endurance
def test_fifteen_hundred_slips_become_fewer_than_sixty_questions_and_each_is_one_act(judge: User) -> None:
    club_game = hall(judge, IN_A_HALL)
    shown = view(club_game)
    assert sum(group.count for group in shown.groups) > 1400
    assert 2 < len(shown.queue.open) < 60
    acts = 0
    while shown.queue.open:
        question = shown.queue.open[0]
        before = len(shown.queue.open)
        reviews.accept_groups(
            turn=club_game.turn,
            groups=[group.key for group in question.groups],
            version=question.version,
            by=club_game.judge,
            now=club_game.later(),
        )
        acts, shown = acts + 1, view(club_game)
        assert len(shown.queue.open) == before - 1
    assert acts < 60
    reviews.accept_clear_groups(turn=club_game.turn, by=club_game.judge, now=club_game.later())
    assert queue(club_game).to_accept == []


def test_queries_do_not_grow_with_players(judge: User) -> None:
    counted = []
    for size in (30, 300):
        club_game = hall(judge, size)
        view(club_game)
        with CaptureQueriesContext(connection) as queries:
            view(club_game)
        counted.append(len(queries))
    assert counted[0] == counted[1]


@pytest.fixture
def closed(club_game: ClubGame) -> ClubGame:
    """One word that is in no list at three places, one word at a wrong place with the right score, and a clear one."""
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "TRISCEA", "8H", 76)
    club_game.phone(2, "TRISCEA", "8B", 76)
    club_game.phone(3, "CARTE", "1A", 18)
    club_game.paper("17 8H CARTE 18")
    club_game.close()
    return club_game


def test_the_same_word_at_several_places_is_one_question_and_what_is_most_at_stake_comes_first(
    closed: ClubGame,
) -> None:
    first, second = queue(closed).open
    assert (first.first.word, first.tables, first.count, first.failed) == ("TRISCEA", [1, 2], 2, "TRISCEA")
    assert first.stake == sum(group.each for group in first.groups) > 100
    assert (second.first.word, second.tables, second.first.doubt, second.stake) == ("CARTE", [3], "place", 18)
    assert [group.tables for group in queue(closed).clear] == [[17]]


def test_one_ruling_on_the_word_decides_all_its_places(closed: ClubGame) -> None:
    closed.rule("TRISCEA", Ruling.ACCEPTED)
    assert [question.first.word for question in queue(closed).open] == ["CARTE"]
    assert closed.verdict(1).points > 0
    assert closed.verdict(2).points > 0


def test_points_for_a_question_go_to_all_its_slips_in_one_act(closed: ClubGame) -> None:
    question = asked(closed, "TRISCEA")
    rulings.decide_groups(
        turn=closed.turn,
        groups=[group.key for group in question.groups],
        points=40,
        word=question.failed,
        request=RulingRequest(reason="agreed", by=closed.judge, now=closed.later(), version=question.version),
    )
    assert [closed.verdict(table).points for table in (1, 2)] == [40, 40]
    assert [question.first.word for question in queue(closed).open] == ["CARTE"]


def test_a_zero_with_nothing_at_stake_is_clear(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "ZZZZ", "8H", 90)
    club_game.phone(2, "CARTE", "1A", 99)
    club_game.close()
    assert queue(club_game).open == []
    assert {group.word for group in queue(club_game).clear} == {"ZZZZ", "CARTE"}


def test_an_accepted_verdict_names_its_judge_and_is_open_again_when_it_changes(closed: ClubGame) -> None:
    question = asked(closed, "CARTE")
    groups = [group.key for group in question.groups]
    reviews.accept_groups(
        turn=closed.turn, groups=groups, version=question.version, by=closed.judge, now=closed.later(), word=""
    )
    [seen] = queue(closed).looked_at
    assert (seen.key, seen.seen_by) == (question.key, "judge")
    closed.rule("CARTE", Ruling.STRUCK)
    assert "CARTE" not in [question.first.word for question in queue(closed).looked_at]


def test_a_slip_that_comes_later_with_the_same_words_is_decided_already(closed: ClubGame) -> None:
    question = asked(closed, "TRISCEA")
    groups = [group.key for group in question.groups]
    reviews.accept_groups(
        turn=closed.turn, groups=groups, version=question.version, by=closed.judge, now=closed.later()
    )
    Entry.objects.update(first_turn=1)
    closed.paper("17 8H TRISCEA 76")
    assert [question.first.word for question in queue(closed).open] == ["CARTE"]
    assert Verdict.objects.filter(turn=closed.turn, word="TRISCEA").count() == 3
