"""The page "Club and website": its settings, and publishing in the background."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from referee.website.publish import run_website
from tests.tournaments.club_game import create_club_game
from tournaments.enums import Role, RunState
from tournaments.models import Club, Membership, WebsiteRun
from tournaments.publishing.services import website_runs
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
PAGE = "/desk/club/"
GIVEN = {"name": "Scarabeo  Torino", "language": "it", "about": "Giovedì\r\nsera", "lists_events": "on"}


@pytest.fixture(autouse=True)
def data(settings: Settings, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path / "data"
    (tmp_path / "data" / "lexicons").mkdir(parents=True)
    (tmp_path / "data" / "lexicons" / "it.txt").write_text("CASA\nCASE\nROSA\n")
    return tmp_path


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def picture() -> SimpleUploadedFile:
    written = BytesIO()
    Image.new("RGB", (20, 10), "green").save(written, "PNG")
    return SimpleUploadedFile("logo.png", written.getvalue())


def test_settings_and_logo_are_stored_and_shown(judge: Client) -> None:
    answer = judge.post(PAGE, {**GIVEN, "logo": picture()}, follow=True)
    assert "The settings of the club are saved." in answer.content.decode()
    club = Club.objects.get()
    assert (club.name, club.language, club.about) == ("Scarabeo Torino", "it", "Giovedì\nsera")
    assert (club.lists_events, club.publishes_all_events) == (True, False)
    assert judge.get(f"{PAGE}logo/").content == bytes(club.logo)
    assert "/events/" in answer.content.decode()
    judge.post(PAGE, {**GIVEN, "without_logo": "on"})
    assert judge.get(f"{PAGE}logo/").status_code == 404


def test_a_refusal_stores_nothing_and_keeps_what_was_typed(judge: Client) -> None:
    answer = judge.post(PAGE, {**GIVEN, "logo": SimpleUploadedFile("logo.png", b"no picture")})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "is no PNG or JPEG picture" in page
    assert 'value="Scarabeo  Torino"' in page
    assert '<option value="it" lang="it" selected>' in page
    assert not Club.objects.exists()
    assert judge.post(PAGE, {**GIVEN, "language": "xx"}).status_code == 422


def test_the_website_is_written_in_the_background_and_the_page_tells_the_result(
    judge: Client, data: Path, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks():
        answer = judge.post(f"{PAGE}publish/", {"folder": str(data / "site")})
    assert answer.headers["Location"] == f"{PAGE}#website"
    run = WebsiteRun.objects.get()
    assert "is being written" in judge.get(f"{PAGE}progress/").content.decode()
    with django_capture_on_commit_callbacks():
        judge.post(f"{PAGE}publish/", {"folder": str(data / "site")})
    assert WebsiteRun.objects.get() == run
    run_website(run.pk)
    run_website(run.pk)
    assert (data / "site" / "index.html").exists()
    assert "files have changed." in judge.get(PAGE).content.decode()
    assert WebsiteRun.objects.get().state == RunState.DONE


@pytest.mark.parametrize(
    ("folder", "sentence"),
    [
        ("", "Choose a folder for the website first."),
        ("website", "Write the whole path of the folder"),
        ("{data}/photos", "has files that are not of the website, such as holiday.jpg"),
        ("{data}/photos/holiday.jpg", "is a file: choose a folder"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused_with_the_reason(
    judge: Client, data: Path, folder: str, sentence: str
) -> None:
    (data / "photos").mkdir()
    (data / "photos" / "holiday.jpg").write_bytes(b"sea")
    answer = judge.post(f"{PAGE}publish/", {"folder": folder.format(data=data)})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not WebsiteRun.objects.exists()


def test_a_run_whose_process_ended_is_told_and_can_be_repeated(judge: Client, data: Path) -> None:
    judge.post(f"{PAGE}publish/", {"folder": str(data / "site")})
    website_runs.fail_unfinished()
    assert "ended before the website was complete: publish it again" in judge.get(PAGE).content.decode()
    judge.post(f"{PAGE}publish/")
    assert WebsiteRun.objects.get().state == RunState.QUEUED


def test_a_director_publishes_but_only_the_owner_chooses_the_folder(client: Client, data: Path) -> None:
    event = create_club_game(first_judge()).event
    user = User.objects.create(username="director")
    Membership.objects.create(event=event, user=user, role=Role.DIRECTOR)
    client.force_login(user)
    assert client.post(f"{PAGE}publish/", {"folder": str(data / "site")}).status_code == 422
    assert not Club.objects.filter(folder__gt="").exists()
    Club.objects.create(language="en", folder=str(data / "chosen"))
    assert client.post(f"{PAGE}publish/", {"folder": str(data / "site")}).status_code == 302
    assert WebsiteRun.objects.get().folder == str(data / "chosen")
    assert 'name="folder"' not in client.get(PAGE).content.decode()
