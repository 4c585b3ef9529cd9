"""A list that is imported again: differences first, then players are added and updated, and nobody is removed."""

from __future__ import annotations

import pytest

from tests.tournaments.club_game import ClubGame
from tests.tournaments.players.test_anonymise import differences as verified
from tournaments.errors import Refused
from tournaments.models import Player
from tournaments.players.cell_tables import read_cells
from tournaments.players.roster_changes import Answers, RosterChanges, compare_roster
from tournaments.players.roster_table import PlayerSheet, parse_player_rows
from tournaments.players.services.roster_import import import_roster

pytestmark = pytest.mark.django_db


def read(text: str) -> PlayerSheet:
    return parse_player_rows(read_cells(text.encode()), namesakes=True)


def compared(club_game: ClubGame, text: str, answers: Answers | None = None) -> RosterChanges:
    return compare_roster(club_game.event, read(text), answers or {})


def imported(club_game: ClubGame, text: str, answers: Answers | None = None) -> tuple[int, int]:
    shown = compared(club_game, text, answers).digest
    done = import_roster(
        event=club_game.event,
        sheet=read(text),
        answers=answers or {},
        shown=shown,
        by=club_game.judge,
        now=club_game.later(),
    )
    return done.added, done.changed


def differences(changes: RosterChanges) -> list[tuple[int, str, str, str]]:
    return [(one.player.table, each.field, each.old, each.new) for one in changes.changed for each in one.fields]


def test_a_list_is_compared_by_licence_then_by_name_and_club(club_game: ClubGame) -> None:
    """Anna Rossi, Torino, sits at table 1; Bruno Verdi at table 2; tables 3 and 17 are not in the file."""
    Player.objects.filter(table=2).update(licence="B7")
    text = (
        "Cognome;Nome;Circolo;Tessera;Serie;Tavolo\n"
        "ROSSI;Anna;Torino;A1;A;1\nBianchi;Bruno;;b7;;9\nEspósito;Elio;Asti;E5;;\n"
    )
    changes = compared(club_game, text)
    assert differences(changes) == [
        (1, "name", "Anna Rossi", "Anna ROSSI"),
        (1, "surname", "Rossi", "ROSSI"),
        (1, "licence", "", "A1"),
        (1, "series", "", "A"),
        (2, "name", "Bruno Verdi", "Bruno Bianchi"),
        (2, "surname", "Verdi", "Bianchi"),
        (2, "licence", "B7", "b7"),
    ]
    assert [change.elsewhere for change in changes.changed] == ["", "stays at table 2"]
    assert [each.player.name for each in changes.added] == ["Elio Espósito"]
    assert [player.table for player in changes.missing] == [3, 17]
    assert imported(club_game, text) == (1, 2)
    again = compared(club_game, text)
    assert (again.does_something, len(again.unchanged)) == (False, 3)
    assert Player.objects.count() == 5
    elio = Player.objects.get(licence="E5")
    assert (elio.surname, elio.first_name, elio.table) == ("Espósito", "Elio", 4)
    assert not verified(club_game)


def test_a_namesake_is_added_after_a_question(club_game: ClubGame) -> None:
    text = "Name,Club\nAnna Rossi,Roma\n"
    [question] = compared(club_game, text).questions
    assert [player.table for player in question.choices] == [1]
    with pytest.raises(Refused, match="look at the differences again"):
        imported(club_game, text)
    assert differences(compared(club_game, text, {2: "1"})) == [(1, "club", "Torino", "Roma")]
    assert imported(club_game, text, {2: "new"}) == (1, 0)
    twins = "Name,Club,Licence\nIda Po,Asti,1\nIda Po,Asti,2\n"
    assert [question.read.row for question in compared(club_game, twins).questions] == [3]
    assert imported(club_game, twins, {3: "new"}) == (2, 0)
    assert compared(club_game, twins, {}).is_ready
    assert Player.objects.filter(name="Ida Po").count() == 2


def test_what_was_not_shown_is_not_imported(club_game: ClubGame) -> None:
    text = "Name,Club,Series\nAnna Rossi,Torino,A\n"
    shown = compared(club_game, text).digest
    Player.objects.filter(table=1).update(series="B")
    with pytest.raises(Refused, match="look at the differences again"):
        import_roster(
            event=club_game.event,
            sheet=read(text),
            answers={},
            shown=shown,
            by=club_game.judge,
            now=club_game.later(),
        )
