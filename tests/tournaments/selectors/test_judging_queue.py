"""A turn of a large hall becomes a few questions, the doubtful ones first, and one act decides all slips of each."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.night import Night, begin, chance
from tournaments.enums import Ruling, SlipSource
from tournaments.lexicons import solver_for
from tournaments.models import Entry, Player, Verdict
from tournaments.position import board_before, edition_of, profile_of, rack_of
from tournaments.selectors.desk import DeskView, desk_view
from tournaments.selectors.judging_queue import Question, Queue
from tournaments.services import looking, rulings, slips
from tournaments.services.players import NewPlayer
from tournaments.services.slips import Incoming
from tournaments.simulation import strengths, write_slip

pytestmark = pytest.mark.django_db
IN_A_HALL = 1500
NO_WORDS = ("TRISCEA", "CERSITA")
"""Letters of the rack in an order that is no word, as players in doubt write them."""


def view(night: Night) -> DeskView:
    return desk_view(night.game, night.room, night.now)


def queue(night: Night) -> Queue:
    return view(night).queue


def asked(night: Night, word: str) -> Question:
    return next(question for question in queue(night).open if question.first.word == word)


def fill_the_hall(night: Night, size: int) -> None:
    """Slips as simulated players write them, mistakes included, and of every twenty-fifth one of the doubtful words."""
    turn, rng = night.turn, chance(11)
    moves = solver_for(turn.game, turn.number).ranked(board_before(turn), rack_of(turn))
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    players = list(Player.objects.filter(event=night.event).order_by("table"))
    handed_in = []
    for each in strengths(players, rng):
        slip = write_slip(each.strength, moves, edition, notation, rng)
        if slip is None:
            continue
        word, ref, declared = slip.word, slip.ref, slip.declared
        if each.player.table % 25 == 0:
            word, ref, declared = rng.choice(NO_WORDS), rng.choice(("8B", "8H", "B8")), rng.choice((70, 76, 80))
        handed_in.append(
            Incoming(
                player_id=each.player.pk,
                turn_id=turn.pk,
                client_id=UUID(int=rng.getrandbits(128)),
                source=SlipSource.PHONE,
                word=word,
                ref=ref,
                direction="",
                declared=declared,
                hook="",
                received_at=night.now,
                sent_at=None,
                in_time=True,
            )
        )
    slips.hand_in_batch(handed_in, now=night.now)


def hall(judge: User, size: int) -> Night:
    night = begin(judge, [NewPlayer(table, f"Player {table}") for table in range(1, size + 1)], profile="club")
    night.begin_turn("ACEIRST")
    fill_the_hall(night, size)
    night.close()
    return night


def test_fifteen_hundred_slips_become_fewer_than_sixty_questions_and_each_is_one_act(judge: User) -> None:
    night = hall(judge, IN_A_HALL)
    shown = view(night)
    assert sum(group.count for group in shown.groups) > 1400
    assert 2 < len(shown.queue.open) < 60
    acts = 0
    while shown.queue.open:
        question = shown.queue.open[0]
        before = len(shown.queue.open)
        looking.accept(
            turn=night.turn,
            groups=[group.key for group in question.groups],
            version=question.version,
            by=night.judge,
            now=night.later(),
        )
        acts, shown = acts + 1, view(night)
        assert len(shown.queue.open) == before - 1
    assert acts < 60
    looking.accept_clear(turn=night.turn, by=night.judge, now=night.later())
    assert queue(night).to_accept == []


def test_a_full_hall_needs_no_more_queries_than_a_small_one(judge: User) -> None:
    counted = []
    for size in (30, 300):
        night = hall(judge, size)
        view(night)
        with CaptureQueriesContext(connection) as queries:
            view(night)
        counted.append(len(queries))
    assert counted[0] == counted[1]


@pytest.fixture
def closed(night: Night) -> Night:
    """One word that is in no list at three places, one word at a wrong place with the right score, and a clear one."""
    night.begin_turn("ACEIRST")
    night.phone(1, "TRISCEA", "8H", 76)
    night.phone(2, "TRISCEA", "8B", 76)
    night.phone(3, "CARTE", "1A", 18)
    night.paper("17 8H CARTE 18")
    night.close()
    return night


def test_the_same_word_at_several_places_is_one_question_and_what_is_most_at_stake_comes_first(closed: Night) -> None:
    first, second = queue(closed).open
    assert (first.first.word, first.tables, first.count, first.failed) == ("TRISCEA", [1, 2], 2, "TRISCEA")
    assert first.stake == sum(group.each for group in first.groups) > 100
    assert (second.first.word, second.tables, second.first.doubt, second.stake) == ("CARTE", [3], "place", 18)
    assert [group.tables for group in queue(closed).clear] == [[17]]


def test_one_ruling_on_the_word_decides_all_its_places(closed: Night) -> None:
    closed.rule("TRISCEA", Ruling.ACCEPTED)
    assert [question.first.word for question in queue(closed).open] == ["CARTE"]
    assert closed.verdict(1).points > 0
    assert closed.verdict(2).points > 0


def test_points_for_a_question_go_to_all_its_slips_in_one_act(closed: Night) -> None:
    question = asked(closed, "TRISCEA")
    rulings.decide_groups(
        turn=closed.turn,
        groups=[group.key for group in question.groups],
        points=40,
        reason="agreed",
        by=closed.judge,
        now=closed.later(),
        version=question.version,
        word=question.failed,
    )
    assert [closed.verdict(table).points for table in (1, 2)] == [40, 40]
    assert [question.first.word for question in queue(closed).open] == ["CARTE"]


def test_a_zero_with_nothing_at_stake_is_clear(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "ZZZZ", "8H", 90)
    night.phone(2, "CARTE", "1A", 99)
    night.close()
    assert queue(night).open == []
    assert {group.word for group in queue(night).clear} == {"ZZZZ", "CARTE"}


def test_what_was_let_stand_is_told_with_the_name_and_asked_again_when_the_verdict_changes(closed: Night) -> None:
    question = asked(closed, "CARTE")
    groups = [group.key for group in question.groups]
    looking.accept(
        turn=closed.turn, groups=groups, version=question.version, by=closed.judge, now=closed.later(), word=""
    )
    [seen] = queue(closed).looked_at
    assert (seen.key, seen.seen_by) == (question.key, "judge")
    closed.rule("CARTE", Ruling.STRUCK)
    assert "CARTE" not in [question.first.word for question in queue(closed).looked_at]


def test_a_slip_that_comes_later_with_the_same_words_is_decided_already(closed: Night) -> None:
    question = asked(closed, "TRISCEA")
    groups = [group.key for group in question.groups]
    looking.accept(turn=closed.turn, groups=groups, version=question.version, by=closed.judge, now=closed.later())
    Entry.objects.update(first_turn=1)
    closed.paper("17 8H TRISCEA 76")
    assert [question.first.word for question in queue(closed).open] == ["CARTE"]
    assert Verdict.objects.filter(turn=closed.turn, word="TRISCEA").count() == 3
