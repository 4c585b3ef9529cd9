"""Charts as SVG and in a PDF are reproducible, contain real text and comply with the content security policy."""

from __future__ import annotations

import re
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import asdict
from datetime import date
from decimal import Decimal
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from django.template.loader import render_to_string

from engine.standings.statistics import (
    PlayedMove,
    TurnRecord,
    TurnStatistics,
    compute_turn_statistics,
    percent_histogram,
)
from referee.charts.colours import ON_PAPER
from referee.charts.evenings import Evening, evenings_chart
from referee.charts.game import charts_of_game, charts_of_turn
from referee.charts.progress import progress_chart
from referee.charts.shapes import Drawing, Ink, hatch_rectangle
from referee.charts.svg import render_svg
from referee.pdf.drawing.canvas import SheetCanvas
from referee.pdf.drawing.charts import draw_chart
from tournaments.results.queries.analysis import GameAnalysis, PlayerLine

SVG = "{http://www.w3.org/2000/svg}"
FORBIDDEN = re.compile(r"\sstyle=|<style|<script|\son[a-z]+=|href=|url\(")


def a_turn(number: int = 3, players: int = 5) -> TurnStatistics:
    moves = (
        PlayedMove("CORNO", "8D", 22, players),
        PlayedMove("<ORCO>", "8D", 9, 2),
        PlayedMove("TRONCO", "8C", 24, 1),
    )
    points = {24: 1, 22: players, 9: 2, 0: 3}
    return compute_turn_statistics(TurnRecord(number, "ACNOORT", ["." * 15] * 15, 24, moves[2], points, moves))


def a_game(turns: int) -> GameAnalysis:
    heat = [[0] * 15 for _ in range(15)]
    heat[7][3], heat[7][4] = 40, 3
    figures = tuple(a_turn(number, number) for number in range(1, turns + 1))
    totals = percent_histogram([Decimal(51), Decimal(73), Decimal(74)])
    return GameAnalysis(figures, totals, tuple(map(tuple, heat)), "8H", 8)


def a_way(turns: int = 4) -> PlayerLine:
    numbers = tuple(range(1, turns + 1))
    return PlayerLine(
        numbers,
        tuple(10 * at for at in numbers),
        tuple(20 * at for at in numbers),
        tuple(12 * at for at in numbers),
    )


EVENINGS = [
    Evening(date(2026, 9, 15), 78.0, 61.5, is_won=False),
    Evening(date(2026, 9, 22), 100.0, None, is_won=True),
    Evening(date(2026, 10, 6), 80.0, 60.0, is_won=False),
]
ALL = [
    *charts_of_game(a_game(4)),
    *charts_of_turn(a_turn()),
    progress_chart(a_way(), "Anna & <Bruno>"),
    evenings_chart(EVENINGS, name="evenings", width=320.0),
]
BY_NAME = {chart.name: chart for chart in ALL}


def parsed(chart: Drawing) -> ET.Element:
    return ET.fromstring(render_svg(chart))  # noqa: S314  our own


def texts(chart: Drawing) -> list[str]:
    return [each.text or "" for each in parsed(chart).iter(f"{SVG}text")]


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.name)
def test_a_chart_is_well_formed_scales_and_is_read_out(chart: Drawing) -> None:
    root = parsed(chart)
    assert root.get("viewBox") == f"0 0 320 {chart.height:g}"
    named = root.get("aria-labelledby", "").split()
    found = {each.get("id"): each.text for each in root if each.tag in (f"{SVG}title", f"{SVG}desc")}
    assert [found[name] for name in named] == [chart.title, chart.description]
    assert not FORBIDDEN.search(render_svg(chart))
    assert render_svg(chart) == render_svg(chart)


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.name)
def test_nothing_is_drawn_beyond_the_edges(chart: Drawing) -> None:
    for shape in chart.shapes:
        match asdict(shape):
            case {"width": width, "height": height, "x": x, "y": y}:
                assert -0.01 <= x <= x + width <= chart.width + 0.01
                assert -0.01 <= y <= y + height <= chart.height + 0.01
            case {"points": points}:
                assert all(-0.01 <= x <= chart.width + 0.01 and -0.01 <= y <= chart.height + 0.01 for x, y in points)
            case {"x": x, "y": y}:
                assert -1 <= x <= chart.width
                assert 0 <= y <= chart.height + 1


