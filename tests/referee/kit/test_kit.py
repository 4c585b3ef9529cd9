"""A kit from the checkout to the first rack of a game, on a computer without network and with an empty home."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from referee.kit.platforms import PLATFORMS
from referee.kit.starters import start
from tests.packages.without_network import without_network
from tests.tournaments.word_list import WORDS
from tests.waiting import PATIENCE_S, until

VERSION = "{}.{}".format(*sys.version_info)
JUDGE = Path(__file__).with_name("judge.py")
BASE_PROGRAMS = str(Path(getattr(sys, "_base_executable", sys.executable)).parent)


def write_kit(folder: Path, *options: str, platforms: str = start.computer()) -> None:
    call_command("kit", str(folder), "--platforms", platforms, "--python", VERSION, *options)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with a small word list."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "lexicons").mkdir()
    (folder / "lexicons" / "it.txt").write_text("\n".join(sorted(WORDS.split())) + "\n")
    (folder / "lexicons" / "it.txt.json").write_text('{"name": "A few words", "language": "it"}')
    with override_settings(DATA_DIR=folder):
        yield folder


@pytest.fixture(scope="module")
def kit(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit for this computer and this Python."""
    folder = tmp_path_factory.mktemp("stick") / "Kit d’été"
    write_kit(folder)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "hömé of a player"
    folder.mkdir()
    return folder


def variables(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": os.pathsep.join((BASE_PROGRAMS, os.defpath, "/usr/sbin")), "LANG": "C.UTF-8"}


def run(home: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        without_network([str(part) for part in command]),
        env=variables(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )


def environments(home: Path) -> list[Path]:
    return [path for path in (home / ".local" / "share" / "multiplo-program").iterdir() if path.is_dir()]


@pytest.mark.endurance
def test_a_kit_plays_a_game_and_draws_the_first_rack_without_network(kit: Path, home: Path) -> None:
    words = home / "my words.txt"
    words.write_text("\n".join(WORDS.split()), encoding="utf-8")
    game = home / "game"
    first = run(home, kit / "multiplo.sh", "simulate", "--words", words, "--players", "2", "--out", game)
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout.splitlines()[-1])["turns"] > 0
    assert {"game.json", "standings.pdf"} <= {path.name for path in game.iterdir()}
    assert start.INSTALLED in first.stderr

    serve = ("serve", "--demo", "--no-browser", "--port", "8000")  # the network namespace has every port free
    second = run(home, sys.executable, JUDGE, kit / "multiplo.sh", *serve)
    assert second.returncode == 0, second.stderr
    desk = json.loads(second.stdout.splitlines()[-1])["desk"]
    assert 'data-turn="1"' in desk
    assert "rack" in desk
    assert start.INSTALLING not in second.stderr
    data = home / ".local" / "share" / "multiplo"
    assert (data / "lexicons" / "it.txt").read_bytes() == (kit / "lexicons" / "it.txt").read_bytes()
    assert (data / "multiplo.sqlite3").exists()

    (environment,) = environments(home)
    (pip,) = (kit / "wheels").glob("pip-*.whl")
    check = run(home, environment / "bin" / "python", pip / "pip", "check")
    assert (check.returncode, check.stdout) == (0, "No broken requirements found.\n")


@pytest.mark.endurance
def test_an_interrupted_installation_is_completed_and_a_newer_kit_replaces_an_older_one(
    kit: Path, home: Path, tmp_path: Path
) -> None:
    command = ["/bin/sh", str(kit / "multiplo.sh"), "help"]
    process = subprocess.Popen(command, env=variables(home), cwd=home, start_new_session=True)
    site_packages = f".local/share/multiplo-program/*/lib/python{VERSION}/site-packages/*.dist-info"
    until(lambda: any(home.glob(site_packages)) or process.poll() is not None)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=PATIENCE_S)
    assert any(home.glob(site_packages))
    assert not any((path / "installed").exists() for path in environments(home))

    both = [subprocess.Popen(command, env=variables(home), cwd=home, stdout=subprocess.PIPE) for _ in range(2)]
    assert [b"multiplo serve" in process.communicate()[0] for process in both] == [True, True]
    (older,) = environments(home)

    newer = tmp_path / "newer kit"
    newer.mkdir()
    for path in kit.iterdir():
        if path.name != "program":
            (newer / path.name).symlink_to(path)
    (newer / "program").mkdir()
    for path in (kit / "program").iterdir():
        (newer / "program" / path.name).write_bytes(path.read_bytes())
    about = json.loads((newer / "program" / "kit.json").read_text())
    (newer / "program" / "kit.json").write_text(json.dumps({**about, "fingerprint": "newer"}))
    done = run(home, "/bin/sh", newer / "multiplo.sh", "help")
    assert done.returncode == 0, done.stderr
    (present,) = environments(home)
    assert present.name.startswith("newer-")
    assert present != older


