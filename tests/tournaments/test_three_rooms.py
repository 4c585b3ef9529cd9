"""A night in three rooms: one that draws, two that follow it, one of them far behind. What each of them may know."""

from __future__ import annotations

import dataclasses
import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from engine.replay import verify
from tests.leaks import leaked
from tests.tournaments.hall_of_rooms import Evening, three_rooms, word_list
from tests.tournaments.night import SEED
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.models import Game, Turn, Verdict
from tournaments.selectors.desk import desk_view
from tournaments.selectors.event_results import Choice, event_view
from tournaments.selectors.hall import hall_view
from tournaments.selectors.keeping import person_data
from tournaments.selectors.personal import personal_views
from tournaments.selectors.results import standings_of, turns_shown
from tournaments.selectors.rooms import room_lines
from tournaments.selectors.words import look_up
from tournaments.services import ending, pursuing, rulings

RACK = "ACEIRST"
PLANTED = "ZZPLANTED"


@pytest.fixture
def evening(judge: User) -> Evening:
    return three_rooms(judge)


def play_drawing_room(evening: Evening, *slips: tuple[int, str, str, int | None], rack: str | None = None) -> None:
    evening.night.begin_turn(rack)
    for slip in slips:
        evening.phone(*slip)
    evening.night.close()
    evening.night.place()


def best_of(evening: Evening) -> tuple[str, str, int]:
    """A top of the turn that the drawing room is at."""
    [found, *_] = evening.turn("A").tops or []
    return found["word"], found["ref"], found["score"]


@pytest.fixture
def behind(evening: Evening) -> Evening:
    """A is two turns ahead of B, which judges turn 1; C has not begun."""
    play_drawing_room(evening, (1, "CESTAI", "8C", 20), (2, PLANTED, "8H", 8642), rack=RACK)
    evening.announce("B")
    evening.phone(11, "CARTE", "8H", 18)
    evening.close("B")
    play_drawing_room(evening)
    evening.night.draw()
    evening.night.force_rack("QZFFGGH")
    evening.night.announce()
    return evening


def seen_in(evening: Evening, name: str) -> str:
    """Everything that selectors hand out for a room: hall, desk, its players, its archive, all standings, the data of a
    player, the words that count."""
    night, room = evening.night, evening.room(name)
    game, now = night.refresh(), night.now
    table = {"B": 11, "C": 21}[name]
    views = [
        dataclasses.asdict(hall_view(game, room, now)),
        dataclasses.asdict(desk_view(game, room, now)),
        [dataclasses.asdict(view) for view in personal_views(game, room).values()],
        str(event_view(night.event, Choice(1))),
        str(event_view(night.event, Choice(1, room=room.number))),
        evening.archive(name),
        person_data(night.player(table)),
        str(look_up(game, "CARTE", room)),
    ]
    return json.dumps(views, default=str, ensure_ascii=False)


def test_a_room_that_follows_begins_by_hand_after_the_drawing_room(evening: Evening) -> None:
    night = evening.night
    with pytest.raises(Refused, match="no further turn"):
        evening.announce("B")
    night.draw()
    with pytest.raises(Refused, match="not announced turn 1"):
        evening.announce("B")
    assert (evening.phase("A"), evening.phase("B")) == ("drawn", "lobby")
    night.announce()
    evening.announce("B")
    assert (evening.phase("A"), evening.phase("B"), evening.phase("C")) == ("running", "running", "lobby")
    with pytest.raises(Refused, match="announced already"):
        evening.announce("B")


def test_a_room_plays_one_turn_after_the_other(behind: Evening) -> None:
    with pytest.raises(Refused, match="announced already"):
        behind.announce("B")
    behind.show("B")
    behind.announce("B")
    assert (behind.turn("B").number, behind.turn("A").number) == (2, 3)


def test_a_room_shows_a_move_after_its_own_close_and_after_the_placement(evening: Evening) -> None:
    evening.night.begin_turn(RACK)
    evening.announce("B")
    with pytest.raises(Refused, match="has not closed"):
        evening.show("B")
    evening.close("B")
    with pytest.raises(Refused, match="not placed the move"):
        evening.show("B")
    evening.night.close()
    evening.night.place()
    evening.show("B")
    assert evening.phase("B") == "placed"


