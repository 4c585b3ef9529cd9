"""Restoring renames the present database; a failed restore changes nothing."""

from __future__ import annotations

import json
import sqlite3
import stat
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection

from tests.damaged_database import write_damaged_database
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.backups import backup_file
from tournaments.backups.backup_file import BackupInfo
from tournaments.backups.restore import restore_backup
from tournaments.errors import Refused
from tournaments.staff.services.login_links import first_judge

pytestmark = [pytest.mark.sqlite_file, pytest.mark.django_db(transaction=True)]
NOW = datetime(2026, 11, 22, 20, 15, 30, tzinfo=UTC)
KEY = "the key of the first laptop"


@pytest.fixture
def bundle(transactional_db: None, tmp_path: Path) -> Path:
    """A backup of a night with one slip in turn 1."""
    club_game = create_club_game(first_judge())
    assert isinstance(club_game, ClubGame)
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8H", 22)
    data, stick = tmp_path / "first", tmp_path / "stick"
    (data / "lexicons").mkdir(parents=True)
    (data / "lexicons" / "club.txt").write_text("CASA\n")
    stick.mkdir()
    database = Path(connection.settings_dict["NAME"])
    return backup_file.write_backup(stick, database=database, data=data, secret_key=KEY, now=NOW)


def changed(bundle: Path, **replaced: bytes) -> Path:
    """The same backup with other parts."""
    target = bundle.with_name("changed.zip")
    with zipfile.ZipFile(bundle) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in source.namelist():
            packed.writestr(name, replaced.pop(name.partition(".")[0], source.read(name)))
        for name, content in replaced.items():
            packed.writestr(name, content)
    return target


def slips(database: Path) -> int:
    with closing(sqlite3.connect(database)) as base:
        return int(base.execute("SELECT count(*) FROM tournaments_slip").fetchone()[0])


def test_an_empty_folder_gets_database_key_and_the_organisers_lists(bundle: Path, tmp_path: Path) -> None:
    data = tmp_path / "second"
    about, kept = restore_backup(bundle, data=data, now=NOW)
    assert (about.turn, about.slips, kept) == (1, 1, None)
    assert slips(data / "multiplo.sqlite3") == 1
    assert (data / "secret_key").read_text() == KEY
    assert (data / "lexicons" / "club.txt").read_text() == "CASA\n"
    for name in ("multiplo.sqlite3", "secret_key"):
        assert stat.S_IMODE((data / name).stat().st_mode) == 0o600
    assert sorted(path.name for path in data.iterdir()) == ["lexicons", "multiplo.sqlite3", "secret_key"]


def test_the_replaced_database_is_renamed_with_its_journal(bundle: Path, tmp_path: Path) -> None:
    data = tmp_path / "second"
    data.mkdir()
    (data / "secret_key").write_text("the key of the second laptop")
    present = data / "multiplo.sqlite3"
    base = sqlite3.connect(present)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA wal_autocheckpoint=0")
    base.execute("CREATE TABLE mine (word TEXT)")
    base.execute("INSERT INTO mine VALUES ('ORO')")
    base.commit()  # all of it is in the journal only, as after a kill
    _about, kept = restore_backup(bundle, data=data, now=NOW)
    base.close()
    assert kept is not None
    assert kept.name.startswith("multiplo.sqlite3.before-2026")
    with closing(sqlite3.connect(kept)) as before:
        assert before.execute("SELECT word FROM mine").fetchall() == [("ORO",)]
    assert slips(present) == 1
    [old_key] = data.glob("secret_key.before-*")
    assert old_key.read_text() == "the key of the second laptop"
    assert (data / "secret_key").read_text() == KEY


def test_twice_in_the_same_second_keeps_both(bundle: Path, tmp_path: Path) -> None:
    data = tmp_path / "second"
    kept = [restore_backup(bundle, data=data, now=NOW)[1] for _ in range(3)]
    assert kept[0] is None
    assert len({kept[1], kept[2]}) == 2
    assert len(list(data.glob("multiplo.sqlite3.before-*"))) == 2


def about(**changes: object) -> bytes:
    told = {"format": 1, "made_at": NOW.isoformat(), "event": "Club night", "code": "ABCDE", "game": 1, "turn": 2}
    return json.dumps(told | changes).encode()


