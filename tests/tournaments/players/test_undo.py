"""A removal and a change of tables are undone within ten minutes, as if nothing had happened."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.tournaments.club_game import ClubGame
from tests.tournaments.players.test_anonymise import differences as verified
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, LedgerEntry, Membership, Player, ReversibleAct
from tournaments.players.queries.reversible_acts import list_undo_offers
from tournaments.players.services import players, reversible_acts, tables
from tournaments.players.services.players import NewPlayer, PlayerDetails
from tournaments.players.services.undo import undo_act
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


def undo(club_game: ClubGame) -> int:
    newest = ReversibleAct.objects.order_by("pk").last()
    assert newest is not None
    return undo_act(event=club_game.event, key=newest.pk, by=club_game.judge, now=club_game.later())


def remove(club_game: ClubGame, table: int) -> None:
    players.remove_player(player=club_game.player(table), now=club_game.later(), by=club_game.judge)


def archived(club_game: ClubGame) -> object:
    archive = export_game(club_game.refresh())
    assert not verified(club_game)
    return {name: archive[name] for name in ("players", "turns", "standings")}


def test_a_removed_player_is_back_with_phone_turns_and_points(club_game: ClubGame) -> None:
    players.rename_player(
        club_game.player(2), PlayerDetails(licence="L2", nickname="Bru"), now=club_game.later(), by=club_game.judge
    )
    players.join_event(event=club_game.event, name="", table=2, now=club_game.later(), token="phone")
    Membership.objects.filter(event=club_game.event).update(plays_as=club_game.player(2))
    club_game.begin_turn()
    club_game.phone(1, "CASA", "8H", 14)
    club_game.close()
    before, row = archived(club_game), Player.objects.filter(table=2).values().get()
    remove(club_game, 2)
    assert archived(club_game) != before
    [offer] = list_undo_offers(club_game.event, club_game.later(90))
    assert (offer.names, offer.minutes) == (["Bruno Verdi"], 9)
    assert undo(club_game) == 1
    assert archived(club_game) == before
    assert Player.objects.filter(table=2).values().get() == row
    assert Membership.objects.get(plays_as__table=2).user == club_game.judge
    entry = LedgerEntry.objects.get(kind="restored_players")
    assert LedgerEntry.objects.get(n=entry.data["undoes"]).kind == "remove"
    assert not ReversibleAct.objects.exists()


def test_a_table_that_somebody_else_has_is_not_given_back(club_game: ClubGame) -> None:
    remove(club_game, 2)
    players.add_players(event=club_game.event, players=[NewPlayer(2, "Elio")], now=club_game.later())
    with pytest.raises(Refused, match="Table 2 belongs to Elio now"):
        undo(club_game)
    assert Player.objects.filter(name="Bruno Verdi").count() == 0
    tables.swap_tables(event=club_game.event, table=2, other=9, by=club_game.judge, now=club_game.later())
    removal = ReversibleAct.objects.get(kind="removal")
    undo_act(event=club_game.event, key=removal.pk, by=club_game.judge, now=club_game.later())
    assert club_game.player(2).name == "Bruno Verdi"
    assert not verified(club_game)


def test_tables_go_back_until_a_turn_was_played_at_them(club_game: ClubGame) -> None:
    before = dict(Player.objects.values_list("name", "table"))
    tables.assign_tables(
        event=club_game.event,
        order="spread",
        first_table=10,
        here_first=False,
        seed=1,
        by=club_game.judge,
        now=club_game.later(),
    )
    assert undo(club_game) == 4
    assert dict(Player.objects.values_list("name", "table")) == before
    assert not verified(club_game)
    tables.swap_tables(event=club_game.event, table=1, other=2, by=club_game.judge, now=club_game.later())
    club_game.begin_turn()
    club_game.paper("1 8H CASA 14")
    with pytest.raises(Refused, match="has played a turn already"):
        undo(club_game)


def test_after_ten_minutes_nothing_is_undone_and_the_copy_is_gone(club_game: ClubGame) -> None:
    remove(club_game, 2)
    act = ReversibleAct.objects.get()
    late = act.at + timedelta(minutes=10)
    assert list_undo_offers(club_game.event, late) == []
    with pytest.raises(AlreadyDone):
        undo_act(event=club_game.event, key=act.pk, by=club_game.judge, now=late)
    reversible_acts.delete_expired(late)
    assert not ReversibleAct.objects.exists()
    assert Entry.objects.filter(player__table=2).count() == 0
