"""Rooms are added, renamed and removed; players sit in one of them and may change before they have played."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib.auth.models import User

from tests.tournaments.hall_of_rooms import Evening, three_rooms
from tests.tournaments.night import EVENING, SEED, Night
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, Event, LedgerEntry, Player, Room
from tournaments.selectors.events import desk_of, read_desk, room_by_wall_token, wall_token_of
from tournaments.selectors.phases import is_complete, next_start, next_turn_in
from tournaments.services import events, players, rooms
from tournaments.services.players import NewPlayer, add_players, parse_players

RACK = "ACEIRST"


@pytest.fixture
def evening(judge: User) -> Evening:
    return three_rooms(judge)


def add(night: Night, name: str, offset_s: int | None = None) -> Room:
    return rooms.add_room(event=night.event, name=name, offset_s=offset_s, by=night.judge, now=night.later())


def test_a_new_room_follows_the_first_with_a_wall_of_its_own(night: Night) -> None:
    upstairs = add(night, " Aula  2 ", 90)
    assert (upstairs.number, upstairs.name, upstairs.offset_s, upstairs.is_drawing) == (2, "Aula 2", 90, False)
    assert (night.room.number, night.room.is_drawing) == (1, True)
    assert len(wall_token_of(upstairs)) > 40
    assert room_by_wall_token(wall_token_of(upstairs)) == upstairs
    assert (wall_token_of(night.room), room_by_wall_token(night.event.wall_token)) == (
        night.event.wall_token,
        night.room,
    )
    entry = LedgerEntry.objects.filter(kind="room").get()
    assert entry.data == {"room": 2, "name": "Aula 2", "offset_s": 90, "act": "add"}


def test_addresses_of_desks_tell_the_room_and_an_old_address_the_drawing_room(night: Night) -> None:
    upstairs = add(night, "Upstairs")
    code = night.event.code
    assert (desk_of(night.event, night.room), desk_of(night.event, upstairs)) == (code, f"{code}-2")
    assert (read_desk(code.lower()), read_desk(f"{code}-2")) == ((code, 1), (code, 2))
    assert read_desk("A-B") == ("A-B", 1)


@pytest.mark.parametrize(("name", "offset"), [("", None), ("hall", None), ("B", -1), ("B", 100_000)])
def test_a_room_without_a_name_of_its_own_or_with_an_endless_offset_is_refused(
    night: Night, name: str, offset: int | None
) -> None:
    with pytest.raises(Refused):
        add(night, name, offset)
    assert Room.objects.count() == 1


def test_a_room_is_renamed_and_the_drawing_room_follows_nobody(night: Night) -> None:
    upstairs = add(night, "Upstairs", 60)
    rooms.change_room(room=upstairs, name="Attic", offset_s=None, by=night.judge, now=night.later())
    rooms.change_room(room=night.room, name="Cellar", offset_s=30, by=night.judge, now=night.later())
    assert list(Room.objects.values_list("name", "offset_s")) == [("Cellar", None), ("Attic", None)]
    with pytest.raises(Refused, match="already"):
        rooms.change_room(room=upstairs, name="cellar", offset_s=None, by=night.judge, now=night.later())


def test_only_an_empty_room_that_draws_nothing_is_removed(evening: Evening) -> None:
    night = evening.night
    empty = add(night, "Empty")
    rooms.remove_room(room=empty, by=night.judge, now=night.later())
    for name, why in (("A", "drawing room"), ("B", "sits in the room")):
        with pytest.raises(Refused, match=why):
            rooms.remove_room(room=evening.room(name), by=night.judge, now=night.later())
    assert [room.name for room in Room.objects.all()] == ["Hall", "B", "C"]


def test_a_player_moves_before_his_first_slip_and_not_after_it(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    moved = night.player(2)
    rooms.move_player(player=moved, room=evening.room("B"), by=night.judge, now=night.later())
    entry = Entry.objects.get(player=moved)
    assert (moved.room, entry.room, entry.first_turn) == (evening.room("B"), evening.room("B"), 1)
    with pytest.raises(AlreadyDone):
        rooms.move_player(player=moved, room=evening.room("B"), by=night.judge, now=night.later())
    evening.phone(1, "CARTE", "8H", 18)
    with pytest.raises(Refused, match="changes rooms before the next one"):
        rooms.move_player(player=night.player(1), room=evening.room("B"), by=night.judge, now=night.later())


def test_who_moves_after_a_turn_was_judged_has_no_verdict_in_it_any_more(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    night.close()
    late = night.player(2)
    assert late.verdicts.count() == 1
    rooms.move_player(player=late, room=evening.room("B"), by=night.judge, now=night.later())
    assert late.verdicts.count() == 0
    evening.announce("B")
    evening.close("B")
    assert night.verdict(2).reason == "no_slip"


def test_a_late_comer_begins_with_the_next_turn_of_his_room(evening: Evening) -> None:
    night = evening.night
    for _ in range(2):
        night.begin_turn()
        night.close()
        night.place()
    night.begin_turn()
    evening.announce("B")
    added = {
        name: add_players(
            event=night.event, players=[NewPlayer(None, f"Late {name}")], now=night.later(), room=evening.room(name)
        )[0]
        for name in "ABC"
    }
    first = {name: Entry.objects.get(player=player).first_turn for name, player in added.items()}
    assert first == {"A": 4, "B": 2, "C": 1}


def test_a_room_that_is_added_in_the_middle_joins_the_script_where_it_is(evening: Evening) -> None:
    night = evening.night
    night.begin_turn()
    night.close()
    night.place()
    night.draw()
    fourth = add(night, "D")
    assert next_turn_in(night.refresh(), fourth) is None
    assert next_start(night.game, fourth) == 2
    add_players(event=night.event, players=[NewPlayer(31, "New")], now=night.later(), room=fourth)
    due = next_turn_in(night.game, fourth)
    assert due is not None
    assert due.number == 2
    evening.play("B")
    evening.play("C")
    assert is_complete(night.game.turns.get(number=1))


def test_nobody_waits_for_a_room_whose_players_have_left(evening: Evening) -> None:
    night = evening.night
    night.begin_turn(RACK)
    evening.announce("B")
    for name in "AB":
        evening.close(name)
    assert not is_complete(night.turn)
    assert rooms.withdraw(room=evening.room("C"), by=night.judge, now=night.later()) == 4
    assert is_complete(night.turn)
    with pytest.raises(Refused, match="drawing room stays"):
        rooms.withdraw(room=night.room, by=night.judge, now=night.later())


def test_a_phone_is_asked_for_its_room_only_where_there_are_several(night: Night) -> None:
    joined = players.join(event=night.event, name="Elena", table=None, now=night.later(), token="t1")
    assert joined.player.room == night.room
    upstairs = add(night, "Upstairs")
    with pytest.raises(Refused, match="Choose the room"):
        players.join(event=night.event, name="Fulvia", table=None, now=night.later(), token="t2")
    joined = players.join(event=night.event, name="Fulvia", table=None, now=night.later(), token="t2", room=upstairs)
    assert joined.player.room == upstairs
    again = players.join(event=night.event, name="Elena", table=None, now=night.later(), token="t3")
    assert again.player.room == night.room
    with pytest.raises(Refused, match="is in the room “Hall”"):
        players.join(event=night.event, name="Elena", table=None, now=night.later(), token="t4", room=upstairs)


def test_a_list_of_players_has_a_column_for_the_room(night: Night) -> None:
    upstairs = add(night, "Aula 2")
    parsed = parse_players("tavolo;nome;sala\n31;Elena;aula 2\n32;Fulvia;\n")
    added = add_players(event=night.event, players=parsed.players, now=night.later())
    assert [player.room for player in added] == [upstairs, night.room]
    unknown = parse_players("table,name,room\n33,Gino,Attic\n").players
    with pytest.raises(Refused, match="no room “Attic”"):
        add_players(event=night.event, players=unknown, now=night.later())
    assert not Player.objects.filter(table=33).exists()


def test_an_event_that_begins_with_such_a_list_has_its_rooms(judge: User) -> None:
    listed = parse_players("table,name,room\n1,Anna,Torino\n2,Bruno,Milano\n3,Carla,torino\n").players
    game = events.create_event(
        name="Multiplex",
        date=date(2026, 3, 6),
        place="",
        language="en",
        edition="it",
        profile="it-box",
        switches=None,
        draw_mode="seeded",
        players=listed,
        by=judge,
        now=EVENING,
        seed=SEED,
    )
    event = Event.objects.get(pk=game.event_id)
    assert [(room.name, room.number) for room in event.rooms.all()] == [("Torino", 1), ("Milano", 2)]
    assert [player.room.name for player in event.players.all()] == ["Torino", "Milano", "Torino"]


def test_paper_is_typed_at_the_desk_of_its_room_for_the_turn_that_is_played_there(evening: Evening) -> None:
    from tournaments.services import slips

    night = evening.night
    night.begin_turn(RACK)
    night.close()
    night.place()
    night.begin_turn()
    evening.announce("B")
    with pytest.raises(Refused, match="type its slips at the desk of that room"):
        slips.enter_paper(
            game=night.refresh(), line="11 8H CARTE 18", now=night.later(), by=night.judge, room=night.room
        )
    slips.enter_paper(
        game=night.refresh(), line="11 8H CARTE 18", now=night.later(), by=night.judge, room=evening.room("B")
    )
    assert night.player(11).slips.get().turn.number == 1
