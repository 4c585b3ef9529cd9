"""Tile sets, and how words are cut into tiles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.coordinates import Notation
from engine.tiles.edition import (
    BLANK_BIT,
    Edition,
    EditionError,
    TileClass,
    UnknownLetter,
    edition_codes,
    is_bundled,
    load_edition,
    read_edition,
)

ITALIAN = (
    "A1x14 B5x3 C2x6 D5x3 E1x11 F5x3 G8x2 H8x2 I1x12 L3x5 M3x5 N3x5 O1x15 P5x3 Q10x1 R2x6 S2x6 T2x6 U3x5 V5x3 Z8x2"
)
ITALIAN_SET = (
    "?2x0 A14 B3x5 C6x2 D3x5 E11 F3x5 G2x8 H2x8 I12 L5x3 M5x3 N5x3 O15 P3x5 Q1x10 R6x2 S6x2 T6x2 U5x3 V3x5 Z2x8"
)
GERMAN_LETTERS = (
    "A5 Ä1x6 B2x3 C2x4 D4 E15 F2x4 G3x2 H4x2 I6 J1x6 K2x4 L3x2 M4x3 N9 O3x2 Ö1x8 P1x4 Q1x10 R6 S7 T6 U6 Ü1x6 V1x6 W1x3 "
    "X1x8 Y1x10 Z1x3"
)


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


PRINTED = {
    "it": ITALIAN_SET,
    "ca": (
        "?2x0 A12 B2x3 C3x2 Ç1x10 D3x2 E13 F1x4 G2x3 H1x8 I8 J1x8 L4 L·L1x10 M3x2 N6 NY1x10 O5 P2x3 QU1x8 R8 "
        "S8 T5 U4 V1x4 X1x10 Z1x8"
    ),
    "ro": "?2x0 A11 B2x9 C5 D4x2 E9 F2x8 G2x9 H1x10 I10 J1x10 L4 M3x4 N6 O5 P4x2 R7 S5 T7 U6 V2x8 X1x10 Z1x10",
    "ro-2": "?2x0 A10 B2x5 C5 D4x3 E9 F2x4 G2x6 H1x8 I11 J1x10 L5 M3x4 N6 O5x2 P4x2 R6 S6 T7 U5 V2x4 X1x10 Z1x8",
    "fr": (
        "?2x0 A9 B2x3 C2x3 D3x2 E15 F2x4 G2x2 H2x4 I8 J1x8 K1x10 L5 M3x2 N6 O6 P2x3 Q1x8 R6 S6 T6 U6 V2x4 "
        "W1x10 X1x10 Y1x10 Z1x10"
    ),
    "es": (
        "?2x0 A12 B2x3 C4x3 CH1x5 D5x2 E12 F1x4 G2x2 H2x4 I6 J1x8 L4 LL1x8 M2x3 N5 Ñ1x8 O9 P2x3 Q1x5 R5 RR1x8 "
        "S6 T4 U5 V1x4 X1x8 Y1x4 Z1x10"
    ),
    "en": (
        "?2x0 A9 B2x3 C2x3 D4x2 E12 F2x4 G3x2 H2x4 I9 J1x8 K1x5 L4 M2x3 N6 O8 P2x3 Q1x10 R6 S4 T6 U4 V2x4 "
        "W2x4 X1x8 Y2x4 Z1x10"
    ),
    "de": f"?2x0 {GERMAN_LETTERS}",
    "de-2024": f"?5x0 {GERMAN_LETTERS}",
    "nl": (
        "?2x0 A6 B2x3 C2x5 D5x2 E18 F2x4 G3x3 H2x4 I4 J2x4 K3x3 L3x3 M3x3 N10 O6 P2x3 Q1x10 R5x2 S5x2 T5x2 "
        "U3x4 V2x4 W2x5 X1x8 Y1x8 Z2x4"
    ),
    "pt": (
        "?3x0 A14 B3x3 C4x2 Ç2x3 D5x2 E11 F2x4 G2x4 H2x4 I10 J2x5 L5x2 M6 N4x3 O10 P4x2 Q1x6 R6 S8 T5 U7 V2x4 X1x8 Z1x8"
    ),
}


@pytest.mark.parametrize("code", PRINTED)
def test_a_set_has_the_tiles_that_its_sources_print(code: str) -> None:
    """Face, count, x value when it is not 1, in the order of the bag; the sources stand in the edition's file."""
    kinds = load_edition(code).kinds
    assert " ".join(f"{k.face}{k.count}" + (f"x{k.value}" if k.value != 1 else "") for k in kinds) == PRINTED[code]


def test_every_edition_is_tested_and_only_the_german_template_is_unverified() -> None:
    assert set(edition_codes()) == set(PRINTED)
    assert [code for code in edition_codes() if not load_edition(code).verified] == ["de-2024"]
    assert all(load_edition(code).source for code in edition_codes())
    assert all(is_bundled(load_edition(code)) for code in edition_codes())


