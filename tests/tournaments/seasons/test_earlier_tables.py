"""Evenings are read from the spreadsheets that clubs have; what cannot be read is named with its cell."""

from __future__ import annotations

from datetime import date
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tournaments.players.cell_tables import CellRow, CellSheet, read_sheets
from tournaments.seasons.dates_in_text import find_date
from tournaments.seasons.earlier_tables import EarlierTables, NamedSheet, parse_earlier_sheets


def read(text: str, name: str = "file.csv", first_year: int | None = None) -> EarlierTables:
    sheets = [NamedSheet(name, sheet) for sheet in read_sheets(text.encode())]
    return parse_earlier_sheets(sheets, first_year=first_year)


def test_a_table_with_a_column_for_each_evening() -> None:
    tables = read(
        "Giocatore;Circolo;03/10/2024;Torneo di Natale 12.12.24;Totale\n"
        "Rossi Anna;Torino;812;700;1512\n"
        "Bruno Verdi;Torino;;640;640\n"
        "Carla Neri;;1.024;700;1724\n"
        "\n"
        ";;1836;2040;3876\n"
    )
    assert not tables.errors
    assert [heading.field for heading in tables.headings] == ["name", "club", "evening", "evening", ""]
    first, second = tables.evenings
    assert (first.date, second.date, second.name) == (date(2024, 10, 3), date(2024, 12, 12), "Torneo di Natale")
    assert [(each.name, each.points, each.rank) for each in first.results] == [
        ("Rossi Anna", 812, 2),
        ("Carla Neri", 1024, 1),
    ]
    assert [each.rank for each in second.results] == [1, 3, 1]


def test_a_sheet_for_each_evening_with_licences_ranks_and_percents() -> None:
    book = Workbook()
    one = book.active
    assert one is not None
    one.title = "3 ottobre 2024"
    for row in (
        ("Pos.", "Cognome", "Nome", "Tessera", "Punti", "%"),
        (1, "Rossi", "Anna", "L7", 812, 81.2),
        (2, "De Luca", "Ugo", None, 735, 73.5),
        ("squalificato", "Neri", "Carla", None, 701, 70.1),
    ):
        one.append(row)
    two = book.create_sheet("Foglio2")
    for cells in (("Serata", date(2024, 10, 10)), ("Nome", "Punti", "Top"), ("Anna Rossi", 900, 950)):
        two.append(cells)
    written = BytesIO()
    book.save(written)
    sheets = [NamedSheet("anno.xlsx", sheet) for sheet in read_sheets(written.getvalue())]
    tables = parse_earlier_sheets(sheets)
    assert not tables.errors
    first, second = tables.evenings
    assert (first.date, first.tops) == (date(2024, 10, 3), 1000)
    assert [(each.name, each.surname, each.licence, each.rank) for each in first.results] == [
        ("Anna Rossi", "Rossi", "L7", 1),
        ("Ugo De Luca", "De Luca", "", 2),
        ("Carla Neri", "Neri", "", None),
    ]
    assert (second.date, second.tops, second.results[0].rank) == (date(2024, 10, 10), 950, 1)


@pytest.mark.parametrize(
    ("text", "cell", "words"),
    [
        ("Nome;3/10/2024\nAnna;8l2\n", "B2", "whole number"),
        ("Nome;Punti\nAnna;81.5\n", "B2", "whole number"),
        ("Nome;Punti;Pos.\nAnna;81;first\n", "C2", "rank is a whole number"),
        ("Nome;Punti;%\nAnna;812;81,2\nUgo;400;81,2\n", "C2", "no common sum of tops"),
        ("Nome;Punti;Top\nAnna;812;900\nUgo;400;901\n", "C2", "same for all players"),
        ("Nome;Circolo\nAnna;Torino\n", "A1", "No column holds points"),
        ("812;900\n", "A1", "Headings are missing"),
        ("Nome;Punti;Totale\nAnna;1;2\n", "", ""),
    ],
)
def test_a_cell_that_cannot_be_used_is_named(text: str, cell: str, words: str) -> None:
    tables = read(text)
    if not cell:
        assert [heading.field for heading in tables.headings] == ["name", "points", ""]
        return
    assert [error.cell for error in tables.errors] == [cell]
    assert words in tables.errors[0].sentence
    assert not tables.evenings


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("2024-10-03 Serata", date(2024, 10, 3), "Serata"),
        ("3.10.24", date(2024, 10, 3), ""),
        ("Serata del 3 ottobre 2024", date(2024, 10, 3), "Serata del"),
        ("1 déc. 2023", date(2023, 12, 1), ""),
        ("12 de març de 2023", date(2023, 3, 12), ""),
        ("3/10", date(2024, 10, 3), ""),
        ("14 feb", date(2025, 2, 14), ""),
        ("30.2.2024", None, ""),
    ],
)
def test_dates_are_found_in_headings(text: str, day: date | None, rest: str) -> None:
    found = find_date(text, 2024)
    assert found is not None
    assert (found.day, found.rest) == (day, rest)


def test_a_number_of_points_is_no_date() -> None:
    assert find_date("Total 812") is None
    assert find_date("Giornata 3") is None
    undated = find_date("3/10")
    assert undated is not None
    assert undated.day is None


@given(st.lists(st.lists(st.text(max_size=12), max_size=5), max_size=6), st.integers(0, 5))
def test_no_table_makes_the_reader_fail(rows: list[list[str]], header: int) -> None:
    rows.insert(min(header, len(rows)), ["Name", "Points", "3.10.2024"])
    cells = [CellRow(number, row) for number, row in enumerate(rows, 1) if row]
    tables = parse_earlier_sheets([NamedSheet("file.csv", CellSheet("", cells))])
    assert tables.errors or all(each.results for each in tables.evenings)
