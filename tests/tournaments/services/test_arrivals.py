"""The entry desk: who has come, who does not come and is no missing slip, who comes after all, who was not listed."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.tournaments.night import Night
from tournaments.enums import EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, LedgerEntry, Player, Verdict
from tournaments.selectors.archive import export_game
from tournaments.selectors.arrivals import Arrivals, arrivals
from tournaments.selectors.desk import missing_tables
from tournaments.services import arrivals as desk
from tournaments.services import ending, events, players
from tournaments.services.players import NewPlayer

pytestmark = pytest.mark.django_db


def here(night: Night, table: int) -> None:
    desk.mark_here(player=night.player(table), by=night.judge, now=night.later())


def absent(night: Night, table: int) -> None:
    desk.mark_absent(player=night.player(table), by=night.judge, now=night.later())


def found(night: Night, wanted: str = "", only: str = "") -> Arrivals:
    return arrivals(night.event, night.refresh(), None, wanted, only)


def tables(night: Night, wanted: str = "", only: str = "") -> list[int]:
    return [line.table for line in found(night, wanted, only).lines]


def states(night: Night) -> dict[int, str]:
    return {line.table: line.state for line in found(night).lines}


def test_who_has_come_is_counted(night: Night) -> None:
    assert found(night).counts == {"expected": 4, "here": 0, "absent": 0, "left": 0}
    here(night, 2)
    counted = found(night)
    assert counted.counts["here"] == 1
    assert (counted.waited_for, counted.everybody) == (4, 4)
    with pytest.raises(AlreadyDone, match="Bruno Verdi is marked as present"):
        here(night, 2)
    desk.mark_expected(player=night.player(2), by=night.judge, now=night.later())
    assert found(night).counts["here"] == 0
    with pytest.raises(AlreadyDone, match="not marked as present"):
        desk.mark_expected(player=night.player(2), by=night.judge, now=night.later())


def test_whoever_has_a_phone_in_the_game_is_here(night: Night) -> None:
    players.join(event=night.event, name="", table=3, now=night.later(), token="phone")
    assert states(night)[3] == "here"


def test_who_does_not_come_has_no_missing_slip(night: Night) -> None:
    absent(night, 3)
    night.begin_turn("ACEIRST")
    assert missing_tables(night.turn, night.room) == [1, 2, 17]
    assert states(night)[3] == "absent"
    with pytest.raises(AlreadyDone, match="marked as absent already"):
        absent(night, 3)


def test_who_comes_after_all_plays_from_the_next_turn_on(night: Night) -> None:
    absent(night, 3)
    night.begin_turn("ACEIRST")
    here(night, 3)
    assert missing_tables(night.turn, night.room) == [1, 2, 17]
    assert Entry.objects.get(player=night.player(3)).first_turn == 2


def test_a_no_show_that_is_seen_late_takes_the_slips_that_were_missed_out_of_the_results(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    night.close()
    night.place()
    assert Verdict.objects.filter(player=night.player(3), reason="no_slip").exists()
    absent(night, 3)
    assert not Verdict.objects.filter(player=night.player(3)).exists()
    archive = export_game(night.refresh())
    assert [player["table"] for player in archive["players"]] == [1, 2, 17]
    assert [line["table"] for line in archive["standings"]] == [1, 2, 17]


def test_who_has_handed_in_a_slip_is_no_no_show(night: Night) -> None:
    night.begin_turn("ACEIRST")
    night.phone(1, "CARTE", "8H", 18)
    with pytest.raises(Refused, match="mark that he has left"):
        absent(night, 1)


def test_all_who_have_not_come_are_marked_at_once(night: Night) -> None:
    here(night, 1)
    players.join(event=night.event, name="", table=2, now=night.later(), token="phone")
    assert desk.mark_rest_absent(event=night.event, by=night.judge, now=night.later()) == 2
    assert states(night) == {1: "here", 2: "here", 3: "absent", 17: "absent"}
    entry = LedgerEntry.objects.latest("n")
    gone = {"absent": [3, 17], "people": {"3": None, "17": None}}
    assert (entry.kind, entry.data) == ("arrivals", gone)
    with pytest.raises(AlreadyDone, match="Everybody who is waited for has come"):
        desk.mark_rest_absent(event=night.event, by=night.judge, now=night.later())


def test_somebody_who_is_not_on_the_list_gets_the_next_free_table_and_is_here(night: Night) -> None:
    added = desk.walk_in(event=night.event, player=NewPlayer(None, "Elio", "Asti"), by=night.judge, now=night.later())
    assert added.table == 4
    assert states(night)[4] == "here"
    with pytest.raises(Refused, match="Elio is in the list already, at table 4"):
        desk.walk_in(event=night.event, player=NewPlayer(9, "Elio", "Asti"), by=night.judge, now=night.later())


def test_who_leaves_is_not_here_any_more_and_not_in_the_next_game(night: Night) -> None:
    here(night, 1)
    here(night, 2)
    night.begin_turn("ACEIRST")
    players.leave(player=night.player(1), now=night.later(), by=night.judge)
    assert states(night)[1] == "left"
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=night.judge, now=night.later())
    night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    assert states(night) == {1: "absent", 2: "here", 3: "expected", 17: "expected"}


def test_who_comes_when_a_game_is_over_is_in_the_next_one(night: Night) -> None:
    absent(night, 3)
    night.begin_turn("ACEIRST")
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=night.judge, now=night.later())
    here(night, 3)
    assert not Entry.objects.filter(player=night.player(3)).exists()
    game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))
    assert Entry.objects.get(player=night.player(3)).game == game


def test_players_are_found_by_letters_club_and_table(night: Night) -> None:
    players.add_players(event=night.event, players=[NewPlayer(21, "Zoë Țuțea-Bo", "Iași")], now=night.later())
    assert tables(night, "ro") == [1]
    assert tables(night, "bo zoe") == [21]
    assert tables(night, "IASI") == [21]
    assert tables(night, "torino") == [1, 2]
    assert tables(night, "17") == [17]
    assert tables(night, "nobody") == []
    here(night, 1)
    assert tables(night, "torino") == [2, 1]
    assert tables(night, "", "here") == [1]


def test_the_entry_desk_asks_as_much_for_many_players_as_for_few(
    night: Night, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    night.refresh()
    with django_assert_num_queries(2):
        arrivals(night.event, night.game, None, "anna")
    new = [NewPlayer(None, f"Player {number}") for number in range(60)]
    players.add_players(event=night.event, players=new, now=night.later())
    with django_assert_num_queries(2):
        many = arrivals(night.event, night.game, None, "pl")
    assert (len(many.lines), many.found, many.everybody) == (30, 60, 64)


def test_marking_all_absent_takes_the_same_queries_for_many(
    night: Night, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    new = [NewPlayer(None, f"Player {number}") for number in range(300)]
    players.add_players(event=night.event, players=new, now=night.later())
    with django_assert_max_num_queries(45):
        assert desk.mark_rest_absent(event=night.event, by=night.judge, now=night.later()) == 304
    assert Player.objects.count() == 304