@pytest.mark.endurance
def test_a_kit_with_a_damaged_file_names_it(kit: Path, home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", kit, copy], check=True)
    (wheel,) = (copy / "wheels").glob("[dD]jango-5*.whl")
    wheel.write_bytes(wheel.read_bytes()[:100_000])
    done = run(home, copy / "multiplo.sh", "help")
    assert done.returncode == start.FAULT
    assert f"The file wheels/{wheel.name} of the kit is missing or damaged" in done.stderr


@pytest.mark.endurance
def test_two_kits_of_the_same_input_have_the_same_bytes(kit: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    write_kit(again)
    time.sleep(2)
    write_kit(again)  # in place of the one that is there
    check = subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=again, capture_output=True, text=True)
    assert (check.returncode, check.stdout) == (0, "")
    assert (again / "SHA256SUMS").read_text() == (kit / "SHA256SUMS").read_text()
    named = {line.split("  ")[1] for line in (again / "SHA256SUMS").read_text().splitlines()}
    files = {path.relative_to(again).as_posix() for path in again.rglob("*") if path.is_file()}
    assert files == named | {"SHA256SUMS"}


@pytest.mark.endurance
def test_packages_are_those_of_the_target_and_not_of_this_computer(kit: Path, data: Path, tmp_path: Path) -> None:
    (wheel,) = (kit / "wheels").glob("multiplo-*.whl")
    found = {}
    for platform in PLATFORMS:
        write_kit(tmp_path / platform, "--wheel", str(wheel), platforms=platform)
        names = {path.name for path in (tmp_path / platform / "wheels").iterdir()}
        found[platform] = {name.split("-")[0].lower() for name in names}
        tags = {name.rsplit("-", 1)[1] for name in names}
        others = [tag for tag in ("win", "macosx", "x86_64", "aarch64", "arm64") if tag not in _tags(platform)]
        assert not [tag for tag in tags if any(other in tag for other in others)]
    assert "tzdata" in found["windows-x86_64"]
    assert "uvloop" not in found["windows-x86_64"]
    assert all("uvloop" in found[platform] for platform in PLATFORMS if platform != "windows-x86_64")
    assert all({"multiplo", "pip", "numba", "django"} <= names for names in found.values())


def _tags(platform: str) -> tuple[str, ...]:
    return {
        "windows-x86_64": ("win",),
        "macos-arm64": ("macosx", "arm64", "win", "x86_64"),  # “win” is in “darwin”, wheels for both processors fit
        "linux-x86_64": ("x86_64",),
        "linux-aarch64": ("aarch64",),
    }[platform]


def test_a_missing_word_list_is_one_sentence_with_the_command_that_builds_it(tmp_path: Path) -> None:
    with override_settings(DATA_DIR=tmp_path), pytest.raises(CommandError, match="lexicon build it”") as fault:
        write_kit(tmp_path / "kit")
    assert str(tmp_path / "lexicons") in str(fault.value)
    assert not (tmp_path / "kit").exists()


def test_a_folder_with_other_files_is_left_alone(data: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(CommandError, match="is not empty"):
        write_kit(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_an_unknown_platform_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="amiga is not possible: choose from linux-x86_64, linux-aarch64"):
        call_command("kit", str(tmp_path / "kit"), "--platforms", "amiga")
