"""The pages of editions: list, copy, check and save, with errors by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from engine.tiles.edition import EDITIONS, edition_codes, load_edition
from tests.tournaments.club_game import create_club_game
from tournaments.play.position import edition_of
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PAGE = "/desk/editions/"


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "it.txt").write_text("CASA\nCASE\nROSA\n")
    return tmp_path


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def torino(judge: Client) -> str:
    """The text of a copy of the Italian edition."""
    answer = judge.post(PAGE, {"code": "it", "name": "torino"})
    assert answer.headers["Location"] == f"{PAGE}torino/"
    text: str = judge.get(f"{PAGE}torino/").context["text"]
    return text


def test_the_editions_are_listed_with_letters_and_lists(judge: Client, torino: str) -> None:
    text = judge.get(PAGE).content.decode()
    assert all(f"{PAGE}{code}/" in text for code in edition_codes())
    assert text.count("your own") == 1
    assert 'aria-label="Edit torino"' in text
    assert 'aria-label="Show it"' in text


def test_a_saved_copy_changes_the_next_game_and_not_the_running_one(judge: Client, torino: str) -> None:
    running = create_club_game(first_judge(), edition="torino", lexicon="it")
    changed = torino.replace("A = { count = 14", "A = { count = 20")
    answer = judge.post(f"{PAGE}torino/", {"text": changed.replace("\n", "\r\n"), "save": "1"}, follow=True)
    assert "The edition is saved." in answer.content.decode()
    assert (load_edition("torino").total, load_edition("torino").toml) == (126, changed)
    assert edition_of(running.refresh()).total == 120


@pytest.mark.parametrize("save", [{}, {"save": "1"}])
def test_an_error_names_and_marks_its_line_and_keeps_the_text(
    judge: Client, torino: str, data: Path, save: dict[str, str]
) -> None:
    bad = torino.replace("A = { count = 14", "A = { count = 0")
    line = bad[: bad.index("A = { count = 0")].count("\n") + 1
    answer = judge.post(f"{PAGE}torino/", {"text": bad, **save})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f"Line {line}: tile A: count must be a whole number from 1 to 200, not 0" in page
    assert f'<li class="bad">{line}</li>' in page
    assert "A = { count = 0, value = 1" in answer.context["text"]
    assert (data / "editions" / "torino.toml").read_text() == torino


def test_a_check_saves_nothing(judge: Client, torino: str) -> None:
    changed = torino.replace("A = { count = 14", "A = { count = 20")
    page = judge.post(f"{PAGE}torino/", {"text": changed}).content.decode()
    assert "No error: 126 tiles. The text is not saved yet." in page
    assert load_edition("torino").total == 120


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("x" * 100_001, "This text is too long"), ("", "Line 1: the entry name is missing"), ("\0", "Line 1: ")],
)
def test_a_text_that_is_no_edition_is_told(judge: Client, torino: str, text: str, sentence: str) -> None:
    assert sentence in judge.post(f"{PAGE}torino/", {"text": text, "save": "1"}).content.decode()
    assert load_edition("torino").total == 120


def test_an_edition_of_the_program_is_shown_and_never_changed(judge: Client) -> None:
    before = (EDITIONS / "it.toml").read_text()
    assert " readonly" in judge.get(f"{PAGE}it/").content.decode()
    page = judge.post(f"{PAGE}it/", {"text": before, "save": "1"}).content.decode()
    assert "This edition belongs to the program: copy it, then edit the copy." in page
    assert "There is no edition tlh." in judge.get(f"{PAGE}tlh/", follow=True).content.decode()


@pytest.mark.parametrize(
    ("code", "name", "sentence"),
    [
        ("it", "torino", "is there already"),
        ("it", "Mein Satz", "The code of an edition has small letters"),
        ("it", "", "The code of an edition has small letters"),
        ("tlh", "mine", "There is no edition tlh in the program"),
    ],
)
def test_a_copy_that_cannot_be_made_is_told(judge: Client, torino: str, code: str, name: str, sentence: str) -> None:
    answer = judge.post(PAGE, {"code": code, "name": name})
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)


def test_a_broken_file_is_listed_with_a_link_to_mend_it(judge: Client, torino: str, data: Path) -> None:
    (data / "editions" / "torino.toml").write_text("nonsense", encoding="utf-8")
    page = judge.get(PAGE).content.decode()
    assert "One of your editions cannot be used: torino.toml, line 1" in page
    judge.post(f"{PAGE}torino/", {"text": torino, "save": "1"})
    assert "One of your editions" not in judge.get(PAGE).content.decode()