def test_a_room_that_is_behind_is_told_nothing_of_what_others_have_played(behind: Evening) -> None:
    first, second = (behind.night.game.turns.get(number=number) for number in (1, 2))
    assert (first.master_word, behind.turn("B").number) == ("CESTAI", 1)
    assert PLANTED in json.dumps(behind.archive("A"))
    shown = seen_in(behind, "B")
    secrets = (PLANTED, "8642", "QZFFGGH", second.rack, second.master_word, SEED.hex())
    assert leaked(shown, filter(None, secrets)) == []
    hall = hall_view(behind.night.refresh(), behind.room("B"), behind.night.now)
    assert (hall.phase, hall.turn, hall.rack, hall.last, hall.standings) == ("closed", 1, RACK, None, [])
    assert "CESTAI" not in json.dumps(dataclasses.asdict(hall), default=str)
    assert "CESTAI" not in json.dumps(behind.archive("B"))
    views = personal_views(behind.night.game, behind.room("B"))
    assert [view.verdict for view in views.values()] == [None] * 4


def test_while_its_clock_runs_not_even_the_desk_of_a_room_knows_the_move_that_lies_elsewhere(evening: Evening) -> None:
    play_drawing_room(evening, (1, "CESTAI", "8C", 20), (2, PLANTED, "8H", 8642), rack=RACK)
    evening.announce("B")
    evening.phone(11, "CARTE", "8H", 18)
    tops = {str(top["word"]) for top in evening.turn("A").tops or ()}
    shown = seen_in(evening, "B")
    assert tops
    assert leaked(shown, {"CESTAI", PLANTED, "8642", *tops}) == []
    evening.close("B")
    preview = desk_view(evening.night.refresh(), evening.room("B"), evening.night.now).master
    assert preview is not None
    assert (preview.word, preview.ref, preview.score) == ("CESTAI", "8C", 20)


def test_a_room_that_has_not_begun_does_not_know_the_first_rack(behind: Evening) -> None:
    second = behind.night.game.turns.get(number=2)
    shown = seen_in(behind, "C")
    assert leaked(shown, (RACK, "CESTAI", PLANTED, second.rack, "QZFFGGH")) == []


def test_once_shown_the_room_has_move_verdicts_and_its_own_standings(behind: Evening) -> None:
    behind.show("B")
    hall = hall_view(behind.night.refresh(), behind.room("B"), behind.night.now)
    assert hall.last is not None
    assert (hall.phase, hall.last.word, hall.last.finders) == ("placed", "CESTAI", 0)
    assert [(row.table, row.total) for row in hall.standings] == [(11, 18), (12, 0), (13, 0), (14, 0)]
    [mine] = [view for view in personal_views(behind.night.game, behind.room("B")).values() if view.table == 11]
    assert mine.verdict is not None
    assert (mine.verdict.points, mine.rank, mine.total) == (18, 1, 18)
    shown = seen_in(behind, "B")
    assert leaked(shown, (PLANTED, "QZFFGGH", SEED.hex())) == []


def test_the_standings_of_all_rooms_count_what_every_room_has_been_shown(behind: Evening) -> None:
    game = behind.night.game
    assert (turns_shown(game), standings_of(game)[0].total) == (0, 0)
    behind.show("B")
    assert turns_shown(game) == 0
    behind.play("C", [(21, "CARTE", "8H", 18)])
    assert turns_shown(game) == 1
    assert [(line.table, line.total) for line in standings_of(game)[:3]] == [(1, 20), (11, 18), (21, 18)]
    walls = [hall_view(behind.night.refresh(), behind.room(name), behind.night.now) for name in "ABC"]
    assert [(wall.room, wall.merged_turns, wall.merged[0].table) for wall in walls[1:]] == [("B", 1, 1), ("C", 1, 1)]


def test_the_director_sees_where_every_room_is(behind: Evening) -> None:
    lines = {line.room.name: line for line in room_lines(behind.night.refresh(), behind.night.now)}
    facts = {name: (line.turn, line.phase, line.slips_in, line.players, line.behind) for name, line in lines.items()}
    assert facts == {
        "Hall": (3, "running", 0, 4, 0),
        "B": (1, "closed", 1, 4, 2),
        "C": (0, "lobby", 0, 4, 3),
    }


