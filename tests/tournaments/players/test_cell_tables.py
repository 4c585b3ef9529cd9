"""A table that somebody hands in becomes rows of texts, or is refused with a sentence."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from io import BytesIO

import pytest
from openpyxl import Workbook

from tournaments.errors import Refused
from tournaments.players.cell_tables import CellRow, cell_name, read_cells


def xlsx(*rows: list[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    written = BytesIO()
    book.save(written)
    return written.getvalue()


def rows(content: bytes) -> list[tuple[int, list[str]]]:
    return [(row.number, list(row.cells)) for row in read_cells(content)]


def repacked(content: bytes, name: str, text: bytes) -> bytes:
    """The same file with another part in the place of this one, or one more."""
    written = BytesIO()
    with zipfile.ZipFile(BytesIO(content)) as before, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.namelist():
            if part != name:
                after.writestr(part, before.read(part))
        after.writestr(name, text)
    return written.getvalue()


def zipped(name: str, content: bytes) -> bytes:
    written = BytesIO()
    with zipfile.ZipFile(written, "w") as packed:
        packed.writestr(name, content)
    return written.getvalue()


def encrypted(content: bytes) -> bytes:
    """The same file, of which each part says that it needs a password."""
    with zipfile.ZipFile(BytesIO(content)) as packed:
        parts = packed.infolist()
        marked = bytearray(content)
        for part in parts:
            marked[part.header_offset + 6] |= 1
        at = packed.start_dir
        for part in parts:
            marked[at + 8] |= 1
            at += 46 + len(part.filename) + len(part.extra) + len(part.comment)
    return bytes(marked)


@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_csv_is_read_in_every_encoding_and_with_every_sign(encoding: str, sign: str) -> None:
    text = f"Tavolo{sign}Nome\r\n\r\n7{sign}Nicolò Però\r\n"
    assert rows(text.encode(encoding)) == [(1, ["Tavolo", "Nome"]), (3, ["7", "Nicolò Però"])]


def test_a_quoted_cell_may_hold_the_sign_and_a_new_line() -> None:
    assert rows(b'1;"Rossi; Anna"\n2;"a\nb"\n') == [(1, ["1", "Rossi; Anna"]), (2, ["2", "a\nb"])]


def test_a_comma_in_names_does_not_make_a_table_of_semicolons_one_of_commas() -> None:
    assert rows(b"1;Rossi, Anna;Torino\n2;Verdi, Bruno;Torino\n")[0] == (1, ["1", "Rossi, Anna", "Torino"])


def test_the_line_of_a_spreadsheet_that_names_its_sign_is_believed_and_not_counted() -> None:
    assert rows(b"sep=;\r\nName;Club\r\nAnna, B;X\r\n") == [(1, ["Name", "Club"]), (2, ["Anna, B", "X"])]


def test_an_xlsx_gives_the_texts_that_it_shows() -> None:
    content = xlsx(["Table", "Name"], [], [7.0, "Anna"], [None, "Bruno", True])
    assert rows(content) == [(1, ["Table", "Name"]), (3, ["7", "Anna"]), (4, ["", "Bruno", "True"])]


def test_of_a_variant_only_its_value_is_taken() -> None:
    """This one was never worked out, so it has none."""
    assert rows(xlsx(["Name"], ['=HYPERLINK("http://example.org")'], ["Anna"])) == [(1, ["Name"]), (3, ["Anna"])]


def test_cells_are_called_as_in_a_spreadsheet() -> None:
    assert (cell_name(0, 7), cell_name(1, 7), cell_name(27, 3)) == ("A7", "B7", "AB3")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\xd0\xcf\x11\xe0 old", "an old Excel file, or it needs a password"),
        (b"%PDF-1.7", "This is a PDF"),
        (b"\xff\xd8\xff\xe0", "This is a picture"),
        (b"\x89PNG\r\n", "This is a picture"),
        (b"\x7fELF\0\0", "This is not a table"),
        (zipped("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"), "a file of another program"),
        (encrypted(xlsx(["Name"])), "needs a password"),
        (b"PK\x03\x04 torn", "cannot be read as a spreadsheet"),
        (b"a" * 5_000_001, "larger than 5 MB"),
        (b"a\n" * 20_001, "more than 20000 rows"),
        (b"\xff\xfea", "cannot be read as text"),
        (b"1," + b'"' + b"a" * 200_000 + b'"', "cannot be read as CSV"),
    ],
)
def test_what_is_no_table_is_refused_with_the_remedy(content: bytes, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        read_cells(content)


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = repacked(xlsx(["Name"]), "xl/worksheets/sheet1.xml", b" " * 61_000_000)
    assert len(bomb) < 5_000_000
    with pytest.raises(Refused, match="too large when it is unpacked"):
        read_cells(bomb)


@pytest.mark.parametrize("declared", ['<!DOCTYPE x [<!ENTITY a "aaaa">]>', '<!DOCTYPE x SYSTEM "http://evil.example">'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16be", "iso-8859-1"])
@pytest.mark.parametrize("name", ["xl/worksheets/sheet1.xml", "xl/styles.XML", "xl/theme", "docProps/core.png"])
def test_xml_that_declares_something_is_refused_whatever_its_name_and_encoding(
    declared: str, encoding: str, name: str
) -> None:
    text = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>{declared}<worksheet/>'
    with pytest.raises(Refused, match="contents that no spreadsheet writes"):
        read_cells(repacked(xlsx(["Name"]), name, text.encode(encoding)))


def test_an_encoding_that_the_parser_does_not_know_hides_no_declaration() -> None:
    text = '<?xml version="1.0" encoding="utf-7"?><!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet/>'.encode("utf-7")
    with pytest.raises(Refused, match="cannot be read as a spreadsheet"):
        read_cells(repacked(xlsx(["Name"]), "xl/worksheets/sheet1.xml", text))


def test_a_spreadsheet_with_wrong_bytes_is_read_or_refused() -> None:
    """Each part cut in the middle, and each 97th byte of the file another one."""
    whole = xlsx(["Name"], ["Anna"])
    with zipfile.ZipFile(BytesIO(whole)) as packed:
        torn = [repacked(whole, name, packed.read(name)[: len(packed.read(name)) // 2]) for name in packed.namelist()]
    torn += [whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :] for at in range(0, len(whole), 97)]
    for content in torn:
        with suppress(Refused):
            read_cells(content)


def test_a_sheet_that_claims_a_million_rows_is_read_as_far_as_it_goes() -> None:
    content = xlsx(["Name"], ["Anna"])
    with zipfile.ZipFile(BytesIO(content)) as packed:
        sheet = packed.read("xl/worksheets/sheet1.xml").decode()
    claimed = sheet.replace('ref="A1:A2"', 'ref="A1:XFD1048576"').encode()
    assert claimed != sheet.encode()
    assert read_cells(repacked(content, "xl/worksheets/sheet1.xml", claimed)) == [
        CellRow(1, ["Name"]),
        CellRow(2, ["Anna"]),
    ]
