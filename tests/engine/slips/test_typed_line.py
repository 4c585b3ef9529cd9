"""The line of the desk: tables, offered tables, short forms, zeros with a reason."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.board.coordinates import Direction, Notation
from engine.slips.slip import Slip
from engine.slips.typed_line import (
    EMPTY_SLIP,
    MAX_TABLES,
    UNREADABLE_SLIP,
    ZERO_REASONS,
    Shorthand,
    TypedLine,
    UnreadableLine,
    format_content,
    format_line,
    parse_line,
)

EIGHT_D = Slip("CORNO", "8D", 22)
SAME, TOP = Shorthand.SAME, Shorthand.TOP
LATE = Slip("", "?", None, received="late")
SEVERAL = Slip("", "?", None, received="several")
SEVENTEEN = (17,)


@pytest.mark.parametrize(
    ("line", "tables", "content"),
    [
        ("17 8D CORNO 22", SEVENTEEN, EIGHT_D),
        ("17 22 CORNO 8D", SEVENTEEN, EIGHT_D),
        ("017 8 d corno 22", SEVENTEEN, EIGHT_D),
        ("17, 8D, CORNO, 22", SEVENTEEN, EIGHT_D),
        ("17,8D,CORNO,22", SEVENTEEN, EIGHT_D),
        ("17 0 CORNO 8D", SEVENTEEN, Slip("CORNO", "8D", 0)),
        ("17 8D CORNO 0", SEVENTEEN, Slip("CORNO", "8D", 0)),
        ("17,21,33 8D CORNO 22", (17, 21, 33), EIGHT_D),
        ("17+21+33 8D CORNO 22", (17, 21, 33), EIGHT_D),
        ("17+17+21 8D CORNO 22", (17, 21), EIGHT_D),
        ("8,9 8D CORNO 22", (8, 9), EIGHT_D),
        # The same again, by the sign on the letters' side or the one on the number pad.
        ("17=", SEVENTEEN, SAME),
        ("17 =", SEVENTEEN, SAME),
        ("17+", SEVENTEEN, SAME),
        ("17 +", SEVENTEEN, SAME),
        ("17+21+33+", (17, 21, 33), SAME),
        ("17 21 33 =", (17, 21, 33), SAME),
        ("17 21 33+", (17, 21, 33), SAME),
        ("17, 21, 33 +", (17, 21, 33), SAME),
        # The top.
        ("17 T", SEVENTEEN, TOP),
        ("17 t", SEVENTEEN, TOP),
        ("17*", SEVENTEEN, TOP),
        ("17 21 T", (17, 21), TOP),
        ("17+21*", (17, 21), TOP),
        # Zeros.
        ("17 -", SEVENTEEN, EMPTY_SLIP),
        ("17-", SEVENTEEN, EMPTY_SLIP),
        ("17 0", SEVENTEEN, EMPTY_SLIP),
        ("17 0 n", SEVENTEEN, EMPTY_SLIP),
        ("17 0 1", SEVENTEEN, EMPTY_SLIP),
        ("17-1", SEVENTEEN, EMPTY_SLIP),
        ("17 0 U", SEVENTEEN, UNREADABLE_SLIP),
        ("17-2", SEVENTEEN, UNREADABLE_SLIP),
        ("17 ?", SEVENTEEN, UNREADABLE_SLIP),
        ("17 0 S", SEVENTEEN, SEVERAL),
        ("17-3", SEVENTEEN, SEVERAL),
        ("17 0 L", SEVENTEEN, LATE),
        ("17 0 l", SEVENTEEN, LATE),
        ("17-4", SEVENTEEN, LATE),
        ("17 -L", SEVENTEEN, LATE),
        ("17 21 0", (17, 21), EMPTY_SLIP),
        ("17+21-4", (17, 21), LATE),
        ("17 21 0 L", (17, 21), LATE),
        ("17 0 L 8D CORNO 22", SEVENTEEN, Slip("CORNO", "8D", 22, received="late")),
        ("17 0 S 8D CORNO", SEVENTEEN, Slip("CORNO", "8D", None, received="several")),
    ],
)
def test_a_line_says_whose_slips_it_is_about_and_what_they_say(
    line: str, tables: tuple[int, ...], content: Slip | Shorthand
) -> None:
    assert parse_line(line, Notation.NUMBER_FIRST) == TypedLine(tables, content)
    assert parse_line(line, Notation.NUMBER_FIRST, offered=99) == TypedLine(tables, content)


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
def test_the_parts_of_a_slip_are_read_in_any_order(line: str, slip: Slip) -> None:
    assert parse_line(line, Notation.NUMBER_FIRST) == TypedLine(SEVENTEEN, slip)


def test_the_refusal_can_be_said_in_another_language() -> None:
    with pytest.raises(UnreadableLine) as refused:
        parse_line("17 8H CORNO ORA 22", Notation.NUMBER_FIRST)
    italian = {refused.value.template: "Ci sono due parole: %(first)s e %(second)s."}
    assert refused.value.sentence(italian.__getitem__) == "Ci sono due parole: CORNO e ORA."


@given(st.text(max_size=250), st.sampled_from(Notation))
def test_no_text_breaks_the_reader(line: str, notation: Notation) -> None:
    for text in (line, f"17 {line}"):
        try:
            read = parse_line(text, notation)
        except UnreadableLine:
            continue
        assert min(read.tables) > 0
        assert isinstance(read.content, Shorthand) or (read.content.declared or 0) >= 0


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("8D CORNO 22", EIGHT_D),
        ("CORNO 22 8D", EIGHT_D),
        ("H8 CORNO", Slip("CORNO", "H8", None)),
        ("> CORNO", Slip("CORNO", "", None, Direction.ACROSS)),
        ("=", SAME),
        ("+", SAME),
        ("t", TOP),
        ("*", TOP),
        ("-", EMPTY_SLIP),
        ("0", EMPTY_SLIP),
        ("0 L", LATE),
        ("-4", LATE),
        ("?", UNREADABLE_SLIP),
        ("0 L 8D CORNO 22", Slip("CORNO", "8D", 22, received="late")),
    ],
)
def test_a_line_without_a_table_is_that_of_the_offered_one(line: str, content: Slip | Shorthand) -> None:
    assert parse_line(line, Notation.NUMBER_FIRST, offered=99) == TypedLine((99,), content)
    with pytest.raises(UnreadableLine, match="Begin with the number of the table"):
        parse_line(line, Notation.NUMBER_FIRST)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("17", "Write what table 17 handed in, as in 17 8H CORNO 22, or 17 - for no slip."),
        ("17,21", "Write what table 17 handed in, as in 17 8H CORNO 22, or 17 - for no slip."),
        ("17 21 8H CORNO 22", "There are two scores in this line, 21 and 22; write one."),
        ("17 21 33 8H CORNO", "There are two scores in this line, 21 and 33; write one."),
        ("CORNO 8H 22", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("8H CORNO 22", "Begin with the number of the table, as in 17 8H CORNO 22."),
        ("17 22", "There is no word in this line; write ? for a word that cannot be read."),
        ("17 8H ? CORNO", "There are two words in this line, ? and CORNO; write one."),
        ("17 8H CORNO ORA 22", "There are two words in this line, CORNO and ORA; write one."),
        ("17 8H H8 CORNO 22", "There are two references in this line, 8H and H8; write one."),
        ("17 8H CORNO 22 24", "There are two scores in this line, 22 and 24; write one."),
        ("17 8H CORNO > |", "There are two directions in this line; write one."),
        ("17 ? >", "Write - if nothing was handed in, or add the reference or the score to the ?."),
        ("17 8H", "There is no word in this line; write ? for a word that cannot be read."),
        (
            "17 0 X",
            "X is no reason for a zero: N nothing handed in, U cannot be read, S several slips, L too late.",
        ),
        ("17 0 N 8H CORNO 22", "Nothing can follow 0 N; write the slip without it."),
        ("17 " + "A" * 300, "This line is too long for a slip; write table, reference, word and score."),
        (",".join(map(str, range(1, 42))) + " =", "A line takes at most 40 tables; start another line."),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_what_is_wrong(line: str, text: str) -> None:
    with pytest.raises(UnreadableLine) as refused:
        parse_line(line, Notation.NUMBER_FIRST, offered=99 if line.startswith("17 0") else None)
    assert str(refused.value) == text


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("3 PUBLIERA ESC 167", Slip("PUBLIERA", "", 167, hook="ESC")),
        ("3 publiera esc 167", Slip("PUBLIERA", "", 167, hook="ESC")),
        ("3 167 ESC PUBLIERA", Slip("PUBLIERA", "", 167, hook="ESC")),
        ("3 PUBLIERA ES", Slip("PUBLIERA", "", None, hook="ES")),
        ("3 MUS ESC 20", Slip("MUS", "", 20, hook="ESC")),
        ("3 > PUBLIERA ESC 167", Slip("PUBLIERA", "", 167, Direction.ACROSS, "ESC")),
        ("3 ALLUNYA [L·L]AN 20", Slip("ALLUNYA", "", 20, hook="[L·L]AN")),
        ("3 ? ESC 20", Slip("", "", 20, hook="ESC")),
        ("3 0 L PUBLIERA ESC 167", Slip("PUBLIERA", "", 167, hook="ESC", received="late")),
        ("3 A1 PUBLIERA 167", Slip("PUBLIERA", "A1", 167)),
        ("3 MUS 20", Slip("MUS", "", 20)),
    ],
)
def test_crossing_letters_stand_in_place_of_a_reference(line: str, content: Slip) -> None:
    assert parse_line(line, Notation.LETTER_FIRST, hooks=True) == TypedLine((3,), content)


@pytest.mark.parametrize(
    ("line", "hooks", "text"),
    [
        ("3 PUBLIERA ESC 167", False, "There are two words in this line, PUBLIERA and ESC; write one."),
        ("3 PUBLIERA ESCARGOT 167", True, "There are two words in this line, PUBLIERA and ESCARGOT; write one."),
        (
            "3 A1 PUBLIERA ESC 167",
            True,
            "There are a reference and crossing letters in this line, A1 and ESC; write one of them.",
        ),
    ],
)
def test_crossing_letters_are_refused_where_they_mean_nothing(line: str, hooks: bool, text: str) -> None:
    with pytest.raises(UnreadableLine) as refused:
        parse_line(line, Notation.LETTER_FIRST, hooks=hooks)
    assert str(refused.value) == text


WORDS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZÀÇÑ", min_size=2, max_size=9).flatmap(
    lambda word: st.sampled_from([word, word[0] + word[1:].lower(), f"{word}({word[0].lower()})"])
)
REFS = st.sampled_from(["8D", "D8", "15O", "1A", "Z99", "16A", ""])
DECLARED = st.one_of(st.none(), st.integers(0, 999))
WAYS = st.sampled_from([None, *Direction])
RECEIVED = st.sampled_from(["in_time", "late", "several"])
SLIPS = st.one_of(
    st.builds(Slip, WORDS, REFS, DECLARED, WAYS, st.just(""), RECEIVED),
    st.sampled_from([one.slip for one in ZERO_REASONS]),
)
LINES = st.builds(
    TypedLine,
    st.lists(st.integers(1, 99_999), min_size=1, max_size=12, unique=True).map(tuple),
    st.one_of(SLIPS, st.sampled_from(Shorthand)),
)


@given(LINES, st.sampled_from(Notation), st.one_of(st.none(), st.integers(1, 400)))
def test_a_line_that_was_written_is_read_as_the_same(line: TypedLine, notation: Notation, offered: int | None) -> None:
    assert parse_line(format_line(line), notation, offered) == line


HOOKS = st.text("ABCÇ", min_size=2, max_size=3)
HOOKED = st.builds(Slip, WORDS, st.just(""), DECLARED, WAYS, HOOKS, RECEIVED)


@given(HOOKED, st.sampled_from(Notation))
def test_crossing_letters_that_were_written_are_read_as_the_same(slip: Slip, notation: Notation) -> None:
    line = TypedLine((7,), slip)
    assert parse_line(format_line(line), notation, hooks=True) == line


@given(SLIPS, st.sampled_from(Notation), st.integers(1, 999))
def test_what_is_behind_the_tables_can_be_typed_for_the_offered_one(slip: Slip, notation: Notation, table: int) -> None:
    """But for a line that begins with digits alone, which are a table: there is none among what is written here."""
    assert parse_line(format_content(slip), notation, table) == TypedLine((table,), slip)


@example("1000000", Notation.NUMBER_FIRST)
@given(st.text("0123456789 ABDHT=+*-,.;?()>|", max_size=30), st.sampled_from(Notation))
def test_every_line_is_read_or_refused_and_digits_it_begins_with_are_tables(line: str, notation: Notation) -> None:
    try:
        read = parse_line(line, notation, offered=7)
    except UnreadableLine:
        return
    first = line.strip(" ,;.").split()[0]
    assert 0 < len(read.tables) <= MAX_TABLES
    if first.isdigit() and int(first):
        assert read.tables[0] == int(first)
