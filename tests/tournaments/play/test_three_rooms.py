"""A night in three rooms: one that draws, two that follow it, one of them far behind. What each of them may know."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from engine.archive.replay import verify
from referee.views.desk import get_desk_view
from referee.views.hall import get_public_view
from referee.views.player import get_personal_views
from tests.leaks import leaked
from tests.tournaments.club_game import SEED, close_due
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms, word_list
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.events.queries.rooms import room_lines
from tournaments.judging.services import rulings
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.ledger.queries import find_heads
from tournaments.models import Game, LedgerEntry, Turn, Verdict
from tournaments.play.services import game_end, room_follow
from tournaments.players.queries.retention import person_data
from tournaments.results.queries.event_results import StandingsChoice, event_view
from tournaments.results.queries.results import last_turn_shown, standings_of
from tournaments.search_box.words import look_up_words

RACK = "ACEIRST"
PLANTED = "ZZPLANTED"


@pytest.fixture
def live_game(judge: User) -> RoomsGame:
    return create_three_rooms(judge)


def play_drawing_room(live_game: RoomsGame, *slips: tuple[int, str, str, int | None], rack: str | None = None) -> None:
    live_game.club_game.begin_turn(rack)
    for slip in slips:
        live_game.phone(*slip)
    live_game.club_game.close()
    live_game.club_game.place()


def best_of(live_game: RoomsGame) -> tuple[str, str, int]:
    """A top of the turn that the drawing room is at."""
    [found, *_] = live_game.turn("A").tops or []
    return found["word"], found["ref"], found["score"]


@pytest.fixture
def behind(live_game: RoomsGame) -> RoomsGame:
    """A is two turns ahead of B, which judges turn 1; C has not begun."""
    play_drawing_room(live_game, (1, "CESTAI", "8C", 20), (2, PLANTED, "8H", 8642), rack=RACK)
    live_game.announce("B")
    live_game.phone(11, "CARTE", "8H", 18)
    live_game.close("B")
    play_drawing_room(live_game)
    live_game.club_game.draw()
    live_game.club_game.force_rack("QZFFGGH")
    live_game.club_game.announce()
    return live_game


def seen_in(live_game: RoomsGame, name: str) -> str:
    """Everything that selectors hand out for a room: hall, desk, its players, its archive, all standings, the data of a
    player, the words that count."""
    club_game, room = live_game.club_game, live_game.room(name)
    game, now = club_game.refresh(), club_game.now
    table = {"B": 11, "C": 21}[name]
    views = [
        dataclasses.asdict(get_public_view(game, room, now)),
        dataclasses.asdict(get_desk_view(game, room, now)),
        [dataclasses.asdict(view) for view in get_personal_views(game, room).values()],
        str(event_view(club_game.event, StandingsChoice(1))),
        str(event_view(club_game.event, StandingsChoice(1, room=room.number))),
        live_game.archive(name),
        person_data(club_game.player(table)),
        str(look_up_words(game, "CARTE", room)),
    ]
    return json.dumps(views, default=str, ensure_ascii=False)


def test_a_room_that_follows_begins_by_hand_after_the_drawing_room(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    with pytest.raises(Refused, match="no further turn"):
        live_game.announce("B")
    club_game.draw()
    with pytest.raises(Refused, match="not announced turn 1"):
        live_game.announce("B")
    assert (live_game.phase("A"), live_game.phase("B")) == ("drawn", "lobby")
    club_game.announce()
    live_game.announce("B")
    assert (live_game.phase("A"), live_game.phase("B"), live_game.phase("C")) == ("running", "running", "lobby")
    with pytest.raises(Refused, match="announced already"):
        live_game.announce("B")


def test_a_room_plays_one_turn_after_the_other(behind: RoomsGame) -> None:
    with pytest.raises(Refused, match="announced already"):
        behind.announce("B")
    behind.show("B")
    behind.announce("B")
    assert (behind.turn("B").number, behind.turn("A").number) == (2, 3)


def test_a_room_shows_a_move_after_its_own_close_and_after_the_placement(live_game: RoomsGame) -> None:
    live_game.club_game.begin_turn(RACK)
    live_game.announce("B")
    with pytest.raises(Refused, match="has not closed"):
        live_game.show("B")
    live_game.close("B")
    with pytest.raises(Refused, match="not placed the move"):
        live_game.show("B")
    live_game.club_game.close()
    live_game.club_game.place()
    live_game.show("B")
    assert live_game.phase("B") == "placed"


def test_a_room_that_is_behind_is_told_nothing_of_what_others_have_played(behind: RoomsGame) -> None:
    first, second = (behind.club_game.game.turns.get(number=number) for number in (1, 2))
    assert (first.master_word, behind.turn("B").number) == ("CESTAI", 1)
    assert PLANTED in json.dumps(behind.archive("A"))
    shown = seen_in(behind, "B")
    secrets = (PLANTED, "8642", "QZFFGGH", second.rack, second.master_word, SEED.hex())
    assert leaked(shown, filter(None, secrets)) == []
    hall = get_public_view(behind.club_game.refresh(), behind.room("B"), behind.club_game.now)
    assert (hall.phase, hall.turn, hall.rack, hall.last, hall.standings) == ("closed", 1, RACK, None, [])
    assert "CESTAI" not in json.dumps(dataclasses.asdict(hall), default=str)
    assert "CESTAI" not in json.dumps(behind.archive("B"))
    views = get_personal_views(behind.club_game.game, behind.room("B"))
    assert [view.verdict for view in views.values()] == [None] * 4


def test_while_its_clock_runs_not_even_the_desk_of_a_room_knows_the_move_that_lies_elsewhere(
    live_game: RoomsGame,
) -> None:
    play_drawing_room(live_game, (1, "CESTAI", "8C", 20), (2, PLANTED, "8H", 8642), rack=RACK)
    live_game.announce("B")
    live_game.phone(11, "CARTE", "8H", 18)
    tops = {str(top["word"]) for top in live_game.turn("A").tops or ()}
    shown = seen_in(live_game, "B")
    assert tops
    assert leaked(shown, {"CESTAI", PLANTED, "8642", *tops}) == []
    live_game.close("B")
    preview = get_desk_view(live_game.club_game.refresh(), live_game.room("B"), live_game.club_game.now).master
    assert preview is not None
    assert (preview.word, preview.ref, preview.score) == ("CESTAI", "8C", 20)


def test_a_room_that_has_not_begun_does_not_know_the_first_rack(behind: RoomsGame) -> None:
    second = behind.club_game.game.turns.get(number=2)
    shown = seen_in(behind, "C")
    assert leaked(shown, (RACK, "CESTAI", PLANTED, second.rack, "QZFFGGH")) == []


def test_once_shown_the_room_has_move_verdicts_and_its_own_standings(behind: RoomsGame) -> None:
    behind.show("B")
    hall = get_public_view(behind.club_game.refresh(), behind.room("B"), behind.club_game.now)
    assert hall.last is not None
    assert (hall.phase, hall.last.word, hall.last.finders) == ("placed", "CESTAI", 0)
    assert [(row.table, row.total) for row in hall.standings] == [(11, 18), (12, 0), (13, 0), (14, 0)]
    [mine] = [view for view in get_personal_views(behind.club_game.game, behind.room("B")).values() if view.table == 11]
    assert mine.verdict is not None
    assert (mine.verdict.points, mine.rank, mine.total) == (18, 1, 18)
    shown = seen_in(behind, "B")
    assert leaked(shown, (PLANTED, "QZFFGGH", SEED.hex())) == []


def test_the_standings_of_all_rooms_count_what_every_room_has_been_shown(behind: RoomsGame) -> None:
    game = behind.club_game.game
    assert (last_turn_shown(game), standings_of(game)[0].total) == (0, 0)
    behind.show("B")
    assert last_turn_shown(game) == 0
    behind.play("C", [(21, "CARTE", "8H", 18)])
    assert last_turn_shown(game) == 1
    assert [(line.table, line.total) for line in standings_of(game)[:3]] == [(1, 20), (11, 18), (21, 18)]
    walls = [get_public_view(behind.club_game.refresh(), behind.room(name), behind.club_game.now) for name in "ABC"]
    assert [(wall.room, wall.merged_turns, wall.merged[0].table) for wall in walls[1:]] == [("B", 1, 1), ("C", 1, 1)]


def test_the_director_sees_where_every_room_is(behind: RoomsGame) -> None:
    lines = {line.room.name: line for line in room_lines(behind.club_game.refresh(), behind.club_game.now)}
    facts = {name: (line.turn, line.phase, line.slips_in, line.players, line.behind) for name, line in lines.items()}
    assert facts == {
        "Hall": (3, "running", 0, 4, 0),
        "B": (1, "closed", 1, 4, 2),
        "C": (0, "lobby", 0, 4, 3),
    }


def test_a_solo_counts_once_every_room_has_closed_the_turn(judge: User) -> None:
    live_game = create_three_rooms(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    live_game.club_game.begin_turn()
    live_game.phone(1, *best_of(live_game))
    live_game.club_game.close()
    live_game.club_game.place()
    assert (live_game.club_game.verdict(1).bonus, live_game.turn("A").solo) == (0, None)
    live_game.play("B", [(11, "CARTE", "8H", 18)])
    assert live_game.club_game.verdict(1).bonus == 0
    live_game.announce("C")
    live_game.close("C")
    assert (live_game.club_game.verdict(1).bonus, live_game.turn("A").solo) == (10, 1)
    assert [live_game.verified(name) for name in "ABC"] == [[], [], []]


def test_a_solo_found_in_two_rooms_is_none(judge: User) -> None:
    live_game = create_three_rooms(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    live_game.club_game.begin_turn()
    live_game.phone(1, *best_of(live_game))
    live_game.club_game.close()
    live_game.club_game.place()
    live_game.play("B", [(11, *best_of(live_game))])
    live_game.play("C")
    assert (live_game.club_game.verdict(1).bonus, live_game.club_game.verdict(11).bonus, live_game.turn("A").solo) == (
        0,
        0,
        None,
    )
    assert [live_game.verified(name) for name in "ABC"] == [[], [], []]


def test_averages_of_others_are_those_of_all_rooms(judge: User) -> None:
    live_game = create_three_rooms(judge, switches={"average_for_second_zero": True})
    for number in (1, 2):
        live_game.club_game.begin_turn(RACK)
        live_game.phone(1, "CEZZA", "8H" if number == 1 else "9H", 10)
        live_game.phone(2, "CARTE", "8H", 18)
        live_game.club_game.close()
        live_game.club_game.place()
        for name, table in (("B", 11), ("C", 21)):
            live_game.announce(name)
            live_game.phone(table, "CEZZA", "8H" if number == 1 else "9H", 10)
            live_game.close(name)
            live_game.show(name)
    verdicts = Verdict.objects.filter(turn__number=2, player__table__in=(1, 11, 21))
    assert len({row.points for row in verdicts}) == 1
    assert {row.reason for row in verdicts} <= {"average_of_others", "not_a_word"}
    found = [difference for name in "ABC" for difference in live_game.verified(name)]
    assert [difference for difference in found if "verdict" in difference.where] == []


def test_equal_slips_are_decided_once_for_all_rooms(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    live_game.announce("B")
    live_game.phone(1, "TRISCEA", "8H", 76)
    live_game.phone(11, "TRISCEA", "8H", 76)
    club_game.close()
    live_game.close("B")
    group = club_game.verdict(11).group
    rulings.decide_groups(
        turn=live_game.turn("B"),
        groups=[group],
        points=40,
        request=RulingRequest(
            reason="old dialect", by=club_game.judge, now=club_game.later(), room=live_game.room("B")
        ),
    )
    assert (club_game.verdict(1).points, club_game.verdict(11).points) == (40, 40)
    club_game.place()
    live_game.announce("C")
    live_game.phone(21, "TRISCEA", "8H", 76)
    live_game.close("C")
    assert club_game.verdict(21).points == 40


def test_what_a_room_was_shown_is_not_decided_anew_elsewhere(behind: RoomsGame) -> None:
    club_game = behind.club_game
    behind.show("B")
    behind.announce("C")
    behind.phone(21, PLANTED, "8H", 8642)
    behind.phone(22, "TRISCEA", "8H", 76)
    behind.close("C")

    def decide(table: int) -> None:
        rulings.decide_groups(
            turn=behind.turn("C"),
            groups=[club_game.verdict(table, 1).group],
            points=30,
            request=RulingRequest(reason="why not", by=club_game.judge, now=club_game.later(), room=behind.room("C")),
        )

    with pytest.raises(Refused, match="decided on in a room"):
        decide(21)
    decide(22)
    assert club_game.verdict(22, 1).points == 30
    behind.show("C")
    with pytest.raises(Refused, match="take it back first"):
        decide(22)
    first = club_game.game.turns.get(number=1)
    request = RulingRequest(by=club_game.judge, now=club_game.later())
    with pytest.raises(Refused, match="over"):
        rulings.rule_word(turn=first, word="TRISCEA", ruling=Ruling.ACCEPTED, request=request)


def test_a_room_takes_back_what_it_was_shown_and_the_drawing_room_only_after_it(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    play_drawing_room(live_game, (1, "CESTAI", "8C", 20), rack=RACK)
    live_game.play("B")
    with pytest.raises(Refused, match="“B” has been shown the move of turn 1"):
        club_game.undo()
    room_follow.reopen_turn(
        game=club_game.refresh(), room=live_game.room("B"), now=club_game.later(), by=club_game.judge
    )
    assert live_game.phase("B") == "closed"
    club_game.undo()
    assert live_game.phase("A") == "closed"
    club_game.place()
    live_game.show("B")
    assert live_game.phase("B") == "placed"


def test_the_game_is_over_in_every_room_at_its_own_time(behind: RoomsGame) -> None:
    club_game = behind.club_game
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    assert (behind.phase("A"), behind.phase("B")) == ("finished", "closed")
    assert get_public_view(club_game.refresh(), behind.room("A"), club_game.now).seed == SEED.hex()
    assert SEED.hex() not in seen_in(behind, "B")
    behind.show("B")
    for _ in (2, 3):
        assert SEED.hex() not in seen_in(behind, "B")
        behind.play("B")
    assert behind.phase("B") == "finished"
    assert SEED.hex() in seen_in(behind, "B")
    assert SEED.hex() not in seen_in(behind, "C")


def test_the_seal_of_the_rooms_chains_that_a_crash_prevented_is_added_later(live_game: RoomsGame) -> None:
    club_game = live_game.club_game

    def seals() -> list[dict[str, Any]]:
        return list(LedgerEntry.objects.filter(kind="seal").values_list("data", flat=True))

    def crash(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("INSERT") and "seal" in params:
            raise OperationalError("the database has gone")
        return execute(sql, params, many, context)

    play_drawing_room(live_game)
    live_game.play("B")
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    live_game.announce("C")
    live_game.close("C")
    assert room_follow.seal_finished_games(now=club_game.later()) == []
    with connection.execute_wrapper(crash), pytest.raises(OperationalError):
        live_game.show("C")
    assert (live_game.phase("C"), seals()) == ("finished", [])
    assert room_follow.seal_finished_games(now=club_game.later()) == [club_game.game]
    with CaptureQueriesContext(connection) as asked:
        assert room_follow.seal_finished_games(now=club_game.later()) == []
    assert len(asked) == 1
    [seal] = seals()
    heads = find_heads({(club_game.game.pk, room.pk) for room in live_game.others.values()})
    assert {digest for _room, _n, digest in seal["chains"]} == {head["hash"] for head in heads.values()}
    assert live_game.verified("C") == []


def test_the_next_game_waits_for_every_room(behind: RoomsGame) -> None:
    from tournaments.events.services import events, rooms

    club_game = behind.club_game
    club_game.close()
    club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())

    def next_game() -> Game:
        return events.add_game(event=club_game.event, by=club_game.judge, now=club_game.later(), seed=bytes(32))

    with pytest.raises(Refused, match="“B” still plays turn 1"):
        next_game()
    behind.show("B")
    behind.play("B")
    behind.play("B")
    with pytest.raises(Refused, match="“C” still plays turn 1"):
        next_game()
    assert rooms.withdraw_room(room=behind.room("C"), by=club_game.judge, now=club_game.later()) == 4
    assert next_game().entries.count() == 8


@pytest.mark.parametrize("shown", [0, 1, 2, 3])
def test_the_archive_of_each_room_proves_itself_at_any_time(live_game: RoomsGame, shown: int) -> None:
    """The drawing room has played to an end, B so many turns of three, C none."""
    club_game = live_game.club_game
    for _ in range(3):
        club_game.begin_turn()
        live_game.phone(1, *best_of(live_game))
        live_game.phone(2, PLANTED, "8H", 5)
        club_game.close()
        club_game.place()
    game_end.end_game(game=club_game.refresh(), by=club_game.judge, now=club_game.later())
    for number in range(1, shown + 1):
        live_game.announce("B")
        live_game.phone(11, "CARTE", "1A", 5)
        live_game.phone(11, *written(live_game.turn("B")))
        if number == 2:
            club_game.paper("12 1A CARTE 7")
        live_game.close("B")
        live_game.show("B")
    archives = {name: live_game.archive(name) for name in "ABC"}
    assert {name: verify(archive, word_list(club_game)) for name, archive in archives.items()} == {
        "A": [],
        "B": [],
        "C": [],
    }
    assert [len(archives[name]["turns"]) for name in "ABC"] == [3, shown, 0]
    assert {player["table"] for player in archives["B"]["players"]} == {11, 12, 13, 14}
    assert (archives["B"]["rooms"]["drawing"], archives["B"]["room"]) == ("Hall", "B")
    assert bool(archives["B"]["ledger"]["entries"]) == bool(archives["B"]["end"]) == (shown == 3)


def written(turn: Turn) -> tuple[str, str, int | None]:
    return turn.master_word, turn.master_ref, turn.master_score


def test_a_forged_line_in_the_archive_of_a_room_is_found(behind: RoomsGame) -> None:
    behind.show("B")
    archive = behind.archive("B")
    [slip] = [slip for slip in archive["turns"][0]["slips"] if slip["table"] == 11]
    slip["verdict"]["points"] = 99
    assert any("table 11, verdict.points" in found.where for found in verify(archive, word_list(behind.club_game)))


def test_a_clock_that_is_given_back_takes_the_bonus_of_others_away_until_it_closes(judge: User) -> None:
    from tournaments.play.services import clocks

    live_game = create_three_rooms(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    live_game.club_game.begin_turn()
    live_game.phone(1, *best_of(live_game))
    live_game.club_game.close()
    for name in "BC":
        live_game.announce(name)
        live_game.close(name)
    assert live_game.club_game.verdict(1).bonus == 10
    club_game, room = live_game.club_game, live_game.room("C")
    clocks.give_time_back(turn=live_game.turn("C"), room=room, seconds=60, now=club_game.later(), by=judge)
    assert live_game.club_game.verdict(1).bonus == 0
    close_due(club_game.later(timedelta(hours=1).total_seconds()))
    assert live_game.club_game.verdict(1).bonus == 10
