"""The word list that set-up has built, and a small Italian of our own in the form of the packages."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.engine.lexicon.sources.small_italian import write_packages, write_wheels

BUILT = Path(__file__).parents[4] / "var" / "lexicons" / "it.txt"


@pytest.fixture(scope="session")
def italian_words() -> frozenset[str]:
    """The Italian list as `python3 manage.py serve` or `test` has built it from the real packages."""
    if BUILT.is_file():
        return frozenset(BUILT.read_text(encoding="utf-8").split())
    reason = "the Italian word list is not built yet: python -m engine.lexicon.sources it --out var/lexicons/it.txt"
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (CI=true allows no gap)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture
def small_packages(tmp_path: Path) -> Path:
    """A folder with a few dozen Italian words laid out as the three packages lay out theirs."""
    folder = tmp_path / "packages"
    write_packages(folder)
    return folder


@pytest.fixture
def shop(tmp_path: Path, small_packages: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels with the small packages, the only place where pip looks."""
    folder = tmp_path / "shop"
    write_wheels(folder, small_packages)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder
