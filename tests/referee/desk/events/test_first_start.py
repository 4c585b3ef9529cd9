"""The first event in the language of the browser, whose word list may have to be built."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tournaments.backups.upgrade_record import UpgradeRecord, write_record
from tournaments.lexicons.list_builds import get_build
from tournaments.models import Event
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
EVENT = {"name": "Night", "date": "2026-11-21", "profile": "it-box", "draw_mode": "seeded", "language": "fr"}


@pytest.fixture
def lists(settings: Settings, tmp_path: Path) -> Path:
    """The folder of lists as set-up leaves it, with the Italian one."""
    settings.DATA_DIR = tmp_path
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "it.txt").write_text("CASA\nCASE\nROSA\n")
    return tmp_path / "lexicons"


def browser(language: str) -> Client:
    client = Client(headers={"Accept-Language": f"{language}-{language.upper()},{language};q=0.9,en;q=0.5"})
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize(
    ("language", "preset"), [("fr", "fr/fisf"), ("es", "es/fise"), ("ca", "ca/ca-club"), ("de", "de/club")]
)
def test_the_rules_of_the_browsers_language_are_proposed_with_their_list(
    lists: Path, language: str, preset: str
) -> None:
    client = browser(language)
    form = client.get("/desk/new/")
    assert form.context["form"]["preset"].value() == preset
    first, *others = form.context["form"].without_preset
    assert first[0] == language
    assert {code for code, _name in others} == {"ca", "de", "en", "es", "fr", "nl", "pt", "ro"} - {language}
    assert f'name="language" value="{language}"' in form.content.decode()
    part = client.post("/desk/word-lists/build/", {"language": language}, headers={"HX-Request": "true"})
    assert "<progress" in part.content.decode()
    build = get_build(utc_now())
    assert build is not None
    assert build.language == language
    assert "<progress" in client.get("/desk/new/").content.decode()


def test_the_event_waits_for_the_list_and_opens_once_it_is_there(lists: Path) -> None:
    client, wanted = browser("fr"), EVENT | {"edition": "it", "preset": "fr/fisf", "lines": "1, Zoé"}
    answer = client.post("/desk/new/", wanted)
    form = answer.context["form"]
    assert list(form.errors) == ["preset"]
    assert "Zoé" in answer.content.decode()
    (lists / "fr.txt").write_text("CHAT\nCHATS\n")
    assert client.get("/desk/new/", {"preset": "fr/fisf"}).context["form"].presets[0].has_list
    assert client.post("/desk/new/", wanted).status_code == 302
    assert Event.objects.get().games.get().edition == "fr"


def test_with_the_italian_list_an_italian_browser_has_nothing_to_build(lists: Path) -> None:
    form = browser("it").get("/desk/new/").context["form"]
    assert form["preset"].value() == "it/it-box"
    assert all(preset.has_list for preset in form.presets)


def test_after_the_first_event_the_last_rules_come_first(lists: Path) -> None:
    assert browser("fr").post("/desk/new/", EVENT | {"edition": "it", "preset": "it/club"}).status_code == 302
    form = browser("fr").get("/desk/new/").context["form"]
    assert form["preset"].value() == "it/club"
    assert all(preset.has_list for preset in form.presets)


def test_the_start_page_and_the_form_lead_to_the_word_lists(lists: Path) -> None:
    client = browser("fr")
    for page in ("/desk/", "/desk/new/"):
        assert 'href="/desk/word-lists/"' in client.get(page).content.decode()


def test_an_upgrade_is_reported_to_the_owner_until_it_is_hidden(lists: Path) -> None:
    write_record(lists.parent, UpgradeRecord("0.1.0", "0.2.0", "2026-11-21T20:00:00+00:00", "/var/backups/before.zip"))
    owner, other = browser("en"), Client()
    other.force_login(User.objects.create_user("other"), backend="django.contrib.auth.backends.ModelBackend")
    report = "Your data were upgraded from Multiplo 0.1.0 to 0.2.0. The backup from before is <code>/var/backups/before"
    assert report in owner.get("/desk/").content.decode()
    assert report not in other.get("/desk/").content.decode()
    assert other.post("/desk/upgrade/hide/").status_code == 403
    assert owner.post("/desk/upgrade/hide/", follow=True).status_code == 200
    assert report not in owner.get("/desk/").content.decode()
