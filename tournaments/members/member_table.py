"""Read a table of members from a file, cell by cell; a faulty cell is named, and the other rows can be imported.

The columns are recognised by their headings in seven languages, by what the user assigned in an earlier import, or are
assigned now. Nothing is stored here; `tournaments.members.member_changes` compares the rows with the members.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.utils.translation import gettext as _

from engine.standings.person_names import name_parts
from tournaments import validators
from tournaments.errors import Refused
from tournaments.members.member_fields import (
    MEMBER_FIELDS,
    TEXT_VALIDATORS,
    MemberDetails,
    clean_details,
    member_field_titles,
    parse_birth_year,
    parse_day,
    parse_yes_or_no,
)
from tournaments.players.cell_tables import CellRow, cell_name
from tournaments.players.column_headings import NAME_FIELDS, PLAYER_HEADINGS, Headings, normalise_heading
from tournaments.players.table_columns import (
    MOST_ERRORS,
    CellError,
    SheetColumn,
    fill_columns,
    find_repeated_column,
    place_cells,
    read_cell,
)

_SHARED = ("name", "surname", "first_name", "licence", "club", "team", "country")
MEMBER_HEADINGS = Headings(
    {
        **{name: PLAYER_HEADINGS[name] for name in _SHARED},
        "category": PLAYER_HEADINGS["series"] + "," + PLAYER_HEADINGS["age_class"],
        "birth_year": """
            year of birth, birth year, born, date of birth, birthday, anno di nascita, anno nascita, data di nascita,
            data nascita, nato, nata, année de naissance, année naissance, date de naissance, né(e) en, né le, année de
            nass., año de nacimiento, fecha de nacimiento, any de naixement, data de naixement, geburtsjahr, jahrgang,
            geburtsdatum, anul nașterii, an naștere, data nașterii
            """,
        "note": """
            note, notes, remark, remarks, comment, comments, nota, osservazioni, remarque, remarques, commentaire,
            observaciones, notas, observacions, notes, notiz, notizen, bemerkung, bemerkungen, notă, observații
            """,
        "email": """
            e-mail, email, mail, e-mail address, email address, posta elettronica, indirizzo e-mail, courriel, adresse
            e-mail, adresse mail, correo, correo electrónico, correu, correu electrònic, e-mail-adresse, adresă e-mail
            """,
        "joined_on": """
            date of entry, joined, joined on, member since, entry, data di iscrizione, iscritto dal, socio dal, date
            d'entrée, date d'adhésion, adhésion, membre depuis, fecha de alta, alta, socio desde, data d'alta, soci
            des de, eintritt, eintrittsdatum, mitglied seit, data înscrierii, membru din
            """,
        "left_on": """
            left on, left, date of leaving, data di uscita, uscito il, date de départ, date de sortie, départ, fecha de
            baja, baja, data de baixa, baixa, austritt, austrittsdatum, ausgetreten am, data plecării, plecat la
            """,
        "may_be_published": """
            may appear on public pages, public, consent, pubblicabile, consenso, consentement, publication,
            consentimiento, consentiment, einwilligung, öffentlich, consimțământ
            """,
        "wants_mail": """
            results by e-mail, results by email, risultati per e-mail, résultats par e-mail, resultados por correo,
            resultats per correu, ergebnisse per e-mail, rezultate prin e-mail
            """,
    }
)
"""The headings of lists of members. `name` is the whole name in one column."""


def _parsers(today: date) -> Mapping[str, Callable[[str], object]]:
    """By column the function that reads a cell."""
    return {
        **TEXT_VALIDATORS,
        "name": lambda text: validators.typed_name(text, what=_("name")),
        "birth_year": lambda text: parse_birth_year(text, today),
        "joined_on": parse_day,
        "left_on": parse_day,
        "may_be_published": parse_yes_or_no,
        "wants_mail": parse_yes_or_no,
    }


@dataclass(frozen=True, slots=True)
class SheetMember:
    """A row: `values` are those of its filled cells by field, `cells` the names of the cells. `states_surname`: the
    file has surnames, so they were not guessed from whole names."""

    row: int
    values: Mapping[str, object]
    cells: Mapping[str, str]
    states_surname: bool

    @property
    def details(self) -> MemberDetails:
        """The row as a new member."""
        return MemberDetails(**self.values)  # type: ignore[arg-type]  # each parser gives what its field is

    def cell(self, *columns: str) -> str:
        """The name of the cell of the first of these columns that the file has, else of the first cell of the row."""
        return next((self.cells[column] for column in columns if column in self.cells), cell_name(0, self.row))

    @property
    def name_cell(self) -> str:
        """The name of the cell that holds the name."""
        return self.cell("surname", "name", "first_name")


@dataclass(frozen=True, slots=True)
class MemberSheet:
    """Content of a file: its columns in their order, the rows without a fault, and every fault. `has_header`: the first
    row holds headings."""

    headings: Sequence[SheetColumn] = ()
    members: Sequence[SheetMember] = ()
    errors: Sequence[CellError] = ()
    has_header: bool = False

    @property
    def has_names(self) -> bool:
        """Return True when a column holds names."""
        return any(column.field in NAME_FIELDS for column in self.headings)


def parse_member_rows(
    rows: Sequence[CellRow],
    today: date,
    chosen: Mapping[str, str],
    assigned: Sequence[str] | None = None,
    *,
    has_header: bool | None = None,
) -> MemberSheet:
    """The members in the rows of a file. `chosen` has the fields that were assigned to headings in earlier imports,
    `assigned` those of the columns of this file; None recognises them."""
    if not rows:
        return MemberSheet()
    chosen = {**_shown_titles(), **chosen}
    recognised = MEMBER_HEADINGS.header_of(rows[0].cells, chosen)
    with_header = recognised is not None if has_header is None else has_header
    listed = rows[1:] if with_header else rows
    width = max(len(row.cells) for row in rows)
    fields = assigned if assigned is not None else recognised if with_header and recognised else ()
    columns = fill_columns(fields, MEMBER_HEADINGS.fields, width)
    reader = _SheetReader(today, _parsers(today))
    repeated = find_repeated_column(columns, rows[0].number)
    if repeated is not None:
        reader.errors.append(repeated)
    elif not NAME_FIELDS.isdisjoint(columns):
        reader.read(listed, columns)
    titles = rows[0].cells if with_header else ()
    return MemberSheet(
        _columns(columns, titles, listed, chosen), tuple(reader.members), tuple(reader.errors), with_header
    )


def _shown_titles() -> dict[str, str]:
    """The titles of the active language, which an exported list has, where they are no headings already."""
    titles = member_field_titles().items()
    return {normalise_heading(title): field for field, title in titles if not MEMBER_HEADINGS.column_of(title)}


def _columns(
    fields: Sequence[str], titles: Sequence[str], rows: Sequence[CellRow], chosen: Mapping[str, str]
) -> list[SheetColumn]:
    samples = rows[0].cells if rows else ()
    headings = [" ".join(titles[at : at + 1]) for at in range(len(fields))]
    return [
        SheetColumn(
            heading, " ".join(samples[at : at + 1]), field, not field and normalise_heading(heading) not in chosen
        )
        for at, (heading, field) in enumerate(zip(headings, fields, strict=True))
    ]


@dataclass(slots=True)
class _SheetReader:
    """The rows read so far, and what later ones must not repeat."""

    today: date
    parsers: Mapping[str, Callable[[str], object]]
    members: list[SheetMember] = field(default_factory=list)
    errors: list[CellError] = field(default_factory=list)
    licences: dict[str, str] = field(default_factory=dict)

    def read(self, rows: Sequence[CellRow], columns: Sequence[str]) -> None:
        """Read rows until there are too many faults."""
        for row in rows:
            if len(self.errors) >= MOST_ERRORS:
                break
            self._take(row.number, dict(place_cells(columns, row.cells, row.number)))

    def _take(self, row: int, cells: Mapping[str, tuple[str, str]]) -> None:
        before = len(self.errors)
        values = {column: self._value(column, cell, text) for column, (cell, text) in cells.items()}
        if len(self.errors) > before:
            return
        filled = {name: value for name, value in values.items() if value not in ("", None)}
        where = {column: cell for column, (cell, _text) in cells.items()}
        read = SheetMember(row, _with_name_parts(filled), where, "surname" in filled)
        try:
            clean_details(read.details, self.today)
        except Refused as refused:
            self.errors.append(CellError(read.name_cell, refused.sentence))
            return
        if self._is_new_licence(read):
            self.members.append(read)

    def _value(self, column: str, cell: str, text: str) -> object:
        value = read_cell(cell, text, self.parsers[column])
        if isinstance(value, CellError):
            self.errors.append(value)
        return value

    def _is_new_licence(self, read: SheetMember) -> bool:
        licence = str(read.values.get("licence", "")).casefold()
        if licence and licence in self.licences:
            twice = _("The licence number %(licence)s is there twice; it is in cell %(cell)s already.")
            details = {"licence": read.values["licence"], "cell": self.licences[licence]}
            self.errors.append(CellError(read.cell("licence"), twice % details))
            return False
        if licence:
            self.licences[licence] = read.cell("licence")
        return True


def _with_name_parts(values: Mapping[str, object]) -> dict[str, object]:
    """Surname and first name in the place of a whole name."""
    parts = {name: value for name, value in values.items() if name in MEMBER_FIELDS}
    if "surname" not in parts and "name" in values:
        split = name_parts(str(values["name"]))
        parts |= {"surname": split.surname, **({"first_name": split.first_name} if split.first_name else {})}
    if "surname" not in parts and "first_name" in parts:
        parts["surname"] = parts.pop("first_name")
    return parts
