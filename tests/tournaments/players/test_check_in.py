"""Check-in: who has come, who does not come and is no missing slip, who comes after all, who was not listed."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from referee.views.desk import list_missing_tables
from tests.tournaments.club_game import ClubGame
from tournaments.enums import EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events
from tournaments.models import Entry, LedgerEntry, Player, Verdict
from tournaments.play.services import game_end
from tournaments.players.queries.check_in import CheckInList, get_check_in_list
from tournaments.players.services import check_in as desk
from tournaments.players.services import disqualification, players
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


def here(club_game: ClubGame, table: int) -> None:
    desk.mark_here(player=club_game.player(table), by=club_game.judge, now=club_game.later())


def absent(club_game: ClubGame, table: int) -> None:
    desk.mark_absent(player=club_game.player(table), by=club_game.judge, now=club_game.later())


def found(club_game: ClubGame, wanted: str = "", only: str = "") -> CheckInList:
    return get_check_in_list(club_game.event, club_game.refresh(), None, wanted, only)


def tables(club_game: ClubGame, wanted: str = "", only: str = "") -> list[int]:
    return [line.table for line in found(club_game, wanted, only).lines]


def states(club_game: ClubGame) -> dict[int, str]:
    return {line.table: line.state for line in found(club_game).lines}


def test_who_has_come_is_counted(club_game: ClubGame) -> None:
    assert found(club_game).counts == {"expected": 4, "here": 0, "absent": 0, "left": 0, "disqualified": 0}
    here(club_game, 2)
    counted = found(club_game)
    assert counted.counts["here"] == 1
    assert (counted.waited_for, counted.everybody) == (4, 4)
    with pytest.raises(AlreadyDone, match="Bruno Verdi is marked as present"):
        here(club_game, 2)
    desk.mark_expected(player=club_game.player(2), by=club_game.judge, now=club_game.later())
    assert found(club_game).counts["here"] == 0
    with pytest.raises(AlreadyDone, match="not marked as present"):
        desk.mark_expected(player=club_game.player(2), by=club_game.judge, now=club_game.later())


def test_whoever_has_a_phone_in_the_game_is_here(club_game: ClubGame) -> None:
    players.join_event(event=club_game.event, name="", table=3, now=club_game.later(), token="phone")
    assert states(club_game)[3] == "here"


def test_who_does_not_come_has_no_missing_slip(club_game: ClubGame) -> None:
    absent(club_game, 3)
    club_game.begin_turn("ACEIRST")
    assert list_missing_tables(club_game.turn, club_game.room) == [1, 2, 17]
    assert states(club_game)[3] == "absent"
    with pytest.raises(AlreadyDone, match="marked as absent already"):
        absent(club_game, 3)


def test_who_comes_after_all_plays_from_the_next_turn_on(club_game: ClubGame) -> None:
    absent(club_game, 3)
    club_game.begin_turn("ACEIRST")
    here(club_game, 3)
    assert list_missing_tables(club_game.turn, club_game.room) == [1, 2, 17]
    assert Entry.objects.get(player=club_game.player(3)).first_turn == 2


def test_a_no_show_that_is_seen_late_takes_the_slips_that_were_missed_out_of_the_results(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    club_game.close()
    club_game.place()
    assert Verdict.objects.filter(player=club_game.player(3), reason="no_slip").exists()
    absent(club_game, 3)
    assert not Verdict.objects.filter(player=club_game.player(3)).exists()
    archive = export_game(club_game.refresh())
    assert [player["table"] for player in archive["players"]] == [1, 2, 17]
    assert [line["table"] for line in archive["standings"]] == [1, 2, 17]


def test_who_has_handed_in_a_slip_is_no_no_show(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    club_game.phone(1, "CARTE", "8H", 18)
    with pytest.raises(Refused, match="mark the player as having left"):
        absent(club_game, 1)


def test_all_who_have_not_come_are_marked_at_once(club_game: ClubGame) -> None:
    here(club_game, 1)
    players.join_event(event=club_game.event, name="", table=2, now=club_game.later(), token="phone")
    assert desk.mark_rest_absent(event=club_game.event, by=club_game.judge, now=club_game.later()) == 2
    assert states(club_game) == {1: "here", 2: "here", 3: "absent", 17: "absent"}
    entry = LedgerEntry.objects.latest("n")
    gone = {"absent": [3, 17], "people": {"3": None, "17": None}}
    assert (entry.kind, entry.data) == ("arrivals", gone)
    with pytest.raises(AlreadyDone, match="Everybody who is waited for has come"):
        desk.mark_rest_absent(event=club_game.event, by=club_game.judge, now=club_game.later())


def test_somebody_who_is_not_on_the_list_gets_the_next_free_table_and_is_here(club_game: ClubGame) -> None:
    added = desk.add_walk_in(
        event=club_game.event, player=NewPlayer(None, "Elio", "Asti"), by=club_game.judge, now=club_game.later()
    )
    assert added.table == 4
    assert states(club_game)[4] == "here"
    with pytest.raises(Refused, match="Elio is in the list already, at table 4"):
        desk.add_walk_in(
            event=club_game.event, player=NewPlayer(9, "Elio", "Asti"), by=club_game.judge, now=club_game.later()
        )


def test_who_leaves_is_not_here_any_more_and_not_in_the_next_game(club_game: ClubGame) -> None:
    here(club_game, 1)
    here(club_game, 2)
    club_game.begin_turn("ACEIRST")
    players.leave_game(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
    disqualification.disqualify(player=club_game.player(2), reason="no", by=club_game.judge, now=club_game.later())
    assert (states(club_game)[1], states(club_game)[2]) == ("left", "disqualified")
    disqualification.reinstate(player=club_game.player(2), by=club_game.judge, now=club_game.later())
    assert states(club_game)[2] == "expected"
    here(club_game, 2)
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    assert states(club_game) == {1: "absent", 2: "here", 3: "expected", 17: "expected"}


def test_who_comes_when_a_game_is_over_is_in_the_next_one(club_game: ClubGame) -> None:
    absent(club_game, 3)
    club_game.begin_turn("ACEIRST")
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), why=EndReason.JUDGE, by=club_game.judge, now=club_game.later())
    here(club_game, 3)
    assert not Entry.objects.filter(player=club_game.player(3)).exists()
    game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))
    assert Entry.objects.get(player=club_game.player(3)).game == game


def test_players_are_found_by_letters_club_and_table(club_game: ClubGame) -> None:
    players.add_players(event=club_game.event, players=[NewPlayer(21, "Zoë Țuțea-Bo", "Iași")], now=club_game.later())
    assert tables(club_game, "ro") == [1]
    assert tables(club_game, "bo zoe") == [21]
    assert tables(club_game, "IASI") == [21]
    assert tables(club_game, "torino") == [1, 2]
    assert tables(club_game, "17") == [17]
    assert tables(club_game, "nobody") == []
    here(club_game, 1)
    assert tables(club_game, "torino") == [2, 1]
    assert tables(club_game, "", "here") == [1]


def test_searching_and_joining_ignore_accents_apostrophes_and_letters_with_strokes(club_game: ClubGame) -> None:
    names = ["Łukasz Żółć", "Gianni D’Angelo", "Søren Weiß", "Núria Col·lell", "Đorđe İnan"]
    players.add_players(event=club_game.event, players=[NewPlayer(None, name) for name in names], now=club_game.later())
    searched = ("lukasz zolc", "d'angelo", "SOREN weiss", "nuria collell", "dorde inan")
    for typed, name in zip(searched, names, strict=True):
        assert [line.name for line in found(club_game, typed).lines] == [name]
    for typed, name in zip(("Lukasz Zolc", "gianni dangelo", "Soren Weiss"), names, strict=False):
        token = f"phone of {name}"
        joined = players.join_event(event=club_game.event, name=typed, table=None, now=club_game.later(), token=token)
        assert joined.player.name == name


def test_the_entry_desk_asks_as_much_for_many_players_as_for_few(
    club_game: ClubGame, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club_game.refresh()
    with django_assert_num_queries(2):
        get_check_in_list(club_game.event, club_game.game, None, "anna")
    new = [NewPlayer(None, f"Player {number}") for number in range(60)]
    players.add_players(event=club_game.event, players=new, now=club_game.later())
    with django_assert_num_queries(2):
        many = get_check_in_list(club_game.event, club_game.game, None, "pl")
    assert (len(many.lines), many.found, many.everybody) == (30, 60, 64)


def test_marking_all_absent_takes_the_same_queries_for_many(
    club_game: ClubGame, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    new = [NewPlayer(None, f"Player {number}") for number in range(300)]
    players.add_players(event=club_game.event, players=new, now=club_game.later())
    with django_assert_max_num_queries(45):
        assert desk.mark_rest_absent(event=club_game.event, by=club_game.judge, now=club_game.later()) == 304
    assert Player.objects.count() == 304