@pytest.mark.endurance
@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"multiplo": b"not a database"}, "is damaged"),
        ({"multiplo": b""}, "is damaged"),
        ({"multiplo": b"\0" * 400_000_000}, "is damaged"),
        ({"multiplo": b"SQLite format 3\0" + b"\0" * 2_000}, "is damaged"),
        ({"about": b"[" * 100_000}, "is no backup of Multiplo"),
        ({"about": b'{"format":1,"made_at":' * 3_000}, "is no backup of Multiplo"),
        ({"about": about(game=None)}, "is no backup of Multiplo"),
        ({"about": about(game=10**400)}, "is no backup of Multiplo"),
        ({"about": about(made_at="2026-02-30")}, "is no backup of Multiplo"),
        ({"about": about(made_at="2026-11-22T20:15:30")}, "is no backup of Multiplo"),
        ({"about": about(event="\ud800")}, "is no backup of Multiplo"),
        ({"secret_key": b""}, "is no backup of Multiplo"),
        ({"secret_key": b"\xff" * 50}, "is no backup of Multiplo"),
        ({"secret_key": b"a key\x1b[2J that steers a terminal"}, "is no backup of Multiplo"),
        ({"lexicons/club": b"\0" * 70_000_000}, "is no backup of Multiplo"),
    ],
)
def test_a_backup_with_a_part_that_is_none_changes_nothing(
    bundle: Path, tmp_path: Path, parts: dict[str, bytes], sentence: str
) -> None:
    data = tmp_path / "second"
    data.mkdir()
    (data / "multiplo.sqlite3").write_text("mine")
    with pytest.raises(Refused) as refused:
        restore_backup(changed(bundle, **parts), data=data, now=NOW)
    assert sentence in refused.value.sentence
    assert {path.name: path.read_text() for path in data.iterdir()} == {"multiplo.sqlite3": "mine"}


def test_a_database_whose_check_quotes_a_name_that_is_no_text_is_damaged(bundle: Path, tmp_path: Path) -> None:
    damaged = changed(bundle, multiplo=write_damaged_database(tmp_path / "damaged.sqlite3").read_bytes())
    with pytest.raises(Refused, match="is damaged"):
        restore_backup(damaged, data=tmp_path / "second", now=NOW)


def test_a_database_that_cannot_be_brought_up_to_date_changes_nothing(bundle: Path, tmp_path: Path) -> None:
    def fail(database: Path, about: BackupInfo) -> None:
        raise KeyError("a table\x1b[2J")

    data = tmp_path / "second"
    with pytest.raises(Refused, match="is damaged") as refused:
        restore_backup(bundle, data=data, now=NOW, prepare=fail)
    assert refused.value.sentence.isprintable()
    assert list(data.iterdir()) == []


def test_control_characters_of_a_description_are_removed(bundle: Path, tmp_path: Path) -> None:
    told = about(event="Club\x1b[2J\x07 night\r\n", code="\x9bABCDE")
    restored, _kept = restore_backup(changed(bundle, about=told), data=tmp_path / "second", now=NOW)
    assert (restored.event, restored.code) == ("Club[2J night", "ABCDE")


def test_a_backup_of_a_newer_program_is_refused(bundle: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.sqlite3"
    with zipfile.ZipFile(bundle) as packed:
        newer.write_bytes(packed.read("multiplo.sqlite3"))
    with closing(sqlite3.connect(newer)) as base, base:
        base.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_later', '')")
    with pytest.raises(Refused) as refused:
        restore_backup(changed(bundle, multiplo=newer.read_bytes()), data=tmp_path / "second", now=NOW)
    assert "was made by a newer Multiplo and this is Multiplo" in refused.value.sentence


def test_paths_outside_the_folder_are_ignored(bundle: Path, tmp_path: Path) -> None:
    data = tmp_path / "deep" / "second"
    trap = changed(bundle, **{"../outside.txt": b"x", "lexicons/../../outside.txt": b"x"})
    restore_backup(trap, data=data, now=NOW)
    assert [path.name for path in (tmp_path / "deep").rglob("outside*")] == []


def test_a_list_that_is_there_is_not_overwritten(bundle: Path, tmp_path: Path) -> None:
    data = tmp_path / "second"
    (data / "lexicons").mkdir(parents=True)
    (data / "lexicons" / "club.txt").write_text("MINE\n")
    restore_backup(bundle, data=data, now=NOW)
    assert (data / "lexicons" / "club.txt").read_text() == "MINE\n"
