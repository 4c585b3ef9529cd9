"""Several judges at one turn: conflicting decisions are refused; spot checks; anonymous judging."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connection

from referee.views.desk import DeskView, get_desk_view
from tests.tournaments.club_game import FOUR_PLAYERS, ClubGame, create_club_game
from tests.waiting import PATIENCE_S
from tournaments.enums import Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import options
from tournaments.judging.queries.judging_queue import QueueItem
from tournaments.judging.queries.spot_checks import spot_slips
from tournaments.judging.services import reviews, rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import GroupLook, LedgerEntry, SlipRuling, WordRuling
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db


def view(club_game: ClubGame) -> DeskView:
    return get_desk_view(club_game.refresh(), club_game.room, club_game.now)


def asked(club_game: ClubGame) -> QueueItem:
    return view(club_game).queue.open[0]


def keys(question: QueueItem) -> list[str]:
    return [group.key for group in question.groups]


def doubtful(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "TRISCEA", "8H", 76)
    club_game.phone(2, "CARTE", "8H", 18)
    club_game.paper("17 8H CARTE 18")
    club_game.close()
    return club_game


@pytest.fixture
def closed(club_game: ClubGame) -> ClubGame:
    return doubtful(club_game)


@pytest.fixture
def anna(db: None) -> User:
    return User.objects.create(username="anna", first_name="Anna")


@pytest.fixture
def berto(db: None) -> User:
    return User.objects.create(username="berto", first_name="Berto")


def accept(club_game: ClubGame, question: QueueItem, by: User) -> None:
    reviews.accept_groups(
        turn=club_game.turn,
        groups=keys(question),
        version=question.version,
        by=by,
        now=club_game.later(),
        word=question.failed,
    )


def decide(club_game: ClubGame, question: QueueItem, points: int, by: User) -> None:
    rulings.decide_groups(
        turn=club_game.turn,
        groups=keys(question),
        points=points,
        word=question.failed,
        request=RulingRequest(reason="agreed", by=by, now=club_game.later(), version=question.version),
    )


def test_an_accepted_group_is_in_the_ledger(closed: ClubGame, anna: User) -> None:
    accept(closed, asked(closed), anna)
    entry = LedgerEntry.objects.get(kind="look")
    assert (entry.by, entry.data["what"], entry.data["slips"], entry.data["turn"]) == ("anna", "groups", 1, 1)
    assert view(closed).queue.looked_at[0].seen_by == "Anna"


@pytest.mark.parametrize("second", [accept, lambda club_game, question, by: decide(club_game, question, 10, by)])
def test_a_second_judge_with_an_old_version_is_refused(
    closed: ClubGame, anna: User, berto: User, second: Callable[[ClubGame, QueueItem, User], None]
) -> None:
    seen_by_both = asked(closed)
    accept(closed, seen_by_both, anna)
    with pytest.raises(Refused, match=r"^Anna accepted the verdict of the rules at \d\d:\d\d\.$"):
        second(closed, seen_by_both, berto)
    assert (GroupLook.objects.count(), SlipRuling.objects.count()) == (1, 0)


def test_points_given_by_another_judge_are_named_with_the_reason(closed: ClubGame, anna: User, berto: User) -> None:
    seen_by_both = asked(closed)
    decide(closed, seen_by_both, 30, anna)
    with pytest.raises(Refused, match=r"^Anna gave 30 points at \d\d:\d\d, because “agreed”\.$"):
        accept(closed, seen_by_both, berto)
    with pytest.raises(AlreadyDone, match="You have decided this already: 30 points"):
        accept(closed, seen_by_both, anna)


def test_a_word_accepted_by_another_judge_is_named(closed: ClubGame, anna: User, berto: User) -> None:
    seen_by_both = asked(closed)
    groups, version = keys(seen_by_both), seen_by_both.version
    rule = partial(rulings.rule_word, turn=closed.turn, word="TRISCEA", groups=groups)
    request = RulingRequest(by=anna, now=closed.later(), reason="in the book", version=version)
    rule(ruling=Ruling.ACCEPTED, request=request)
    with pytest.raises(Refused, match=r"^Anna accepted TRISCEA at \d\d:\d\d\.$"):
        rule(ruling=Ruling.STRUCK, request=replace(request, by=berto, now=closed.later(), reason="no"))
    with pytest.raises(Refused, match=r"^Anna accepted TRISCEA at \d\d:\d\d\.$"):
        accept(closed, seen_by_both, berto)
    assert WordRuling.objects.count() == 1


def test_who_has_seen_the_decision_may_decide_otherwise(closed: ClubGame, anna: User, berto: User) -> None:
    accept(closed, asked(closed), anna)
    decide(closed, view(closed).queue.looked_at[0], 12, berto)
    assert closed.verdict(1).points == 12


def test_a_group_that_is_gone_cannot_be_accepted(closed: ClubGame, anna: User) -> None:
    question = asked(closed)
    closed.phone(1, "CARTE", "8H", 18)
    closed.paper("1 8H CARTE 18")
    with pytest.raises(Refused, match="changed in the meantime"):
        accept(closed, question, anna)


def test_nothing_is_accepted_once_the_move_is_placed(closed: ClubGame, anna: User) -> None:
    question = asked(closed)
    closed.place()
    with pytest.raises(Refused, match="on the board"):
        accept(closed, question, anna)
    with pytest.raises(Refused, match="on the board"):
        reviews.accept_clear_groups(turn=closed.turn, by=anna, now=closed.later())


def test_all_that_is_clear_is_accepted_at_once_and_once(closed: ClubGame, anna: User) -> None:
    assert reviews.accept_clear_groups(turn=closed.turn, by=anna, now=closed.later()) == 1
    assert {group.seen_by for group in view(closed).queue.clear} == {"Anna"}
    assert len(view(closed).queue.open) == 1
    with pytest.raises(AlreadyDone):
        reviews.accept_clear_groups(turn=closed.turn, by=anna, now=closed.later())


@pytest.mark.django_db(transaction=True)
def test_of_two_judges_at_the_same_moment_one_decides() -> None:
    club_game = doubtful(create_club_game(first_judge()))
    judges = [User.objects.create(username=name, first_name=name.title()) for name in ("anna", "berto", "carla")]
    question, turn, now, barrier = asked(club_game), club_game.turn, club_game.later(), Barrier(3)

    def at_once(by: User) -> str:
        try:
            barrier.wait(PATIENCE_S)
            rulings.decide_groups(
                turn=turn,
                groups=keys(question),
                points=7,
                request=RulingRequest(reason=f"by {by}", by=by, now=now, version=question.version),
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
    sentence = rf"{winner.first_name} gave 7 points at \d\d:\d\d, because “by {winner}”\."
    assert all(re.fullmatch(sentence, text) for text in told if text != "done")
    assert LedgerEntry.objects.filter(kind="slip_ruling").count() == 1


def judging(club_game: ClubGame, *, anonymous: bool = False, spot_check: int = 0) -> None:
    options.set_judging(
        event=club_game.event, anonymous=anonymous, spot_check=spot_check, by=club_game.judge, now=club_game.later()
    )


def test_without_a_spot_check_nothing_waits_for_one(closed: ClubGame) -> None:
    assert view(closed).spots == []


def test_a_spot_check_chooses_the_same_clear_slips_for_everybody_and_rounds_up(closed: ClubGame) -> None:
    judging(closed, spot_check=100)
    assert [spot.table for spot in view(closed).spots] == [2, 17]
    judging(closed, spot_check=1)
    [chosen] = view(closed).spots
    assert view(closed).spots == [chosen]
    assert chosen.table in (2, 17)


def test_another_seed_chooses_other_slips(judge: User) -> None:
    chosen = []
    for seed in (bytes(range(32)), bytes(range(7, 39)), bytes(range(90, 122)), b"z" * 32):
        club_game = doubtful(create_club_game(judge, FOUR_PLAYERS, seed=seed))
        clear = view(club_game).queue.clear
        chosen.append(spot_slips(club_game.turn, club_game.room, 1, clear)[0].table)
    assert set(chosen) == {2, 17}


def test_a_checked_slip_waits_no_more_and_is_in_the_ledger(closed: ClubGame, anna: User) -> None:
    judging(closed, spot_check=100)
    paper = next(spot for spot in view(closed).spots if spot.on_paper)
    assert paper.line == "17 8H CARTE 18"
    reviews.mark_slip_checked(turn=closed.turn, slip_id=paper.slip_id, by=anna, now=closed.later())
    assert [spot.table for spot in view(closed).spots] == [2]
    assert LedgerEntry.objects.get(kind="look").data == {"turn": 1, "what": "spot check", "table": 17}
    with pytest.raises(AlreadyDone):
        reviews.mark_slip_checked(turn=closed.turn, slip_id=paper.slip_id, by=anna, now=closed.later())


def test_a_slip_that_is_typed_again_takes_the_place_of_the_wrong_one(closed: ClubGame) -> None:
    judging(closed, spot_check=100)
    closed.paper("17 8H CARTA 18")
    assert [(spot.table, spot.word) for spot in view(closed).spots] == [(2, "CARTE"), (17, "CARTA")]


def test_a_share_beyond_a_hundred_percent_is_refused(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="from 0 to 100"):
        judging(club_game, spot_check=101)


def test_anonymous_judging_reads_no_table_until_the_move_is_placed(closed: ClubGame) -> None:
    judging(closed, anonymous=True, spot_check=100)
    shown = view(closed)
    assert shown.anonymous
    assert all(group.tables == [] and group.count == 1 for group in [*shown.groups[:1], *shown.queue.open[0].groups])
    assert sum(group.count for group in shown.groups) == 3
    assert [(spot.table, spot.on_paper) for spot in shown.spots] == [(0, False), (17, True)]
    closed.place()
    assert not view(closed).anonymous
    assert LedgerEntry.objects.filter(kind="options").last().data["anonymous_judging"] is True  # type: ignore[union-attr]
