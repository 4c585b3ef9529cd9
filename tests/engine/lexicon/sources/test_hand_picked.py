from __future__ import annotations

from pathlib import Path

import pytest

from engine.lexicon.sources.choosing import Letters
from engine.lexicon.sources.hand_picked import HandPicked
from engine.tiles.edition import load_edition

CHOICES = """
two_tiles = "ña che"
[accepted.verbs]
regular = "surfear piñar"
calentar = "precalentar"
"""


@pytest.fixture
def choices(tmp_path: Path) -> HandPicked:
    return picked(tmp_path, CHOICES)


def picked(folder: Path, text: str) -> HandPicked:
    path = folder / "es.toml"
    path.write_text(text, encoding="utf-8")
    return HandPicked(path, Letters(load_edition("es")))


def test_words_are_folded_to_the_letters_of_the_edition(choices: HandPicked) -> None:
    assert choices.words("two_tiles") == {"ÑA", "CHE"}
    assert choices.all_words("accepted", "verbs") == {"SURFEAR", "PIÑAR", "PRECALENTAR"}


def test_words_can_be_had_as_they_are_written(choices: HandPicked) -> None:
    assert choices.written("accepted", "verbs") == {"regular": ["surfear", "piñar"], "calentar": ["precalentar"]}


def test_a_word_that_no_tile_shows_is_not_lost_in_silence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"struck.words: 'kiwi' has a sign that no tile shows"):
        picked(tmp_path, '[struck]\nwords = "perro kiwi"').words("struck", "words")
