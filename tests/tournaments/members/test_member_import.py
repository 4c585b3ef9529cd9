"""Import of lists of members: differences, updates, faults by cell, columns that are remembered."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.tournaments.players.test_cell_tables import xlsx
from tournaments.errors import Refused
from tournaments.members.member_changes import LEAVE_OUT, SOMEBODY_ELSE, Answers, MemberChanges, compare_members
from tournaments.members.member_fields import MEMBER_FIELDS
from tournaments.members.member_table import MemberSheet, parse_member_rows
from tournaments.members.queries.column_choices import get_column_choices
from tournaments.members.services.member_import import MemberImportResult, import_members
from tournaments.members.services.members import MemberDetails, create_member, details_of
from tournaments.members.services.merging import merge_members
from tournaments.models import ColumnChoice, Member, MemberAct
from tournaments.players.cell_tables import CellRow, read_cells

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 6, 20, 30, tzinfo=UTC)
TODAY = NOW.date()


def read(text: str | bytes, assigned: list[str] | None = None, *, has_header: bool | None = None) -> MemberSheet:
    content = text.encode() if isinstance(text, str) else text
    return parse_member_rows(read_cells(content), TODAY, get_column_choices(), assigned, has_header=has_header)


def bring(sheet: MemberSheet, answers: Answers | None = None) -> MemberImportResult:
    shown = compare_members(sheet, answers or {}, TODAY).digest
    return import_members(sheet=sheet, answers=answers or {}, shown=shown, by=None, now=NOW)


def compare(text: str | bytes, answers: Answers | None = None) -> MemberChanges:
    return compare_members(read(text), answers or {}, TODAY)


def add(**details: object) -> Member:
    return create_member(details=MemberDetails(**details), by=None, now=NOW, is_namesake=True)  # type: ignore[arg-type]


def told(*found: MemberSheet | MemberChanges) -> list[str]:
    return [error.text for each in found for error in each.errors]


def test_a_list_with_every_column_is_imported_and_a_second_time_changes_nothing() -> None:
    row: dict[str, object] = {
        "Cognome": "Rossi",
        "Nome": "Anna",
        "Tessera": 12,
        "Circolo": "Torino",
        "Squadra": "Reds",
        "Categoria": "A",
        "Data di nascita": date(1958, 5, 4),
        "Nazione": "ITA",
        "Nota": "plays",
        "E-mail": "anna@example.org",
        "Socio dal": date(2020, 9, 1),
        "Uscito il": "31/12/2025",
        "Consenso": "sì",
        "Risultati per e-mail": "x",
    }
    content = xlsx([*row], [*row.values()])
    assert bring(read(content)) == MemberImportResult(added=1, changed=0)
    [anna] = Member.objects.all()
    assert details_of(anna) == MemberDetails(
        surname="Rossi",
        first_name="Anna",
        licence="12",
        club="Torino",
        team="Reds",
        category="A",
        birth_year=1958,
        country="ITA",
        note="plays",
        email="anna@example.org",
        joined_on=date(2020, 9, 1),
        left_on=date(2025, 12, 31),
        may_be_published=True,
        wants_mail=True,
    )
    again = compare(content)
    assert not again.does_something
    assert len(again.unchanged) == 1
    assert list(MemberAct.objects.values_list("member", "kind")) == [(anna.pk, "created")]


def test_importing_again_updates_by_licence_else_by_name_and_shows_each_difference() -> None:
    anna = add(surname="Rossi", first_name="Anna", licence="it-12", club="Torino", note="stays")
    bruno = add(surname="De Luca", first_name="Bruno")
    sheet = read(
        "Licence;Surname;First name;Club;Note\nIT-12;Bianchi;Anna;Milano;\n;de luca;BRÙNO;Ivrea;\n;Verdi;Carla;;\n"
    )
    changes = compare_members(sheet, {}, TODAY)
    assert [(change.member, change.texts) for change in changes.changed] == [
        (anna, [["surname", "Rossi", "Bianchi"], ["club", "Torino", "Milano"], ["licence", "it-12", "IT-12"]]),
        (bruno, [["surname", "De Luca", "de luca"], ["first_name", "Bruno", "BRÙNO"], ["club", "", "Ivrea"]]),
    ]
    assert bring(sheet) == MemberImportResult(added=1, changed=2)
    anna.refresh_from_db()
    assert (anna.surname, anna.club, anna.note) == ("Bianchi", "Milano", "stays")
    assert [act.kind for act in anna.acts.all()] == ["created", "imported"]


def test_a_whole_name_in_another_order_is_no_difference() -> None:
    add(surname="De Luca", first_name="Anna", club="Torino")
    assert not compare("Name;Club\nDE LUCA Anna;Torino\n").does_something


def test_a_faulty_cell_is_named_and_the_other_rows_are_imported() -> None:
    sheet = read(
        "Surname;First name;Birth year;E-mail;Joined;Public;Licence\n"
        "Rossi;Anna;1958;a@example.org;1.9.2020;yes;1\n"
        "Verdi;Bruno;2058;x;31.2.2020;perhaps;#REF!\n"
        ";;1950;;;;\n"
        "Neri;Carla;;;;;1\n"
        "Gallo;Dario;;;;;\n"
        "Gallo;Dario;;;;;\n"
    )
    changes = compare_members(sheet, {}, TODAY)
    assert told(sheet, changes) == [
        "C3: 2058 is not a year of birth: write a year from 1880 to 2026.",
        "D3: “x” is not an e-mail address: write it like name@example.org.",
        "E3: “31.2.2020” is not a date: write day, month and year, such as 1.9.2024.",
        "F3: “perhaps” is neither yes nor no: write “yes” or “no”.",
        "G3: The spreadsheet has an error here (#REF!): mend it there.",
        "A4: Give the member a surname.",
        "G5: The licence number 1 is there twice; it is in cell G2 already.",
        "A7: Dario Gallo is there twice; the name is in cell A6 already.",
    ]
    assert bring(sheet) == MemberImportResult(added=2, changed=0)


def test_a_row_that_would_make_a_member_contradict_itself_is_named() -> None:
    add(surname="Rossi", first_name="Anna", licence="1", joined_on=date(2020, 1, 1))
    assert told(compare("Surname;First name;Left\nRossi;Anna;1.1.2019\n")) == [
        "A2: The date of leaving is before the date of entry: correct one of them."
    ]
    assert told(compare("Surname;First name;Licence\nVerdi;Bruno;1\n")) == [
        "A2: The licence number 1 belongs to Anna Rossi: correct the number, or change the name of that member first."
    ]
    assert told(compare("Surname;First name;Licence\nRossi;Anna;\nRossi;Anna;1\n")) == [
        "A2: Anna Rossi is there twice; the name is in cell A3 already."
    ]


def test_somebody_with_the_same_name_but_another_club_or_year_is_asked_about() -> None:
    anna = add(surname="Rossi", first_name="Anna", club="Torino", birth_year=1958)
    text = "Surname;First name;Club;Birth year\nRossi;Anna;Milano;1990\n"
    [question] = compare(text).questions
    assert (list(question.choices), question.answer) == ([anna], "")
    assert not compare(text).is_ready
    with pytest.raises(Refused, match="look at the differences again"):
        bring(read(text))
    assert not compare(text, {2: LEAVE_OUT}).does_something
    assert [change.member for change in compare(text, {2: str(anna.pk)}).changed] == [anna]
    assert bring(read(text), {2: SOMEBODY_ELSE}).added == 1
    both = compare("Surname;First name;Club;Birth year\nRossi;Anna;Milano;1990\nRossi;Anna;Torino;1958\n")
    assert (len(both.unchanged), both.questions) == (2, []), "club and year tell the namesakes apart"


def test_a_merged_record_stands_for_its_member() -> None:
    anna = add(surname="Rossi", first_name="Anna", licence="2")
    old = add(surname="Rosi", first_name="Anna", licence="1", category="B")
    merge_members(kept=anna, duplicate=old, by=None, now=NOW)
    Member.objects.filter(pk=anna.pk).update(category="A", may_be_published=True)
    changes = compare("Surname;First name;Licence;Club;Category;Public\nRosi;Anna;1;Torino;B;no\n")
    assert [(change.member, change.texts) for change in changes.changed] == [
        (anna, [["club", "", "Torino"], ["category", "A", "B"], ["may_be_published", "True", "False"]])
    ]


def test_a_column_that_was_assigned_once_is_recognised_at_the_next_import() -> None:
    text = "Cogn.;Nome;N° FISF;Giacca\nRossi;Anna;12;XL\n"
    sheet = read(text)
    assert [(column.heading, column.field, column.is_unknown) for column in sheet.headings] == [
        ("Cogn.", "", True),
        ("Nome", "name", False),
        ("N° FISF", "", True),
        ("Giacca", "", True),
    ]
    assert bring(read(text, ["surname", "first_name", "licence", ""], has_header=True)).added == 1
    again = read("Giacca;Nome;N° FISF;COGN.:\nM;Anna;12;Rossi\n")
    assert [(column.field, column.is_unknown) for column in again.headings] == [
        ("", False),
        ("first_name", False),
        ("licence", False),
        ("surname", False),
    ]
    assert not compare_members(again, {}, TODAY).does_something
    assert [column.field for column in read("Nome\nAnna Rossi\n").headings] == ["name"], (
        "by itself it is the whole name"
    )


def test_a_column_is_assigned_anew_and_the_latest_choice_is_kept() -> None:
    bring(read("Name;Level\nAnna Rossi;A\n", ["name", "category"]))
    bring(read("Name;Level\nAnna Rossi;A\n", ["name", "team"]))
    assert list(ColumnChoice.objects.values_list("heading", "field")) == [("level", "team")]


def test_a_file_without_headings_or_names_waits_for_its_columns() -> None:
    sheet = read("Rossi;Anna\nVerdi;Bruno\n")
    assert (sheet.has_names, sheet.members) == (False, ())
    assert [
        member.details.surname for member in read("Rossi;Anna\nVerdi;Bruno\n", ["surname", "first_name"]).members
    ] == [
        "Rossi",
        "Verdi",
    ]
    assert told(read("Name;Club\nAnna;x\n", ["name", "name"])) == [
        "B1: Two columns are assigned to the same field: ignore one of them."
    ]


CELLS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["Rossi", "ROSSI", "Anna", "12", "0000", "٤٤٤٤", "31.2.2020", "1.9.2024", "yes", "x@y.it", "=1"]),
    st.just("x" * 250),
)


class AnyCells(TestCase):
    """Whatever a file holds, each row is imported, left out with its cell named, or asked about."""

    @given(st.lists(st.lists(CELLS, min_size=1, max_size=6), max_size=6), st.permutations(["name", *MEMBER_FIELDS]))
    def test_any_cells_are_imported_or_named(self, cells: list[list[str]], fields: list[str]) -> None:
        Member.objects.all().delete()
        add(surname="Rossi", first_name="Anna", licence="12", joined_on=date(2024, 9, 2))
        rows = [CellRow(number, row) for number, row in enumerate(cells, 1)]
        assigned = ["surname", *(field for field in fields if field != "surname")]
        sheet = parse_member_rows(rows, TODAY, {}, assigned[:6], has_header=False)
        changes = compare_members(sheet, {}, TODAY)
        named = {int("".join(filter(str.isdigit, error.cell))) for error in (*sheet.errors, *changes.errors)}
        taken = {each.row for each in changes.added} | {question.read.row for question in changes.questions}
        taken |= {change.read.row for change in (*changes.changed, *changes.unchanged)}
        assert named | taken == {row.number for row in rows}
        assert not named & taken
        if changes.is_ready:
            done = bring(sheet)
            assert Member.objects.count() == 1 + done.added
