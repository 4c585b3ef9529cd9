"""Backup files: content, names, rotation, and safety of older files."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import stat
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from django.db import connection, transaction
from PIL import Image

from tests.damaged_database import write_damaged_database
from tests.tournaments.club_game import ClubGame, create_club_game
from tournaments.backups import backup_file, replacement
from tournaments.documents.services.letterheads import set_letterhead
from tournaments.errors import Refused
from tournaments.models import Slip
from tournaments.staff.services.login_links import first_judge

pytestmark = [pytest.mark.sqlite_file, pytest.mark.django_db(transaction=True)]
NOW = datetime(2026, 11, 22, 20, 15, 30, tzinfo=UTC)
KEY = "a key that signs the seats of the phones"


@pytest.fixture
def club_game(transactional_db: None) -> ClubGame:
    return create_club_game(first_judge())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a list and an edition of the organiser's, and the list that set-up has built."""
    folder = tmp_path / "data"
    for name in ("lexicons/club.txt", "lexicons/club.txt.json", "lexicons/it.txt", "editions/club.toml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def database() -> Path:
    return Path(connection.settings_dict["NAME"])


def write(stick: Path, data: Path, *, source: Path | None = None, keep: int = 20) -> Path:
    return backup_file.write_backup(stick, database=source or database(), data=data, secret_key=KEY, now=NOW, keep=keep)


def rows(bundle: Path, query: str) -> list[tuple[object, ...]]:
    """The result of a query in the database of a backup."""
    copy = bundle.with_suffix(".copy")
    with zipfile.ZipFile(bundle) as packed:
        copy.write_bytes(packed.read(replacement.DATABASE))
    with closing(sqlite3.connect(copy)) as base:
        return base.execute(query).fetchall()


def play_turn(club_game: ClubGame) -> None:
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8H", 22)
    club_game.close()
    club_game.place()


def test_it_holds_the_database_the_key_and_what_the_organiser_added(
    club_game: ClubGame, stick: Path, data: Path
) -> None:
    club_game.begin_turn("CORNOAT")
    club_game.phone(1, "CORNO", "8H", 22)
    path = write(stick, data)
    assert path == stick / f"multiplo-{club_game.event.code}-game1-turn01.zip"
    with zipfile.ZipFile(path) as packed:
        assert sorted(packed.namelist()) == sorted(
            [
                "about.json",
                "secret_key",
                "multiplo.sqlite3",
                "editions/club.toml",
                "lexicons/club.txt",
                "lexicons/club.txt.json",
            ]
        )
        assert packed.read("secret_key").decode() == KEY
    assert rows(path, "SELECT word FROM tournaments_slip") == [("CORNO",)]
    about = backup_file.read_backup(path)
    assert (about.event, about.game, about.turn, about.placed, about.slips) == ("Club night", 1, 1, False, 1)
    assert about.made_at == NOW


def test_only_its_owner_can_read_it_because_it_opens_the_desk(club_game: ClubGame, stick: Path, data: Path) -> None:
    assert stat.S_IMODE(write(stick, data).stat().st_mode) == 0o600


def test_before_any_event_there_is_a_backup_too(transactional_db: None, stick: Path, data: Path) -> None:
    path = write(stick, data)
    assert path.name == "multiplo-empty.zip"
    assert backup_file.read_backup(path).event == ""


def test_a_turn_has_one_file_and_of_an_event_the_newest_are_kept(club_game: ClubGame, stick: Path, data: Path) -> None:
    other = stick / "multiplo-OTHER-game1-turn01.zip"
    other.write_text("another event's")
    names = []
    for _turn in range(3):
        play_turn(club_game)
        names.append(write(stick, data, keep=2).name)
        assert write(stick, data, keep=2).name == names[-1]
    kept = sorted(path.name for path in stick.iterdir())
    assert kept == sorted([other.name, *names[1:]])
    assert backup_file.find_newest(stick) is not None


def test_backup_neither_waits_for_a_writer_nor_blocks_it(club_game: ClubGame, stick: Path, data: Path) -> None:
    club_game.begin_turn("CORNOAT")
    with transaction.atomic():
        club_game.phone(1, "CORNO", "8H", 22)
        path = write(stick, data)
        club_game.phone(2, "ORO", "8H", 9)
    assert rows(path, "SELECT count(*) FROM tournaments_slip") == [(0,)], "what is not committed is not in it"
    assert Slip.objects.count() == 2
    assert rows(write(stick, data), "SELECT count(*) FROM tournaments_slip") == [(2,)]


@contextmanager
def no_room(size: int = 4096) -> Iterator[None]:
    """Limit the size of files written by this process, to simulate a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_older_backup_unchanged(club_game: ClubGame, stick: Path, data: Path) -> None:
    path = write(stick, data)
    before = path.read_bytes()
    club_game.begin_turn()
    with no_room(), pytest.raises((OSError, sqlite3.Error)):
        write(stick, data)
    assert [one.name for one in stick.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_a_missing_folder_is_an_error(club_game: ClubGame, stick: Path, data: Path) -> None:
    stick.rmdir()
    with pytest.raises(OSError, match="No such file"):
        write(stick, data)
    assert not stick.exists()


def test_a_damaged_database_does_not_take_the_place_of_a_good_backup(
    club_game: ClubGame, stick: Path, data: Path, tmp_path: Path
) -> None:
    path = write(stick, data)
    before = path.read_bytes()
    damaged = tmp_path / "damaged.sqlite3"
    with closing(sqlite3.connect(database())) as source, closing(sqlite3.connect(damaged)) as target:
        source.backup(target)
    content = bytearray(damaged.read_bytes())
    content[4096 * 3 : 4096 * 12] = b"\xff" * 4096 * 9
    damaged.write_bytes(content)
    with pytest.raises(sqlite3.Error):
        write(stick, data, source=damaged)
    assert path.read_bytes() == before
    assert [one.name for one in stick.iterdir()] == [path.name]


def test_files_of_a_killed_process_are_deleted(club_game: ClubGame, stick: Path, data: Path) -> None:
    left, fresh = stick / ".multiplo-1-bundle.part", stick / ".multiplo-2-bundle.part"
    for part in (left, fresh):
        part.write_text("half")
    os.utime(left, (0, 0))
    write(stick, data)
    assert not left.exists()
    assert fresh.exists(), "another program may be at work on it"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "There is no file"),
        (b"no zip at all", "cannot be read as a backup"),
        ({}, "is no backup of Multiplo"),
        ({"about.json": "[]"}, "is no backup of Multiplo"),
        ({"about.json": '{"format": 1, "made_at": "2026-11-22T20:15:30+00:00"}'}, "is no backup of Multiplo"),
        ({"about.json": '{"format": 99}'}, "was made by a newer Multiplo"),
    ],
)
def test_another_file_is_refused_with_a_sentence(
    tmp_path: Path, content: bytes | dict[str, str] | None, sentence: str
) -> None:
    path = tmp_path / "some.zip"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        with zipfile.ZipFile(path, "w") as packed:
            for name, text in content.items():
                packed.writestr(name, text)
    with pytest.raises(Refused) as refused:
        backup_file.read_backup(path)
    assert sentence in refused.value.sentence


def parts_of(path: Path) -> dict[str, bytes]:
    with backup_file.open_bundle(path) as (_about, bundle):
        return {name: bundle.read(name) for name in bundle.namelist()}


@pytest.mark.endurance
def test_a_backup_with_one_wrong_byte_is_refused_unless_it_holds_the_same(
    club_game: ClubGame, stick: Path, data: Path
) -> None:
    # A packed database has long runs of zeros, and some of their codes say the same in two ways.
    path = write(stick, data)
    whole, parts = path.read_bytes(), parts_of(path)
    data_places, directory = range(0, len(whole) - 1000, 97), range(len(whole) - 1000, len(whole))
    refused: set[int] = set()
    for place in (*data_places, *directory):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            assert parts_of(path) == parts, place
        except Refused:
            refused.add(place)
    # The directory at the end has dates and attributes that say nothing of the content.
    assert len(refused.intersection(data_places)) > len(data_places) * 0.8
    assert refused.intersection(directory)


def test_a_backup_of_which_the_end_is_missing_is_refused(club_game: ClubGame, stick: Path, data: Path) -> None:
    path = write(stick, data)
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(Refused):
        backup_file.read_backup(path)


def test_the_description_can_be_read_without_the_program(club_game: ClubGame, stick: Path, data: Path) -> None:
    with zipfile.ZipFile(write(stick, data)) as packed:
        about = json.loads(packed.read("about.json"))
    assert about["code"] == club_game.event.code
    assert about["made_at"] == NOW.isoformat()


def test_a_backup_has_the_logo_and_the_texts_of_the_sheets(club_game: ClubGame, stick: Path, data: Path) -> None:
    picture = BytesIO()
    Image.new("RGB", (60, 20), "#17573c").save(picture, "PNG")
    stored = set_letterhead(
        event=club_game.event, venue="Teatro Alfieri", sponsor="Luxemburg", certificate_text="", logo=picture.getvalue()
    )
    [(logo, sponsor)] = rows(write(stick, data), "SELECT logo, sponsor FROM tournaments_letterhead")
    assert logo == stored.logo
    assert sponsor == "Luxemburg"


def test_a_database_whose_damage_is_reported_with_a_name_that_is_no_text_raises_an_error_of_sqlite(
    tmp_path: Path,
) -> None:
    with pytest.raises(sqlite3.Error):
        backup_file.describe_database(write_damaged_database(tmp_path / "damaged.sqlite3"), NOW)
