"""A word list for the runs, made up: syllables of the Italian letters, so that nearly every rack has many moves."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

NAME = "syllables"
_CONSONANTS, _VOWELS = "BCDFGLMNPRSTVZ", "AEIO"
_WORDS = 20_000


def install(folder: Path) -> None:
    """Put the list where a server finds it under its name. It is the same every time."""
    rng = Random(1)  # noqa: S311
    words = {_word(rng) for _ in range(_WORDS)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{NAME}.txt").write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")
    (folder / f"{NAME}.txt.json").write_text(json.dumps({"edition": "it"}), encoding="utf-8")


def _word(rng: Random) -> str:
    syllables = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.randint(1, 3)))
    return syllables + rng.choice(("", "", "S", "N"))
