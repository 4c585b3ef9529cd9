"""A release: everything that is published of one version, in one folder."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.kit import platforms as kit_platforms
from referee.kit.write import Content, write_kit
from referee.release.deb import build_deb
from referee.release.licences import PAGE, licences_page
from referee.release.lock import LOCK_FILE, read_lock, requested_pins
from referee.release.sbom import make_sbom
from referee.release.versions import NotReady, git, require_clean_tree, require_version
from referee.release.wheels import PYTHONS, Target, build_wheel, download_for_reading, download_wheels, read_metadata

CHECKSUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Parts:
    """Pythons of the Debian package and the kit; platforms and word lists of the kit, which needs a platform."""

    pythons: Sequence[str] = PYTHONS
    platforms: Sequence[str] = tuple(kit_platforms.PLATFORMS)
    languages: Sequence[str] = ("it",)


@dataclass(frozen=True)
class Release:
    """Sources of a commit in `source`, and the folder that receives the files."""

    source: Path
    folder: Path
    variables: dict[str, str]
    say: Callable[[str], None]

    def make(self, parts: Parts) -> None:
        """Make wheel, bill of materials, Debian package, kit and checksums."""
        pins = read_lock(self.source)
        self.say("the wheel")
        wheel = build_wheel(self.source, self.folder, self.variables)
        with TemporaryDirectory(prefix="multiplo-") as name:
            self.say("the bill of materials")
            self._write_sbom(wheel, Path(name))
        with TemporaryDirectory(prefix="multiplo-") as name:
            self.say("the Debian package")
            for python in parts.pythons:
                download_wheels(pins, Target(python), Path(name))
            wheels = [wheel, *sorted(Path(name).glob("*.whl"))]
            build_deb(self.source, wheels, parts.pythons, self.folder, self.variables)
        if parts.platforms:
            self.say("the kit")
            self._write_kit(wheel, parts)
        write_checksums(self.folder)

    def _write_kit(self, wheel: Path, parts: Parts) -> None:
        pythons = [python for python in kit_platforms.PYTHONS if python in parts.pythons]
        platforms = [kit_platforms.PLATFORMS[name] for name in parts.platforms]
        stem = f"multiplo-{wheel.name.split('-')[1]}-kit"
        with TemporaryDirectory(prefix="multiplo-") as name:
            kit = Path(name) / stem
            write_kit(kit, Content(wheel, platforms, pythons, parts.languages), lambda _line: None)
            write_zip(kit, self.folder / f"{stem}.zip", int(self.variables["SOURCE_DATE_EPOCH"]))

    def _write_sbom(self, wheel: Path, downloads: Path) -> None:
        pins = read_lock(self.source)
        packages = [read_metadata(each) for each in download_for_reading(pins, downloads)]
        if (self.source / PAGE).read_text(encoding="utf-8") != licences_page(packages):
            raise NotReady(f"{PAGE} is not of this {LOCK_FILE}: run python3 manage.py lock and commit the files.")
        program = read_metadata(wheel)
        when = datetime.fromtimestamp(int(self.variables["SOURCE_DATE_EPOCH"]), UTC)
        document = make_sbom(program, packages, pins, when)
        (self.folder / f"multiplo-{program['Version']}.cdx.json").write_text(document, encoding="utf-8")


def make_release(root: Path, folder: Path, parts: Parts, say: Callable[[str], None]) -> str:
    """Make the release of the commit that is checked out in `root` in the empty `folder`; return its version.

    The sources are taken from the commit, and the time of the commit is that of all files.
    """
    require_clean_tree(root)
    version = require_version(root)
    require_current_lock(root)
    if folder.exists() and any(folder.iterdir()):
        raise NotReady(f"The folder {folder} is not empty: give a new one.")
    folder.mkdir(parents=True, exist_ok=True)
    variables = {"SOURCE_DATE_EPOCH": git(root, "log", "-1", "--format=%ct")}
    with TemporaryDirectory(prefix="multiplo-") as name:
        archive, source = Path(name) / "source.tar", Path(name) / "multiplo"
        source.mkdir()
        git(root, "archive", "--output", str(archive), "HEAD")
        subprocess.run(["tar", "-xf", str(archive), "-C", str(source)], check=True)  # noqa: S603, S607 - our own archive
        Release(source, folder, variables, say).make(parts)
    return version


def require_current_lock(root: Path) -> None:
    """Raise NotReady if the lock file lacks one of the requested versions."""
    locked = {(pin.name, pin.version) for pin in read_lock(root)}
    missing = [pin for pin in requested_pins(root) if (pin.name, pin.version) not in locked]
    if missing:
        pin = missing[0]
        raise NotReady(f"{LOCK_FILE} lacks {pin.name} {pin.version}: run python3 manage.py lock and commit the files.")


def write_zip(folder: Path, file: Path, seconds: int) -> None:
    """Write a zip of a folder; all its files have the time `seconds` (since 1970), and their permissions."""
    when = time.gmtime(seconds)[:6]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:  # wheels are compressed
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), when)
            entry.create_system = 3  # Unix: the starters stay executable
            entry.external_attr = path.stat().st_mode << 16
            with path.open("rb") as content, archive.open(entry, "w") as target:
                shutil.copyfileobj(content, target)


def write_checksums(folder: Path) -> None:
    """Write the SHA-256 sums of all files of the folder, in the form that `sha256sum --check` reads."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    lines = (f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