def test_a_solo_counts_once_every_room_has_closed_the_turn(judge: User) -> None:
    evening = three_rooms(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    evening.night.begin_turn()
    evening.phone(1, *best_of(evening))
    evening.night.close()
    evening.night.place()
    assert (evening.night.verdict(1).bonus, evening.turn("A").solo) == (0, None)
    evening.play("B", [(11, "CARTE", "8H", 18)])
    assert evening.night.verdict(1).bonus == 0
    evening.announce("C")
    evening.close("C")
    assert (evening.night.verdict(1).bonus, evening.turn("A").solo) == (10, 1)
    assert [evening.verified(name) for name in "ABC"] == [[], [], []]


def test_a_solo_found_in_two_rooms_is_none(judge: User) -> None:
    evening = three_rooms(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    evening.night.begin_turn()
    evening.phone(1, *best_of(evening))
    evening.night.close()
    evening.night.place()
    evening.play("B", [(11, *best_of(evening))])
    evening.play("C")
    assert (evening.night.verdict(1).bonus, evening.night.verdict(11).bonus, evening.turn("A").solo) == (0, 0, None)
    assert [evening.verified(name) for name in "ABC"] == [[], [], []]


def test_averages_of_others_are_those_of_all_rooms(judge: User) -> None:
    evening = three_rooms(judge, switches={"average_for_second_zero": True})
    for number in (1, 2):
        evening.night.begin_turn(RACK)
        evening.phone(1, "CEZZA", "8H" if number == 1 else "9H", 10)
        evening.phone(2, "CARTE", "8H", 18)
        evening.night.close()
        evening.night.place()
        for name, table in (("B", 11), ("C", 21)):
            evening.announce(name)
            evening.phone(table, "CEZZA", "8H" if number == 1 else "9H", 10)
            evening.close(name)
            evening.show(name)
    verdicts = Verdict.objects.filter(turn__number=2, player__table__in=(1, 11, 21))
    assert len({row.points for row in verdicts}) == 1
    assert {row.reason for row in verdicts} <= {"average_of_others", "not_a_word"}
    found = [difference for name in "ABC" for difference in evening.verified(name)]
    assert [difference for difference in found if "verdict" in difference.where] == []


def test_equal_slips_are_decided_once_for_all_rooms(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    evening.announce("B")
    evening.phone(1, "TRISCEA", "8H", 76)
    evening.phone(11, "TRISCEA", "8H", 76)
    night.close()
    evening.close("B")
    group = night.verdict(11).group
    rulings.decide_group(
        turn=evening.turn("B"),
        group=group,
        points=40,
        reason="old dialect",
        by=night.judge,
        now=night.later(),
        room=evening.room("B"),
    )
    assert (night.verdict(1).points, night.verdict(11).points) == (40, 40)
    night.place()
    evening.announce("C")
    evening.phone(21, "TRISCEA", "8H", 76)
    evening.close("C")
    assert night.verdict(21).points == 40


def test_what_a_room_was_shown_is_not_decided_anew_elsewhere(behind: Evening) -> None:
    night = behind.night
    behind.show("B")
    behind.announce("C")
    behind.phone(21, PLANTED, "8H", 8642)
    behind.phone(22, "TRISCEA", "8H", 76)
    behind.close("C")

    def decide(table: int) -> None:
        rulings.decide_group(
            turn=behind.turn("C"),
            group=night.verdict(table, 1).group,
            points=30,
            reason="why not",
            by=night.judge,
            now=night.later(),
            room=behind.room("C"),
        )

    with pytest.raises(Refused, match="decided on in a room"):
        decide(21)
    decide(22)
    assert night.verdict(22, 1).points == 30
    behind.show("C")
    with pytest.raises(Refused, match="take it back first"):
        decide(22)
    first = night.game.turns.get(number=1)
    ruled: dict[str, Any] = {"word": "TRISCEA", "ruling": Ruling.ACCEPTED, "reason": "", "by": night.judge}
    with pytest.raises(Refused, match="over"):
        rulings.rule_word(turn=first, now=night.later(), **ruled)


def test_a_room_takes_back_what_it_was_shown_and_the_drawing_room_only_after_it(evening: Evening) -> None:
    night = evening.night
    play_drawing_room(evening, (1, "CESTAI", "8C", 20), rack=RACK)
    evening.play("B")
    with pytest.raises(Refused, match="“B” has been shown the move of turn 1"):
        night.undo()
    pursuing.take_back(game=night.refresh(), room=evening.room("B"), now=night.later(), by=night.judge)
    assert evening.phase("B") == "closed"
    night.undo()
    assert evening.phase("A") == "closed"
    night.place()
    evening.show("B")
    assert evening.phase("B") == "placed"


def test_the_game_is_over_in_every_room_at_its_own_time(behind: Evening) -> None:
    night = behind.night
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    assert (behind.phase("A"), behind.phase("B")) == ("finished", "closed")
    assert hall_view(night.refresh(), behind.room("A"), night.now).seed == SEED.hex()
    assert SEED.hex() not in seen_in(behind, "B")
    behind.show("B")
    for _ in (2, 3):
        assert SEED.hex() not in seen_in(behind, "B")
        behind.play("B")
    assert behind.phase("B") == "finished"
    assert SEED.hex() in seen_in(behind, "B")
    assert SEED.hex() not in seen_in(behind, "C")


def test_the_next_game_waits_for_every_room(behind: Evening) -> None:
    from tournaments.services import events, rooms

    night = behind.night
    night.close()
    night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())

    def next_game() -> Game:
        return events.add_game(event=night.event, by=night.judge, now=night.later(), seed=bytes(32))

    with pytest.raises(Refused, match="“B” still plays turn 1"):
        next_game()
    behind.show("B")
    behind.play("B")
    behind.play("B")
    with pytest.raises(Refused, match="“C” still plays turn 1"):
        next_game()
    assert rooms.withdraw(room=behind.room("C"), by=night.judge, now=night.later()) == 4
    assert next_game().entries.count() == 8


@pytest.mark.parametrize("shown", [0, 1, 2, 3])
def test_the_archive_of_each_room_proves_itself_at_any_time(evening: Evening, shown: int) -> None:
    """The drawing room has played to an end, B so many turns of three, C none."""
    night = evening.night
    for _ in range(3):
        night.begin_turn()
        evening.phone(1, *best_of(evening))
        evening.phone(2, PLANTED, "8H", 5)
        night.close()
        night.place()
    ending.end_game(game=night.refresh(), by=night.judge, now=night.later())
    for number in range(1, shown + 1):
        evening.announce("B")
        evening.phone(11, "CARTE", "1A", 5)
        evening.phone(11, *written(evening.turn("B")))
        if number == 2:
            night.paper("12 1A CARTE 7")
        evening.close("B")
        evening.show("B")
    archives = {name: evening.archive(name) for name in "ABC"}
    assert {name: verify(archive, word_list(night)) for name, archive in archives.items()} == {
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


def test_a_forged_line_in_the_archive_of_a_room_is_found(behind: Evening) -> None:
    behind.show("B")
    archive = behind.archive("B")
    [slip] = [slip for slip in archive["turns"][0]["slips"] if slip["table"] == 11]
    slip["verdict"]["points"] = 99
    assert any("table 11, verdict.points" in found.where for found in verify(archive, word_list(behind.night)))


def test_a_clock_that_is_given_back_takes_the_bonus_of_others_away_until_it_closes(judge: User) -> None:
    from tournaments.services import clocks

    evening = three_rooms(judge, switches={"solo_bonus": 10, "solo_min_players": 2})
    evening.night.begin_turn()
    evening.phone(1, *best_of(evening))
    evening.night.close()
    for name in "BC":
        evening.announce(name)
        evening.close(name)
    assert evening.night.verdict(1).bonus == 10
    night, room = evening.night, evening.room("C")
    clocks.give_back(turn=evening.turn("C"), room=room, seconds=60, now=night.later(), by=judge)
    assert evening.night.verdict(1).bonus == 0
    clocks.close_due(now=night.later(timedelta(hours=1).total_seconds()))
    assert evening.night.verdict(1).bonus == 10
