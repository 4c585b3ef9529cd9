"""Clocks close in one step and are judged in the next; between the two nothing is placed or shown unjudged."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from referee.views.desk import get_desk_view
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.events.services import rooms
from tournaments.judging.derivation import derive_verdicts, facts_of
from tournaments.judging.services import closed_rooms
from tournaments.judging.services.closed_rooms import judge_closed_rooms
from tournaments.ledger.append_only import TABLE
from tournaments.models import Game, LedgerEntry, Room, Turn, TurnClock, Verdict
from tournaments.play.services import clocks, room_follow
from tournaments.players.services.players import NewPlayer, add_players

RACK = "ACEIRST"
LOW = ("CARTE", "8H", 18)
SOLO = {"solo_bonus": 10, "solo_min_players": 2}


@pytest.fixture
def live_game(judge: User) -> RoomsGame:
    live_game = create_three_rooms(judge, switches=SOLO)
    live_game.club_game.begin_turn(RACK)
    for name in "BC":
        live_game.announce(name)
    return live_game


def top(live_game: RoomsGame) -> tuple[str, str, int]:
    [found, *_] = live_game.turn("A").tops or []
    return found["word"], found["ref"], found["score"]


def time_is_up(live_game: RoomsGame) -> datetime:
    return live_game.club_game.later(1000)


def close(live_game: RoomsGame, *names: str) -> list[str]:
    """The clock step alone, for these rooms."""
    keys = [live_game.room(name).pk for name in names]
    closed = clocks.close_due_clocks(now=time_is_up(live_game), rooms=keys)
    return [clock.room.name for clock in closed]


def unjudged() -> list[str]:
    waiting = TurnClock.objects.filter(state=ClockState.CLOSED, judged=False)
    return sorted(waiting.values_list("room__name", flat=True))


def stored_points(turn: Turn) -> dict[int, tuple[int, int]]:
    rows = Verdict.objects.filter(turn=turn).values_list("player_id", "points", "bonus")
    return {player: (points, bonus) for player, points, bonus in rows}


def derived_points(turn: Turn) -> dict[int, tuple[int, int]]:
    judged = derive_verdicts(facts_of(turn)).judged
    return {one.player_id: (one.judgement.points, one.judgement.bonus) for one in judged}


def test_only_the_rooms_asked_for_close_and_wait_to_be_judged(live_game: RoomsGame) -> None:
    live_game.phone(11, *LOW)
    assert close(live_game, "B") == ["B"]
    assert close(live_game, "B") == []
    assert unjudged() == ["B"]
    assert not Verdict.objects.exists()
    now = live_game.club_game.later()
    assert judge_closed_rooms(now=now, rooms=[live_game.room("C").pk]) == []
    assert [clock.room.name for clock in judge_closed_rooms(now=now)] == ["B"]
    assert judge_closed_rooms(now=now) == []
    assert live_game.club_game.verdict(11).points == LOW[2]


def test_after_a_crash_between_the_steps_the_next_sweep_judges_all_rooms_completely(live_game: RoomsGame) -> None:
    live_game.phone(11, *top(live_game))
    assert sorted(close(live_game, "A", "B", "C")) == ["B", "C", "Hall"]
    assert not Verdict.objects.exists()
    [first] = judge_closed_rooms(now=live_game.club_game.later())  # one judging for all rooms
    turn = first.turn
    assert unjudged() == []
    assert stored_points(turn) == derived_points(turn)
    assert live_game.club_game.verdict(11).bonus == 10


def test_the_drawing_room_places_only_judged_slips(live_game: RoomsGame) -> None:
    live_game.phone(1, *LOW)
    close(live_game, "A")
    view = get_desk_view(live_game.club_game.refresh(), live_game.room("A"), live_game.club_game.now)
    assert not view.is_judged
    live_game.club_game.place()
    assert live_game.club_game.verdict(1).points == LOW[2]
    assert unjudged() == []


def test_a_room_that_follows_shows_only_judged_slips(live_game: RoomsGame) -> None:
    live_game.phone(11, *LOW)
    close(live_game, "A", "B")
    live_game.club_game.place()
    assert unjudged() == ["B"]
    room = live_game.room("B")
    view = get_desk_view(live_game.club_game.refresh(), room, live_game.club_game.now)
    assert (view.is_judged, view.groups) == (False, [])
    live_game.show("B")
    assert live_game.club_game.verdict(11).points == LOW[2]


def test_a_room_that_follows_by_itself_waits_for_its_judging(live_game: RoomsGame) -> None:
    Room.objects.filter(pk=live_game.room("C").pk).update(offset_s=0)
    close(live_game, "A", "C")
    live_game.club_game.place()
    assert room_follow.advance_due_rooms(now=live_game.club_game.later()) == []
    others = [live_game.room("C").pk]  # another process judges and advances it
    assert judge_closed_rooms(now=live_game.club_game.now, excluded=others) == []
    judge_closed_rooms(now=live_game.club_game.now)
    assert room_follow.advance_due_rooms(now=live_game.club_game.later(), excluded=others) == []
    assert len(room_follow.advance_due_rooms(now=live_game.club_game.later())) == 1
    assert live_game.clock("C").shown_at == live_game.club_game.now


def test_a_slip_that_arrives_between_the_steps_counts(live_game: RoomsGame) -> None:
    """It was received in time and waited in the queue of another process."""
    club_game = live_game.club_game
    close(live_game, "B")
    clock = live_game.clock("B")
    assert clock.deadline is not None
    club_game.now, now = clock.deadline - timedelta(seconds=2), club_game.now
    live_game.phone(11, *LOW)
    club_game.now = now
    judge_closed_rooms(now=now)
    assert club_game.verdict(11).points == LOW[2]


def test_a_room_without_its_word_list_is_logged_once_and_judged_when_the_list_is_back(
    live_game: RoomsGame,
    settings: Settings,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(closed_rooms, "_refused", {})  # without rooms of earlier tests
    installed = settings.DATA_DIR
    live_game.phone(11, *LOW)
    close(live_game, "B")
    settings.DATA_DIR = tmp_path
    assert [judge_closed_rooms(now=live_game.club_game.later()) for _sweep in range(3)] == [[], [], []]
    [line] = caplog.messages
    assert f"turn 1 is not judged in room {live_game.club_game.event.code}-2: The word list" in line
    settings.DATA_DIR = installed
    assert len(judge_closed_rooms(now=live_game.club_game.later())) == 1
    TurnClock.objects.update(judged=False)
    settings.DATA_DIR = tmp_path
    judge_closed_rooms(now=live_game.club_game.later())
    assert len(caplog.messages) == 2, "a new fault is logged again"


def test_a_reopened_clock_is_judged_when_it_closes_again(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    live_game.phone(11, *LOW)
    close(live_game, "B")
    clocks.give_time_back(
        turn=live_game.turn("B"), room=live_game.room("B"), seconds=5000, now=club_game.later(), by=club_game.judge
    )
    assert judge_closed_rooms(now=club_game.later()) == []
    assert not Verdict.objects.exists()
    club_game.later(5000)
    assert close(live_game, "B") == ["B"]
    judge_closed_rooms(now=club_game.later())
    assert club_game.verdict(11).points == LOW[2]


def test_the_last_close_writes_only_the_verdicts_that_change(live_game: RoomsGame) -> None:
    live_game.phone(1, *LOW)
    live_game.phone(2, *top(live_game))
    live_game.phone(11, *LOW)
    close(live_game, "A", "B")
    judge_closed_rooms(now=live_game.club_game.later())
    before = dict(Verdict.objects.values_list("player__table", "pk"))
    close(live_game, "C")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        judge_closed_rooms(now=live_game.club_game.later())
    after = dict(Verdict.objects.values_list("player__table", "pk"))
    assert {table for table in before if after[table] != before[table]} == {2}, "the solo's bonus"
    assert after.keys() - before.keys() == {21, 22, 23, 24}
    inserts = [query["sql"] for query in queries if query["sql"].startswith('INSERT INTO "tournaments_verdict"')]
    assert len(inserts) <= 1
    turn = live_game.turn("A")
    assert stored_points(turn) == derived_points(turn)


def test_judging_again_without_a_change_writes_nothing(live_game: RoomsGame) -> None:
    live_game.phone(1, *LOW)
    close(live_game, "A", "B", "C")
    judge_closed_rooms(now=live_game.club_game.later())
    TurnClock.objects.update(judged=False)
    before = set(Verdict.objects.values_list("pk", flat=True))
    judge_closed_rooms(now=live_game.club_game.later())
    assert set(Verdict.objects.values_list("pk", flat=True)) == before


def test_a_room_that_follows_changes_its_own_version_only(live_game: RoomsGame) -> None:
    def versions() -> tuple[int, list[int]]:
        return Game.objects.values_list("seq", flat=True).get(), list(Room.objects.values_list("seq", flat=True))

    game, (drawing, b, c) = versions()
    close(live_game, "B")
    assert versions() == (game, [drawing, b + 1, c])
    judge_closed_rooms(now=live_game.club_game.later())
    assert versions() == (game, [drawing, b + 2, c])


def test_acts_in_a_room_that_follows_are_in_its_own_chain(live_game: RoomsGame) -> None:
    live_game.phone(11, *LOW)
    live_game.close("B")
    chain = LedgerEntry.objects.filter(room=live_game.room("B")).order_by("n")
    assert list(chain.values_list("n", "kind")) == [(1, "room_chain"), (2, "announce"), (3, "slips"), (4, "close")]
    game = LedgerEntry.objects.filter(room=None).order_by("n")
    assert game.values_list("kind", flat=True).last() == "announce"


@pytest.mark.sqlite_file  # "OR REPLACE" is a word of SQLite
def test_an_entry_of_a_room_is_not_replaced_either(live_game: RoomsGame) -> None:
    names = "game_id, room_id, n, at, kind, by, data, hash"
    values = names.replace("kind", "'forged'")
    forgery = f"INSERT OR REPLACE INTO {TABLE} ({names}) SELECT {values} FROM {TABLE} WHERE n = 2"  # noqa: S608
    before = set(LedgerEntry.objects.values_list("pk", "kind"))
    with pytest.raises(DatabaseError, match="append only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"{forgery} AND room_id IS NOT NULL")
    assert set(LedgerEntry.objects.values_list("pk", "kind")) == before


def many_rooms(judge: User, number: int) -> ClubGame:
    """A turn that runs in this number of rooms, with a slip in each."""
    club_game = create_club_game(judge)
    for room_number in range(2, number + 1):
        room = rooms.add_room(
            event=club_game.event, name=f"Room {room_number}", offset_s=None, by=judge, now=club_game.later()
        )
        player = NewPlayer(100 + room_number, f"Player {room_number}")
        add_players(event=club_game.event, players=[player], now=club_game.later(), by=judge, room=room)
    club_game.begin_turn(RACK)
    for room in Room.objects.filter(event=club_game.event).exclude(number=Room.DRAWING):
        room_follow.announce_next(game=club_game.refresh(), room=room, now=club_game.now, by=judge)
    return club_game


def test_the_number_of_queries_does_not_depend_on_the_number_of_rooms(judge: User) -> None:
    counts = []
    for number in (2, 20):
        club_game = many_rooms(judge, number)
        with CaptureQueriesContext(connection) as queries:
            closed = clocks.close_due_clocks(now=club_game.later(1000))
        assert len(closed) == number
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 14


def test_nothing_is_closed_twice_by_the_judge(live_game: RoomsGame) -> None:
    close(live_game, "B")
    with pytest.raises(Refused):
        live_game.close("B")
    assert LedgerEntry.objects.filter(kind="close", room=live_game.room("B")).count() == 1
