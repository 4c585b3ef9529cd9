"""Many rooms and many players ask no more questions than few."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.views.desk import get_desk_view
from referee.views.hall import PublicView, get_public_view, read_public_views
from referee.views.player import get_personal_views
from tests.tournaments.club_game import create_club_game
from tests.tournaments.rooms_game import RoomsGame
from tournaments.events.queries.rooms import room_lines
from tournaments.events.services import rooms
from tournaments.models import Room
from tournaments.play.queries.live import list_room_versions
from tournaments.play.queries.phases import list_unfinished_clocks
from tournaments.play.services import clocks
from tournaments.players.services.players import NewPlayer, add_players
from tournaments.results.queries.archive import export_game
from tournaments.results.queries.event_results import StandingsChoice, event_view
from tournaments.results.queries.results import results_of


def live_game_of(judge: User, *, followers: int, players: int) -> RoomsGame:
    """Every room has played turn 1 and has turn 2 closed."""
    club_game = create_club_game(judge, players=[NewPlayer(n, f"A{n}") for n in range(1, players + 1)])
    live_game = RoomsGame(club_game)
    for number in range(1, followers + 1):
        room = rooms.add_room(event=club_game.event, name=f"R{number}", offset_s=None, by=judge, now=club_game.later())
        own = [NewPlayer(100 * number + n, f"R{number} {n}") for n in range(players)]
        add_players(event=club_game.event, players=own, now=club_game.later(), room=room)
        live_game.others[room.name] = room
    for turn in (1, 2):
        club_game.begin_turn()
        club_game.close()
        if turn == 1:
            club_game.place()
        for name in live_game.others:
            live_game.announce(name)
            live_game.close(name)
            if turn == 1:
                live_game.show(name)
    return live_game


def asked(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def questions(live_game: RoomsGame) -> dict[str, int]:
    """Count the queries of all reads for the last room, with empty caches."""
    game, now = live_game.club_game.refresh(), live_game.club_game.now
    room = Room.objects.filter(event=live_game.club_game.event).latest("number")
    return {
        "hall": asked(lambda: get_public_view(game, room, now)),
        "desk": asked(lambda: get_desk_view(game, room, now)),
        "personal": asked(lambda: get_personal_views(game, room)),
        "archive": asked(lambda: export_game(game, room)),
        "results": asked(lambda: results_of(game, room)),
        "merged": asked(lambda: event_view(game.event, StandingsChoice(1))),
        "rooms": asked(lambda: room_lines(game, now)),
        "versions": asked(lambda: list_room_versions({(game.pk, each.pk) for each in game.event.rooms.all()})),
        "unfinished": asked(lambda: list(list_unfinished_clocks(game))),
    }


def test_questions_do_not_grow_with_rooms_or_players(judge: User) -> None:
    few = questions(live_game_of(judge, followers=1, players=1))
    many = questions(live_game_of(judge, followers=3, players=5))
    assert many == few
    assert max(many.values()) <= 45, many


def test_the_views_of_six_rooms_take_as_many_questions_as_that_of_one(judge: User) -> None:
    live_game = live_game_of(judge, followers=5, players=2)
    game, now = live_game.club_game.refresh(), live_game.club_game.now
    rooms_here = list(Room.objects.filter(event=game.event).values_list("pk", flat=True))
    alone = {room: read_public_views(game.pk, [room], now)[room] for room in rooms_here}
    one = asked(lambda: read_public_views(game.pk, rooms_here[-1:], now))
    together: dict[int, PublicView] = {}
    number = asked(lambda: together.update(read_public_views(game.pk, rooms_here, now)))
    assert together == alone
    assert number == one
    assert number <= 5 * len(rooms_here)
    live_game.club_game.place()
    for name in live_game.others:
        live_game.show(name)
    after_one = asked(lambda: read_public_views(game.pk, rooms_here[:1], live_game.club_game.now))
    assert asked(lambda: read_public_views(game.pk, rooms_here, live_game.club_game.now)) <= after_one


@pytest.mark.parametrize("act", ["announce", "close"])
def test_an_act_in_a_room_asks_no_more_where_there_are_more(judge: User, act: str) -> None:
    def asks(followers: int, players: int) -> int:
        live_game = live_game_of(judge, followers=followers, players=players)
        club_game, room = live_game.club_game, live_game.room("R1")
        club_game.place()
        live_game.show("R1")
        club_game.begin_turn()
        if act == "announce":
            return asked(lambda: live_game.announce("R1"))
        live_game.announce("R1")
        turn, now = live_game.turn("R1"), club_game.later()
        return asked(lambda: clocks.close_clock(turn=turn, room=room, now=now, by=judge))

    assert asks(2, 1) == asks(3, 4)


def test_one_room_asks_at_most_a_few_questions_more_than_before_there_were_rooms(judge: User) -> None:
    alone = questions(live_game_of(judge, followers=0, players=3))
    assert alone["hall"] <= 24
    assert alone["desk"] <= 45
