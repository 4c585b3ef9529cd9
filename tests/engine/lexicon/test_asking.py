"""Hooks, anagrams and patterns are what a plain look at every word of the list finds."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.edition import UnknownLetter, load_edition
from engine.lexicon.asking import (
    ANY,
    ONE,
    Found,
    Handful,
    anagrams,
    blanks_needed,
    hooks,
    matches,
    parse_handful,
    parse_pattern,
)
from engine.lexicon.graph import Lexicon
from tests.engine.search.positions import language

IT, CA = load_edition("it"), load_edition("ca")
LANGUAGES = pytest.mark.parametrize("code", ["it", "ca"])
_many = settings(max_examples=150, deadline=None, derandomize=True)


def _texts(lexicon: Lexicon, found: Found) -> list[str]:
    return [lexicon.edition.word_text(word) for word in found.words]


@LANGUAGES
@_many
@given(data=st.data())
def test_hooks_are_the_letters_that_make_longer_words(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    word = data.draw(st.sampled_from(tongue.words))
    part = data.draw(st.sampled_from([word, word[1:], word[:-1]]))
    front = tuple(sorted(known[0] for known in tongue.words if known[1:] == part))
    back = tuple(sorted(known[-1] for known in tongue.words if known[:-1] == part))
    assert hooks(tongue.lexicon, part) == (front, back)


def test_a_word_as_long_as_the_board_has_no_hooks() -> None:
    assert hooks(Lexicon.build(IT, ["a" * 15]), (0,) * 15) == ((), ())


@LANGUAGES
@_many
@given(data=st.data())
def test_anagrams_use_every_tile_and_blanks_are_any_letter(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    word = data.draw(st.permutations(data.draw(st.sampled_from(tongue.words))))
    blanks = data.draw(st.integers(0, len(word)))
    handful = Handful(tuple(word[blanks:]), blanks)
    spare = Counter(handful.letters)
    expected = [w for w in tongue.words if len(w) == len(word) and sum((spare - Counter(w)).values()) == 0]
    assert anagrams(tongue.lexicon, handful, most=500) == (expected, len(expected))
    assert anagrams(tongue.lexicon, handful, most=1) == (expected[:1], len(expected))


@LANGUAGES
@_many
@given(data=st.data())
def test_patterns_match_as_regular_expressions_do(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    word = list(data.draw(st.sampled_from(tongue.words)))
    place = st.sampled_from([ONE, ANY, ANY, *tongue.letters])
    for at, other in data.draw(st.lists(st.tuples(st.integers(0, 15), place), max_size=6)):
        word[min(at, len(word) - 1) : at + 1] = [other]
    spelled = re.compile("".join({ONE: ".", ANY: ".*"}.get(place, chr(65 + place)) for place in word))
    expected = [known for known in tongue.words if spelled.fullmatch("".join(chr(65 + letter) for letter in known))]
    assert matches(tongue.lexicon, word, most=500) == (expected, len(expected))
    assert matches(tongue.lexicon, word, most=2) == (expected[:2], len(expected))


@pytest.mark.parametrize("pattern", [[], [ONE], [ONE] * 16, [0] * 40, [ANY, *[ONE] * 16, ANY]])
def test_patterns_that_no_word_can_match_find_none(pattern: list[int]) -> None:
    assert matches(language("it").lexicon, pattern) == ([], 0)


def test_stars_alone_match_every_word() -> None:
    lexicon = language("it").lexicon
    assert matches(lexicon, [ANY, ANY]).total == len(lexicon)


@pytest.mark.parametrize("tiles", ["", "A", "?", "A" * 16, "?" * 40])
def test_too_few_or_too_many_tiles_are_no_word(tiles: str) -> None:
    assert anagrams(language("it").lexicon, parse_handful(IT, tiles)) == ([], 0)


def test_a_pattern_is_written_with_signs_for_one_letter_and_for_any() -> None:
    lexicon = Lexicon.build(IT, ["caro", "carro", "cera", "coro", "àncora", "re"])
    assert _texts(lexicon, matches(lexicon, parse_pattern(IT, "c.ro"))) == ["CARO", "CORO"]
    assert _texts(lexicon, matches(lexicon, parse_pattern(IT, "C?R_"))) == ["CARO", "CERA", "CORO"]
    assert _texts(lexicon, matches(lexicon, parse_pattern(IT, " *R o"))) == ["CARO", "CARRO", "CORO"]
    assert _texts(lexicon, matches(lexicon, parse_pattern(IT, "*càr*"))) == ["CARO", "CARRO"]


def test_in_catalan_a_point_between_two_l_is_their_tile() -> None:
    lexicon = Lexicon.build(CA, ["col·legi", "colegi", "any", "anem"])
    assert _texts(lexicon, matches(lexicon, parse_pattern(CA, "co*l.legi"))) == ["CO[L·L]EGI"]
    assert _texts(lexicon, matches(lexicon, parse_pattern(CA, "co_egi"))) == ["COLEGI", "CO[L·L]EGI"]
    assert _texts(lexicon, matches(lexicon, parse_pattern(CA, "a."))) == ["A[NY]"]
    assert _texts(lexicon, anagrams(lexicon, parse_handful(CA, "[NY]?"))) == ["A[NY]"]


@pytest.mark.parametrize("text", ["C-R*", "[LL]*", "*1"])
def test_a_pattern_with_a_sign_that_no_tile_shows_names_it(text: str) -> None:
    with pytest.raises(UnknownLetter):
        parse_pattern(IT, text)


def test_letters_that_exist_by_blank_only_need_blanks() -> None:
    assert blanks_needed(IT, IT.parse_word("TAXI")) == 1
    assert blanks_needed(IT, IT.parse_word("ZEZZA")) == 1
    assert blanks_needed(IT, IT.parse_word("CASA")) == 0
