"""Tables are given anew or changed by hand, as long as nothing in the results stands under them."""

from __future__ import annotations

import pytest

from tests.tournaments.club_game import ClubGame
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.services import rooms
from tournaments.models import LedgerEntry, Player
from tournaments.players.queries.table_plan import may_assign, table_plan
from tournaments.players.services import check_in, players, tables
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


def assign(club_game: ClubGame, order: str = "list", first: int = 1, *, here_first: bool = False, seed: int = 1) -> int:
    return tables.assign_tables(
        event=club_game.event,
        order=order,
        first_table=first,
        here_first=here_first,
        seed=seed,
        by=club_game.judge,
        now=club_game.later(),
    )


def swap(club_game: ClubGame, table: int, other: int) -> Player:
    return tables.swap_tables(
        event=club_game.event, table=table, other=other, by=club_game.judge, now=club_game.later()
    )


def seats(club_game: ClubGame) -> dict[int, str]:
    return dict(Player.objects.filter(event=club_game.event).values_list("table", "name"))


def test_as_listed_the_tables_are_numbered_without_gaps(club_game: ClubGame) -> None:
    assert assign(club_game, first=5) == 4
    assert seats(club_game) == {5: "Anna Rossi", 6: "Bruno Verdi", 7: "Carla Neri", 8: "Dario Bianchi"}
    entry = LedgerEntry.objects.latest("n")
    assert (entry.kind, entry.data["moved"]) == ("tables", [[1, 5], [2, 6], [3, 7], [17, 8]])


def test_who_has_a_table_of_somebody_else_gets_it_without_a_collision(club_game: ClubGame) -> None:
    assert assign(club_game, "list", 2) == 4
    assert list(seats(club_game)) == [2, 3, 4, 5]


def test_members_of_a_club_are_spread(club_game: ClubGame) -> None:
    """Anna and Bruno, of Torino, sat side by side."""
    [before] = table_plan(club_game.event, 10)
    assert before.neighbours == 1
    assign(club_game, "spread")
    [after] = table_plan(club_game.event, 10)
    assert after.neighbours == 0
    assert sorted(seats(club_game)) == [1, 2, 3, 4]


def test_who_is_here_may_sit_in_front(club_game: ClubGame) -> None:
    check_in.mark_here(player=club_game.player(17), by=club_game.judge, now=club_game.later())
    assign(club_game, "list", here_first=True)
    assert seats(club_game)[1] == "Dario Bianchi"


def test_rooms_have_their_tables_one_after_the_other(club_game: ClubGame) -> None:
    up = rooms.add_room(
        event=club_game.event, name="Upstairs", offset_s=None, by=club_game.judge, now=club_game.later()
    )
    rooms.move_players(players=[club_game.player(1)], room=up, by=club_game.judge, now=club_game.later())
    assign(club_game, "list")
    assert seats(club_game) == {1: "Bruno Verdi", 2: "Carla Neri", 3: "Dario Bianchi", 4: "Anna Rossi"}


def test_nobody_gets_another_table_once_a_turn_was_played(club_game: ClubGame) -> None:
    club_game.begin_turn("ACEIRST")
    assert may_assign(club_game.event)
    club_game.phone(1, "CARTE", "8H", 18)
    assert not may_assign(club_game.event)
    with pytest.raises(Refused, match="everybody stays at their table"):
        assign(club_game)
    with pytest.raises(Refused, match="Table 1, Anna Rossi, has played a turn already"):
        swap(club_game, 2, 1)
    assert swap(club_game, 2, 3).table == 3
    club_game.close()
    with pytest.raises(Refused, match="Table 2, Carla Neri, has played a turn already"):
        swap(club_game, 2, 3)


def test_two_change_places_and_a_free_table_is_taken(club_game: ClubGame) -> None:
    assert swap(club_game, 1, 17).name == "Anna Rossi"
    assert seats(club_game) == {1: "Dario Bianchi", 2: "Bruno Verdi", 3: "Carla Neri", 17: "Anna Rossi"}
    swap(club_game, 17, 4)
    assert seats(club_game)[4] == "Anna Rossi"
    with pytest.raises(AlreadyDone):
        swap(club_game, 4, 4)
    with pytest.raises(Refused, match="no table 99"):
        swap(club_game, 99, 1)
    with pytest.raises(Refused, match="numbered from 1"):
        swap(club_game, 4, 0)


def test_a_phone_keeps_its_player_wherever_he_sits(club_game: ClubGame) -> None:
    joined = players.join_event(event=club_game.event, name="", table=1, now=club_game.later(), token="phone")
    assign(club_game, "spread", 40)
    assert Player.objects.get(pk=joined.player.pk).token_hash
    club_game.begin_turn("ACEIRST")
    archive = export_game(club_game.refresh())
    assert sorted(player["table"] for player in archive["players"]) == [40, 41, 42, 43]


@pytest.mark.parametrize(("order", "first", "sentence"), [("height", 1, "choose one"), ("list", 99_998, "too high")])
def test_what_cannot_be_is_refused_and_everybody_keeps_his_table(
    club_game: ClubGame, order: str, first: int, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        assign(club_game, order, first)
    assert list(seats(club_game)) == [1, 2, 3, 17]


def test_many_take_their_places_at_once(club_game: ClubGame) -> None:
    new = [NewPlayer(None, f"Player {number}", f"Club {number % 7}") for number in range(1200)]
    players.add_players(event=club_game.event, players=new, now=club_game.later())
    assign(club_game, "spread", 2)
    assert sorted(seats(club_game)) == list(range(2, 1206))
    [plan] = table_plan(club_game.event, 20)
    assert plan.neighbours == 0
