"""A data folder with a small word list, and a club night to play in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import override_settings
from django.utils import translation
from pytest_django import DjangoDbBlocker, Settings

from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.word_list import WORDS
from tournaments.staff.services.login_links import first_judge

KeptRows = Callable[[Callable[[], Any]], Any]


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


@pytest.fixture(scope="module")
def kept_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker, small_data_folder: Path) -> Iterator[KeptRows]:
    """Make rows for all tests of a module; changes by a single test are undone."""
    with django_db_blocker.unblock():
        until_the_end = transaction.atomic()
        until_the_end.__enter__()

    def make(make_them: Callable[[], Any]) -> Any:
        with (
            override_settings(DATA_DIR=small_data_folder),
            translation.override("en"),
            django_db_blocker.unblock(),
        ):
            return make_them()

    yield make
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        until_the_end.__exit__(None, None, None)


@pytest.fixture
def judge(db: None) -> User:
    return first_judge()


@pytest.fixture
def club_game(judge: User) -> ClubGame:
    """Four players, nothing drawn yet."""
    return create_club_game(judge)
