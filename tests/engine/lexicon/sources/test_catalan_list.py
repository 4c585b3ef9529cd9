"""The really built Catalan list against the words with which the Catalan manual explains the rules.

How to build it and make sure that it is tested: `installed_words`.
"""

from __future__ import annotations

import pytest

from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.installed_words import installed_words

MANUAL = """
ESTRENA REESTRENAR TRES RES MES ME EN SA MIRAR ESTRENAR TREN HUMILIA PARAULA CO[L·L]OCAR
"""
EVERYDAY = """
AIGUA AIXI ALS ALTRE A[NY]S AVUI CA[NY]A CANÇO DEL DONCS ELS FER GENT HOME I[L·L]USIO LLIBRE MAI ME[NY]S NOSALTRES
[QU]ARANTA [QU]ATRE SEMPRE SERVEIXO TAMBE TEMPS TENIS TIPUS VINT VIRUS VUIT ÇO
"""
DIGRAPHS = "A[NY] [NY]U [QU]A [QU]E [QU]I [QU]O"
FORMS = "MIRAVEM MIRARIEU MIRESSIN MIRATS INTERACTUAVA LENTAMENT NACIONALMENT DORMINT SERVIXO VEIEM AIREJAVA"
REFUSED = """
LA[NY] MIRARLO MIRARSE KIWI WATT BERGA BARCELONA JOAN SRTA PTGE ETC DTA SRA NRE AIREJAMENT COLLOCAR
"""


@pytest.fixture(scope="module")
def words() -> frozenset[str]:
    return installed_words("ca")


def test_the_examples_of_the_manual_are_in_the_list(words: frozenset[str]) -> None:
    assert set(MANUAL.split()) <= words


def test_everyday_words_are_in_the_list_also_those_of_one_form(words: frozenset[str]) -> None:
    assert set(EVERYDAY.split()) <= words


def test_forms_of_verbs_and_adverbs_are_in_the_list(words: frozenset[str]) -> None:
    assert set(FORMS.split()) <= words


@pytest.mark.parametrize("word", REFUSED.split())
def test_pronouns_names_abbreviations_and_letters_that_no_tile_shows_are_not_in_the_list(
    word: str, words: frozenset[str]
) -> None:
    assert word not in words


def test_words_of_two_tiles_are_those_chosen_by_hand(words: frozenset[str]) -> None:
    edition = load_edition("ca")
    two = {word for word in words if len(word) < 8 and len(edition.parse_word(word)) == 2}
    assert len(two) == 101
    assert set(DIGRAPHS.split()) == {word for word in two if "[" in word}


def test_the_list_is_as_large_as_the_sources_promise(words: frozenset[str]) -> None:
    assert 570_000 < len(words) < 582_236
    edition = load_edition("ca")
    assert all(2 <= len(edition.parse_word(word)) <= 15 for word in words)
