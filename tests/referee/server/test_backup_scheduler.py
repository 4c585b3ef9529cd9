"""Backups while the program runs: made by what happens, told at the desk, and going on by themselves."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection

from referee.server import backup_scheduler
from referee.server.backup_scheduler import BackupScheduler, BackupState, get_backup_folder, get_backup_state
from tests.tournaments.club_game import ClubGame, create_club_game
from tests.waiting import until
from tournaments.backups import backup_file
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db(transaction=True)
STICK = Path("/media/usb")


class Desk:
    """Messages sent to the desks."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def tell(self, kind: str, **_details: object) -> None:
        self.told.append(kind)


@pytest.fixture
def club_game(transactional_db: None) -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses in which a test can live."""
    for name, seconds in {"DELAY_S": 0.1, "LEAST_PAUSE_S": 0.1, "TRY_AGAIN_S": 0.2, "SHARE": 1}.items():
        monkeypatch.setattr(backup_scheduler, name, seconds)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return tmp_path / "stick"


@pytest.fixture
def running(club_game: ClubGame, stick: Path, desk: Desk, quick: None) -> Iterator[BackupScheduler]:
    connection.close()  # what runs in the other thread has connections of its own
    kept = BackupScheduler(stick, desk.tell)
    kept.start()
    yield kept
    kept.stop()


def newest(stick: Path) -> backup_file.BackupInfo | None:
    found = backup_file.find_newest(stick)
    return backup_file.read_backup(found[0]) if found else None


@pytest.mark.sqlite_file
def test_it_begins_with_a_backup_and_makes_one_after_each_turn(
    running: BackupScheduler, club_game: ClubGame, stick: Path
) -> None:
    until(lambda: newest(stick) is not None)
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8H", 22)
    club_game.close()
    club_game.place()
    until(lambda: (about := newest(stick)) is not None and (about.turn, about.placed) == (1, True))
    assert running.state.made_at is not None
    assert running.state.failed == ""


@pytest.mark.sqlite_file
def test_slips_alone_are_backed_up_now_and_then(
    running: BackupScheduler, club_game: ClubGame, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club_game.begin_turn("CORNOAT")
    until(lambda: (about := newest(stick)) is not None and about.turn == 1)
    monkeypatch.setattr(backup_scheduler, "WHILE_SLIPS_COME_S", 0.3)
    club_game.phone(1, "CORNO", "8H", 22)
    until(lambda: (about := newest(stick)) is not None and about.slips == 1)


@pytest.mark.sqlite_file
def test_a_stick_that_is_gone_is_told_once_and_again_when_it_is_back(
    running: BackupScheduler, club_game: ClubGame, stick: Path, desk: Desk
) -> None:
    until(lambda: newest(stick) is not None)
    pocket = stick.rename(stick.with_name("pocket"))
    club_game.begin_turn("CORNOAT")
    until(lambda: bool(running.state.failed))
    time.sleep(1.0)
    assert desk.told == ["backup_failed"]
    assert not stick.exists()
    pocket.rename(stick)
    until(lambda: desk.told == ["backup_failed", "backup_again"])
    assert running.state.failed == ""
    assert (about := newest(stick)) is not None
    assert about.turn == 1


def test_the_line_at_the_desk_tells_the_age_and_the_place() -> None:
    made = BackupState(STICK, made_at=1000.0)
    assert made.sentence(1059.0) == "Backup less than a minute ago on /media/usb"
    assert made.sentence(1060.0) == "Backup 1 minute ago on /media/usb"
    assert made.sentence(1150.0) == "Backup 2 minutes ago on /media/usb"
    assert made.sentence(900.0) == "Backup less than a minute ago on /media/usb"
    assert BackupState(STICK).sentence(0.0) == "The first backup to /media/usb is under way."
    assert BackupState(STICK, 1000.0, "No space left on device").sentence(1060.0) == (
        "No backup: /media/usb does not take it (No space left on device)."
    )


def test_after_a_restart_the_age_is_that_of_the_file(stick: Path, desk: Desk) -> None:
    stick.mkdir()
    (stick / "multiplo-CODE-game1-turn03.zip").write_text("")
    made_at = BackupScheduler(stick, desk.tell).state.made_at
    assert made_at is not None
    assert abs(made_at - time.time()) < 60


def test_where_nothing_was_chosen_backups_go_beside_the_database(settings: LazySettings, tmp_path: Path) -> None:
    settings.BACKUP_DIR, settings.DATA_DIR = "", tmp_path
    assert get_backup_folder() == tmp_path / "backups"
    settings.BACKUP_DIR = "/media/usb"
    assert get_backup_folder() == Path("/media/usb")


def test_without_a_keeper_there_is_no_line() -> None:
    assert get_backup_state() is None
