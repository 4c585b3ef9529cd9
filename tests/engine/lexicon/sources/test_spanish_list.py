"""The really built Spanish list. How to build it and make sure that it is tested: `installed_words`."""

from __future__ import annotations

import pytest

from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.installed_words import installed_words

EVERYDAY = """
ARTE AUTOBUS CABA[LL]O CA[LL]E CANTABAIS CANTADOS CE[RR]ADOS [CH]ICO DEDOS FUISTE HABLAREMOS JOYERIA [LL]AMASE MUERTE
NIÑAS ÓBOLO PARTE PE[RR]O PINGÜINO PUÑETAZO SEÑOR SUERTE SURFEAR TUCAN VISON YOGA ZO[RR]O ÑANDU
"""
SHORT = "AJE [CH]AL [CH]UZO EJE EMU FAX GAS HOZ IBA JEA LEY [LL]ANO NAO OJO PEZ QUE REY SOL TUL URO VEZ YEN ZAS"
WITH_PRONOUN = "CANTARLO E[CH]ADLE HABIENDONOSLOS HUELANME DAMELA ANTOJARSE A[RR]EPENTIRSE SENTAOS AMEMONOS"
OTHERS = "DPTO HNOS EXFUTBOLISTA SAQUITO LENGUAZAQUENSE JAMBALUEÑO PONIESEMOS ESCRUPULIZEMOS KIWI"


@pytest.fixture(scope="module")
def words() -> frozenset[str]:
    return installed_words("es")


def laid(text: str) -> set[str]:
    """Words written with their signs, as they are laid."""
    edition = load_edition("es")
    return {edition.word_text(edition.parse_word(word)) for word in text.split()}


def test_everyday_words_are_in_the_list(words: frozenset[str]) -> None:
    assert laid(EVERYDAY) <= words


def test_short_words_are_in_the_list(words: frozenset[str]) -> None:
    assert laid(SHORT) <= words
    edition = load_edition("es")
    assert len([word for word in words if len(word) < 8 and len(edition.parse_word(word)) == 2]) == 91


@pytest.mark.parametrize("word", WITH_PRONOUN.split())
def test_verbs_with_pronouns_are_not_in_the_list(word: str, words: frozenset[str]) -> None:
    assert word not in words


@pytest.mark.parametrize("word", OTHERS.split())
def test_abbreviations_small_towns_and_mistakes_are_not_in_the_list(word: str, words: frozenset[str]) -> None:
    assert word not in words


def test_the_list_is_as_large_as_the_sources_promise(words: frozenset[str]) -> None:
    assert 560_000 < len(words) < 572_000
    assert not [word for word in words if "K" in word or "W" in word]
