"""Players come by list, by the desk or by their phone, before the game or in the middle of it."""

from __future__ import annotations

import hashlib

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments import signals
from tournaments.errors import Refused
from tournaments.ledger.sealed_slips import seal_of
from tournaments.models import Entry, LedgerEntry, Player, Verdict
from tournaments.players.queries.players import player_by_token
from tournaments.players.services import players, seats
from tournaments.players.services.players import JoinResult, NewPlayer

TOKEN, OTHER = "a" * 43, "b" * 43


def join(club_game: ClubGame, name: str = "", table: int | None = None, token: str = TOKEN) -> JoinResult:
    return players.join_event(event=club_game.event, name=name, table=table, now=club_game.later(), token=token)


def first_turn(player: Player) -> int:
    return Entry.objects.get(player=player).first_turn


def add(club_game: ClubGame, *new: NewPlayer) -> list[Player]:
    return players.add_players(event=club_game.event, players=new, now=club_game.later(), by=club_game.judge)


def test_players_without_a_table_get_the_lowest_free_ones(club_game: ClubGame) -> None:
    added = add(club_game, NewPlayer(None, "Elio"), NewPlayer(5, "Fosca"), NewPlayer(None, "Gino"))
    assert [player.table for player in added] == [4, 5, 6]


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        (NewPlayer(17, "Elio"), "Table 17 is taken already; choose another."),
        (NewPlayer(0, "Elio"), "Tables are numbered from 1 on."),
        (NewPlayer(8, " "), "Give the player a name."),
        (
            NewPlayer(8, "anna rossi", "torino"),
            "anna rossi is in the list already, at table 1. If this is somebody else, choose “Add namesakes too”.",
        ),
        (NewPlayer(8, "E" * 300), "The field “name” has 300 characters; at most 200 fit."),
    ],
)
def test_a_player_who_cannot_be_is_refused_and_nobody_is_added(
    club_game: ClubGame, new: NewPlayer, sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        add(club_game, NewPlayer(9, "Fosca"), new)
    assert refused.value.sentence == sentence
    assert Player.objects.count() == 4


def test_a_player_is_in_the_turn_that_no_room_has_started(club_game: ClubGame) -> None:
    assert first_turn(add(club_game, NewPlayer(4, "Elio"))[0]) == 1
    club_game.draw()
    assert first_turn(add(club_game, NewPlayer(5, "Fosca"))[0]) == 1
    club_game.announce()
    assert first_turn(add(club_game, NewPlayer(6, "Gino"))[0]) == 2
    club_game.close()
    club_game.place()
    assert first_turn(add(club_game, NewPlayer(7, "Ida"))[0]) == 2


def test_a_phone_finds_its_player_by_table_by_name_or_by_both(club_game: ClubGame) -> None:
    assert join(club_game, table=3).player.name == "Carla Neri"
    assert join(club_game, "  carla   NERI ").player.table == 3
    assert join(club_game, "Carla Neri", 3).player.table == 3
    assert Player.objects.count() == 4


def test_a_table_is_not_given_to_another_name(club_game: ClubGame) -> None:
    with pytest.raises(Refused) as refused:
        join(club_game, "Zeno", 3)
    assert refused.value.sentence == "Table 3 belongs to Carla Neri; check the number, or leave the name empty."


def test_an_unknown_table_or_name_makes_a_new_player(club_game: ClubGame) -> None:
    assert join(club_game, "Zeno", 40).player.table == 40
    assert join(club_game, "Yole").player.table == 4
    nameless = join(club_game, table=41).player
    assert (nameless.table, nameless.name) == (41, "Table 41")
    assert first_turn(nameless) == 1


@pytest.mark.parametrize("table", [None, 40])
@pytest.mark.parametrize("name", ["Cаrla Neri", "CARLA NERl", "Vespa"])
def test_nobody_joins_under_a_name_that_looks_like_that_of_another_player(
    club_game: ClubGame, name: str, table: int | None
) -> None:
    Player.objects.filter(table=1).update(nickname="Vеspa")
    with pytest.raises(Refused, match=r"The player at table \d has the same name, or one that looks the same"):
        join(club_game, name, table)
    assert Player.objects.count() == 4


def test_an_existing_name_at_another_table_is_refused_too(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="ask the judge to add you"):
        join(club_game, "Carla Neri", 40)


def test_the_desk_takes_a_look_alike_only_of_another_club(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="looks like Carla Neri, who is in the list at table 3"):
        add(club_game, NewPlayer(None, "Cаrla Neri", "Milano"))
    assert add(club_game, NewPlayer(None, "Cаrla Neri", "Asti"))[0].table == 4


def test_two_of_the_same_name_must_say_their_table(club_game: ClubGame) -> None:
    add(club_game, NewPlayer(8, "Anna Rossi", "Asti"))
    with pytest.raises(Refused, match="several players of this name"):
        join(club_game, "Anna Rossi")
    assert join(club_game, "Anna Rossi", 8).player.club == "Asti"


def test_who_types_nothing_is_asked(club_game: ClubGame) -> None:
    with pytest.raises(Refused, match="Type your name or the number of your table"):
        join(club_game, "   ")


def test_only_the_hash_of_the_token_is_stored(club_game: ClubGame) -> None:
    player = join(club_game, table=3).player
    player.refresh_from_db()
    assert player.token_hash == hashlib.sha256(TOKEN.encode()).hexdigest()
    assert player_by_token(TOKEN) == player
    assert player_by_token("") is None


def test_the_newest_phone_wins_and_the_old_one_is_told(
    club_game: ClubGame, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    told: list[int] = []

    def listener(player_id: int, **_: object) -> None:
        told.append(player_id)

    signals.phone_replaced.connect(listener)
    with django_capture_on_commit_callbacks(execute=True):
        assert join(club_game, table=3).replaced_phone is False
        assert join(club_game, table=3).replaced_phone is False
        assert join(club_game, table=3, token=OTHER).replaced_phone is True
    assert told == [club_game.player(3).pk]
    assert player_by_token(TOKEN) is None
    assert player_by_token(OTHER) == club_game.player(3)


def test_joining_by_phone_makes_no_noise_unless_the_player_is_new(club_game: ClubGame) -> None:
    before = club_game.refresh().seq
    join(club_game, table=3)
    assert club_game.refresh().seq == before
    join(club_game, table=30)
    assert club_game.refresh().seq == before + 1


def test_a_player_is_renamed_and_the_ledger_tells_what_changed_without_a_name(club_game: ClubGame) -> None:
    players.rename_player(
        club_game.player(1),
        players.PlayerDetails(name="Anna Bo", club="Asti"),
        now=club_game.later(),
        by=club_game.judge,
    )
    assert (club_game.player(1).name, club_game.player(1).club) == ("Anna Bo", "Asti")
    told = LedgerEntry.objects.get(kind="rename").data
    assert told == {"table": 1, "changed": ["name", "club"], "people": {"1": {"seal": seal_of(club_game.player(1))}}}


def test_series_and_the_like_are_changed_and_what_is_not_told_stays(club_game: ClubGame) -> None:
    more = {"series": "A", "age_class": "senior", "country": "ITA", "team": "Reds"}
    players.rename_player(
        club_game.player(1), players.PlayerDetails(name="Anna Rossi", **more), now=club_game.later(), by=club_game.judge
    )
    players.rename_player(
        club_game.player(1),
        players.PlayerDetails(name="Anna Bo", country=""),
        now=club_game.later(),
        by=club_game.judge,
    )
    anna = club_game.player(1)
    assert (anna.club, anna.series, anna.age_class, anna.country, anna.team) == ("Torino", "A", "senior", "", "Reds")


def test_a_player_is_removed_only_without_slips(club_game: ClubGame) -> None:
    club_game.begin_turn()
    club_game.phone(1, "CASA", "8H", 10)
    club_game.close()
    with pytest.raises(Refused, match="Anna Rossi has handed in slips"):
        players.remove_player(player=club_game.player(1), now=club_game.later(), by=club_game.judge)
    players.remove_player(player=club_game.player(2), now=club_game.later(), by=club_game.judge)
    assert set(Verdict.objects.values_list("player__table", flat=True)) == {1, 3, 17}


def test_nobody_new_comes_into_a_game_that_is_over(judge: User) -> None:
    club_game = create_club_game(judge, switches={"max_turns": 1})
    club_game.begin_turn()
    club_game.close()
    club_game.place()
    assert club_game.draw() is None
    assert join(club_game, table=3).player.table == 3
    with pytest.raises(Refused, match="The game is over"):
        join(club_game, "Zeno")


def test_with_listed_players_only_no_phone_makes_a_new_player_and_the_others_join(club_game: ClubGame) -> None:
    seats.set_listed_only(event=club_game.event, wanted=True, now=club_game.later(), by=club_game.judge)
    for table in (None, 40):
        admit = seats.make_admission_check(event=club_game.event, code="", tokens=frozenset())
        with pytest.raises(Refused, match="Only players on the list can join"):
            players.join_event(
                event=club_game.event, name="Zeno", table=table, now=club_game.later(), token=TOKEN, admit=admit
            )
    admit = seats.make_admission_check(event=club_game.event, code="", tokens=frozenset())
    joined = players.join_event(
        event=club_game.event, name="Carla Neri", table=None, now=club_game.later(), token=TOKEN, admit=admit
    )
    assert joined.player.table == 3
    add(club_game, NewPlayer(40, "Zeno"))
    assert join(club_game, "Zeno").player.table == 40


def test_invented_players_are_removed_together_and_nobody_else_is(club_game: ClubGame) -> None:
    club_game.draw()
    club_game.announce()
    invented = [join(club_game, f"Invented {n}", token=f"{n:022}").player for n in range(5)]
    real = join(club_game, "Real", token="r" * 22).player
    seen = join(club_game, "Seen", token="s" * 22).player
    Player.objects.filter(pk=seen.pk).update(arrived_at=club_game.later())
    club_game.close()
    club_game.place()
    club_game.draw()
    club_game.announce()
    club_game.phone(real.table, "CARTE", "8H", 18)
    with pytest.raises(Refused, match="There are 5 such players now"):
        players.remove_unknown_players(event=club_game.event, expected=6, now=club_game.later(), by=club_game.judge)
    entries = LedgerEntry.objects.filter(kind="remove")
    assert not entries.exists()
    assert (
        players.remove_unknown_players(event=club_game.event, expected=5, now=club_game.later(), by=club_game.judge)
        == 5
    )
    assert sorted(entry.data["table"] for entry in entries) == sorted(player.table for player in invented)
    assert set(Player.objects.values_list("table", flat=True)) == {1, 2, 3, 17, real.table, seen.table}
    with pytest.raises(Refused):
        players.remove_unknown_players(event=club_game.event, expected=5, now=club_game.later(), by=club_game.judge)
