"""The real lists of other languages than Italian, where somebody has built them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BUILT = Path(__file__).parents[4] / "var" / "lexicons"
WANTED = "WORD_LISTS"
"""Names the lists that must be there, so that a run that is meant to test them cannot pass without: "fr,es"."""


def installed_words(code: str) -> frozenset[str]:
    """The words of `var/lexicons/<code>.txt`, which the packages make; only Italian is built for every run of tests.

    Build and test:

        python3 manage.py lexicon build fr
        WORD_LISTS=fr python3 manage.py test tests/engine/lexicon/sources/test_french_list.py
    """
    path = BUILT / f"{code}.txt"
    if path.is_file():
        return frozenset(path.read_text(encoding="utf-8").split())
    reason = f"the word list {code} is not built: python -m engine.lexicon.sources {code} --out var/lexicons/{code}.txt"
    if code in os.environ.get(WANTED, "").split(","):
        pytest.fail(f"{reason} ({WANTED} asks for it)", pytrace=False)
    pytest.skip(reason)
