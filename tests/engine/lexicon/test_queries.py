"""Hooks, anagrams and patterns are what a plain look at every word of the list finds."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.lexicon.graph import Lexicon
from engine.lexicon.queries import (
    ANY_LETTER,
    ANY_LETTERS,
    QueryResult,
    TileQuery,
    blanks_needed,
    find_anagrams,
    find_hooks,
    find_matches,
    parse_pattern,
    parse_tile_query,
)
from engine.tiles.edition import UnknownLetter, load_edition
from tests.engine.search.positions import language
from tests.examples import examples

IT, CA = load_edition("it"), load_edition("ca")
LANGUAGES = pytest.mark.parametrize("code", ["it", "ca"])
_many = examples(150)


def _texts(lexicon: Lexicon, found: QueryResult) -> list[str]:
    return [lexicon.edition.word_text(word) for word in found.words]


@LANGUAGES
@_many
@given(data=st.data())
def test_hooks_are_the_letters_that_make_longer_words(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    word = data.draw(st.sampled_from(sample_language.words))
    part = data.draw(st.sampled_from([word, word[1:], word[:-1]]))
    front = tuple(sorted(known[0] for known in sample_language.words if known[1:] == part))
    back = tuple(sorted(known[-1] for known in sample_language.words if known[:-1] == part))
    assert find_hooks(sample_language.lexicon, part) == (front, back)


def test_a_word_as_long_as_the_board_has_no_hooks() -> None:
    assert find_hooks(Lexicon.build(IT, ["a" * 15]), (0,) * 15) == ((), ())


@LANGUAGES
@_many
@given(data=st.data())
def test_anagrams_use_every_tile_and_blanks_are_any_letter(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    word = data.draw(st.permutations(data.draw(st.sampled_from(sample_language.words))))
    blanks = data.draw(st.integers(0, len(word)))
    handful = TileQuery(tuple(word[blanks:]), blanks)
    spare = Counter(handful.letters)
    expected = [w for w in sample_language.words if len(w) == len(word) and sum((spare - Counter(w)).values()) == 0]
    assert find_anagrams(sample_language.lexicon, handful, most=500) == (expected, len(expected))
    assert find_anagrams(sample_language.lexicon, handful, most=1) == (expected[:1], len(expected))


@LANGUAGES
@_many
@given(data=st.data())
def test_patterns_match_as_regular_expressions_do(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    word = list(data.draw(st.sampled_from(sample_language.words)))
    place = st.sampled_from([ANY_LETTER, ANY_LETTERS, ANY_LETTERS, *sample_language.letters])
    for at, other in data.draw(st.lists(st.tuples(st.integers(0, 15), place), max_size=6)):
        word[min(at, len(word) - 1) : at + 1] = [other]
    spelled = re.compile("".join({ANY_LETTER: ".", ANY_LETTERS: ".*"}.get(place, chr(65 + place)) for place in word))
    expected = [
        known for known in sample_language.words if spelled.fullmatch("".join(chr(65 + letter) for letter in known))
    ]
    assert find_matches(sample_language.lexicon, word, most=500) == (expected, len(expected))
    assert find_matches(sample_language.lexicon, word, most=2) == (expected[:2], len(expected))


@pytest.mark.parametrize(
    "pattern", [[], [ANY_LETTER], [ANY_LETTER] * 16, [0] * 40, [ANY_LETTERS, *[ANY_LETTER] * 16, ANY_LETTERS]]
)
def test_patterns_that_no_word_can_match_find_none(pattern: list[int]) -> None:
    assert find_matches(language("it").lexicon, pattern) == ([], 0)


def test_stars_alone_match_every_word() -> None:
    lexicon = language("it").lexicon
    assert find_matches(lexicon, [ANY_LETTERS, ANY_LETTERS]).total == len(lexicon)


@pytest.mark.parametrize("tiles", ["", "A", "?", "A" * 16, "?" * 40])
def test_too_few_or_too_many_tiles_are_no_word(tiles: str) -> None:
    assert find_anagrams(language("it").lexicon, parse_tile_query(IT, tiles)) == ([], 0)


def test_a_pattern_is_written_with_signs_for_one_letter_and_for_any() -> None:
    lexicon = Lexicon.build(IT, ["caro", "carro", "cera", "coro", "àncora", "re"])
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(IT, "c.ro"))) == ["CARO", "CORO"]
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(IT, "C?R_"))) == ["CARO", "CERA", "CORO"]
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(IT, " *R o"))) == ["CARO", "CARRO", "CORO"]
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(IT, "*càr*"))) == ["CARO", "CARRO"]


def test_in_catalan_a_point_between_two_l_is_their_tile() -> None:
    lexicon = Lexicon.build(CA, ["col·legi", "colegi", "any", "anem"])
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(CA, "co*l.legi"))) == ["CO[L·L]EGI"]
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(CA, "co_egi"))) == ["COLEGI", "CO[L·L]EGI"]
    assert _texts(lexicon, find_matches(lexicon, parse_pattern(CA, "a."))) == ["A[NY]"]
    assert _texts(lexicon, find_anagrams(lexicon, parse_tile_query(CA, "[NY]?"))) == ["A[NY]"]


@pytest.mark.parametrize("text", ["C-R*", "[LL]*", "*1"])
def test_a_pattern_with_a_sign_that_no_tile_shows_names_it(text: str) -> None:
    with pytest.raises(UnknownLetter):
        parse_pattern(IT, text)


def test_letters_that_exist_by_blank_only_need_blanks() -> None:
    assert blanks_needed(IT, IT.parse_word("TAXI")) == 1
    assert blanks_needed(IT, IT.parse_word("ZEZZA")) == 1
    assert blanks_needed(IT, IT.parse_word("CASA")) == 0
