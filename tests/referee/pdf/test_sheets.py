from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import cast

import pytest
from pypdf import PdfReader
from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.archive.schema import Archive, PlayerEntry, StandingEntry
from referee.pdf.drawing import fonts
from referee.pdf.drawing.sheet import MARGIN
from referee.pdf.sheets.match import match_pdf
from referee.pdf.sheets.standings import standings_pdf
from tests.engine.archive.played_game import play_game_archive

A4_WIDTH = 595.2756
LONG = "Wolfeschlegelsteinhausenbergerdorff" * 9


@pytest.fixture(scope="module")
def archive() -> Archive:
    """A real game of six turns."""
    return play_game_archive()


def crowd(archive: Archive, size: int, name: str = "Giocatore") -> Archive:
    """The same game with this many players."""
    players = [PlayerEntry(table=n, name=f"{name} {n}", club="Torino", series=None) for n in range(1, size + 1)]
    lines = [
        StandingEntry(rank=n, table=n, total=9_999_999_999, negative=-n, percent=99.9, warnings=0, penalties=0, solos=0)
        for n in range(1, size + 1)
    ]
    return cast(Archive, {**archive, "players": players, "standings": lines})


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text(extraction_mode="layout") for page in PdfReader(BytesIO(pdf)).pages)


def pieces(pdf: bytes) -> Iterator[tuple[float, float, float, str]]:
    """Return (x, y, width, text) of every text run, page by page."""
    fonts.register_fonts()
    for page in PdfReader(BytesIO(pdf)).pages:
        found: list[tuple[float, float, float, str]] = []
        page.extract_text(visitor_text=partial(_note, found))
        yield from found


def _note(
    found: list[tuple[float, float, float, str]],
    text: str,
    _cm: object,
    matrix: list[float],
    font: dict[str, str] | None,
    size: float,
) -> None:
    if text.strip() and font:
        name = fonts.BOLD if "Bold" in font["/BaseFont"] else fonts.REGULAR
        found.append((matrix[4], matrix[5], stringWidth(text.strip(), name, size), text.strip()))


def test_every_line_of_the_standings_is_on_the_sheet(archive: Archive) -> None:
    text = text_of(standings_pdf(archive, language="en"))
    names = {player["table"]: player["name"] for player in archive["players"]}
    for line in archive["standings"]:
        pattern = rf"^\s*{line['rank']}\s+{line['table']}\s+{re.escape(names[line['table']])}\s.*\b{line['total']}\s"
        assert re.search(pattern, text, re.MULTILINE), line


def test_the_head_names_event_rules_and_word_list(archive: Archive) -> None:
    text = text_of(standings_pdf(archive, language="en"))
    assert archive["event"]["name"] in text
    assert "Italian, 120 tiles" in text
    assert f"Word list: {archive['lexicon']['name']}" in text


def test_every_page_repeats_the_head_of_the_table_and_says_how_many_pages_there_are(archive: Archive) -> None:
    pages = PdfReader(BytesIO(standings_pdf(crowd(archive, 400), language="en"))).pages
    assert len(pages) > 5
    for number, page in enumerate(pages, 1):
        text = page.extract_text()
        assert "Negative" in text
        assert f"Page {number} of {len(pages)}" in text


@pytest.mark.parametrize("name", ["Anna", "Giuseppe Maria Verdi di San Giorgio Canavese", LONG])
def test_nothing_leaves_the_page_and_nothing_is_cut(archive: Archive, name: str) -> None:
    pdf = standings_pdf(crowd(archive, 60, name), language="en")
    for x, _, width, text in pieces(pdf):
        assert x >= MARGIN - 1, text
        assert x + width <= A4_WIDTH - MARGIN + 1, text
    joined = re.sub(r"\s", "", "".join(text for *_, text in pieces(pdf)))
    assert re.sub(r"\s", "", name) in joined


def test_no_text_of_the_standings_lies_on_another(archive: Archive) -> None:
    on_line: dict[float, list[tuple[float, float, str]]] = {}
    pdf = standings_pdf(crowd(archive, 20, "Giuseppe Maria Verdi di San Giorgio Canavese"), language="en")
    for x, y, width, text in pieces(pdf):
        on_line.setdefault(round(y), []).append((x, x + width, text))
    for line in on_line.values():
        for (_, end, left), (start, _, right) in zip(sorted(line), sorted(line)[1:], strict=False):
            assert end <= start + 0.5, (left, right)


def test_the_same_game_gives_the_same_bytes(archive: Archive) -> None:
    assert standings_pdf(archive, language="it") == standings_pdf(archive, language="it")
    assert match_pdf(archive, language="it") == match_pdf(archive, language="it")


def test_the_match_sheet_has_every_turn_with_its_racks_and_the_running_total(archive: Archive) -> None:
    text = text_of(match_pdf(archive, language="en"))
    total = 0
    for turn in archive["turns"]:
        master = turn["master"]
        if master is None:
            continue
        total += master["score"]
        pattern = rf"{re.escape(master['word'])}\s+{master['ref']}\s+{master['score']}\s+{total}\s+{turn['top']}"
        assert re.search(pattern, text), turn["number"]
        assert all(f"−{rack}" in text for rack in turn["rejected"])


def test_a_game_without_a_turn_still_has_a_match_sheet(archive: Archive) -> None:
    empty = cast(Archive, {**archive, "turns": [], "standings": [], "end": None})
    assert "Match sheet" in text_of(match_pdf(empty, language="en"))


def test_the_sheets_speak_italian(archive: Archive) -> None:
    assert "Classifica" in text_of(standings_pdf(archive, language="it"))


@pytest.mark.usefixtures("poppler")
def test_the_fonts_are_embedded(archive: Archive, tmp_path: Path) -> None:
    path = tmp_path / "standings.pdf"
    path.write_bytes(standings_pdf(archive, language="en"))
    told = subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    used = [line.split() for line in told if "DejaVuSans" in line]
    assert len(used) == 2
    assert all(columns[-5:-2] == ["yes", "yes", "yes"] for columns in used)


def test_the_match_sheet_marks_a_joker_that_was_replaced_and_shows_its_letter_on_the_board() -> None:
    archive = play_game_archive(turns=3, variant="joker")
    first = archive["turns"][0]["master"]
    assert first is not None
    assert re.search("[a-z]", first["word"]), "the first move lays the joker"
    text = text_of(match_pdf(archive, language="en"))
    assert f"{first['word']} *" in text
    assert "*: after this turn a blank on the board was replaced by its letter." in text
    assert "Variant: Joker, 3:00 a turn" in text
    plain = text_of(match_pdf(play_game_archive(), language="en"))
    assert "replaced by its letter" not in plain


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("size", range(30, 56, 3))
def test_the_last_player_never_stands_alone_on_a_second_page(archive: Archive, size: int, paper: str) -> None:
    pdf = standings_pdf(crowd(archive, size), language="en", paper=paper)
    pages = [page.extract_text().count("Giocatore") for page in PdfReader(BytesIO(pdf)).pages]
    assert sum(pages) == size
    assert len(pages) == 1 or pages[-1] > 4
