"""Players who leave in the middle of an evening, and some who come back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.archive.replay import verify
from engine.archive.schema import read_archive
from referee.views.desk import list_missing_tables
from referee.views.hall import get_public_view
from tests.tournaments.club_game import ClubGame, play_turn, seeded_random
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import events
from tournaments.lexicons import word_lists
from tournaments.models import Entry, LedgerEntry, Verdict
from tournaments.players.queries.players import player_lines
from tournaments.players.services import players
from tournaments.results.queries.archive import export_game


def leave(club_game: ClubGame, table: int) -> None:
    players.leave_game(player=club_game.player(table), now=club_game.later(), by=club_game.judge)


def come_back(club_game: ClubGame, table: int) -> None:
    players.return_to_game(player=club_game.player(table), now=club_game.later(), by=club_game.judge)


def next_game(club_game: ClubGame) -> None:
    club_game.game = events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))


def judged_in(club_game: ClubGame, turn: int) -> list[int]:
    rows = Verdict.objects.filter(turn__game=club_game.game, turn__number=turn).order_by("player__table")
    return list(rows.values_list("player__table", flat=True))


def archive_of(club_game: ClubGame) -> dict[str, Any]:
    archive: dict[str, Any] = json.loads(json.dumps(export_game(club_game.refresh())))
    return archive


def differences(club_game: ClubGame, archive: dict[str, Any]) -> list[str]:
    lexicon = word_lists.graph_of(word_lists.word_list_of_game(club_game.game))
    return [one.where for one in verify(read_archive(json.dumps(archive)), lexicon)]


def test_who_leaves_during_a_turn_is_in_it_and_in_none_after_it(club_game: ClubGame) -> None:
    club_game.begin_turn()
    leave(club_game, 3)
    club_game.close()
    club_game.place()
    club_game.begin_turn()
    assert list_missing_tables(club_game.turn, club_game.room) == [1, 2, 17]
    club_game.close()
    assert (judged_in(club_game, 1), judged_in(club_game, 2)) == ([1, 2, 3, 17], [1, 2, 17])


def test_who_leaves_between_two_turns_is_not_counted_any_more(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    club_game.draw()
    leave(club_game, 3)
    assert get_public_view(club_game.refresh(), club_game.room, club_game.now).players == 3
    club_game.announce()
    assert get_public_view(club_game.refresh(), club_game.room, club_game.now).players == 3


def test_a_slip_of_somebody_who_left_is_refused_with_the_way_back(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    leave(club_game, 3)
    club_game.begin_turn()
    assert club_game.phone(3, "CASA", "8H", 10).refused
    with pytest.raises(Refused, match="Carla Neri is marked as having left; on the page of the players"):
        club_game.paper("3 8H CASA 10")


def test_the_archive_of_a_game_that_somebody_left_is_true(club_game: ClubGame) -> None:
    rng = seeded_random(5)
    play_turn(club_game, rng)
    leave(club_game, 2)
    club_game.draw()
    club_game.announce()
    club_game.phone(1, "CASA", "8H", 10)
    club_game.close()
    club_game.place()
    club_game.end()
    archive = archive_of(club_game)
    assert [player.get("last_turn") for player in archive["players"]] == [None, 1, None, None]
    assert differences(club_game, archive) == []


def test_verify_wants_every_slip_through_the_last_turn_of_a_player_and_none_after_it(club_game: ClubGame) -> None:
    rng = seeded_random(5)
    for _ in range(2):
        play_turn(club_game, rng)
    leave(club_game, 2)
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    club_game.end()
    forgotten, too_early, too_late = (archive_of(club_game) for _ in range(3))
    del forgotten["players"][1]["last_turn"]
    assert "turn 3, table 2, slips" in differences(club_game, forgotten)
    too_early["players"][1]["last_turn"] = 1
    assert "turn 2, table 2, slips" in differences(club_game, too_early)
    too_late["players"][1]["last_turn"] = 3
    assert "turn 3, table 2, slips" in differences(club_game, too_late)


def test_who_leaves_before_the_first_turn_has_no_place_in_the_game(club_game: ClubGame) -> None:
    leave(club_game, 2)
    assert not Entry.objects.filter(game=club_game.game, player=club_game.player(2)).exists()
    come_back(club_game, 2)
    assert Entry.objects.get(game=club_game.game, player=club_game.player(2)).first_turn == 1


def test_who_was_let_go_by_mistake_goes_on_as_if_nothing_had_been(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    leave(club_game, 2)
    come_back(club_game, 2)
    club_game.begin_turn()
    club_game.close()
    assert judged_in(club_game, 2) == [1, 2, 3, 17]


def test_who_has_missed_a_turn_cannot_come_back_to_this_table(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    leave(club_game, 2)
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    with pytest.raises(Refused, match="Bruno Verdi has missed a turn since"):
        come_back(club_game, 2)


def test_a_second_click_changes_nothing(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    leave(club_game, 2)
    with pytest.raises(AlreadyDone):
        leave(club_game, 2)
    come_back(club_game, 2)
    with pytest.raises(AlreadyDone):
        come_back(club_game, 2)
    assert list(LedgerEntry.objects.filter(kind__in=("leave", "come_back")).values_list("kind", flat=True)) == [
        "leave",
        "come_back",
    ]


def test_the_next_game_does_not_count_on_who_left_but_lets_him_in_again(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    leave(club_game, 2)
    club_game.end()
    next_game(club_game)
    assert sorted(Entry.objects.filter(game=club_game.game).values_list("player__table", flat=True)) == [1, 3, 17]
    assert {line.player.table: line.presence for line in player_lines(club_game.event, club_game.game)} == {
        1: "here",
        2: "away",
        3: "here",
        17: "here",
    }
    joined = players.join_event(event=club_game.event, name="", table=2, now=club_game.later(), token="t" * 43)
    assert not joined.replaced_phone
    assert player_lines(club_game.event, club_game.game)[1].presence == "here"


def test_the_desk_lists_since_when_and_until_when_a_player_is_there(club_game: ClubGame) -> None:
    play_turn(club_game, seeded_random(1))
    players.add_players(
        event=club_game.event, players=[players.NewPlayer(9, "Elio")], now=club_game.later(), by=club_game.judge
    )
    leave(club_game, 17)
    lines = {line.player.table: (line.presence, line.turn) for line in player_lines(club_game.event, club_game.game)}
    assert lines == {1: ("here", 1), 2: ("here", 1), 3: ("here", 1), 9: ("late", 2), 17: ("left", 1)}
