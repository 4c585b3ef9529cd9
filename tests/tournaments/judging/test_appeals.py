"""Appeals: limits, one for each slip, visible to their player only, and answered with or without a ruling."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from referee.views.player import get_personal_view
from tests.tournaments.club_game import ClubGame
from tournaments.enums import AppealState, Ruling
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events
from tournaments.judging.queries.appeals import (
    answered_appeals,
    get_appeal_limit,
    list_appealable_verdicts,
    open_appeals,
)
from tournaments.judging.services import appeals, rejudging
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import Appeal, Game, LedgerEntry, TurnClock
from tournaments.play.services.game_end import end_game
from tournaments.players.services import anonymise

TICK = timedelta(microseconds=1)


@pytest.fixture
def placed(club_game: ClubGame) -> ClubGame:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CESTAI", "8C", 20)
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.phone(3, "TRISCEA", "8H", 76)
    club_game.close()
    club_game.place()
    return club_game


def appeal(club_game: ClubGame, table: int, now: datetime | None = None, client_id: UUID | None = None) -> Appeal:
    return appeals.submit_appeal(
        player=club_game.player(table),
        turn=club_game.turn,
        client_id=client_id or uuid4(),
        sentence="It is in the dictionary.",
        now=now or club_game.later(),
    )


def shown_at(club_game: ClubGame) -> datetime:
    moment = TurnClock.objects.get(turn=club_game.turn, room=club_game.room).shown_at
    assert moment is not None
    return moment


def test_an_appeal_is_stored_and_shown_to_its_player_only(placed: ClubGame) -> None:
    made = appeal(placed, 2)
    assert (made.state, made.points, made.source) == (AppealState.OPEN, 0, "phone")
    entry = LedgerEntry.objects.get(kind="appeal")
    assert (made.entry, entry.data["table"], entry.data["turn"]) == (entry.n, 2, 1)
    assert "dictionary" not in str(entry.data)
    mine, theirs = (get_personal_view(placed.game, placed.player(table).pk) for table in (2, 3))
    assert mine is not None
    assert theirs is not None
    assert [one.sentence for one in mine.appeals] == ["It is in the dictionary."]
    assert list(theirs.appeals) == []


def test_the_same_id_twice_is_one_appeal_whatever_the_time_is(placed: ClubGame) -> None:
    known = uuid4()
    first = appeal(placed, 2, client_id=known)
    again = appeal(placed, 2, now=placed.now + timedelta(days=1), client_id=known)
    assert first.pk == again.pk
    assert LedgerEntry.objects.filter(kind="appeal").count() == 1
    with pytest.raises(Refused, match="belongs to somebody else"):
        appeal(placed, 3, client_id=known)


def test_a_slip_is_appealed_against_once(placed: ClubGame) -> None:
    appeal(placed, 2)
    with pytest.raises(AlreadyDone, match="Table 2 has appealed in turn 1 already"):
        appeal(placed, 2)
    with pytest.raises(AlreadyDone):
        appeals.submit_paper_appeal(
            player=placed.player(2), turn=placed.turn, sentence="", by=placed.judge, now=placed.later()
        )


def test_an_appeal_without_a_slip_is_refused(placed: ClubGame) -> None:
    with pytest.raises(Refused, match="Nothing was handed in from table 17 in turn 1"):
        appeal(placed, 17)


def test_nobody_appeals_before_the_move_is_on_the_board(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(2, "TRISCEA", "8H", 76)
    club_game.close()
    with pytest.raises(Refused, match="no verdict in turn 1"):
        appeal(club_game, 2)


def test_an_appeal_is_in_time_to_the_microsecond(placed: ClubGame) -> None:
    until = shown_at(placed) + timedelta(minutes=15)
    with pytest.raises(Refused, match="The time to appeal against turn 1 is over"):
        appeal(placed, 2, now=until + TICK)
    assert appeal(placed, 2, now=until).state == AppealState.OPEN


def test_a_limit_after_the_last_turn_applies_to_all_turns(placed: ClubGame) -> None:
    appeals.set_appeal_limits(game=placed.game, minutes=0, end_minutes=10, by=placed.judge, now=placed.later())
    appeal(placed, 2, now=placed.now + timedelta(days=1))
    end_game(game=placed.refresh(), why="judge", by=placed.judge, now=placed.later())
    until = shown_at(placed) + timedelta(minutes=10)
    assert get_appeal_limit(placed.refresh(), placed.turn, placed.room).until == until
    with pytest.raises(Refused, match="is over"):
        appeal(placed, 3, now=until + TICK)
    appeal(placed, 3, now=until)


def test_appeals_are_refused_in_a_game_without_appeals(placed: ClubGame) -> None:
    appeals.set_appeal_limits(game=placed.game, minutes=0, end_minutes=0, by=placed.judge, now=placed.later())
    with pytest.raises(Refused, match="nobody may appeal"):
        appeal(placed, 2)
    view = get_personal_view(placed.refresh(), placed.player(2).pk)
    assert view is not None
    assert view.verdict is not None
    assert view.verdict.appeal_until.never


def test_a_judge_says_that_paper_was_in_time(placed: ClubGame) -> None:
    late = placed.now + timedelta(hours=1)
    typed: dict[str, Any] = {"player": placed.player(2), "turn": placed.turn, "sentence": "", "by": placed.judge}
    with pytest.raises(Refused, match="is over"):
        appeals.submit_paper_appeal(**typed, now=late)
    assert appeals.submit_paper_appeal(**typed, now=late, was_in_time=True).source == "paper"


def test_a_ruling_upholds_the_appeals_of_all_equal_slips(placed: ClubGame) -> None:
    first, second = appeal(placed, 2), appeal(placed, 3)
    entry = rejudging.rule_word(
        turn=placed.turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        request=RulingRequest(reason="page 1204", by=placed.judge, now=placed.later(), appeal=first),
    )
    for each in (first, second):
        each.refresh_from_db()
        assert (each.state, each.answer, each.answer_entry) == (AppealState.UPHELD, "page 1204", entry.n)
    assert entry.data["appeals"] == [2, 3]
    view = get_personal_view(placed.refresh(), placed.player(3).pk)
    assert view is not None
    assert [(one.state, one.answer) for one in view.appeals] == [("upheld", "page 1204")]
    assert [(one.turn, one.before, one.after) for one in view.changes] == [(1, 0, 76)]


def test_a_ruling_that_changes_nothing_for_the_player_answers_no_appeal(placed: ClubGame) -> None:
    made = appeal(placed, 2)
    with pytest.raises(Refused, match="Table 2 would have the same points as before"):
        rejudging.rule_word(
            turn=placed.turn,
            word="CESTAI",
            ruling=Ruling.STRUCK,
            request=RulingRequest(reason="no", by=placed.judge, now=placed.later(), appeal=made),
        )
    assert placed.verdict(1).points == 20


def test_an_appeal_is_rejected_with_a_reason_and_once(placed: ClubGame) -> None:
    made = appeal(placed, 2)
    with pytest.raises(Refused, match="Give a reason"):
        appeals.reject_appeal(appeal=made, reason=" ", by=placed.judge, now=placed.later())
    appeals.reject_appeal(appeal=made, reason="In no list.", by=placed.judge, now=placed.later())
    assert [(one.state, one.answer) for one in answered_appeals(placed.game)] == [("rejected", "In no list.")]
    assert LedgerEntry.objects.get(kind="appeal_answer").data["appeal"] == made.entry
    with pytest.raises(AlreadyDone):
        appeals.reject_appeal(appeal=made, reason="Again.", by=placed.judge, now=placed.later())


def test_upholding_without_a_ruling_needs_changed_points(placed: ClubGame) -> None:
    first, second = appeal(placed, 2), appeal(placed, 1)
    rejudging.rule_word(
        turn=placed.turn,
        word="TRISCEA",
        ruling=Ruling.ACCEPTED,
        request=RulingRequest(reason="yes", by=placed.judge, now=placed.later()),
    )
    appeals.uphold_appeal(appeal=first, reason="See the ruling.", by=placed.judge, now=placed.later())
    with pytest.raises(Refused, match="Table 1 has the same points as before"):
        appeals.uphold_appeal(appeal=second, reason="Kindness.", by=placed.judge, now=placed.later())


def test_the_queue_shows_the_slip_its_verdict_and_the_board_of_then(placed: ClubGame) -> None:
    appeal(placed, 2)
    placed.begin_turn()
    [shown] = open_appeals(placed.game)
    assert (shown.turn, shown.table, shown.word, shown.points, shown.failed) == (1, 2, "TRISCEA", 0, "TRISCEA")
    assert shown.equal == [2, 3]
    assert set("".join(shown.board)) == {"."}
    assert (shown.rack, shown.master) == ("ACEIRST", "CESTAI 8C")


def test_queries_of_the_queue_do_not_grow_with_appeals(placed: ClubGame, django_assert_num_queries: Any) -> None:
    appeal(placed, 2)
    with django_assert_num_queries(3):
        assert len(open_appeals(placed.game)) == 1
    appeal(placed, 3)
    appeal(placed, 1)
    with django_assert_num_queries(3):
        assert len(open_appeals(placed.game)) == 3


def test_a_phone_lists_the_turns_that_it_may_still_appeal_against(placed: ClubGame) -> None:
    appeal(placed, 2)
    [line] = list_appealable_verdicts(placed.player(2), placed.game)
    assert (line.turn, line.points, line.appealed, line.limit.until) == (
        1,
        0,
        True,
        shown_at(placed) + timedelta(minutes=15),
    )
    assert list_appealable_verdicts(placed.player(17), placed.game) == []


def test_the_next_game_has_the_limits_of_this_one(placed: ClubGame) -> None:
    appeals.set_appeal_limits(game=placed.game, minutes=3, end_minutes=4, by=placed.judge, now=placed.later())
    end_game(game=placed.refresh(), why="judge", by=placed.judge, now=placed.later())
    game = events.add_game(event=placed.event, by=placed.judge, now=placed.later(), seed=bytes(32))
    stored = Game.objects.get(pk=game.pk)
    assert (stored.appeal_minutes, stored.appeal_end_minutes) == (3, 4)


def test_anonymising_removes_the_text_of_appeals(placed: ClubGame) -> None:
    made = appeal(placed, 2)
    end_game(game=placed.refresh(), why="judge", by=placed.judge, now=placed.later())
    anonymise.anonymise_event(event=placed.event, by=placed.judge, now=placed.later())
    made.refresh_from_db()
    assert (made.sentence, made.answer) == ("", "")
    with pytest.raises(Refused, match="names of this event are forgotten"):
        rejudging.rule_word(
            turn=placed.turn,
            word="TRISCEA",
            ruling=Ruling.ACCEPTED,
            request=RulingRequest(reason="x", by=placed.judge, now=placed.later()),
        )


def test_an_appeal_stays_when_the_placement_is_undone(placed: ClubGame) -> None:
    made = appeal(placed, 2)
    placed.undo()
    assert [one.pk for one in open_appeals(placed.game)] == [made.pk]
    placed.rule("TRISCEA", Ruling.ACCEPTED, "page 1204")
    assert [one.changed for one in open_appeals(placed.game)] == [True]
    appeals.uphold_appeal(appeal=made, reason="page 1204", by=placed.judge, now=placed.later())
    assert open_appeals(placed.game) == []
