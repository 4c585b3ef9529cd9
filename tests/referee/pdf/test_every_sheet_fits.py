"""Documents with oversized content have no overlapping, clipped or missing text."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any, cast

import numpy as np
import pytest
from django.utils.translation import override
from pypdf import PdfReader

from engine.archive.schema import Archive
from referee.formats.texts import format_sum
from referee.pdf.catalogue import DOCUMENTS, DocumentSource
from referee.pdf.sheets.standings import standings_pdf
from tests.examples import representative
from tests.referee.pdf.pages import MM, greys, pages_of
from tests.referee.pdf.stress import NAMES, TEN_DIGITS, make_large_game, make_stress_game

SHEETS = sorted(each.name for each in DOCUMENTS.values() if each.from_archive and each.suffix == "pdf")
SIZES = {"a4": {595.3, 841.9}, "letter": {612.0, 792.0}}
WITH_NAMES = {"player-sheets", "table-cards", "certificates"}


def drawn(name: str, archive: Archive, paper: str = "a4", language: str = "it") -> bytes:
    wanted = DOCUMENTS[name]
    numbers = [archive["turns"][-1]["number"]] if wanted.needs is DocumentSource.TURN else []
    return wanted.make(archive, *numbers, language=language, paper=paper)


@pytest.mark.parametrize("paper", representative(["a4", "letter"]))
@pytest.mark.parametrize("called", representative(sorted(NAMES)))
@pytest.mark.parametrize("name", SHEETS)
def test_no_text_lies_on_another_and_none_leaves_the_paper(name: str, called: str, paper: str) -> None:
    for number, page in enumerate(pages_of(drawn(name, make_stress_game(NAMES[called]), paper)), 1):
        assert {round(page.width, 1), round(page.height, 1)} == SIZES[paper]
        assert page.boxes, number
        assert page.collisions() == [], number
        assert page.outside(5 * MM) == [], number


@pytest.mark.parametrize("paper", representative(["letter", "a4"]))
@pytest.mark.parametrize("name", SHEETS)
def test_no_ink_is_where_printers_cannot_print(name: str, paper: str) -> None:
    """Checked in pixels, so that lines, boxes and pictures count too."""
    pdf = drawn(name, make_stress_game(NAMES["long"]), paper)
    edge = round(4 * MM * 2)
    for number in range(len(pages_of(pdf))):
        page = greys(pdf, number)
        inside = np.zeros_like(page, dtype=bool)
        inside[edge:-edge, edge:-edge] = True
        assert page[~inside].min() == 255, number
        assert page[inside].min() < 100, number


@pytest.mark.parametrize("called", ["long", "words", "letters"])
@pytest.mark.parametrize("name", sorted(WITH_NAMES))
def test_a_name_is_never_cut(name: str, called: str) -> None:
    archive = make_stress_game(NAMES[called])
    printed = re.sub(r"\s", "", "".join(page.text for page in pages_of(drawn(name, archive))))
    wanted = archive["players"][0]["name"] if name != "certificates" else _winner(archive)
    assert re.sub(r"\s", "", wanted) in printed


def _winner(archive: Archive) -> str:
    first = archive["standings"][0]["table"]
    return next(player["name"] for player in archive["players"] if player["table"] == first)


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_says_what_it_is_and_in_which_language(name: str) -> None:
    reader = PdfReader(BytesIO(drawn(name, make_stress_game("Anna"), language="it")))
    assert reader.metadata is not None
    assert reader.metadata.title
    assert reader.metadata.author == "Multiplo"
    catalogue = cast(dict[str, object], reader.trailer["/Root"])
    assert catalogue["/Lang"] == "it"
    assert cast(dict[str, object], catalogue["/ViewerPreferences"])["/DisplayDocTitle"] == True  # noqa: E712


@pytest.mark.parametrize("name", SHEETS)
def test_titles_and_paragraphs_are_tagged(name: str) -> None:
    """Every piece of a page has a structure element for screen readers, and titles are headings."""
    reader = PdfReader(BytesIO(drawn(name, make_stress_game("Anna"))))
    root = cast(dict[str, Any], reader.trailer["/Root"])
    assert root["/MarkInfo"]["/Marked"] == True  # noqa: E712
    elements = [each.get_object() for each in root["/StructTreeRoot"]["/K"]["/K"]]
    kinds = {element["/S"] for element in elements}
    assert kinds <= {"/H1", "/H2", "/P", "/Figure"}
    assert "/P" in kinds
    for page in reader.pages:
        content = page.get_contents()
        assert content is not None
        marked = len(re.findall(rb"/MCID \d+>> BDC", content.get_data()))
        theirs = [element for element in elements if element["/Pg"].get_object() == page.get_object()]
        assert len(theirs) == marked


@pytest.mark.endurance
@pytest.mark.parametrize("name", SHEETS)
def test_the_same_game_gives_the_same_bytes_twice(name: str) -> None:
    archive = make_stress_game("Anna", turns=4)
    assert drawn(name, archive) == drawn(name, archive)


@pytest.mark.parametrize("name", SHEETS)
def test_every_font_is_embedded(name: str) -> None:
    reader = PdfReader(BytesIO(drawn(name, make_stress_game(NAMES["letters"], turns=3))))
    for page in reader.pages:
        for font in cast(dict[str, Any], page["/Resources"])["/Font"].values():
            described = font.get_object().get("/FontDescriptor")
            used = font.get_object()["/BaseFont"] != "/Helvetica"  # reportlab lists it on every page, unused
            assert not used or "/FontFile2" in described.get_object()


@pytest.mark.endurance
def test_five_thousand_players_stand_on_the_sheet_each_with_ten_digits() -> None:
    archive = make_large_game(5000)
    pages = pages_of(standings_pdf(archive, language="it"))
    text = " ".join(page.text for page in pages)
    with override("it"):
        assert all(format_sum(TEN_DIGITS - number) in text for number in range(1, 5001))
    for page in (pages[0], pages[len(pages) // 2], pages[-1]):
        assert page.collisions() == []
        assert page.outside(5 * MM) == []
