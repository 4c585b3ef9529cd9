"""Slips, and the line in which a paper slip is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.coords import Direction, Notation, Reference
from engine.rules.slip import PaperLine, Slip, UnreadableLine, parse_paper_line

EIGHT_D = Slip("CORNO", "8D", 22)


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("17 8D CORNO 22", EIGHT_D),
        ("17 8d CORNO 22", EIGHT_D),
        ("17 8d corno 22", EIGHT_D),
        ("  017\tCORNO   22 8D  ", EIGHT_D),
        ("17 22 CORNO 8D", EIGHT_D),
        ("17, 8D, CORNO, 22", EIGHT_D),
        ("17: 8D; CORNO; 22.", EIGHT_D),
        ("17 8 D CORNO 22", EIGHT_D),
        ("17 D8 CORNO 22", Slip("CORNO", "D8", 22)),
        ("17 d 8 corno 22", Slip("CORNO", "D8", 22)),
        ("17 8D CORNO", Slip("CORNO", "8D", None)),
        ("17 CORNO 22", Slip("CORNO", "", 22)),
        ("17 CORNO", Slip("CORNO", "", None)),
        ("17 8D CORNo 22", Slip("CORNo", "8D", 22)),
        ("17 8D CORN(O) 22", Slip("CORN(O)", "8D", 22)),
        ("17 8D corn(o) 22", Slip("CORN(o)", "8D", 22)),
        ("17 8D perché 22", Slip("PERCHÉ", "8D", 22)),
        ("17 H4 A[ny]S 22", Slip("A[ny]S", "H4", 22)),
        ("17 Z99 CORNO 22", Slip("CORNO", "Z99", 22)),
        ("17 16A CORNO 22", Slip("CORNO", "16A", 22)),
        ("17 8D ? 22", Slip("", "8D", 22)),
        ("17 8D 😀 22", Slip("😀", "8D", 22)),
        ("17 8D > CORNO 22", Slip("CORNO", "8D", 22, Direction.ACROSS)),
        ("17 8D CORNO 22 |", Slip("CORNO", "8D", 22, Direction.DOWN)),
        ("17 -", Slip("", "", None)),
        ("17 0", Slip("", "", None)),
        ("17 8D CORNO 0", Slip("CORNO", "8D", 0)),
    ],
)
def test_a_line_is_read_in_any_order(line: str, slip: Slip) -> None:
    assert parse_paper_line(line, Notation.NUMBER_FIRST) == PaperLine(17, slip)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("CORNO 8H 22", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("0 8H CORNO 22", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("8H CORNO 22", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("17", "Write what table 17 handed in, as in 17 8H CORNO 22, or 17 - for no slip."),
        ("17 8H 22", "There is no word in this line; write ? for a word that cannot be read."),
        ("17 22", "There is no word in this line; write ? for a word that cannot be read."),
        ("17 8H ? CORNO", "There are two words in this line, ? and CORNO; write one."),
        ("17 8H CORNO ORA 22", "There are two words in this line, CORNO and ORA; write one."),
        ("17 8H H8 CORNO 22", "There are two references in this line, 8H and H8; write one."),
        ("17 8H CORNO 22 24", "There are two scores in this line, 22 and 24; write one."),
        ("17 8H CORNO > |", "There are two directions in this line; write one."),
        ("17 ?", "Write - when nothing was handed in, or the reference or the score besides ?."),
        ("17 8H " + "A" * 10_000, "This line is too long for a slip; write table, reference, word and score."),
    ],
)
def test_a_line_that_is_no_slip_is_refused_with_what_is_wrong(line: str, text: str) -> None:
    with pytest.raises(UnreadableLine) as refused:
        parse_paper_line(line, Notation.NUMBER_FIRST)
    assert str(refused.value) == text


def test_the_refusal_can_be_said_in_another_language() -> None:
    with pytest.raises(UnreadableLine) as refused:
        parse_paper_line("17 8H CORNO ORA 22", Notation.NUMBER_FIRST)
    italian = {refused.value.template: "Ci sono due parole: %(first)s e %(second)s."}
    assert refused.value.sentence(italian.__getitem__) == "Ci sono due parole: CORNO e ORA."


@given(st.text(max_size=250), st.sampled_from(Notation))
def test_no_text_breaks_the_reader(line: str, notation: Notation) -> None:
    for text in (line, f"17 {line}"):
        try:
            read = parse_paper_line(text, notation)
        except UnreadableLine:
            continue
        assert read.table > 0
        assert read.slip.declared is None or read.slip.declared >= 0


def test_slips_that_say_the_same_have_one_key() -> None:
    assert Slip(" CORNO", "8d ", 22).key == Slip("CORNO", "8 D", 22).key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNo", "8D", 22).key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNO", "8D", None).key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNO", "8D", 22, received="late").key
    assert Slip("CORNO", "8D", 22).key != Slip("CORNO", "8D", 22, Direction.DOWN).key
    assert Slip("CORNO", "", 22, hook="ors").key == Slip("CORNO", "", 22, hook="ORS ").key


def test_a_slip_is_blank_when_nothing_is_written() -> None:
    assert Slip(" ", "", None).is_blank
    assert Slip("", "", None, Direction.DOWN).is_blank
    assert not Slip("", "", 0).is_blank
    assert not Slip("", "8H", None).is_blank
    assert not Slip("", "", None, hook="ORA").is_blank


def test_the_direction_in_the_grid_wins_over_the_reference() -> None:
    """Order of judging, 4."""
    written = Slip("CORNO", "8D", 22, Direction.DOWN)
    assert written.reference(Notation.NUMBER_FIRST) == Reference(7, 3, Direction.DOWN)
    assert Slip("CORNO", "8D", 22).reference(Notation.NUMBER_FIRST) == Reference(7, 3, Direction.ACROSS)
    assert Slip("CORNO", "Z99", 22).reference(Notation.NUMBER_FIRST) is None
    assert Slip("CORNO", "", 22).reference(Notation.NUMBER_FIRST) is None
