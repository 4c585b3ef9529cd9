"""Players who leave in the middle of an evening, and some who come back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.archive import read_archive
from engine.replay import verify
from tests.tournaments.night import Night, chance, play_turn
from tournaments import lexicons
from tournaments.enums import EndReason
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, LedgerEntry, Verdict
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import missing_tables
from tournaments.selectors.hall import hall_view
from tournaments.selectors.players import player_lines
from tournaments.services import ending, events, players


def leave(night: Night, table: int) -> None:
    players.leave(player=night.player(table), now=night.later(), by=night.judge)


def come_back(night: Night, table: int) -> None:
    players.come_back(player=night.player(table), now=night.later(), by=night.judge)


def end(night: Night) -> None:
    ending.end_game(game=night.refresh(), why=EndReason.JUDGE, by=night.judge, now=night.later())


def next_game(night: Night) -> None:
    night.game = events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))


def judged_in(night: Night, turn: int) -> list[int]:
    rows = Verdict.objects.filter(turn__game=night.game, turn__number=turn).order_by("player__table")
    return list(rows.values_list("player__table", flat=True))


def archive_of(night: Night) -> dict[str, Any]:
    archive: dict[str, Any] = json.loads(json.dumps(export_game(night.refresh())))
    return archive


def differences(night: Night, archive: dict[str, Any]) -> list[str]:
    lexicon = lexicons.graph_of(lexicons.of_game(night.game))
    return [one.where for one in verify(read_archive(json.dumps(archive)), lexicon)]


def test_who_leaves_during_a_turn_is_in_it_and_in_none_after_it(night: Night) -> None:
    night.begin_turn()
    leave(night, 3)
    night.close()
    night.place()
    night.begin_turn()
    assert missing_tables(night.turn, night.room) == [1, 2, 17]
    night.close()
    assert (judged_in(night, 1), judged_in(night, 2)) == ([1, 2, 3, 17], [1, 2, 17])


def test_who_leaves_between_two_turns_is_not_counted_any_more(night: Night) -> None:
    play_turn(night, chance(1))
    night.draw()
    leave(night, 3)
    assert hall_view(night.refresh(), night.room, night.now).players == 3
    night.announce()
    assert hall_view(night.refresh(), night.room, night.now).players == 3


def test_a_slip_of_somebody_who_left_is_refused_with_the_way_back(night: Night) -> None:
    play_turn(night, chance(1))
    leave(night, 3)
    night.begin_turn()
    assert night.phone(3, "CASA", "8H", 10).refused
    with pytest.raises(Refused, match="Carla Neri is marked as having left; on the page of the players"):
        night.paper("3 8H CASA 10")


def test_the_archive_of_a_game_that_somebody_left_is_true(night: Night) -> None:
    rng = chance(5)
    play_turn(night, rng)
    leave(night, 2)
    night.draw()
    night.announce()
    night.phone(1, "CASA", "8H", 10)
    night.close()
    night.place()
    end(night)
    archive = archive_of(night)
    assert [player.get("last_turn") for player in archive["players"]] == [None, 1, None, None]
    assert differences(night, archive) == []


def test_verify_wants_every_slip_through_the_last_turn_of_a_player_and_none_after_it(night: Night) -> None:
    rng = chance(5)
    for _ in range(2):
        play_turn(night, rng)
    leave(night, 2)
    night.begin_turn()
    night.close()
    night.place()
    end(night)
    forgotten, too_early, too_late = (archive_of(night) for _ in range(3))
    del forgotten["players"][1]["last_turn"]
    assert "turn 3, table 2, slips" in differences(night, forgotten)
    too_early["players"][1]["last_turn"] = 1
    assert "turn 2, table 2, slips" in differences(night, too_early)
    too_late["players"][1]["last_turn"] = 3
    assert "turn 3, table 2, slips" in differences(night, too_late)


def test_who_leaves_before_the_first_turn_has_no_place_in_the_game(night: Night) -> None:
    leave(night, 2)
    assert not Entry.objects.filter(game=night.game, player=night.player(2)).exists()
    come_back(night, 2)
    assert Entry.objects.get(game=night.game, player=night.player(2)).first_turn == 1


def test_who_was_let_go_by_mistake_goes_on_as_if_nothing_had_been(night: Night) -> None:
    play_turn(night, chance(1))
    leave(night, 2)
    come_back(night, 2)
    night.begin_turn()
    night.close()
    assert judged_in(night, 2) == [1, 2, 3, 17]


def test_who_has_missed_a_turn_cannot_come_back_to_this_table(night: Night) -> None:
    play_turn(night, chance(1))
    leave(night, 2)
    night.begin_turn()
    night.close()
    night.place()
    with pytest.raises(Refused, match="Bruno Verdi has missed a turn since"):
        come_back(night, 2)


def test_a_second_click_changes_nothing(night: Night) -> None:
    play_turn(night, chance(1))
    leave(night, 2)
    with pytest.raises(AlreadyDone):
        leave(night, 2)
    come_back(night, 2)
    with pytest.raises(AlreadyDone):
        come_back(night, 2)
    assert list(LedgerEntry.objects.filter(kind__in=("leave", "come_back")).values_list("kind", flat=True)) == [
        "leave",
        "come_back",
    ]


def test_the_next_game_does_not_count_on_who_left_but_lets_him_in_again(night: Night) -> None:
    play_turn(night, chance(1))
    leave(night, 2)
    end(night)
    next_game(night)
    assert sorted(Entry.objects.filter(game=night.game).values_list("player__table", flat=True)) == [1, 3, 17]
    assert {line.player.table: line.presence for line in player_lines(night.event, night.game)} == {
        1: "here",
        2: "away",
        3: "here",
        17: "here",
    }
    joined = players.join(event=night.event, name="", table=2, now=night.later(), token="t" * 43)
    assert not joined.replaced_phone
    assert player_lines(night.event, night.game)[1].presence == "here"


def test_the_desk_lists_since_when_and_until_when_a_player_is_there(night: Night) -> None:
    play_turn(night, chance(1))
    players.add_players(event=night.event, players=[players.NewPlayer(9, "Elio")], now=night.later(), by=night.judge)
    leave(night, 17)
    lines = {line.player.table: (line.presence, line.turn) for line in player_lines(night.event, night.game)}
    assert lines == {1: ("here", 1), 2: ("here", 1), 3: ("here", 1), 9: ("late", 2), 17: ("left", 1)}
