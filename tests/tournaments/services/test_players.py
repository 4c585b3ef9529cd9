"""Players come by list, by the desk or by their phone, before the game or in the middle of it."""

from __future__ import annotations

import hashlib

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.tournaments.night import Night, begin
from tournaments import signals
from tournaments.errors import Refused
from tournaments.models import Entry, LedgerEntry, Player, Verdict
from tournaments.sealed import seal_of
from tournaments.selectors.players import player_by_token
from tournaments.services import players, seats
from tournaments.services.players import Joined, NewPlayer

TOKEN, OTHER = "a" * 43, "b" * 43


def join(night: Night, name: str = "", table: int | None = None, token: str = TOKEN) -> Joined:
    return players.join(event=night.event, name=name, table=table, now=night.later(), token=token)


def first_turn(player: Player) -> int:
    return Entry.objects.get(player=player).first_turn


def add(night: Night, *new: NewPlayer) -> list[Player]:
    return players.add_players(event=night.event, players=new, now=night.later(), by=night.judge)


def test_players_without_a_table_get_the_lowest_free_ones(night: Night) -> None:
    added = add(night, NewPlayer(None, "Elio"), NewPlayer(5, "Fosca"), NewPlayer(None, "Gino"))
    assert [player.table for player in added] == [4, 5, 6]


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        (NewPlayer(17, "Elio"), "Table 17 is taken already; choose another."),
        (NewPlayer(0, "Elio"), "Tables are numbered from 1 on."),
        (NewPlayer(8, " "), "Give the player a name."),
        (NewPlayer(8, "anna rossi", "torino"), "anna rossi is in the list already, at table 1."),
        (NewPlayer(8, "E" * 300), "The field “name” has 300 signs; at most 200 fit."),
    ],
)
def test_a_player_who_cannot_be_is_refused_and_nobody_is_added(night: Night, new: NewPlayer, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        add(night, NewPlayer(9, "Fosca"), new)
    assert refused.value.sentence == sentence
    assert Player.objects.count() == 4


def test_a_player_is_in_the_turn_that_no_room_has_started(night: Night) -> None:
    assert first_turn(add(night, NewPlayer(4, "Elio"))[0]) == 1
    night.draw()
    assert first_turn(add(night, NewPlayer(5, "Fosca"))[0]) == 1
    night.announce()
    assert first_turn(add(night, NewPlayer(6, "Gino"))[0]) == 2
    night.close()
    night.place()
    assert first_turn(add(night, NewPlayer(7, "Ida"))[0]) == 2


def test_a_phone_finds_its_player_by_table_by_name_or_by_both(night: Night) -> None:
    assert join(night, table=3).player.name == "Carla Neri"
    assert join(night, "  carla   NERI ").player.table == 3
    assert join(night, "Carla Neri", 3).player.table == 3
    assert Player.objects.count() == 4


def test_a_table_is_not_given_to_another_name(night: Night) -> None:
    with pytest.raises(Refused) as refused:
        join(night, "Zeno", 3)
    assert refused.value.sentence == "Table 3 belongs to Carla Neri; check the number, or leave the name empty."


def test_an_unknown_table_or_name_makes_a_new_player(night: Night) -> None:
    assert join(night, "Zeno", 40).player.table == 40
    assert join(night, "Yole").player.table == 4
    nameless = join(night, table=41).player
    assert (nameless.table, nameless.name) == (41, "Table 41")
    assert first_turn(nameless) == 1


@pytest.mark.parametrize("table", [None, 40])
@pytest.mark.parametrize("name", ["Cаrla Neri", "CARLA NERl", "Vespa"])
def test_nobody_joins_under_a_name_that_looks_like_that_of_another_player(
    night: Night, name: str, table: int | None
) -> None:
    Player.objects.filter(table=1).update(nickname="Vеspa")
    with pytest.raises(Refused, match=r"The player at table \d has the same name, or one that looks the same"):
        join(night, name, table)
    assert Player.objects.count() == 4


def test_an_existing_name_at_another_table_is_refused_too(night: Night) -> None:
    with pytest.raises(Refused, match="ask the judge to add you"):
        join(night, "Carla Neri", 40)


def test_the_desk_takes_a_look_alike_only_of_another_club(night: Night) -> None:
    with pytest.raises(Refused, match="looks the same as Carla Neri in the list, at table 3"):
        add(night, NewPlayer(None, "Cаrla Neri", "Milano"))
    assert add(night, NewPlayer(None, "Cаrla Neri", "Asti"))[0].table == 4


def test_two_of_the_same_name_must_say_their_table(night: Night) -> None:
    add(night, NewPlayer(8, "Anna Rossi", "Asti"))
    with pytest.raises(Refused, match="several players of this name"):
        join(night, "Anna Rossi")
    assert join(night, "Anna Rossi", 8).player.club == "Asti"


def test_who_types_nothing_is_asked(night: Night) -> None:
    with pytest.raises(Refused, match="Type your name or the number of your table"):
        join(night, "   ")


def test_only_the_hash_of_the_token_is_stored(night: Night) -> None:
    player = join(night, table=3).player
    player.refresh_from_db()
    assert player.token_hash == hashlib.sha256(TOKEN.encode()).hexdigest()
    assert player_by_token(TOKEN) == player
    assert player_by_token("") is None


def test_the_newest_phone_wins_and_the_old_one_is_told(
    night: Night, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    told: list[int] = []

    def listener(player_id: int, **_: object) -> None:
        told.append(player_id)

    signals.phone_replaced.connect(listener)
    with django_capture_on_commit_callbacks(execute=True):
        assert join(night, table=3).replaced_phone is False
        assert join(night, table=3).replaced_phone is False
        assert join(night, table=3, token=OTHER).replaced_phone is True
    assert told == [night.player(3).pk]
    assert player_by_token(TOKEN) is None
    assert player_by_token(OTHER) == night.player(3)


def test_joining_by_phone_makes_no_noise_unless_the_player_is_new(night: Night) -> None:
    before = night.refresh().seq
    join(night, table=3)
    assert night.refresh().seq == before
    join(night, table=30)
    assert night.refresh().seq == before + 1


def test_a_player_is_renamed_and_the_ledger_tells_what_changed_without_a_name(night: Night) -> None:
    players.rename(player=night.player(1), name="Anna Bo", club="Asti", now=night.later(), by=night.judge)
    assert (night.player(1).name, night.player(1).club) == ("Anna Bo", "Asti")
    told = LedgerEntry.objects.get(kind="rename").data
    assert told == {"table": 1, "changed": ["name", "club"], "people": {"1": {"seal": seal_of(night.player(1))}}}


def test_series_and_the_like_are_changed_and_what_is_not_told_stays(night: Night) -> None:
    more = {"series": "A", "age_class": "senior", "country": "ITA", "team": "Reds"}
    players.rename(player=night.player(1), name="Anna Rossi", **more, now=night.later(), by=night.judge)
    players.rename(player=night.player(1), name="Anna Bo", country="", now=night.later(), by=night.judge)
    anna = night.player(1)
    assert (anna.club, anna.series, anna.age_class, anna.country, anna.team) == ("Torino", "A", "senior", "", "Reds")


def test_a_player_is_removed_only_without_slips(night: Night) -> None:
    night.begin_turn()
    night.phone(1, "CASA", "8H", 10)
    night.close()
    with pytest.raises(Refused, match="Anna Rossi has handed in slips"):
        players.remove(player=night.player(1), now=night.later(), by=night.judge)
    players.remove(player=night.player(2), now=night.later(), by=night.judge)
    assert set(Verdict.objects.values_list("player__table", flat=True)) == {1, 3, 17}


def test_nobody_new_comes_into_a_game_that_is_over(judge: User) -> None:
    night = begin(judge, switches={"max_turns": 1})
    night.begin_turn()
    night.close()
    night.place()
    assert night.draw() is None
    assert join(night, table=3).player.table == 3
    with pytest.raises(Refused, match="The game is over"):
        join(night, "Zeno")


def test_with_listed_players_only_no_phone_makes_a_new_player_and_the_others_join(night: Night) -> None:
    seats.set_listed_only(event=night.event, wanted=True, now=night.later(), by=night.judge)
    for table in (None, 40):
        admit = seats.doorman(event=night.event, code="", tokens=frozenset())
        with pytest.raises(Refused, match="Only players on the list can join"):
            players.join(event=night.event, name="Zeno", table=table, now=night.later(), token=TOKEN, admit=admit)
    admit = seats.doorman(event=night.event, code="", tokens=frozenset())
    joined = players.join(event=night.event, name="Carla Neri", table=None, now=night.later(), token=TOKEN, admit=admit)
    assert joined.player.table == 3
    add(night, NewPlayer(40, "Zeno"))
    assert join(night, "Zeno").player.table == 40


def test_invented_players_are_removed_together_and_nobody_else_is(night: Night) -> None:
    night.draw()
    night.announce()
    invented = [join(night, f"Invented {n}", token=f"{n:022}").player for n in range(5)]
    real = join(night, "Real", token="r" * 22).player
    seen = join(night, "Seen", token="s" * 22).player
    Player.objects.filter(pk=seen.pk).update(arrived_at=night.later())
    night.close()
    night.place()
    night.draw()
    night.announce()
    night.phone(real.table, "CARTE", "8H", 18)
    with pytest.raises(Refused, match="There are 5 such players now"):
        players.remove_unknown(event=night.event, expected=6, now=night.later(), by=night.judge)
    entries = LedgerEntry.objects.filter(kind="remove")
    assert not entries.exists()
    assert players.remove_unknown(event=night.event, expected=5, now=night.later(), by=night.judge) == 5
    assert sorted(entry.data["table"] for entry in entries) == sorted(player.table for player in invented)
    assert set(Player.objects.values_list("table", flat=True)) == {1, 2, 3, 17, real.table, seen.table}
    with pytest.raises(Refused):
        players.remove_unknown(event=night.event, expected=5, now=night.later(), by=night.judge)
