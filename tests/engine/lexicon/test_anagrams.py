"""The index finds the words that have just these letters."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from engine.lexicon.anagrams import LETTER_SUMS, Anagrams, add_words, is_hinted
from engine.lexicon.graph import Lexicon
from tests.engine.search.positions import language


def _words_of(index: Anagrams, letters: tuple[int, ...]) -> set[tuple[int, ...]]:
    found = np.zeros(1000, np.int64)
    letter_sum = int(LETTER_SUMS[list(letters)].sum())
    count = add_words(index.hints, index.starts, index.sums, letter_sum, found, 0)
    rows = index.letters[found[:count]]
    return {tuple(int(letter) - 1 for letter in row[: row[15]]) for row in rows}


def test_a_word_is_found_with_all_its_anagrams_and_no_other() -> None:
    words = language("ca").words
    index = Lexicon.build(language("ca").edition, map(language("ca").edition.word_text, words)).anagrams
    by_letters = defaultdict(set)
    for word in words:
        by_letters[tuple(sorted(word))].add(word)
    for letters, anagrams in by_letters.items():
        assert _words_of(index, letters) == anagrams


def test_letters_that_make_no_word_find_none() -> None:
    sample_language = language("it")
    index = sample_language.lexicon.anagrams
    known = {tuple(sorted(word)) for word in sample_language.words}
    for first in range(20):
        for second in range(20):
            letters = tuple(sorted((first, second, second)))
            assert (_words_of(index, letters) != set()) == (letters in known)


def test_letters_of_which_one_more_makes_a_word_are_hinted_and_hardly_any_others() -> None:
    sample_language = language("it")
    near = {tuple(sorted(word[:at] + word[at + 1 :])) for word in sample_language.words for at in range(len(word))}
    others = {tuple(sorted((*letters, letter))) for letters in near for letter in sample_language.letters} - near
    assert all(_is_near(sample_language.lexicon.anagrams, letters) for letters in near)
    assert sum(_is_near(sample_language.lexicon.anagrams, letters) for letters in others) < len(others) / 20


def _is_near(index: Anagrams, letters: tuple[int, ...]) -> bool:
    return is_hinted(index.near_hints, int(LETTER_SUMS[list(letters)].sum()))


def test_an_empty_list_has_no_anagrams() -> None:
    index = Lexicon.build(language("it").edition, []).anagrams
    assert _words_of(index, (0, 1)) == set()
