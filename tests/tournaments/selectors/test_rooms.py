"""Many rooms and many players ask no more questions than few."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.hall_of_rooms import Evening
from tests.tournaments.night import begin
from tournaments.models import Room
from tournaments.selectors.archive import export_game
from tournaments.selectors.desk import desk_view
from tournaments.selectors.event_results import Choice, event_view
from tournaments.selectors.hall import hall_view
from tournaments.selectors.live import versions_of_rooms
from tournaments.selectors.personal import personal_views
from tournaments.selectors.phases import unfinished
from tournaments.selectors.results import results_of
from tournaments.selectors.rooms import room_lines
from tournaments.services import clocks, rooms
from tournaments.services.players import NewPlayer, add_players


def evening_of(judge: User, *, followers: int, players: int) -> Evening:
    """Every room has played turn 1 and has turn 2 closed."""
    night = begin(judge, players=[NewPlayer(n, f"A{n}") for n in range(1, players + 1)])
    evening = Evening(night)
    for number in range(1, followers + 1):
        room = rooms.add_room(event=night.event, name=f"R{number}", offset_s=None, by=judge, now=night.later())
        own = [NewPlayer(100 * number + n, f"R{number} {n}") for n in range(players)]
        add_players(event=night.event, players=own, now=night.later(), room=room)
        evening.others[room.name] = room
    for turn in (1, 2):
        night.begin_turn()
        night.close()
        if turn == 1:
            night.place()
        for name in evening.others:
            evening.announce(name)
            evening.close(name)
            if turn == 1:
                evening.show(name)
    return evening


def asked(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def questions(evening: Evening) -> dict[str, int]:
    """How many questions everything asks that is read for the last room, with nothing in the caches."""
    game, now = evening.night.refresh(), evening.night.now
    room = Room.objects.filter(event=evening.night.event).latest("number")
    return {
        "hall": asked(lambda: hall_view(game, room, now)),
        "desk": asked(lambda: desk_view(game, room, now)),
        "personal": asked(lambda: personal_views(game, room)),
        "archive": asked(lambda: export_game(game, room)),
        "results": asked(lambda: results_of(game, room)),
        "merged": asked(lambda: event_view(game.event, Choice(1))),
        "rooms": asked(lambda: room_lines(game, now)),
        "versions": asked(lambda: versions_of_rooms({(game.pk, each.pk) for each in game.event.rooms.all()})),
        "unfinished": asked(lambda: list(unfinished(game))),
    }


def test_questions_do_not_grow_with_rooms_or_players(judge: User) -> None:
    few = questions(evening_of(judge, followers=1, players=1))
    many = questions(evening_of(judge, followers=3, players=5))
    assert many == few
    assert max(many.values()) <= 45, many


@pytest.mark.parametrize("act", ["announce", "close"])
def test_an_act_in_a_room_asks_no_more_where_there_are_more(judge: User, act: str) -> None:
    def asks(followers: int, players: int) -> int:
        evening = evening_of(judge, followers=followers, players=players)
        night, room = evening.night, evening.room("R1")
        night.place()
        evening.show("R1")
        night.begin_turn()
        if act == "announce":
            return asked(lambda: evening.announce("R1"))
        evening.announce("R1")
        turn, now = evening.turn("R1"), night.later()
        return asked(lambda: clocks.close_now(turn=turn, room=room, now=now, by=judge))

    assert asks(2, 1) == asks(3, 4)


def test_one_room_asks_at_most_a_few_questions_more_than_before_there_were_rooms(judge: User) -> None:
    alone = questions(evening_of(judge, followers=0, players=3))
    assert alone["hall"] <= 24
    assert alone["desk"] <= 45
