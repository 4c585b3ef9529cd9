"""Rooms are added, renamed and removed; players sit in one of them and may change before they have played."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User

from tests.tournaments.club_game import SEED, START_TIME, ClubGame
from tests.tournaments.rooms_game import RoomsGame, create_three_rooms
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import desk_address, parse_desk_address, room_by_wall_token, wall_token_of
from tournaments.events.services import events, rooms
from tournaments.models import Entry, Event, LedgerEntry, Player, Room
from tournaments.play.queries.phases import is_complete, next_starting_turn_number, next_turn_in
from tournaments.players.services import players
from tournaments.players.services.players import NewPlayer, add_players, parse_players

RACK = "ACEIRST"


@pytest.fixture
def live_game(judge: User) -> RoomsGame:
    return create_three_rooms(judge)


def add(club_game: ClubGame, name: str, offset_s: int | None = None) -> Room:
    return rooms.add_room(
        event=club_game.event, name=name, offset_s=offset_s, by=club_game.judge, now=club_game.later()
    )


def test_a_new_room_follows_the_first_with_a_wall_of_its_own(club_game: ClubGame) -> None:
    upstairs = add(club_game, " Aula  2 ", 90)
    assert (upstairs.number, upstairs.name, upstairs.offset_s, upstairs.is_drawing) == (2, "Aula 2", 90, False)
    assert (club_game.room.number, club_game.room.is_drawing) == (1, True)
    assert len(wall_token_of(upstairs)) > 40
    assert room_by_wall_token(wall_token_of(upstairs)) == upstairs
    assert (wall_token_of(club_game.room), room_by_wall_token(club_game.event.wall_token)) == (
        club_game.event.wall_token,
        club_game.room,
    )
    entry = LedgerEntry.objects.filter(kind="room").get()
    assert entry.data == {"room": 2, "name": "Aula 2", "offset_s": 90, "act": "add"}


def test_addresses_of_desks_tell_the_room_and_an_old_address_the_drawing_room(club_game: ClubGame) -> None:
    upstairs = add(club_game, "Upstairs")
    code = club_game.event.code
    assert (desk_address(club_game.event, club_game.room), desk_address(club_game.event, upstairs)) == (
        code,
        f"{code}-2",
    )
    assert (parse_desk_address(code.lower()), parse_desk_address(f"{code}-2")) == ((code, 1), (code, 2))
    assert parse_desk_address("A-B") == ("A-B", 1)


@pytest.mark.parametrize(("name", "offset"), [("", None), ("hall", None), ("B", -1), ("B", 100_000)])
def test_a_room_without_a_name_of_its_own_or_with_an_endless_offset_is_refused(
    club_game: ClubGame, name: str, offset: int | None
) -> None:
    with pytest.raises(Refused):
        add(club_game, name, offset)
    assert Room.objects.count() == 1


def test_a_room_is_renamed_and_the_drawing_room_follows_nobody(club_game: ClubGame) -> None:
    upstairs = add(club_game, "Upstairs", 60)
    rooms.change_room(room=upstairs, name="Attic", offset_s=None, by=club_game.judge, now=club_game.later())
    rooms.change_room(room=club_game.room, name="Cellar", offset_s=30, by=club_game.judge, now=club_game.later())
    assert list(Room.objects.values_list("name", "offset_s")) == [("Cellar", None), ("Attic", None)]
    with pytest.raises(Refused, match="already"):
        rooms.change_room(room=upstairs, name="cellar", offset_s=None, by=club_game.judge, now=club_game.later())


def test_only_an_empty_room_that_draws_nothing_is_removed(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    empty = add(club_game, "Empty")
    rooms.remove_room(room=empty, by=club_game.judge, now=club_game.later())
    for name, why in (("A", "drawing room"), ("B", "sits in the room")):
        with pytest.raises(Refused, match=why):
            rooms.remove_room(room=live_game.room(name), by=club_game.judge, now=club_game.later())
    assert [room.name for room in Room.objects.all()] == ["Hall", "B", "C"]


def test_a_player_moves_before_his_first_slip_and_not_after_it(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    moved = club_game.player(2)
    rooms.move_players(players=[moved], room=live_game.room("B"), by=club_game.judge, now=club_game.later())
    entry = Entry.objects.get(player=moved)
    assert (moved.room, entry.room, entry.first_turn) == (live_game.room("B"), live_game.room("B"), 1)
    with pytest.raises(AlreadyDone):
        rooms.move_players(players=[moved], room=live_game.room("B"), by=club_game.judge, now=club_game.later())
    live_game.phone(1, "CARTE", "8H", 18)
    with pytest.raises(Refused, match="changes rooms before the next one"):
        rooms.move_players(
            players=[club_game.player(1)], room=live_game.room("B"), by=club_game.judge, now=club_game.later()
        )


def test_who_moves_after_a_turn_was_judged_has_no_verdict_in_it_any_more(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    club_game.close()
    late = club_game.player(2)
    assert late.verdicts.count() == 1
    rooms.move_players(players=[late], room=live_game.room("B"), by=club_game.judge, now=club_game.later())
    assert late.verdicts.count() == 0
    live_game.announce("B")
    live_game.close("B")
    assert club_game.verdict(2).reason == "no_slip"


def test_a_late_comer_begins_with_the_next_turn_of_his_room(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    for _ in range(2):
        club_game.begin_turn()
        club_game.close()
        club_game.place()
    club_game.begin_turn()
    live_game.announce("B")
    added = {
        name: add_players(
            event=club_game.event,
            players=[NewPlayer(None, f"Late {name}")],
            now=club_game.later(),
            room=live_game.room(name),
        )[0]
        for name in "ABC"
    }
    first = {name: Entry.objects.get(player=player).first_turn for name, player in added.items()}
    assert first == {"A": 4, "B": 2, "C": 1}


def test_a_room_that_is_added_in_the_middle_joins_the_script_where_it_is(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    club_game.draw()
    fourth = add(club_game, "D")
    assert next_turn_in(club_game.refresh(), fourth) is None
    assert next_starting_turn_number(club_game.game, fourth) == 2
    add_players(event=club_game.event, players=[NewPlayer(31, "New")], now=club_game.later(), room=fourth)
    due = next_turn_in(club_game.game, fourth)
    assert due is not None
    assert due.number == 2
    live_game.play("B")
    live_game.play("C")
    assert is_complete(club_game.game.turns.get(number=1))


def test_nobody_waits_for_a_room_whose_players_have_left(live_game: RoomsGame) -> None:
    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    live_game.announce("B")
    for name in "AB":
        live_game.close(name)
    assert not is_complete(club_game.turn)
    assert rooms.withdraw_room(room=live_game.room("C"), by=club_game.judge, now=club_game.later()) == 4
    assert is_complete(club_game.turn)
    with pytest.raises(Refused, match="drawing room stays"):
        rooms.withdraw_room(room=club_game.room, by=club_game.judge, now=club_game.later())


def test_a_phone_is_asked_for_its_room_only_where_there_are_several(club_game: ClubGame) -> None:
    joined = players.join_event(event=club_game.event, name="Elena", table=None, now=club_game.later(), token="t1")
    assert joined.player.room == club_game.room
    upstairs = add(club_game, "Upstairs")
    with pytest.raises(Refused, match="Choose the room"):
        players.join_event(event=club_game.event, name="Fulvia", table=None, now=club_game.later(), token="t2")
    joined = players.join_event(
        event=club_game.event, name="Fulvia", table=None, now=club_game.later(), token="t2", room=upstairs
    )
    assert joined.player.room == upstairs
    again = players.join_event(event=club_game.event, name="Elena", table=None, now=club_game.later(), token="t3")
    assert again.player.room == club_game.room
    with pytest.raises(Refused, match="is in the room “Hall”"):
        players.join_event(
            event=club_game.event, name="Elena", table=None, now=club_game.later(), token="t4", room=upstairs
        )


def test_a_list_of_players_has_a_column_for_the_room(club_game: ClubGame) -> None:
    upstairs = add(club_game, "Aula 2")
    parsed = parse_players("tavolo;nome;sala\n31;Elena;aula 2\n32;Fulvia;\n")
    added = add_players(event=club_game.event, players=parsed.players, now=club_game.later())
    assert [player.room for player in added] == [upstairs, club_game.room]
    unknown = parse_players("table,name,room\n33,Gino,Attic\n").players
    with pytest.raises(Refused, match="no room “Attic”"):
        add_players(event=club_game.event, players=unknown, now=club_game.later())
    assert not Player.objects.filter(table=33).exists()


def test_an_event_that_begins_with_such_a_list_has_its_rooms(judge: User) -> None:
    listed = parse_players("table,name,room\n1,Anna,Torino\n2,Bruno,Milano\n3,Carla,torino\n").players
    game = events.create_event(
        events.NewEvent(
            name="Multiplex",
            date=date(2026, 3, 6),
            place="",
            language="en",
            edition="it",
            profile="it-box",
            draw_mode="seeded",
        ),
        players=listed,
        by=judge,
        now=START_TIME,
        seed=SEED,
    )
    event = Event.objects.get(pk=game.event_id)
    assert [(room.name, room.number) for room in event.rooms.all()] == [("Torino", 1), ("Milano", 2)]
    assert [player.room.name for player in event.players.all()] == ["Torino", "Milano", "Torino"]


def test_paper_is_typed_at_the_desk_of_its_room_for_the_turn_that_is_played_there(live_game: RoomsGame) -> None:
    from tournaments.play.services import slips

    club_game = live_game.club_game
    club_game.begin_turn(RACK)
    club_game.close()
    club_game.place()
    club_game.begin_turn()
    live_game.announce("B")
    with pytest.raises(Refused, match="type its slips at the desk of that room"):
        slips.submit_paper_line(
            game=club_game.refresh(),
            line="11 8H CARTE 18",
            now=club_game.later(),
            by=club_game.judge,
            room=club_game.room,
        )
    slips.submit_paper_line(
        game=club_game.refresh(),
        line="11 8H CARTE 18",
        now=club_game.later(),
        by=club_game.judge,
        room=live_game.room("B"),
    )
    assert club_game.player(11).slips.get().turn.number == 1
