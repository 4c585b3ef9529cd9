"""References in both conventions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.coordinates import (
    Direction,
    Notation,
    Reference,
    UnreadableReference,
    edge_labels,
    format_reference,
    parse_reference,
)

references = st.builds(Reference, st.integers(0, 14), st.integers(0, 14), st.sampled_from(Direction))


def test_the_box_writes_8h_across_and_h8_down() -> None:
    """Box rules, Multiplo: across from row 8, column H; down the letter first."""
    assert parse_reference("8H", Notation.NUMBER_FIRST) == Reference(7, 7, Direction.ACROSS)
    assert parse_reference("8D", Notation.NUMBER_FIRST) == Reference(7, 3, Direction.ACROSS)
    assert parse_reference("D8", Notation.NUMBER_FIRST) == Reference(7, 3, Direction.DOWN)


def test_the_catalan_manual_writes_h8_across_and_8h_down() -> None:
    """There the rows bear the letters."""
    assert parse_reference("H4", Notation.LETTER_FIRST) == Reference(7, 3, Direction.ACROSS)
    assert parse_reference("4H", Notation.LETTER_FIRST) == Reference(7, 3, Direction.DOWN)


@given(references, st.sampled_from(Notation))
def test_what_is_written_is_read_back(reference: Reference, notation: Notation) -> None:
    assert parse_reference(format_reference(reference, notation), notation) == reference


@given(references, st.sampled_from(Notation))
def test_case_and_blanks_do_not_matter(reference: Reference, notation: Notation) -> None:
    text = format_reference(reference, notation)
    assert parse_reference(f"  {text.lower()} ", notation) == reference
    number_first = text[-1].isalpha()
    parted = f"{text[:-1]} {text[-1]}" if number_first else f"{text[0]} {text[1:]}"
    assert parse_reference(parted, notation) == reference


@pytest.mark.parametrize(
    "text", ["", " ", "Z99", "8", "H", "0H", "16H", "8P", "8H8", "HH", "88", "8-H", "😀", "8H" * 5000]
)
@pytest.mark.parametrize("notation", Notation)
def test_anything_else_is_refused(text: str, notation: Notation) -> None:
    with pytest.raises(UnreadableReference) as refused:
        parse_reference(text, notation)
    assert str(refused.value) == f"{text!r} is not a reference such as 8H or H8"


@given(st.text(), st.sampled_from(Notation))
def test_no_text_breaks_the_reader(text: str, notation: Notation) -> None:
    try:
        reference = parse_reference(text, notation)
    except UnreadableReference:
        return
    assert 0 <= reference.row < 15
    assert 0 <= reference.col < 15


def test_the_edge_of_the_board_follows_the_notation() -> None:
    rows, cols = edge_labels(Notation.NUMBER_FIRST)
    assert (rows[0], rows[14], cols[0], cols[14]) == ("1", "15", "A", "O")
    assert edge_labels(Notation.LETTER_FIRST) == (cols, rows)


def test_the_other_direction_and_the_step_belong_together() -> None:
    assert Direction.ACROSS.other is Direction.DOWN
    assert Direction.DOWN.other is Direction.ACROSS
    assert (Direction.ACROSS.step, Direction.DOWN.step) == ((0, 1), (1, 0))


@pytest.mark.parametrize("notation", Notation)
def test_every_square_and_direction_has_one_name_of_its_own_and_is_found_by_it(notation: Notation) -> None:
    """450 names; the other convention gives the same names to the mirrored places."""
    every = [Reference(row, col, direction) for row in range(15) for col in range(15) for direction in Direction]
    names = [format_reference(reference, notation) for reference in every]
    assert len(set(names)) == 450
    assert [parse_reference(name, notation) for name in names] == every
    other = next(one for one in Notation if one is not notation)
    for name, reference in zip(names, every, strict=True):
        assert parse_reference(name, other) == Reference(reference.col, reference.row, reference.direction.other)
