"""Players out of a file: every fault is told with its cell, and nobody is taken before all is right."""

from __future__ import annotations

import pytest

from tests.tournaments.club_game import ClubGame
from tests.tournaments.players.test_cell_tables import xlsx
from tournaments.players.cell_tables import read_cells
from tournaments.players.roster_changes import compare_roster
from tournaments.players.roster_table import PlayerSheet, parse_player_rows
from tournaments.players.roster_text import NewPlayer

pytestmark = pytest.mark.django_db


def told(sheet: PlayerSheet) -> list[str]:
    return [error.text for error in sheet.errors]


@pytest.mark.parametrize(
    "heading",
    [
        "Tavolo;Cognome e nome;Circolo;Serie;Fascia d'età;Nazione;Squadra;Soprannome;Sala",
        "Table;Name;Club;Series;Age class;Country;Team;Nickname;Room",
        "Table;Nom et prénom;Club;Série;Classe d’âge;Pays;Équipe;Surnom;Salle",
        "Mesa;Nombre;Ciudad;Categoría;Edad;País;Equipo;Apodo;Sala",
        "Taula;Nom;Club;Sèrie;Edat;País;Equip;Sobrenom;Sala",
        "Tisch;Name;Verein;Klasse;Altersklasse;Land;Mannschaft;Spitzname;Raum",
        "Masă;Nume;Club;Categorie;Vârstă;Țară;Echipă;Poreclă;Sală",
    ],
)
def test_headings_are_recognised_in_seven_languages(heading: str) -> None:
    sheet = parse_player_rows(read_cells(f"{heading}\n4;Anna;Torino;A;senior;ITA;Reds;Nan;Big\n".encode()))
    assert told(sheet) == []
    assert sheet.new_players == [NewPlayer(4, "Anna", "Torino", "A", "senior", "ITA", "Reds", "Nan", "Big")]


def test_columns_come_in_any_order_and_unknown_ones_are_passed_over() -> None:
    sheet = parse_player_rows(
        read_cells(xlsx(["Rank", "Club", "Name", "Total", "Table"], [1, "Torino", "Anna", 700, 4]))
    )
    assert sheet.new_players == [NewPlayer(4, "Anna", "Torino")]
    assert list(sheet.columns) == ["club", "name", "table"]


def test_without_headings_the_columns_are_those_of_a_pasted_list() -> None:
    assert parse_player_rows(read_cells(b"12 Anna Rossi, Torino\n13 Bruno, Ivrea\n")).new_players == [
        NewPlayer(12, "Anna Rossi", "Torino"),
        NewPlayer(13, "Bruno", "Ivrea"),
    ]
    assert parse_player_rows(read_cells(b"Anna;Torino\n")).new_players == [NewPlayer(None, "Anna", "Torino")]


def test_every_fault_is_told_with_its_cell(club_game: ClubGame) -> None:
    """Tables 1, 2, 3 and 17 are taken; Anna Rossi of Torino sits at table 1."""
    content = xlsx(
        ["Name", "Table", "Club", "Nickname", "Room"],
        ["Elio", 1],
        ["Fosca", "x"],
        ["", 30],
        ["Gino", 32],
        ["Ivo", 32],
        ["gino"],
        ["Lea", 34, "", "Bruno Verdi"],
        ["Mia", 35, "", "", "Cellar"],
        ["#REF!", 36],
        ["O" * 300, 37],
    )
    sheet = parse_player_rows(read_cells(content))
    assert told(sheet) == [
        "B3: “x” is not the number of a table.",
        "A4: Give the player a name.",
        "B6: Table 32 is there twice; it is in cell B5 already.",
        "A7: gino is there twice; the name is in cell A5 already.",
        "A10: The spreadsheet has an error here (#REF!): mend it there.",
        "A11: The field “name” has 300 characters; at most 200 fit.",
    ]
    assert [error.text for error in compare_roster(club_game.event, sheet, {}).errors] == [
        "B2: Table 1 is taken by Anna Rossi; choose another, or leave the cell empty.",
        "D8: Another player is called Bruno Verdi; choose another nickname.",
        "E9: There is no room “Cellar”: add it first, on the page of the players.",
    ]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("Nome", "Cognome"),
        ("First name", "Surname"),
        ("Name", "Last name"),
        ("Prénom", "Nom"),
        ("Nombre", "Apellidos"),
        ("Nom", "Cognoms"),
        ("Vorname", "Nachname"),
        ("Vorname", "Name"),
        ("Prenume", "Nume"),
    ],
)
def test_surname_and_first_name_are_columns_of_their_own(first: str, last: str) -> None:
    for heading, row in ((f"{first};{last}", "Juan;De la Cruz"), (f"{last};{first}", "De la Cruz;Juan")):
        sheet = parse_player_rows(read_cells(f"{heading};Licence\n{row};77-A\n".encode()))
        assert told(sheet) == []
        assert sheet.new_players == [NewPlayer(None, "Juan De la Cruz", surname="De la Cruz", licence="77-A")]


def test_unknown_columns_are_listed_and_may_be_assigned_or_ignored() -> None:
    rows = read_cells(b"Giocatore 1;Cosa;Nome\nRossi;AB12;Anna\n")
    sheet = parse_player_rows(rows)
    assert [(column.heading, column.sample, column.field) for column in sheet.headings] == [
        ("Giocatore 1", "Rossi", ""),
        ("Cosa", "AB12", ""),
        ("Nome", "Anna", "name"),
    ]
    assigned = parse_player_rows(rows, ["surname", "licence", "first_name"], has_header=True)
    assert assigned.new_players == [NewPlayer(None, "Anna Rossi", surname="Rossi", licence="AB12")]
    twice = parse_player_rows(rows, ["name", "name", ""], has_header=True)
    assert told(twice) == ["B1: Two columns are assigned to the same field: ignore one of them."]
    assert twice.columns == ["name", "name"]


def test_a_column_without_names_is_told() -> None:
    assert told(parse_player_rows(read_cells(b"7;\n"))) == ["B1: Give the player a name."]


def test_a_name_that_an_export_made_safe_is_read_as_it_was() -> None:
    [player] = parse_player_rows(read_cells(b"Name\n'=1+1\n")).new_players
    assert player.name == "=1+1"
    [player] = parse_player_rows(read_cells(b"Name\n'Ndrangheta FC\n")).new_players
    assert player.name == "'Ndrangheta FC"


def test_an_empty_file_has_no_players() -> None:
    assert parse_player_rows(read_cells(b"")).players == ()
