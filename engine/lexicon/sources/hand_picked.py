"""Reader of the manual decisions for a language (``fr.toml``): words that packages lack or have wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from .choosing import Letters


class HandPicked:
    """TOML file whose texts are words separated by spaces, in the spelling of the language."""

    def __init__(self, path: Path, letters: Letters) -> None:
        self._table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        self._letters = letters

    def words(self, *path: str) -> set[str]:
        """Return the folded words of the text at ``path``.

        Raises :class:`KeyError` if there is no such text, and :class:`ValueError` for a word that the edition cannot
        show, which would otherwise be missing without notice.
        """
        folded = set()
        for word in self._at(*path).split():
            plain = self._letters.fold(word)
            if plain is None:
                raise ValueError(f"{'.'.join(path)}: {word!r} has a sign that no tile shows")
            folded.add(plain)
        return folded

    def all_words(self, *path: str) -> set[str]:
        """Return the folded words of all texts of the table at ``path``."""
        return set().union(*(self.words(*path, name) for name in self._at(*path)))

    def written(self, *path: str) -> dict[str, list[str]]:
        """Return the unfolded words of the table at ``path``, by the name of their text."""
        return {name: text.split() for name, text in self._at(*path).items()}

    def _at(self, *path: str) -> Any:
        found: Any = self._table
        for name in path:
            found = found[name]
        return found
