"""Tables are given anew or changed by hand, as long as nothing in the results stands under them."""

from __future__ import annotations

import pytest

from tests.tournaments.night import Night
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import LedgerEntry, Player
from tournaments.selectors.archive import export_game
from tournaments.selectors.table_plan import may_assign, table_plan
from tournaments.services import arrivals, players, rooms, tables
from tournaments.services.players import NewPlayer

pytestmark = pytest.mark.django_db


def assign(night: Night, order: str = "list", first: int = 1, *, here_first: bool = False, seed: int = 1) -> int:
    return tables.assign(
        event=night.event,
        order=order,
        first_table=first,
        here_first=here_first,
        seed=seed,
        by=night.judge,
        now=night.later(),
    )


def swap(night: Night, table: int, other: int) -> Player:
    return tables.swap(event=night.event, table=table, other=other, by=night.judge, now=night.later())


def seats(night: Night) -> dict[int, str]:
    return dict(Player.objects.filter(event=night.event).values_list("table", "name"))


def test_as_listed_the_tables_are_numbered_without_gaps(night: Night) -> None:
    assert assign(night, first=5) == 4
    assert seats(night) == {5: "Anna Rossi", 6: "Bruno Verdi", 7: "Carla Neri", 8: "Dario Bianchi"}
    entry = LedgerEntry.objects.latest("n")
    assert (entry.kind, entry.data["moved"]) == ("tables", [[1, 5], [2, 6], [3, 7], [17, 8]])


def test_who_has_a_table_of_somebody_else_gets_it_without_a_collision(night: Night) -> None:
    assert assign(night, "list", 2) == 4
    assert list(seats(night)) == [2, 3, 4, 5]


def test_members_of_a_club_are_spread(night: Night) -> None:
    """Anna and Bruno, of Torino, sat side by side."""
    [before] = table_plan(night.event, 10)
    assert before.neighbours == 1
    assign(night, "spread")
    [after] = table_plan(night.event, 10)
    assert after.neighbours == 0
    assert sorted(seats(night)) == [1, 2, 3, 4]


def test_who_is_here_may_sit_in_front(night: Night) -> None:
    arrivals.mark_here(player=night.player(17), by=night.judge, now=night.later())
    assign(night, "list", here_first=True)
    assert seats(night)[1] == "Dario Bianchi"


def test_rooms_have_their_tables_one_after_the_other(night: Night) -> None:
    up = rooms.add_room(event=night.event, name="Upstairs", offset_s=None, by=night.judge, now=night.later())
    rooms.move_player(player=night.player(1), room=up, by=night.judge, now=night.later())
    assign(night, "list")
    assert seats(night) == {1: "Bruno Verdi", 2: "Carla Neri", 3: "Dario Bianchi", 4: "Anna Rossi"}


def test_nobody_gets_another_table_once_a_turn_was_played(night: Night) -> None:
    night.begin_turn("ACEIRST")
    assert may_assign(night.event)
    night.phone(1, "CARTE", "8H", 18)
    assert not may_assign(night.event)
    with pytest.raises(Refused, match="everybody stays at his table"):
        assign(night)
    with pytest.raises(Refused, match="Table 1, Anna Rossi, has played a turn already"):
        swap(night, 2, 1)
    assert swap(night, 2, 3).table == 3
    night.close()
    with pytest.raises(Refused, match="Table 2, Carla Neri, has played a turn already"):
        swap(night, 2, 3)


def test_two_change_places_and_a_free_table_is_taken(night: Night) -> None:
    assert swap(night, 1, 17).name == "Anna Rossi"
    assert seats(night) == {1: "Dario Bianchi", 2: "Bruno Verdi", 3: "Carla Neri", 17: "Anna Rossi"}
    swap(night, 17, 4)
    assert seats(night)[4] == "Anna Rossi"
    with pytest.raises(AlreadyDone):
        swap(night, 4, 4)
    with pytest.raises(Refused, match="no table 99"):
        swap(night, 99, 1)
    with pytest.raises(Refused, match="numbered from 1"):
        swap(night, 4, 0)


def test_a_phone_keeps_its_player_wherever_he_sits(night: Night) -> None:
    joined = players.join(event=night.event, name="", table=1, now=night.later(), token="phone")
    assign(night, "spread", 40)
    assert Player.objects.get(pk=joined.player.pk).token_hash
    night.begin_turn("ACEIRST")
    archive = export_game(night.refresh())
    assert sorted(player["table"] for player in archive["players"]) == [40, 41, 42, 43]


@pytest.mark.parametrize(("order", "first", "sentence"), [("height", 1, "choose one"), ("list", 99_998, "too high")])
def test_what_cannot_be_is_refused_and_everybody_keeps_his_table(
    night: Night, order: str, first: int, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        assign(night, order, first)
    assert list(seats(night)) == [1, 2, 3, 17]


def test_many_take_their_places_at_once(night: Night) -> None:
    new = [NewPlayer(None, f"Player {number}", f"Club {number % 7}") for number in range(1200)]
    players.add_players(event=night.event, players=new, now=night.later())
    assign(night, "spread", 2)
    assert sorted(seats(night)) == list(range(2, 1206))
    [plan] = table_plan(night.event, 20)
    assert plan.neighbours == 0
