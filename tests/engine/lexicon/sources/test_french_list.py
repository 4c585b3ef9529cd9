"""The really built French list. How to build it and make sure that it is tested: `installed_words`."""

from __future__ import annotations

import pytest

from tests.engine.lexicon.sources.installed_words import installed_words

EVERYDAY = """
ABEILLE ALLAIT BOEUF CENTIMETRE CHEVAUX COEUR ECOLE ELEVE FLORISSAIT GARCON HIER IRAIENT JAZZ KAYAK
KILOGRAMME LETTRES MAISON OEIL OEUFS PARTIE QUIZ TIRAMISU TOFU VAPOTER WAGON XENON
YAOURT YEUX ZOUK
"""
SHORT = "ACE BOX CEP DRY EUX FAX GIN HUA JET KHI LYS MYE NEZ OVE PSI QAT REZ SPA TEX URE VUS WOK YAK ZEE ZUT"
CONFUSED = "REFARFOUILLER CREPITEE ELAVER ANGLO ITALO BAMAKOISE XYLOGLOTTER TABOUER LOEUF KM SNCF"


@pytest.fixture(scope="module")
def words() -> frozenset[str]:
    return installed_words("fr")


def test_everyday_words_are_in_the_list(words: frozenset[str]) -> None:
    assert set(EVERYDAY.split()) <= words


def test_short_words_are_in_the_list(words: frozenset[str]) -> None:
    assert set(SHORT.split()) <= words
    assert len([word for word in words if len(word) == 2]) == 81


@pytest.mark.parametrize("word", CONFUSED.split())
def test_what_one_source_alone_says_wrongly_is_not_in_the_list(word: str, words: frozenset[str]) -> None:
    assert word not in words


def test_verbs_have_all_their_forms(words: frozenset[str]) -> None:
    assert {"VAPOTASSIONS", "CHANTASSES", "FINIT", "FUTES", "AURIEZ", "VOUSOYAIT", "RABOUTIRA"} <= words


def test_the_list_is_as_large_as_the_sources_promise(words: frozenset[str]) -> None:
    assert 372_000 < len(words) < 382_000
    assert {2 <= len(word) <= 15 and word.isascii() and word.isupper() for word in words} == {True}
