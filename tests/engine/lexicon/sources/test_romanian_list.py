"""The really built Romanian list against the rules of the game (Mattel Inc., 2006) and everyday words.

How to build it and make sure that it is tested: `installed_words`.
"""

from __future__ import annotations

import pytest

from tests.engine.lexicon.sources.installed_words import installed_words

DECLINED = """
CASA CASE CASEI CASELE CASELOR BAIAT BAIATUL BAIATULUI BAIETI BAIETII BAIETILOR FRATELE TABLOUL TABLOURI FRUMOS FRUMOASA
FRUMOSI FRUMOASE INSULE CALCULE GLANDULE
"""
CONJUGATED = "CANT CANTA CANTAM CANTASERATI CANTAND FACU FACUSE MERGEAU VORBESTE VORBISERAM LUCREAZA RAZAND FIIND"
EVERYDAY = """
ACASA APA ASTAZI BINE CAINE CARTE CEI DOUA DRUM FEREASTRA INTREBARE JOC LUNA MAINE MAMA NICIODATA OCHI ORAS PAINE PENTRU
PRIETEN SCOALA SUNT STIINTA TARA TATA TREI UNU VARA VIU ZECE ZIUA TABU KIWI YOGA NEMAIVAZUT RECUNOSTEA NEBUN
"""
REFUSED = {
    "vocatives": "BAIETE CAPITANE DRACE BAIATULE DOMNULE FATO MAMO CASO TABLOULE SORO BROASCO",
    "names": "AMERICA ANGLIA GOOGLE ROMANIA ROMANIEI TIBETUL BUCURESTI IASI RUSIA TIMISOARA",
    "abbreviations": "ETC MTU TVA PROF XVII XIII",
    "hyphens and apostrophes": "INTRUN DINTRO SAMI",
    "the bare U of the spoken language": "BAIATU CALU NUFARU EXOTICU",
    "adjectives and nouns as verbs": "BISERICEAM MUNCITOREAM SENEGALEAZA AMERICANEAU METAFIZICISE",
    "NEMAI-": "NEMAICUNOASTEM NEMAIPUTEAU",
    "the old pluperfect": "LUCRASETI CANTASETI",
    "words of the computer": "LINUXRC IPTABLES GREP BASH",
}


@pytest.fixture(scope="module")
def words() -> frozenset[str]:
    return installed_words("ro")


def test_all_forms_of_nouns_and_adjectives_are_in_the_list(words: frozenset[str]) -> None:
    assert set(DECLINED.split()) <= words


def test_all_forms_of_verbs_are_in_the_list(words: frozenset[str]) -> None:
    assert set(CONJUGATED.split()) <= words


def test_everyday_words_are_in_the_list(words: frozenset[str]) -> None:
    assert set(EVERYDAY.split()) <= words


@pytest.mark.parametrize("rule", REFUSED)
def test_what_the_rules_refuse_is_not_in_the_list(rule: str, words: frozenset[str]) -> None:
    assert not set(REFUSED[rule].split()) & words


def test_signs_are_ignored_and_words_fit_the_board(words: frozenset[str]) -> None:
    assert all(word.isascii() and word.isupper() and 2 <= len(word) <= 15 for word in words)


def test_words_of_two_letters_are_those_chosen_by_hand(words: frozenset[str]) -> None:
    assert len([word for word in words if len(word) == 2]) == 77


def test_the_list_is_as_large_as_the_sources_promise(words: frozenset[str]) -> None:
    assert 640_000 < len(words) < 660_000
