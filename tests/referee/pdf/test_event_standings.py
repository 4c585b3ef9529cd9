"""The standings of an event fit the paper and are complete, for a few players and for four hundred."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader
from reportlab.pdfbase.pdfmetrics import stringWidth

from engine.standings.event import Handicap
from referee.pdf.drawing import fonts
from referee.pdf.drawing.sheet import MARGIN
from referee.pdf.sheets.standings import event_standings_pdf
from tests.referee.desk.event_views import EVENT, make_view
from tournaments.results.queries.event_results import EventView

LONG = "Wolfeschlegelsteinhausenbergerdorff" * 4


def pages_of(view: EventView, language: str = "en") -> list[str]:
    pdf = event_standings_pdf(view, EVENT, language=language)
    return [page.extract_text(extraction_mode="layout") for page in PdfReader(BytesIO(pdf)).pages]


def overflow(view: EventView) -> float:
    """Return by how many points a text exceeds the margins, at most."""
    fonts.register_fonts()
    worst = 0.0
    for page in PdfReader(BytesIO(event_standings_pdf(view, EVENT, language="it"))).pages:
        right = float(page.mediabox.width) - MARGIN
        ends: list[float] = []

        def note(text: str, _cm: object, matrix: list[float], font: dict[str, str] | None, size: float) -> None:
            if text.strip() and font:
                name = fonts.BOLD if "Bold" in font["/BaseFont"] else fonts.REGULAR
                ends.append(matrix[4] + stringWidth(text.strip(), name, size))  # noqa: B023  used in this turn alone

        page.extract_text(visitor_text=note)
        worst = max(worst, *(end - right for end in ends))
    return worst


@pytest.mark.parametrize("size", [1, 5, 40, 400])
def test_every_player_is_listed_with_all_games(size: int) -> None:
    view = make_view(size, games=3)
    text = "\n".join(pages_of(view))
    for row in view.rows:
        scores = ["–" if score.presence == "missed" else rf"{score.total}\*?" for score in row.line.games]
        line = r"\s+".join([f"{row.rank}", f"{row.line.table}", row.player.name, ".*", *scores, f"{row.line.total}"])
        assert re.search(rf"^\s*{line}\s", text, re.MULTILINE), row.player.name


def test_a_group_that_goes_on_on_another_page_is_named_there() -> None:
    pages = pages_of(make_view(200, by="series"))
    assert len(pages) > 3
    for page in pages:
        assert re.search(r"Name · [ABC]", page)


def test_every_team_is_there_with_its_players() -> None:
    view = make_view(12, by="team", ranking="average_percent")
    text = "\n".join(pages_of(view))
    for row in view.teams:
        assert row.line.team in text
        assert all(name in text for name in row.names)


@pytest.mark.parametrize("games", [1, 2, 4, 6, 12])
@pytest.mark.parametrize("by", ["all", "series", "team"])
def test_nothing_leaves_the_paper_however_long_the_names_and_many_the_games(games: int, by: str) -> None:
    handicap = Handicap({1: 999, 2: 999})
    view = make_view(14, games=games, by=by, ranking="ranking_points", name=lambda n: f"{LONG} {n}", handicap=handicap)
    assert overflow(view) < 0.5


def test_the_same_standings_give_the_same_bytes() -> None:
    view = make_view(20)
    once, again = (event_standings_pdf(view, EVENT, language="it") for _ in range(2))
    assert once == again


def test_the_marks_are_explained_where_they_occur() -> None:
    assert "not present in this game" in pages_of(make_view(14))[0]
    assert "not present" not in pages_of(make_view(4))[0]


def test_solos_warnings_and_penalties_have_a_column_where_anybody_has_one() -> None:
    plain = make_view(5)
    assert "Warnings" not in pages_of(plain)[0]
    first, *others = plain.rows
    warned = replace(first, line=replace(first.line, warnings=3, solos=2))
    text = pages_of(replace(plain, rows=(warned, *others)))[0]
    assert re.search(rf"{first.player.name}\s.*\s2\s+3\s*$", text, re.MULTILINE)
    assert "Penalties" not in text
