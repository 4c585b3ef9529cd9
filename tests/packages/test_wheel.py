"""The package `multiplo`: its files and dependencies, and the program that pip installs from it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from gettext import GNUTranslations
from hashlib import sha256
from pathlib import Path

import polib
import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.packages.without_network import without_network

ROOT = Path(__file__).resolve().parents[2]
FEW_WORDS = "CASA CASE SALE MARE ORA ORE TRE RE RA SE SI NO DI DA AL AI IO TE TI"
LONGEST_S = 900
FOR_RELEASES = (
    *("referee/kit/", "referee/release/"),
    *(f"referee/management/commands/{name}.py" for name in ("kit", "lock", "release")),
)
"""Parts that work from a checkout only."""
CODE = ("engine", "tournaments", "referee")


def build(folder: Path) -> Path:
    """Build the wheel with the build tools of this environment."""
    return Path(next(iter(WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"]))))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return build(tmp_path_factory.mktemp("wheel"))


@dataclass(frozen=True)
class Installed:
    """An installed program, and the home folder of its user."""

    programs: Path
    home: Path

    def run(self, *line: str, code: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment in an empty folder without network, and require its exit code."""
        given = {"HOME": str(self.home), "PATH": os.defpath, "LC_ALL": "C.UTF-8", **variables}
        ran = subprocess.run(
            without_network([str(self.programs / line[0]), *line[1:]]),
            cwd=self.home,
            env=given,
            capture_output=True,
            encoding="utf-8",
            timeout=LONGEST_S,
            check=False,
        )
        assert ran.returncode == code, ran.stdout + ran.stderr
        return ran


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel with its dependencies in a new environment, and an empty home."""
    environment, home = tmp_path_factory.mktemp("environment"), tmp_path_factory.mktemp("home")
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    subprocess.run([environment / "bin" / "pip", "install", "-qq", wheel], check=True, timeout=LONGEST_S)
    (home / "words.txt").write_text(FEW_WORDS.replace(" ", "\n"))
    return Installed(environment / "bin", home)


def described(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with zipfile.ZipFile(wheel) as files:
        name = next(name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(files.read(name).decode())


def italian(text: str) -> str:
    """Return the translation in the source catalogue."""
    catalogue = polib.pofile(str(ROOT / "locale" / "it" / "LC_MESSAGES" / "django.po"))
    return str(next(entry.msgstr for entry in catalogue if entry.msgid == text))


def test_the_package_has_every_file_that_the_program_reads(wheel: Path) -> None:
    code = (path for package in CODE for path in (ROOT / package).rglob("*") if "__pycache__" not in path.parts)
    folders = ("templates", "docs/handbook", "docs/pictures")
    besides = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    wanted = {path.relative_to(ROOT).as_posix() for path in code if path.is_file()}
    wanted = {name for name in wanted if not name.startswith(FOR_RELEASES)}
    wanted |= {f"referee/program/{path.relative_to(ROOT).as_posix()}" for path in besides if path.is_file()}
    sources = [path.relative_to(ROOT) for path in ROOT.glob("locale/*/LC_MESSAGES/*.po")]
    wanted |= {f"referee/program/{path.with_suffix('.mo').as_posix()}" for path in sources}
    with zipfile.ZipFile(wheel) as files:
        assert {name for name in files.namelist() if ".dist-info/" not in name} == wanted
        with files.open("referee/program/locale/it/LC_MESSAGES/django.mo") as compiled:
            assert GNUTranslations(compiled).gettext("Join a game") == italian("Join a game")


def test_the_package_needs_the_pins_and_has_the_packages_of_a_federation_as_an_extra(wheel: Path) -> None:
    needed = described(wheel).get_all("Requires-Dist", [])
    own = {line for line in needed if "extra ==" not in line}
    extra = {line for line in needed if "extra == 'federation'" in line}
    assert len(own) + len(extra) == len(needed)
    for file, found in (("requirements.txt", own - {"pip"}), ("requirements-federation.txt", extra)):
        lines = (ROOT / file).read_text().lower().splitlines()
        pins = [line.partition(";")[0].strip() for line in lines if "==" in line.partition(";")[0]]
        assert sorted(line.partition(";")[0].strip() for line in found) == sorted(pins)


@pytest.mark.endurance
def test_two_builds_have_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(line, check=True, timeout=LONGEST_S)
    assert sha256((tmp_path / wheel.name).read_bytes()).hexdigest() == sha256(wheel.read_bytes()).hexdigest()


@pytest.mark.endurance
def test_an_installed_program_simulates_a_game_without_network(installed: Installed) -> None:
    assert "No broken requirements" in installed.run("pip", "check").stdout
    assert "multiplo simulate" in installed.run("multiplo", "simulate", "--help").stdout
    line = ("simulate", "--words", "words.txt", "--players", "2", "--seed", "1", "--out", "played")
    told = installed.run("multiplo", *line).stdout
    assert json.loads(told.splitlines()[-1])["turns"] > 0, told
    assert (installed.home / "played" / "game.pdf").read_bytes().startswith(b"%PDF")
    assert installed.run("multiplo", "verify", "played/game.json", "--lexicon", "words.txt").returncode == 0


@pytest.mark.endurance
def test_an_installed_program_serves_its_pages_in_italian_from_the_users_folders(installed: Installed) -> None:
    installed.run("multiplo", "lexicon", "import", "words.txt", "--edition", "it", "--name", "it")
    visited = json.loads(
        installed.run("python", str(Path(__file__).with_name("visit.py")), str(installed.programs / "multiplo")).stdout
    )
    assert italian("Join a game") in visited.pop("/")
    assert any(path.endswith(".css") and "{" in text for path, text in visited.items())
    assert (installed.home / ".local" / "share" / "multiplo" / "multiplo.sqlite3").exists()
    [static] = installed.home.glob(".cache/multiplo/*/static")
    assert {path for path in visited if not (static / path.removeprefix("/static/")).exists()} == set()


@pytest.mark.endurance
def test_an_installed_program_says_what_it_lacks(installed: Installed) -> None:
    told = installed.run("multiplo", "check", code=2, REDIS_URL="redis://127.0.0.1:6379/0").stderr
    assert "REDIS_URL needs the Python package celery, which is not installed: install “multiplo[federation]”" in told
    assert "source code" in installed.run("multiplo", "test", code=2).stderr