@pytest.mark.parametrize(
    ("code", "total", "vowels", "consonants", "either", "across", "blank_only"),
    [
        ("it", 120, 57, 61, 2, "8H", "JKWXY"),
        ("ca", 100, 42, 56, 2, "H8", ""),
        ("ro", 100, 41, 57, 2, "H8", "KQWY"),
        ("ro-2", 100, 40, 58, 2, "H8", "KQWY"),
        ("fr", 102, 44, 55, 3, "H8", ""),
        ("es", 100, 44, 54, 2, "H8", ""),
        ("en", 100, 42, 56, 2, "8H", ""),
        ("de", 102, 38, 62, 2, "8H", ""),
        ("de-2024", 105, 38, 62, 5, "8H", ""),
        ("nl", 102, 37, 63, 2, "8H", ""),
        ("pt", 120, 52, 65, 3, "8H", ""),
    ],
)
def test_vowels_and_consonants_are_counted(
    code: str, total: int, vowels: int, consonants: int, either: int, across: str, blank_only: str
) -> None:
    """`either`: blanks, and Y in French."""
    edition = load_edition(code)
    counts = dict.fromkeys(TileClass, 0)
    for kind in edition.kinds:
        counts[kind.tile_class] += kind.count
    assert (counts[TileClass.VOWEL], counts[TileClass.CONSONANT]) == (vowels, consonants)
    assert counts[TileClass.EITHER] + counts[TileClass.BLANK] == either
    assert (edition.total, edition.across, "".join(edition.blank_only)) == (total, across, blank_only)


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
        ("it", "TAxI", "TAxI"),
        ("it", "BABY", "BABY"),
        ("de", "straße", "strasse"),
        ("de", "STRAßE", "STRASSE"),
        ("de", "STRAẞE", "STRASSE"),
        ("de", "STRA(S)(S)E", "STRAssE"),
        ("de", "MÜLLer", "MÜLLer"),
        ("de", "CAFÉ", "CAFE"),
        ("fr", "CŒUR", "COEUR"),
        ("fr", "CœUR", "COEUR"),
        ("fr", "cœur", "coeur"),
        ("fr", "ÇA", "CA"),
        ("fr", "LÆTITIA", "LAETITIA"),
        ("nl", "Ĳsvrĳ", "IJsvrIJ"),
        ("nl", "CAFÉ", "CAFE"),
        ("ro", "ÎNȘTIINȚA", "INSTIINTA"),
        ("ro", "ÎNŞTIINŢA", "INSTIINTA"),
        ("ro", "CÂMPUL", "CAMPUL"),
        ("ro-2", "FĂRĂ", "FARA"),
        ("ro", "kWaQY", "kWaQY"),
        ("es", "CHICO", "[CH]ICO"),
        ("es", "PERRO", "PE[RR]O"),
        ("es", "LLAMA", "[LL]AMA"),
        ("es", "chICO", "[ch]ICO"),
        ("es", "cHICO", "[CH]ICO"),
        ("es", "[C]HICO", "[C]HICO"),
        ("es", "(C)HICO", "[c]HICO"),
        ("es", "PE[R]RO", "PE[R]RO"),
        ("es", "AÑO", "AÑO"),
        ("es", "AN\u0303O", "AÑO"),
        ("es", "PINGÜINO", "PINGUINO"),
        ("es", "ÁRBOL", "ARBOL"),
        ("pt", "CORAÇÃO", "CORAÇAO"),
        ("en", "CAFÉ", "CAFE"),
        ("ca", "CO(L·L)EGI", "CO[l·l]EGI"),
        ("ca", "COŀlEGI", "CO[l·l]EGI"),
        ("ca", "CoL.lEGI", "Co[L·L]EGI"),
        ("ca", "COL•LEGI", "CO[L·L]EGI"),
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
    assert [len(load_edition("es").parse_word(word)) for word in ("CHICO", "PERRO", "LLAMAR", "[C]HI")] == [4, 4, 5, 3]


def readings(edition: Edition, text: str) -> list[str]:
    return [edition.word_text(reading) for reading in edition.readings(text)]


def allowed(edition: Edition, text: str) -> list[str]:
    return [edition.word_text(reading) for reading in edition.allowed_readings(text)]


def spanish(may_be_split: str) -> Edition:
    """The Spanish set of a club that lets the letters of some tiles be laid apart."""
    text = load_edition("es").toml
    assert "may_be_split = []" in text
    return read_edition("es", text.replace("may_be_split = []", f"may_be_split = [{may_be_split}]"))


