"""A release: everything that is published of one version, in one folder."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.release.deb import build_deb
from referee.release.licences import PAGE, licences_page
from referee.release.lock import LOCK_FILE, read_lock, requested_pins
from referee.release.sbom import make_sbom
from referee.release.versions import NotReady, git, require_clean_tree, require_version
from referee.release.wheels import PYTHONS, Target, build_wheel, download_for_reading, download_wheels, read_metadata

CHECKSUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Release:
    """Sources of a commit in `source`, and the folder that receives the files."""

    source: Path
    folder: Path
    variables: dict[str, str]
    say: Callable[[str], None]

    def make(self, pythons: Sequence[str]) -> None:
        """Make wheel, Debian package, bill of materials and checksums."""
        pins = read_lock(self.source)
        self.say("the wheel")
        wheel = build_wheel(self.source, self.folder, self.variables)
        with TemporaryDirectory(prefix="multiplo-") as name:
            self.say("the bill of materials")
            self._write_sbom(wheel, Path(name))
        with TemporaryDirectory(prefix="multiplo-") as name:
            self.say("the Debian package")
            for python in pythons:
                download_wheels(pins, Target(python), Path(name))
            wheels = [wheel, *sorted(Path(name).glob("*.whl"))]
            build_deb(self.source, wheels, pythons, self.folder, self.variables)
        write_checksums(self.folder)

    def _write_sbom(self, wheel: Path, downloads: Path) -> None:
        pins = read_lock(self.source)
        packages = [read_metadata(each) for each in download_for_reading(pins, downloads)]
        if (self.source / PAGE).read_text(encoding="utf-8") != licences_page(packages):
            raise NotReady(f"{PAGE} is not of this {LOCK_FILE}: run python3 manage.py lock and commit the files.")
        program = read_metadata(wheel)
        document = make_sbom(program, packages, pins)
        (self.folder / f"multiplo-{program['Version']}.cdx.json").write_text(document, encoding="utf-8")


def make_release(root: Path, folder: Path, *, pythons: Sequence[str] = PYTHONS, say: Callable[[str], None]) -> str:
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
        Release(source, folder, variables, say).make(pythons)
    return version


def require_current_lock(root: Path) -> None:
    """Raise NotReady if the lock file lacks one of the requested versions."""
    locked = {(pin.name, pin.version) for pin in read_lock(root)}
    missing = [pin for pin in requested_pins(root) if (pin.name, pin.version) not in locked]
    if missing:
        pin = missing[0]
        raise NotReady(f"{LOCK_FILE} lacks {pin.name} {pin.version}: run python3 manage.py lock and commit the files.")


def write_checksums(folder: Path) -> None:
    """Write the SHA-256 sums of all files of the folder, in the form that `sha256sum --check` reads."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    lines = (f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
