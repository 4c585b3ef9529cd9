"""Tile sets, and how words are cut into tiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.coords import Notation
from engine.edition import (
    BLANK_BIT,
    Edition,
    EditionError,
    TileClass,
    UnknownLetter,
    edition_codes,
    load_edition,
    read_edition,
)

ITALIAN = (
    "A1x14 B5x3 C2x6 D5x3 E1x11 F5x3 G8x2 H8x2 I1x12 L3x5 M3x5 N3x5 O1x15 P5x3 Q10x1 R2x6 S2x6 T2x6 U3x5 V5x3 Z8x2"
)
SMALL = """
name = "Small"
language = "xx"
across = "8H"
source = "test"
verified = false
[tiles]
"?" = { count = 2, value = 0, class = "blank" }
A = { count = 3, value = 1, class = "vowel" }
B = { count = 2, value = 3, class = "consonant" }
"""


def test_the_italian_set_is_the_table_of_the_tournament_rules() -> None:
    """Tournament rules 1999, 1: count and value of each letter, two blanks, 120 tiles."""
    edition = load_edition("it")
    printed = " ".join(f"{kind.face}{kind.value}x{kind.count}" for kind in edition.kinds[1:])
    assert printed == ITALIAN
    assert (edition.kinds[0].face, edition.kinds[0].count, edition.total) == ("?", 2, 120)
    assert edition.across is Notation.NUMBER_FIRST


def test_italian_has_five_letters_that_only_a_blank_can_be() -> None:
    """Tournament rules 1999, 5: a blank may be J K W X Y too, and is worth nothing."""
    edition = load_edition("it")
    assert edition.blank_only == ("J", "K", "W", "X", "Y")
    assert [edition.values[edition.letter(face)] for face in edition.blank_only] == [0] * 5
    assert edition.word_text(edition.parse_word("TAxI")) == "TAxI"


def test_the_catalan_set_has_98_letters_and_two_blanks() -> None:
    """Catalan manual, contents of the box."""
    edition = load_edition("ca")
    assert (edition.total, edition.kinds[0].count) == (100, 2)
    assert edition.across is Notation.LETTER_FIRST
    assert {face for face in edition.letters if len(face) > 1} == {"L·L", "NY", "QU"}


@pytest.mark.parametrize(("code", "vowels", "consonants", "either"), [("it", 57, 61, 2), ("ca", 42, 56, 2)])
def test_vowels_and_consonants_are_counted(code: str, vowels: int, consonants: int, either: int) -> None:
    counts = dict.fromkeys(TileClass, 0)
    for kind in load_edition(code).kinds:
        counts[kind.tile_class] += kind.count
    assert (counts[TileClass.VOWEL], counts[TileClass.CONSONANT]) == (vowels, consonants)
    assert counts[TileClass.EITHER] + counts[TileClass.BLANK] == either


@pytest.mark.parametrize(
    ("code", "written", "tiles"),
    [
        ("it", "CORNO", "CORNO"),
        ("it", "CORNo", "CORNo"),
        ("it", "CORN(O)", "CORNo"),
        ("it", "corn(O)", "corno"),
        ("it", " perché ", "perche"),
        ("it", "PERCHÉ", "PERCHE"),
        ("it", "straße", "strasse"),
        ("ca", "QUILLA", "[QU]ILLA"),
        ("ca", "COL·LEGI", "CO[L·L]EGI"),
        ("ca", "COL.LEGI", "CO[L·L]EGI"),
        ("ca", "COL-LEGI", "CO[L·L]EGI"),
        ("ca", "COĿEGI", "CO[L·L]EGI"),
        ("ca", "COĿLEGI", "CO[L·L]EGI"),
        ("ca", "CO[L·L]EGI", "CO[L·L]EGI"),
        ("ca", "coL·Legi", "co[L·L]egi"),
        ("ca", "COl·lEGI", "CO[l·l]EGI"),
        ("ca", "AnyS", "A[ny]S"),
        ("ca", "A[ny]S", "A[ny]S"),
        ("ca", "A(NY)S", "A[ny]S"),
        ("ca", "CAÇA", "CAÇA"),
        ("ca", "CAC\u0327A", "CAÇA"),
        ("ca", "PÀL·LID", "PA[L·L]ID"),
        ("ca", "JAQUETA", "JA[QU]ETA"),
    ],
)
def test_a_written_word_is_cut_into_tiles(code: str, written: str, tiles: str) -> None:
    """A tile of several letters is found without brackets; signs that the edition does not keep are dropped."""
    edition = load_edition(code)
    assert edition.word_text(edition.parse_word(written)) == tiles


def test_a_tile_of_several_letters_is_one_square() -> None:
    assert [len(load_edition("ca").parse_word(word)) for word in ("COL·LEGI", "COLLEGI", "[NY]")] == [6, 7, 1]


@pytest.mark.parametrize(
    ("code", "text", "sign"),
    [
        ("it", "CA😀A", "😀"),
        ("it", "A B", " "),
        ("it", "A1", "1"),
        ("it", "?", "?"),
        ("it", "[CH]E", "[CH]"),
        ("it", "A(", "("),
        ("it", "(OO)", "(OO)"),
        ("ca", "QI", "Q"),
        ("ca", "KA", "K"),
        ("ca", "[]", "[]"),
        ("ca", "A·", "·"),
    ],
)
def test_a_sign_that_no_tile_shows_is_named(code: str, text: str, sign: str) -> None:
    with pytest.raises(UnknownLetter) as refused:
        load_edition(code).parse_word(text)
    assert refused.value.sign == sign
    assert str(refused.value) == f"{sign!r} is not a letter of the edition {code}"


@pytest.mark.parametrize("code", ["it", "ca"])
@given(numbers=st.lists(st.tuples(st.integers(0, 25), st.booleans()), max_size=15))
def test_what_is_written_is_read_back(code: str, numbers: list[tuple[int, bool]]) -> None:
    edition = load_edition(code)
    codes = tuple(number | (BLANK_BIT if blank else 0) for number, blank in numbers)
    assert edition.parse_word(edition.word_text(codes)) == codes


@pytest.mark.parametrize("code", ["it", "ca"])
@given(text=st.text())
def test_no_text_breaks_the_reader(code: str, text: str) -> None:
    edition = load_edition(code)
    try:
        codes = edition.parse_word(text)
    except UnknownLetter:
        return
    assert edition.parse_word(edition.word_text(codes)) == codes


def test_a_letter_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownLetter, match=r"^'Ñ' is not a letter of the edition it$"):
        load_edition("it").letter("Ñ")


def test_a_blank_is_worth_nothing_whatever_it_stands_for() -> None:
    edition = load_edition("it")
    q = edition.letter("Q")
    assert (edition.values[q], edition.values[q | BLANK_BIT]) == (10, 0)


def test_an_edition_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(EditionError) as refused:
        load_edition("xx")
    assert str(refused.value) == f"there is no edition 'xx'; there are {', '.join(edition_codes())}"


def _small(old: str = "", new: str = "") -> Edition:
    assert old in SMALL
    return read_edition("xx", SMALL.replace(old, new) if old else SMALL)


def test_an_edition_is_read_from_its_file() -> None:
    edition = _small()
    assert (edition.letters, edition.total, edition.values[:2]) == (("A", "B"), 7, (1, 3))


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("count = 3", "count = 0", "xx: tile A: count must be a whole number above 0, not 0"),
        ("count = 3", 'count = "3"', "xx: tile A: count must be a whole number above 0, not '3'"),
        ("value = 3", "value = -1", "xx: tile B: value must be a whole number, 0 or more, not -1"),
        (
            '"vowel"',
            '"vocal"',
            "xx: tile A: class must be one of vowel, consonant, either, blank, not 'vocal'",
        ),
        ('"vowel"', '"blank"', "xx: there may be one kind of blank only"),
        ('"blank"', '"either"', 'xx: the first tile must be the blank, "?"'),
        ("\nA =", "\na =", "xx: letter a must be there once, in upper case"),
        ("verified = false", 'verified = false\nblank_only = ["A"]', "xx: letter A must be there once, in upper case"),
        ('across = "8H"', 'across = "X"', "xx: 'X' is not a valid Notation"),
        ('source = "test"', "", "xx: 'source'"),
        ("verified = false", 'verified = false\npremiums = ["."]', None),
        ("[tiles]", "[tiles", None),
    ],
)
def test_an_edition_file_with_a_mistake_is_refused_with_the_entry(old: str, new: str, text: str | None) -> None:
    with pytest.raises(EditionError) as refused:
        _small(old, new)
    assert str(refused.value) == text if text else str(refused.value).startswith("xx: ")


def test_more_letters_than_the_engine_holds_are_refused() -> None:
    faces = "\n".join(f'"L{n}" = {{ count = 1, value = 1, class = "consonant" }}' for n in range(29))
    with pytest.raises(EditionError, match=r"^xx: 31 letters are more than the 30 that the engine can hold$"):
        read_edition("xx", SMALL + faces)
