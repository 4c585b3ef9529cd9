"""Reads the words that were decided by hand for a language (``fr.toml``): what no package says, or says wrongly."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from .choosing import Letters


class HandPicked:
    """A TOML file whose texts are words between spaces, written as in the language."""

    def __init__(self, path: Path, letters: Letters) -> None:
        self._table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        self._letters = letters

    def words(self, *path: str) -> set[str]:
        """The words of the text at ``path``, folded.

        Raises :class:`KeyError` when there is no such text, and :class:`ValueError` for a word that the edition
        cannot show: it would be missing in silence.
        """
        folded = set()
        for word in self._at(*path).split():
            plain = self._letters.fold(word)
            if plain is None:
                raise ValueError(f"{'.'.join(path)}: {word!r} has a sign that no tile shows")
            folded.add(plain)
        return folded

    def all_words(self, *path: str) -> set[str]:
        """The words of all texts of the table at ``path``, folded."""
        return set().union(*(self.words(*path, name) for name in self._at(*path)))

    def written(self, *path: str) -> dict[str, list[str]]:
        """The words as they are written, by the name of their text, of the table at ``path``."""
        return {name: text.split() for name, text in self._at(*path).items()}

    def _at(self, *path: str) -> Any:
        found: Any = self._table
        for name in path:
            found = found[name]
        return found
