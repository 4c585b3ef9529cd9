"""Lists of players as clubs have them: a spreadsheet's CSV, lines out of a mail, with and without a header."""

from __future__ import annotations

import pytest

from tournaments.players.services.players import NewPlayer, parse_players
from tournaments.validators import MOST_PLAYERS

ANNA = NewPlayer(12, "Anna Rossi", "Torino")


@pytest.mark.parametrize(
    "text",
    [
        "12,Anna Rossi,Torino",
        "12;Anna Rossi;Torino",
        "12\tAnna Rossi\tTorino",
        "12 Anna Rossi, Torino",
        "12. Anna Rossi, Torino",
        "table,name,club\n12,Anna Rossi,Torino",
        "Nome;Circolo;Tavolo\nAnna Rossi;Torino;12",
        "\ufeffTavolo;Nome;Circolo;Serie\r\n12;Anna Rossi;Torino;\r\n",
        '\n\n12,"Anna Rossi","Torino"\n\n',
        "  12 ,  Anna   Rossi , Torino ",
    ],
)
def test_a_player_is_read_from_every_usual_form(text: str) -> None:
    parsed = parse_players(text)
    assert (parsed.players, parsed.errors) == ([ANNA], [])


WHOLE = NewPlayer(12, "Anna Rossi", "Torino", "A", "senior", "ITA", "I Rossi")


@pytest.mark.parametrize(
    "text",
    [
        "12,Anna Rossi,Torino,A,senior,ITA,I Rossi",
        "12 Anna Rossi, Torino, A, senior, ITA, I Rossi",
        "Table;Name;Club;Series;Age class;Country;Team\n12;Anna Rossi;Torino;A;senior;ITA;I Rossi",
        "Squadra;Nazione;Categoria;Classe di età;Circolo;Giocatore;Tavolo\nI Rossi;ITA;A;senior;Torino;Anna Rossi;12",
        "TEAM\tNAT\tSerie\tAGE\tCittà\tNome e cognome\tNote\tTav.\nI Rossi\tITA\tA\tsenior\tTorino\tAnna Rossi\tok\t12",
    ],
)
def test_series_age_class_country_and_team_are_read_too(text: str) -> None:
    parsed = parse_players(text)
    assert (parsed.players, parsed.errors) == ([WHOLE], [])


def test_a_field_that_is_too_long_is_an_error_of_its_line() -> None:
    parsed = parse_players(f"1;Anna;;;{'x' * 51}\n2;Bruno;;;;{'y' * 51}\n3;Carla;;;;;{'z' * 201}\n4;Dario")
    assert [player.table for player in parsed.players] == [4]
    assert [error.sentence.split("”")[0] for error in parsed.errors] == [
        "The field “age class",
        "The field “country",
        "The field “team",
    ]


def test_tables_may_be_missing_and_commas_stand_in_quotes() -> None:
    parsed = parse_players('Anna Rossi, Torino\n,Bruno Verdi,Asti\n"Neri, Carla",Milano,B')
    assert parsed.players == [
        NewPlayer(None, "Anna Rossi", "Torino"),
        NewPlayer(None, "Bruno Verdi", "Asti"),
        NewPlayer(None, "Neri, Carla", "Milano", "B"),
    ]


def test_each_bad_line_is_named_and_the_good_ones_stay() -> None:
    parsed = parse_players(
        "table;name;club\n"
        "1;Anna;Torino\n"
        "0;Bruno;Torino\n"
        "-3;Carla;Torino\n"
        "1;Dario;Torino\n"
        "5;;Torino\n"
        "x;Elio;Torino\n"
        "6;anna;TORINO\n"
        "7;Anna;Milano\n"
        f"8;{'F' * 201};Torino\n"
        "999999999999999999999999;Gino;Torino\n"
    )
    assert [player.table for player in parsed.players] == [1, 7]
    assert [error.line for error in parsed.errors] == [3, 4, 5, 6, 7, 8, 10, 11]
    sentences = {error.line: error.sentence for error in parsed.errors}
    assert sentences[5] == "Table 1 is there twice; it is in line 2 already."
    assert sentences[6] == "Give the player a name."
    assert sentences[7] == "“x” is not the number of a table."
    assert sentences[8] == "anna is there twice; the name is in line 2 already."
    assert sentences[3] == "Tables are numbered from 1 on."
    assert all(len(error.text) <= 80 for error in parsed.errors)


def test_more_players_than_a_hall_holds_are_refused_line_by_line() -> None:
    parsed = parse_players("\n".join(f"{n},Player {n}" for n in range(1, MOST_PLAYERS + 3)))
    assert len(parsed.players) == MOST_PLAYERS
    assert [error.line for error in parsed.errors] == [MOST_PLAYERS + 1, MOST_PLAYERS + 2]


@pytest.mark.parametrize("text", ["", "\n \n", "\x00", ",,,"])
def test_nothing_is_no_player_and_no_error(text: str) -> None:
    parsed = parse_players(text)
    assert (parsed.players, parsed.errors) == ([], [])


def test_signs_that_a_database_cannot_hold_are_dropped() -> None:
    assert parse_players("3,An\x00na\x07\ud800,To\u2028rino").players[0].name == "Anna"
