"""Blank slips are in order once the stack is cut and the piles are laid on each other."""

from __future__ import annotations

from typing import Any, cast

import pytest

from engine.archive.schema import Archive
from engine.rules.profile import load_profile, profile_codes
from referee.pdf.handouts.slips import (
    COLUMNS,
    ROWS,
    BlankSlip,
    draw_slips,
    label_of_slips,
    reads_slips,
    slips_pdf,
    stack_slips,
)
from tests.engine.archive.played_game import play_game_archive
from tests.referee.pdf.pages import Page, pages_of


def cut(pages: list[Page]) -> list[list[tuple[int, int]]]:
    """Return (table, turn) of every slip, pile by pile from the upper left, each from its first page down."""
    piles: list[list[tuple[int, int]]] = [[] for _ in range(COLUMNS * ROWS)]
    for page in pages:
        wide, high = page.width / COLUMNS, page.height / ROWS
        large = [box for box in page.boxes if box.text.isdigit() and box.top - box.low > 10]
        for box in large:
            row, column = int((page.height - box.top) / high), int(box.left / wide)
            pile = piles[row * COLUMNS + column]
            if box.left < column * wide + wide / 2:
                pile.append((int(box.text), 0))
            else:
                pile[-1] = (pile[-1][0], int(box.text))
    return piles


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("tables", "turns"), [([1, 2, 3], 4), ([7], 25), (list(range(1, 12)), 7)])
def test_after_cutting_the_piles_are_sorted_by_table_and_turn(paper: str, tables: list[int], turns: int) -> None:
    pdf = draw_slips(
        play_game_archive(turns=1), stack_slips(dict.fromkeys(tables, "Anna"), turns), language="en", paper=paper
    )
    laid = [slip for pile in cut(pages_of(pdf)) for slip in pile]
    assert laid == [(table, turn) for table in tables for turn in range(1, turns + 1)]


def test_no_slip_is_lost_or_doubled_however_many_there_are() -> None:
    for tables in range(1, 14):
        for turns in (1, 3, 20):
            slips = stack_slips(dict.fromkeys(range(1, tables + 1), "Anna"), turns)
            assert len(slips) % (COLUMNS * ROWS) == 0
            filled = [slip for slip in slips if slip != BlankSlip()]
            assert len(filled) == len(set(filled)) == tables * turns


def test_there_is_a_square_for_each_of_fifteen_letters_and_the_arrows_show_how_to_write() -> None:
    for code in profile_codes():
        archive = cast(
            Archive, cast(dict[str, Any], play_game_archive(turns=1)) | {"across": load_profile(code).notation.value}
        )
        [page, *_others] = pages_of(slips_pdf(archive, language="en"))
        across = next(box for box in page.boxes if box.text == "→")
        example = next(box for box in page.boxes if box.text in ("8H", "H8") and abs(box.left - across.left) < 12)
        assert example.text == load_profile(code).notation.value


def test_the_field_of_the_reference_names_crossing_letters_where_they_count() -> None:
    for code in profile_codes():
        archive = cast(
            Archive, cast(dict[str, Any], play_game_archive(turns=1)) | {"profile": load_profile(code).switches()}
        )
        [page, *_others] = pages_of(slips_pdf(archive, language="en"))
        assert ("or 3 crossing letters" in page.text) is (code == "fisf")


def test_the_arrows_are_boxes_to_be_marked() -> None:
    [page, *_others] = pages_of(draw_slips(play_game_archive(turns=1), [BlankSlip(1, 1)], language="en", paper="a4"))
    words = {box.text for box in page.boxes}
    assert {"Table", "Turn", "Reference", "Direction", "Blank = letter", "Score", "→", "↓", "1"} <= words


@pytest.mark.parametrize(("choice", "good"), [("blank", True), ("20", True), ("60", True), ("61", False), ("0", False)])
def test_so_many_turns_can_be_chosen_as_a_game_may_have(choice: str, good: bool) -> None:
    assert reads_slips(choice) is good
    assert label_of_slips(choice)
