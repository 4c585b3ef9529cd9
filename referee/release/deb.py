"""Debian package: the wheels of all supported Pythons; its scripts install those of the system's Python.

Its sources are in packaging/deb/. The same wheels, sources and SOURCE_DATE_EPOCH give the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from email.utils import formatdate
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.release.lock import LOCK_FILE

_HOME = "opt/multiplo"
_PLACES = {
    "multiplo.sh": ("usr/bin/multiplo", 0o755),
    "multiplo.default": ("etc/default/multiplo", 0o644),
    "multiplo.service": ("usr/lib/systemd/system/multiplo.service", 0o644),
    "multiplo.desktop": ("usr/share/applications/multiplo.desktop", 0o644),
    "lintian-overrides": ("usr/share/lintian/overrides/multiplo", 0o644),
}
_SCRIPTS = ("postinst", "prerm", "postrm")
_ICON = "usr/share/icons/hicolor/scalable/apps/multiplo.svg"
_DOCUMENTS = "usr/share/doc/multiplo"
_MANUAL = "usr/share/man/man1/multiplo.1.gz"
_CHANGES = """multiplo ({version}) stable; urgency=medium

  * CHANGELOG.md.gz lists the changes.

 -- {maintainer}  {date}
"""


def build_deb(
    source: Path, wheels: Sequence[Path], pythons: Sequence[str], folder: Path, variables: Mapping[str, str]
) -> Path:
    """Build the package from the sources and wheels of a release into `folder`; return the file.

    `pythons` are the minor versions that the wheels serve, `variables` has SOURCE_DATE_EPOCH.
    """
    version = next(wheel.name.split("-")[1] for wheel in wheels if wheel.name.startswith("multiplo-"))
    with TemporaryDirectory(prefix="multiplo-") as name:
        tree = Path(name) / "tree"
        _place_files(source, tree)
        for wheel in wheels:
            _place(wheel, tree / _HOME / "wheels" / wheel.name)
        _write_control(source / "packaging/deb", tree, version, pythons)
        _write_changes(tree, version, int(variables["SOURCE_DATE_EPOCH"]))
        _write_sums(tree)
        _set_folder_modes(tree)
        file = folder / f"multiplo_{version}_amd64.deb"
        form = ["--root-owner-group", "--no-uniform-compression", "-Znone"]  # wheels are compressed
        line = ["dpkg-deb", *form, "--build", str(tree), str(file)]
        subprocess.run(line, check=True, env={**os.environ, **variables}, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    return file


def _place_files(source: Path, tree: Path) -> None:
    for name, (place, mode) in _PLACES.items():
        _place(source / "packaging/deb" / name, tree / place, mode)
    _place(source / "referee/static/common/icon.svg", tree / _ICON)
    _place(source / LOCK_FILE, tree / _HOME / LOCK_FILE)
    _place(source / "LICENSE", tree / _DOCUMENTS / "copyright")
    _place(source / "docs/licences.md", tree / _DOCUMENTS / "licences.md")
    _write_compressed(tree / _DOCUMENTS / "CHANGELOG.md.gz", (source / "CHANGELOG.md").read_bytes())
    _write_compressed(tree / _MANUAL, (source / "packaging/deb/multiplo.1").read_bytes())


def _write_changes(tree: Path, version: str, epoch: int) -> None:
    """Write the changelog in the form of Debian, with the maintainer of the control file."""
    control = (tree / "DEBIAN/control").read_text(encoding="utf-8")
    maintainer = next(line.partition(": ")[2] for line in control.splitlines() if line.startswith("Maintainer"))
    text = _CHANGES.format(version=version, maintainer=maintainer, date=formatdate(epoch))
    _write_compressed(tree / _DOCUMENTS / "changelog.gz", text.encode())


def _write_sums(tree: Path) -> None:
    """Write the sums by which `dpkg --verify` finds changed files; the administrator may change those in /etc."""
    files = sorted(
        path for path in tree.rglob("*") if path.is_file() and path.relative_to(tree).parts[0] not in ("DEBIAN", "etc")
    )
    lines = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(tree)}\n"
        for path in files
    ]
    _write(tree / "DEBIAN/md5sums", "".join(lines).encode())


def _write_control(templates: Path, tree: Path, version: str, pythons: Sequence[str]) -> None:
    installed = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file())
    newest = pythons[-1].split(".")
    control = (templates / "control.in").read_text(encoding="utf-8")
    fields = {
        "version": version,
        "installed_size": installed // 1024,
        "oldest_python": pythons[0],
        "next_python": f"{newest[0]}.{int(newest[1]) + 1}",
        "other_pythons": " | ".join(f"python{each}" for each in pythons),
        "pythons": ", ".join(pythons),
    }
    _write(tree / "DEBIAN/control", control.format(**fields).encode())
    for name in ("conffiles", "triggers"):
        _place(templates / name, tree / "DEBIAN" / name)
    for name in _SCRIPTS:
        script = (templates / name).read_text(encoding="utf-8").replace("@PYTHONS@", " ".join(pythons))
        _write(tree / "DEBIAN" / name, script.encode(), 0o755)


def _write_compressed(place: Path, content: bytes) -> None:
    _write(place, gzip.compress(content, 9, mtime=0))


def _place(file: Path, place: Path, mode: int = 0o644) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)
    place.chmod(mode)


def _write(place: Path, content: bytes, mode: int = 0o644) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    place.chmod(mode)


def _set_folder_modes(tree: Path) -> None:
    for path in (tree, *tree.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
