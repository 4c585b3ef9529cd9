"""A whole list is read as each of its lines would be, and what is refused says why."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.parsing import RefusedLine, read_lines, read_rows
from engine.tiles.edition import LETTER_MASK, UnknownLetter, load_edition
from tests.examples import examples

EDITIONS = {code: load_edition(code) for code in ("it", "ca", "es", "de", "ro")}
CODES = pytest.mark.parametrize("code", sorted(EDITIONS))
_many = examples(200)

# What lists are made of, and what has led readers astray: signs alone, ligatures, points, brackets, strange spaces.
_PIECES = [*"aeilnoyqucrhs", *"AELNYS", "ç", "ñ", "ä", "ß", "ẞ", "œ", "Æ", "ø", "Ł", "ș", "ş", "é", "e\u0301", "ǽ"]
_PIECES += ["l·l", "L·L", "L.L", "l-l", "Ŀ", "ŀl", "·", "[", "]", "[LL]", "[l·l]", "[ny]", "[a]", "\u0301", "İ", "ı"]
_PIECES += ["'", "’", "-", " ", "\t", "\r", "\u00a0", "\u2003", "\u2028", "1", "ﬁ", "ſ", "日", "🂡", "ΐ", "\u0387"]
_LINES = st.lists(
    st.one_of(
        st.lists(st.sampled_from(_PIECES), max_size=18).map("".join),
        st.text(st.characters(exclude_characters="\n()", exclude_categories=["Cs"]), max_size=18),
    ),
    max_size=6,
)


def by_hand(code: str, lines: Sequence[str]) -> tuple[list[list[int]], list[RefusedLine]]:
    """The same by `Edition.parse_word`, line by line."""
    words, refused = [], []
    for at, line in enumerate(lines):
        try:
            letters = [number & LETTER_MASK for number in EDITIONS[code].parse_word(line)]
        except UnknownLetter as error:
            refused.append(RefusedLine(at, error.sign[0], 0))
            continue
        if 2 <= len(letters) <= 15:
            words.append(letters)
        elif letters:
            refused.append(RefusedLine(at, "", len(letters)))
    return words, refused


@CODES
@_many
@given(lines=_LINES)
def test_every_line_is_read_as_the_edition_reads_it(code: str, lines: list[str]) -> None:
    # An accent alone at the edge is nothing, and whether a space behind it is the edge nobody asks.
    lines = [line for line in lines if EDITIONS[code].fold(line).strip() == EDITIONS[code].fold(line.strip())]
    reading = read_lines(EDITIONS[code], lines)
    words = [[letter - 1 for letter in row if letter] for row in reading.rows.tolist()]
    refused = [
        # The reader of lists names a sign as it is written, `parse_word` as it is folded.
        RefusedLine(line.at, EDITIONS[code].fold(line.sign), 0 if line.sign else line.length)
        for line in reading.refused
    ]
    assert (words, refused) == by_hand(code, lines)
    assert read_rows(EDITIONS[code], lines).tolist() == reading.rows.tolist()


def test_a_refused_line_says_which_sign_or_how_many_tiles() -> None:
    lines = ["città", "à", "", "   ", "perch'è", "x-y", "a" * 16, "  però\t", "(a)ma", "CASA1"]
    refused = [(line.at, line.sign, line.length) for line in read_lines(EDITIONS["it"], lines).refused]
    assert refused == [(1, "", 1), (4, "'", 5), (5, "-", 1), (6, "", 16), (8, "(", 0), (9, "1", 4)]


def test_the_length_is_counted_in_tiles() -> None:
    reading = read_lines(EDITIONS["es"], ["ll" * 15, "ll" * 16, "ll"])
    assert len(reading.rows) == 1
    assert [line.length for line in reading.refused] == [16, 1]


def test_no_lines_are_no_words() -> None:
    rows, refused = read_lines(EDITIONS["it"], [])
    assert (rows.shape, refused) == ((0, 15), [])