@pytest.mark.parametrize(
    ("code", "written", "found"),
    [
        ("es", "CHICO", ["[CH]ICO", "[C]HICO"]),
        ("es", "PERRO", ["PE[RR]O", "PE[R]RO"]),
        ("es", "[C]HICO", ["[C]HICO"]),
        ("es", "[CH]ICO", ["[CH]ICO"]),
        ("es", "CHILLAR", ["[CH]I[LL]AR", "[CH]I[L]LAR", "[C]HI[LL]AR", "[C]HI[L]LAR"]),
        ("es", "CASA", ["CASA"]),
        ("ca", "COLLEGI", ["COLLEGI", "CO[L·L]EGI"]),
        ("ca", "COL·LEGI", ["CO[L·L]EGI"]),
        ("ca", "ANYS", ["A[NY]S"]),
        ("ca", "QUI", ["[QU]I"]),
        ("it", "CHIESA", ["CHIESA"]),
    ],
)
def test_whoever_asks_gets_every_reading_the_greedy_one_first(code: str, written: str, found: list[str]) -> None:
    edition = load_edition(code)
    assert readings(edition, written) == found
    assert allowed(edition, written) == found[:1]


def test_an_edition_may_let_the_letters_of_some_tiles_be_laid_apart() -> None:
    assert allowed(spanish('"CH"'), "CHILLAR") == ["[CH]I[LL]AR", "[C]HI[LL]AR"]
    assert allowed(spanish('"CH", "LL", "RR"'), "CHILLAR") == readings(load_edition("es"), "CHILLAR")


def test_endless_words_have_few_readings() -> None:
    """Those that do not fit on a row are left out but for the greedy one, and no more than 64 are looked for."""
    es = load_edition("es")
    assert [len(reading) for reading in es.readings("CH" * 5000)] == [5000]
    assert len(es.readings("CH" * 15)) == 1
    assert len(es.readings("CH" * 14)) == 15
    assert len(es.readings("CH" * 7)) == 64


@given(text=st.text(alphabet="CHLRchlrA[]()", max_size=20))
def test_every_reading_is_read_back_and_the_allowed_ones_are_among_them(text: str) -> None:
    es = spanish('"CH"')
    try:
        greedy = es.parse_word(text)
    except UnknownLetter:
        for read in (es.readings, es.allowed_readings):
            with pytest.raises(UnknownLetter):
                read(text)
        return
    every, by_rule = es.readings(text), es.allowed_readings(text)
    assert every[0] == by_rule[0] == greedy
    assert len(set(every)) == len(every)
    assert set(by_rule) <= set(every)
    for reading in every:
        assert es.parse_word(es.word_text(reading)) == es.parse_tiles(es.word_text(reading)) == reading


@pytest.mark.parametrize(
    ("code", "text", "tiles"),
    [
        ("es", "CHLLRR", ["C", "H", "L", "L", "R", "R"]),
        ("es", "[CH]L[LL]", ["CH", "L", "LL"]),
        ("es", "ch[ch]", ["c", "h", "ch"]),
        ("ca", "NYQUL·L", ["NY", "QU", "L·L"]),
        ("ca", "LL[ny]", ["L", "L", "ny"]),
    ],
)
def test_in_tile_text_only_brackets_make_several_letters_one_tile(code: str, text: str, tiles: list[str]) -> None:
    """Racks and boards: C and H lie side by side there. What cannot lie apart, as there is no Y, needs no brackets."""
    edition = load_edition(code)
    assert [edition.face(tile) for tile in edition.parse_tiles(text)] == tiles


@pytest.mark.parametrize("code", ["de", "de-2024"])
def test_no_single_blank_can_be_a_sharp_s(code: str) -> None:
    """Rules of 2024: a blank cannot be ß. It is SS, so a mark on it alone cannot be read, and case is no mark."""
    edition = load_edition(code)
    assert edition.word_text(edition.parse_word("GROß")) == "GROSS"
    assert len(edition.parse_word("ß")) == 2
    with pytest.raises(UnknownLetter):
        edition.parse_word("GRO(ß)")
    assert "ß" not in "".join(edition.letters).lower()


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


@pytest.mark.parametrize("code", ["it", "ca", "es", "de", "ro"])
@given(numbers=st.lists(st.tuples(st.integers(0, 21), st.booleans()), max_size=15))
def test_what_is_written_is_read_back(code: str, numbers: list[tuple[int, bool]]) -> None:
    edition = load_edition(code)
    codes = tuple(number | (BLANK_BIT if blank else 0) for number, blank in numbers)
    assert edition.parse_word(edition.word_text(codes)) == codes
    assert edition.parse_tiles(edition.word_text(codes)) == codes


@pytest.mark.parametrize("code", ["it", "ca", "es", "de"])
@given(text=st.text() | st.text(alphabet="LlCcHhŀĿ·.-ßẞœİıſ[]()?ÑÇü\u0301", max_size=12))
def test_no_text_breaks_the_reader(code: str, text: str) -> None:
    edition = load_edition(code)
    for read in (edition.parse_word, edition.parse_tiles):
        try:
            codes = read(text)
        except UnknownLetter:
            continue
        assert read(edition.word_text(codes)) == codes


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
