"""A data folder with a small word list, and a club night to play in."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from tests.tournaments.night import Night, begin
from tests.tournaments.word_list import WORDS
from tournaments.services.access import first_judge


@pytest.fixture(scope="session")
def small_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which only the small word list is installed."""
    folder = tmp_path_factory.mktemp("data")
    lexicons = folder / "lexicons"
    lexicons.mkdir()
    (lexicons / "it.txt").write_text("".join(f"{word}\n" for word in sorted(set(WORDS.split()))), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def _small_word_list(settings: Settings, small_data_folder: Path) -> None:
    settings.DATA_DIR = small_data_folder


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def night(judge: User) -> Night:
    """Four players, nothing drawn yet."""
    return begin(judge)