def test_a_word_is_text_however_it_is_written() -> None:
    assert "&lt;ORCO&gt;" in render_svg(BY_NAME["words-3"])
    assert any("<ORCO>" in text for text in texts(BY_NAME["words-3"]))
    assert "Anna &amp; &lt;Bruno&gt;" in render_svg(BY_NAME["way"])


def test_the_top_is_recognisable_without_colour() -> None:
    spread, words = render_svg(BY_NAME["spread-3"]), render_svg(BY_NAME["words-3"])
    assert "polyline" in words
    assert spread.count("s-top") > 3
    assert "24" in texts(BY_NAME["spread-3"])


def test_values_stand_where_they_are_drawn() -> None:
    assert {"3", "2", "1", "5"} <= set(texts(BY_NAME["spread-3"]))
    assert {"100", "8"} <= set(texts(BY_NAME["heat"]))
    assert "Top 80" in texts(BY_NAME["way"])
    assert "Mean 48" in texts(BY_NAME["way"])


def test_of_many_turns_the_fifth_ones_are_labelled() -> None:
    shares = next(chart for chart in charts_of_game(a_game(40)) if chart.name == "shares")
    labels = [text for text in texts(shares) if text in {"1", "5", "6", "40"}]
    assert {"1", "5", "40"} <= set(labels)
    assert len(shares.figures.rows) == 40


def test_every_chart_brings_its_figures_as_a_table() -> None:
    for chart in ALL:
        page = render_to_string("charts/_chart.html", {"chart": chart})
        assert page.count("<tr>") == len(chart.figures.rows) + 1
        assert all(len(row) == len(chart.figures.columns) for row in chart.figures.rows)
        assert not FORBIDDEN.search(page)


def test_a_game_without_a_turn_has_no_charts() -> None:
    assert charts_of_game(GameAnalysis((), (), ((0,) * 15,) * 15, "8H", 0)) == []
    empty = compute_turn_statistics(TurnRecord(1, "Q", ["." * 15] * 15, 0, None, {}, ()))
    assert charts_of_turn(empty) == []


def test_the_way_of_who_has_not_played_is_drawn_too() -> None:
    assert render_svg(progress_chart(PlayerLine((), (), (), ()), "Anna"))


def test_hatching_stays_within_its_bar() -> None:
    for width, height in ((3.0, 90.0), (40.0, 7.0), (1.0, 1.0)):
        lines = [shape for shape in hatch_rectangle(10, 20, width, height, Ink.TOP) if hasattr(shape, "points")]
        assert all(10 <= x <= 10 + width and 20 <= y <= 20 + height for line in lines for x, y in line.points)


def test_colours_of_neighbouring_heats_differ_in_grey() -> None:
    greys = [_grey(ON_PAPER[Ink(f"heat{level}")]) for level in range(6)]
    assert greys == sorted(greys, reverse=True)
    assert all(before - after >= 9 for before, after in pairwise(greys))
    assert abs(_grey(ON_PAPER[Ink.BAR]) - _grey(ON_PAPER[Ink.HEAT_0])) > 100


def _grey(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.usefixtures("poppler")
def test_a_pdf_holds_the_same_texts_and_equal_bytes(tmp_path: Path) -> None:
    def pdf() -> bytes:
        stream = BytesIO()
        canvas = SheetCanvas(stream, (600, 800))
        top = 790.0
        for chart in ALL:
            top -= draw_chart(canvas, chart, 20, top, 160)
        canvas.showPage()
        canvas.save()
        return stream.getvalue()

    first = pdf()
    assert first == pdf()
    path = tmp_path / "charts.pdf"
    path.write_bytes(first)
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    for word in ("CORNO 8D (22)", "Top 80", "100"):
        assert word in text
