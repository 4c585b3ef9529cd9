"""Marks of the letters that are blanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.slips.blank_marks import BlankChoices, Marking, MissingLetters, find_blank_choices, letters_value
from engine.tiles.edition import BLANK_BIT, load_edition
from engine.tiles.tiles import Tiles, tiles_of

IT = load_edition("it")


def _blanks(laid: str, rack: str) -> BlankChoices | MissingLetters:
    return find_blank_choices(IT.parse_word(laid), Tiles.parse(IT, rack))


@pytest.mark.parametrize(
    ("laid", "rack", "marking", "choices"),
    [
        ("ORA", "AEORT", Marking.RIGHT, [set()]),
        ("ORA", "AEORT?", Marking.RIGHT, [set()]),
        ("OrA", "AEOT?", Marking.RIGHT, [{1}]),
        ("OrA", "AEORT?", Marking.RIGHT, [{1}]),
        ("ORA", "AEOT?", Marking.NOT_MARKED, [{1}]),
        ("OrA", "AEO??", Marking.RIGHT, [{1}]),
        ("OrA", "OEI??", Marking.NOT_MARKED, [{1, 2}]),
        ("ORa", "AEOT?", Marking.WRONG, [{1}]),
        ("orA", "AEOT?", Marking.NOT_MARKED, [{1}]),
        ("ORa", "AEORT", Marking.STRAY, [set()]),
        ("ora", "AEORT?", Marking.STRAY, [set()]),
        ("ANNA", "ANA?", Marking.NOT_MARKED, [{1}, {2}]),
        ("ANNA", "A??N", Marking.NOT_MARKED, [{0, 1}, {0, 2}, {3, 1}, {3, 2}]),
        ("ANnA", "ANA?", Marking.RIGHT, [{2}]),
        ("aNNA", "AN??", Marking.NOT_MARKED, [{0, 1}, {0, 2}]),
        ("JA", "A?", Marking.NOT_MARKED, [{0}]),
    ],
)
def test_blanks_are_found_from_marks_and_rack(laid: str, rack: str, marking: Marking, choices: list[set[int]]) -> None:
    found = _blanks(laid, rack)
    assert isinstance(found, BlankChoices)
    assert found.marking is marking
    assert [set(choice) for choice in found.choices] == choices


@pytest.mark.parametrize(
    ("laid", "rack", "missing"), [("ORA", "OE", "RA"), ("ORA", "OE?", "RA"), ("ORa", "O?", "RA"), ("JA", "A", "J")]
)
def test_letters_that_the_rack_cannot_give_are_named(laid: str, rack: str, missing: str) -> None:
    found = _blanks(laid, rack)
    assert isinstance(found, MissingLetters)
    assert IT.word_text(found.letters) == missing


def test_what_is_not_marked_has_a_value() -> None:
    found = _blanks("ZUPPA", "UPPA?")
    assert isinstance(found, BlankChoices)
    assert letters_value(IT, found.unmarked) == 8
    assert letters_value(IT, ()) == 0
    assert letters_value(IT, [IT.letter("J")]) == 0


@given(
    st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=7),
    st.lists(st.integers(0, 7), max_size=7),
)
def test_every_choice_can_be_laid_from_the_rack(letters: list[tuple[int, bool]], kinds: list[int]) -> None:
    rack = Tiles.of_kinds(IT, kinds)
    laid = [letter | (BLANK_BIT if marked else 0) for letter, marked in letters]
    found = find_blank_choices(laid, rack)
    if isinstance(found, MissingLetters):
        assert not rack.holds(tiles_of(IT, [letter for letter, _ in letters]))
        return
    assert found.choices
    for choice in found.choices:
        codes = [letter | (BLANK_BIT if at in choice else 0) for at, (letter, _) in enumerate(letters)]
        assert rack.holds(tiles_of(IT, codes))
