"""Several judges at one turn: what one has decided nobody decides again unseen; the spot check; anonymous judging."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.tournaments.night import FOUR, Night, begin
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import GroupLook, LedgerEntry, SlipRuling, WordRuling
from tournaments.selectors.desk import DeskView, desk_view
from tournaments.selectors.judging_queue import Question
from tournaments.selectors.spot_checks import spot_slips
from tournaments.services import event_options, looking, rulings
from tournaments.services.access import first_judge

pytestmark = pytest.mark.django_db


def view(night: Night) -> DeskView:
    return desk_view(night.refresh(), night.room, night.now)


def asked(night: Night) -> Question:
    return view(night).queue.open[0]


def keys(question: Question) -> list[str]:
    return [group.key for group in question.groups]


def doubtful(night: Night) -> Night:
    night.begin_turn("ACEIRST")
    night.phone(1, "TRISCEA", "8H", 76)
    night.phone(2, "CARTE", "8H", 18)
    night.paper("17 8H CARTE 18")
    night.close()
    return night


@pytest.fixture
def closed(night: Night) -> Night:
    return doubtful(night)


@pytest.fixture
def anna(db: None) -> User:
    return User.objects.create(username="anna", first_name="Anna")


@pytest.fixture
def berto(db: None) -> User:
    return User.objects.create(username="berto", first_name="Berto")


def accept(night: Night, question: Question, by: User) -> None:
    looking.accept(
        turn=night.turn,
        groups=keys(question),
        version=question.version,
        by=by,
        now=night.later(),
        word=question.failed,
    )


def decide(night: Night, question: Question, points: int, by: User) -> None:
    rulings.decide_groups(
        turn=night.turn,
        groups=keys(question),
        points=points,
        reason="agreed",
        by=by,
        now=night.later(),
        version=question.version,
        word=question.failed,
    )


def test_what_a_judge_lets_stand_is_told_in_the_ledger(closed: Night, anna: User) -> None:
    accept(closed, asked(closed), anna)
    entry = LedgerEntry.objects.get(kind="look")
    assert (entry.by, entry.data["what"], entry.data["slips"], entry.data["turn"]) == ("anna", "groups", 1, 1)
    assert view(closed).queue.looked_at[0].seen_by == "Anna"


@pytest.mark.parametrize("second", [accept, lambda night, question, by: decide(night, question, 10, by)])
def test_a_second_judge_who_saw_nothing_of_it_is_told_that_it_is_decided(
    closed: Night, anna: User, berto: User, second: Callable[[Night, Question, User], None]
) -> None:
    seen_by_both = asked(closed)
    accept(closed, seen_by_both, anna)
    with pytest.raises(Refused, match="Anna has decided this already: the verdict of the rules stands"):
        second(closed, seen_by_both, berto)
    assert (GroupLook.objects.count(), SlipRuling.objects.count()) == (1, 0)


def test_points_that_a_colleague_gave_are_told_with_his_reason(closed: Night, anna: User, berto: User) -> None:
    seen_by_both = asked(closed)
    decide(closed, seen_by_both, 30, anna)
    with pytest.raises(Refused, match="Anna has decided this already: 30 points, because “agreed”"):
        accept(closed, seen_by_both, berto)
    with pytest.raises(AlreadyDone, match="You have decided this already: 30 points"):
        accept(closed, seen_by_both, anna)


def test_a_word_that_a_colleague_accepted_is_told(closed: Night, anna: User, berto: User) -> None:
    seen_by_both = asked(closed)
    groups, version = keys(seen_by_both), seen_by_both.version
    rule = partial(rulings.rule_word, turn=closed.turn, word="TRISCEA", groups=groups, version=version)
    rule(ruling=Ruling.ACCEPTED, reason="in the book", by=anna, now=closed.later())
    with pytest.raises(Refused, match="Anna has decided this already: TRISCEA is accepted"):
        rule(ruling=Ruling.STRUCK, reason="no", by=berto, now=closed.later())
    with pytest.raises(Refused, match="Anna has decided this already: TRISCEA is accepted"):
        accept(closed, seen_by_both, berto)
    assert WordRuling.objects.count() == 1


def test_who_has_seen_the_decision_may_decide_otherwise(closed: Night, anna: User, berto: User) -> None:
    accept(closed, asked(closed), anna)
    decide(closed, view(closed).queue.looked_at[0], 12, berto)
    assert closed.verdict(1).points == 12


def test_a_group_that_is_gone_cannot_be_accepted(closed: Night, anna: User) -> None:
    question = asked(closed)
    closed.phone(1, "CARTE", "8H", 18)
    closed.paper("1 8H CARTE 18")
    with pytest.raises(Refused, match="changed since you looked"):
        accept(closed, question, anna)


def test_nothing_is_accepted_once_the_move_is_placed(closed: Night, anna: User) -> None:
    question = asked(closed)
    closed.place()
    with pytest.raises(Refused, match="on the board"):
        accept(closed, question, anna)
    with pytest.raises(Refused, match="on the board"):
        looking.accept_clear(turn=closed.turn, by=anna, now=closed.later())


def test_all_that_is_clear_is_accepted_at_once_and_once(closed: Night, anna: User) -> None:
    assert looking.accept_clear(turn=closed.turn, by=anna, now=closed.later()) == 1
    assert {group.seen_by for group in view(closed).queue.clear} == {"Anna"}
    assert len(view(closed).queue.open) == 1
    with pytest.raises(AlreadyDone):
        looking.accept_clear(turn=closed.turn, by=anna, now=closed.later())


@pytest.mark.django_db(transaction=True)
def test_of_two_judges_at_the_same_moment_one_decides() -> None:
    night = doubtful(begin(first_judge()))
    judges = [User.objects.create(username=name, first_name=name.title()) for name in ("anna", "berto", "carla")]
    question, turn, now, barrier = asked(night), night.turn, night.later(), Barrier(3)

    def at_once(by: User) -> str:
        try:
            barrier.wait(10)
            rulings.decide_groups(
                turn=turn, groups=keys(question), points=7, reason=f"by {by}", by=by, now=now, version=question.version
            )
            return "done"
        except Refused as refused:
            return refused.sentence
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as pool:
        told = sorted(pool.map(at_once, judges))
    winner = SlipRuling.objects.get().by
    assert winner is not None
    assert told.count("done") == 1
    sentence = f"{winner.first_name} has decided this already: 7 points, because “by {winner}”."
    assert [text for text in told if text != "done"] == [sentence, sentence]
    assert LedgerEntry.objects.filter(kind="slip_ruling").count() == 1


def judging(night: Night, *, anonymous: bool = False, spot_check: int = 0) -> None:
    event_options.set_judging(
        event=night.event, anonymous=anonymous, spot_check=spot_check, by=night.judge, now=night.later()
    )


def test_without_a_spot_check_nothing_waits_for_one(closed: Night) -> None:
    assert view(closed).spots == []


def test_a_spot_check_chooses_the_same_clear_slips_for_everybody_and_rounds_up(closed: Night) -> None:
    judging(closed, spot_check=100)
    assert [spot.table for spot in view(closed).spots] == [2, 17]
    judging(closed, spot_check=1)
    [chosen] = view(closed).spots
    assert view(closed).spots == [chosen]
    assert chosen.table in (2, 17)


def test_another_seed_chooses_other_slips(judge: User) -> None:
    chosen = []
    for seed in (bytes(range(32)), bytes(range(7, 39)), bytes(range(90, 122)), b"z" * 32):
        night = doubtful(begin(judge, FOUR, seed=seed))
        clear = view(night).queue.clear
        chosen.append(spot_slips(night.turn, night.room, 1, clear)[0].table)
    assert set(chosen) == {2, 17}


def test_a_checked_slip_waits_no_more_and_is_in_the_ledger(closed: Night, anna: User) -> None:
    judging(closed, spot_check=100)
    paper = next(spot for spot in view(closed).spots if spot.on_paper)
    assert paper.line == "17 8H CARTE 18"
    looking.check_slip(turn=closed.turn, slip_id=paper.slip_id, by=anna, now=closed.later())
    assert [spot.table for spot in view(closed).spots] == [2]
    assert LedgerEntry.objects.get(kind="look").data == {"turn": 1, "what": "spot check", "table": 17}
    with pytest.raises(AlreadyDone):
        looking.check_slip(turn=closed.turn, slip_id=paper.slip_id, by=anna, now=closed.later())


def test_a_slip_that_is_typed_again_takes_the_place_of_the_wrong_one(closed: Night) -> None:
    judging(closed, spot_check=100)
    closed.paper("17 8H CARTA 18")
    assert [(spot.table, spot.word) for spot in view(closed).spots] == [(2, "CARTE"), (17, "CARTA")]


def test_a_share_beyond_a_hundred_percent_is_refused(night: Night) -> None:
    with pytest.raises(Refused, match="from 0 to 100"):
        judging(night, spot_check=101)


def test_anonymous_judging_reads_no_table_until_the_move_is_placed(closed: Night) -> None:
    judging(closed, anonymous=True, spot_check=100)
    shown = view(closed)
    assert shown.anonymous
    assert all(group.tables == [] and group.count == 1 for group in [*shown.groups[:1], *shown.queue.open[0].groups])
    assert sum(group.count for group in shown.groups) == 3
    assert [(spot.table, spot.on_paper) for spot in shown.spots] == [(0, False), (17, True)]
    closed.place()
    assert not view(closed).anonymous
    assert LedgerEntry.objects.filter(kind="options").last().data["anonymous_judging"] is True  # type: ignore[union-attr]
