"""Spelling aloud: every tile of every edition has its code word or name, and no two are called the same."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine import code_words
from engine.code_words import load_code_words
from engine.tiles.edition import load_edition

EDITIONS = sorted(path.stem for path in (Path(code_words.__file__).parent.parent / "editions").glob("*.toml"))
LANGUAGES = sorted(path.stem for path in Path(code_words.__file__).parent.glob("*.toml"))


@pytest.mark.parametrize("code", EDITIONS)
def test_every_tile_of_every_edition_can_be_called(code: str) -> None:
    """The letters that exist by blank only are called too: they are on boards and in references."""
    edition = load_edition(code)
    alphabet = load_code_words(edition.language)
    assert [face for face in edition.letters if not alphabet.knows(face)] == []
    called = [alphabet.tile(face) for face in ("?", *edition.letters)]
    assert len(set(called)) == len(called)


@pytest.mark.parametrize("code", EDITIONS)
def test_the_columns_of_the_board_can_be_called(code: str) -> None:
    alphabet = load_code_words(load_edition(code).language)
    assert [face for face in "ABCDEFGHIJKLMNO" if not alphabet.knows(face)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_begins_with_its_letter(language: str) -> None:
    """But for what the table of a language names otherwise."""
    alphabet = load_code_words(language)
    odd = {
        face: word
        for face, word in alphabet.words.items()
        if not word.upper().translate(str.maketrans("ÉÓÒ", "EOO")).startswith(face)
    }
    assert odd == {"de": {"Ä": "Umlaut Aachen", "Ö": "Umlaut Offenbach", "Ü": "Umlaut Unna"}}.get(language, {})
    assert alphabet.source
    assert "%(letter)s" in alphabet.like
    assert "%(word)s" in alphabet.like


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_says_nothing_that_is_not_read(language: str) -> None:
    facts = tomllib.loads((Path(code_words.__file__).parent / f"{language}.toml").read_text(encoding="utf-8"))
    assert set(facts) <= {"source", "like", "blank", "words", "names"}
    assert not set(facts["words"]) & set(facts.get("names", {}))


def test_letters_are_called_as_a_caller_would() -> None:
    assert load_code_words("it").tile("A") == "A come Ancona"
    assert load_code_words("en").tile("Q") == "Q for Quebec"
    assert load_code_words("fr").tile("E") == "E comme Égypte"
    assert load_code_words("de").tile("Ü") == "Ü wie Umlaut Unna"
    assert load_code_words("es").tile("CH") == "CH de Chocolate"
    assert load_code_words("es").tile("RR") == "erre doble"
    assert load_code_words("ca").tile("L·L") == "ela geminada"
    assert load_code_words("ro").tile("Z") == "Z de la Zamfir"


def test_a_blank_has_its_name_alone_and_before_the_letter_it_stands_for() -> None:
    italian, edition = load_code_words("it"), load_edition("it")
    assert italian.tile("?") == "jolly"
    assert italian.word(edition, edition.parse_word("CaSA")) == [
        "C come Como",
        "jolly, A come Ancona",
        "S come Savona",
        "A come Ancona",
    ]


@pytest.mark.parametrize("language", ["sv", "", "../it", "xx"])
def test_a_language_without_a_table_is_spelled_by_its_bare_letters(language: str) -> None:
    assert load_code_words(language).tile("Å") == "Å"
    assert load_code_words(language).tile("?") == "blank"
