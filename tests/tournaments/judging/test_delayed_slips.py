"""Slips that a phone sent before the close and that arrived after it: the rules, or the judge, decide on them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from engine.archive.replay import verify
from engine.archive.replay.findings import Difference
from engine.archive.schema import Archive, read_archive
from referee.views.desk import get_desk_view
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.enums import DrawMode, EndReason
from tournaments.events.services import rule_changes
from tournaments.judging.queries.judging_queue import QueueItem
from tournaments.judging.queries.slip_groups import has_doubtful_slip
from tournaments.judging.services import reviews, rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.lexicons import word_lists
from tournaments.models import Slip
from tournaments.play.services import draw_rack, game_end
from tournaments.players.services.anonymise import anonymise_event
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db
LATE_BY_S = 2.5


@pytest.fixture
def delayed(judge: User) -> ClubGame:
    """CARTE of table 1 was sent a second before the end and arrived 2.5 s after it; that of table 2 was sent late."""
    club_game = create_club_game(judge, draw_mode=DrawMode.TYPED)
    draw_rack.type_rack(game=club_game.refresh(), text="ACEIRST", now=club_game.later(), by=judge)
    club_game.announce()
    deadline = club_game.clock.deadline
    assert deadline is not None
    club_game.now = deadline
    club_game.phone(1, "CARTE", "8H", 18, after=LATE_BY_S, sent=deadline - timedelta(seconds=1))
    club_game.phone(2, "CARTE", "8H", 18, after=0.1, sent=deadline + timedelta(seconds=2))
    club_game.close()
    return club_game


def question(club_game: ClubGame) -> QueueItem | None:
    view = get_desk_view(club_game.game, club_game.room, club_game.now)
    return next((item for item in view.queue.open if item.first.doubt == "delay"), None)


def set_switch(club_game: ClubGame, value: str) -> None:
    rule_changes.change_rules_in_play(
        game=club_game.refresh(), switches={"delayed_slip": value}, by=club_game.judge, now=club_game.later()
    )


def differences(club_game: ClubGame) -> list[Difference]:
    """The differences that verification finds in the archive of the game, once it is over."""
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    return verified(club_game, exported(club_game))


def exported(club_game: ClubGame) -> Archive:
    return read_archive(json.dumps(export_game(club_game.refresh())))


def verified(club_game: ClubGame, archive: Archive) -> list[Difference]:
    return verify(archive, word_lists.graph_of(word_lists.word_list_of_game(club_game.game)))


def test_only_the_slip_that_was_sent_in_time_is_put_to_the_judge_with_its_evidence(delayed: ClubGame) -> None:
    item = question(delayed)
    assert item is not None
    assert (item.tables, item.each) == ([1], 18)
    assert "received 2.5 s after the time was up; by the clock of its phone it was sent before" in item.first.sentence
    assert has_doubtful_slip(delayed.turn, delayed.room)
    assert [delayed.verdict(table).points for table in (1, 2)] == [0, 0]


def test_a_judge_lets_it_count_and_the_archive_is_verified(delayed: ClubGame) -> None:
    item = question(delayed)
    assert item is not None
    request = RulingRequest(by=delayed.judge, now=delayed.later(), reason="Sent before the close", version=item.version)
    rulings.decide_groups(turn=delayed.turn, groups=[item.first.key], points=item.each, request=request)
    assert [delayed.verdict(table).points for table in (1, 2)] == [18, 0]
    assert question(delayed) is None
    assert differences(delayed) == []


def test_a_judge_keeps_the_zero(delayed: ClubGame) -> None:
    item = question(delayed)
    assert item is not None
    reviews.accept_groups(
        turn=delayed.turn, groups=[item.first.key], version=item.version, by=delayed.judge, now=delayed.later()
    )
    assert question(delayed) is None
    assert not has_doubtful_slip(delayed.turn, delayed.room)
    assert delayed.verdict(1).reason == "late"
    assert differences(delayed) == []


@pytest.mark.parametrize(("switch", "points"), [("count", 18), ("zero", 0)])
def test_the_rules_may_decide_without_the_judge(delayed: ClubGame, switch: str, points: int) -> None:
    set_switch(delayed, switch)
    assert question(delayed) is None
    assert [delayed.verdict(table).points for table in (1, 2)] == [points, 0]
    assert differences(delayed) == []


def test_a_slip_that_was_received_in_time_goes_before_a_delayed_one(delayed: ClubGame) -> None:
    clock = delayed.clock
    assert clock.started_at is not None
    assert clock.deadline is not None
    delayed.now = clock.started_at
    delayed.phone(1, "ARTE", "8H", 10, after=20)
    delayed.now = clock.deadline + timedelta(seconds=20)
    set_switch(delayed, "count")
    counting = delayed.verdict(1).slip
    assert counting is not None
    assert counting.word == "ARTE"


def test_the_time_of_the_phone_is_sealed_and_stays_when_players_are_anonymised(delayed: ClubGame) -> None:
    set_switch(delayed, "count")
    assert differences(delayed) == []
    anonymise_event(event=delayed.event, by=delayed.judge, now=delayed.later())
    archive = exported(delayed)
    assert verified(delayed, archive) == []
    for slip in archive["turns"][0]["slips"]:
        if slip.get("sent_at") and slip["received_at"]:
            slip["sent_at"] = slip["received_at"]
    assert any("digest" in str(found) for found in verified(delayed, archive))


def test_of_a_slip_in_time_the_time_of_the_phone_is_not_kept(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18, sent=club_game.now)
    assert Slip.objects.get().sent_at is None
