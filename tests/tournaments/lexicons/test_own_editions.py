"""Editions of the organiser: in games, in archives, and when their files change or are invalid."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.core.management import call_command
from pytest_django import Settings

from engine.archive.schema import read_archive
from engine.tiles.edition import load_edition
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.errors import Refused
from tournaments.lexicons.own_editions import copy_to_edit
from tournaments.play.position import edition_of, get_draw_position
from tournaments.results.queries.archive import export_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings: Settings, small_data_folder: Path, tmp_path: Path) -> Path:
    """A data folder with the small word list, and an own edition "torino" with twenty A."""
    shutil.copytree(small_data_folder / "lexicons", tmp_path / "lexicons")
    settings.DATA_DIR = tmp_path
    path = copy_to_edit("it", "torino")
    change(path, "A = { count = 14", "A = { count = 20")
    return path.parent


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def own(folder: Path, judge: User) -> ClubGame:
    return create_club_game(judge, edition="torino", lexicon="it")


def test_a_game_is_played_with_an_edition_of_ones_own(own: ClubGame) -> None:
    assert edition_of(own.game).total == 126
    own.begin_turn()
    assert get_draw_position(own.refresh()).bag.total == 126


def test_a_running_game_keeps_its_letters_whatever_becomes_of_the_file(own: ClubGame, folder: Path) -> None:
    own.begin_turn()
    change(folder / "torino.toml", "A = { count = 20", "A = { count = 30")
    assert load_edition("torino").total == 136
    assert edition_of(own.refresh()).total == 126
    (folder / "torino.toml").write_text("nonsense", encoding="utf-8")
    assert edition_of(own.refresh()).total == 126
    (folder / "torino.toml").unlink()
    assert edition_of(own.refresh()).total == 126
    own.close()
    assert own.place().number == 1
    assert get_draw_position(own.refresh()).pool.total < 126


def test_the_archive_of_such_a_game_is_verified_where_the_edition_is_not_installed(
    own: ClubGame, folder: Path, tmp_path: Path
) -> None:
    own.begin_turn()
    own.close()
    archive = export_game(own.refresh())
    assert (archive["edition"], archive["tile_set"]["A"]["count"]) == ("torino", 20)
    assert read_archive(json.dumps(archive)).get("edition_file") == own.game.edition_toml
    path = tmp_path / "game.json"
    path.write_text(json.dumps(archive), encoding="utf-8")
    (folder / "torino.toml").unlink()
    out = StringIO()
    call_command("verify", str(path), lexicon=[folder.parent / "lexicons" / "it.txt"], stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[0] == "The archive brings its own edition torino; compare its letters with the box."
    assert lines[1].startswith("No difference.")


def test_an_archive_of_the_programs_own_edition_brings_none(club_game: ClubGame) -> None:
    assert "edition_file" not in export_game(club_game.game)
    assert club_game.game.edition_toml == load_edition("it").toml


def test_an_older_game_without_the_text_of_its_edition_is_played_with_the_installed_one(club_game: ClubGame) -> None:
    club_game.game.edition_toml = ""
    assert edition_of(club_game.game) is load_edition("it")


def test_no_game_begins_with_a_bad_file_and_the_reason_is_told(folder: Path, judge: User) -> None:
    change(folder / "torino.toml", "A = { count = 20", "A = { count = -1")
    with pytest.raises(Refused) as refused:
        create_club_game(judge, edition="torino", lexicon="it")
    assert refused.value.sentence.startswith("This edition cannot be used. torino.toml, line ")
    assert refused.value.sentence.endswith(": tile A: count must be a whole number from 1 to 200, not -1")


def test_a_bad_file_is_a_warning_of_check_and_stops_nothing(folder: Path, judge: User) -> None:
    assert not [found for found in run_checks() if found.id == "tournaments.W001"]
    (folder / "bad.toml").write_text("name = 3\n", encoding="utf-8")
    (warning,) = [found for found in run_checks() if found.id == "tournaments.W001"]
    assert warning.msg == "bad.toml, line 1: the entry language is missing"
    assert warning.hint == f"Correct or remove it; its folder is {folder}."
    assert create_club_game(judge, lexicon="it").game.edition == "it"
