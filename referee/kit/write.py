"""Write a kit: packages, word lists, starters, the page READ-ME-FIRST and checksums."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from engine.lexicon.graph import Lexicon
from referee.kit.faults import KitFault
from referee.kit.platforms import Platform
from referee.kit.read_me import render_read_me
from referee.kit.starters import start
from referee.kit.wheels import build_wheel, download_wheels
from tournaments.lexicons import word_lists
from tournaments.lexicons.word_lists import LexiconFile

STARTERS = Path(start.__file__).parent
CHECKSUMS, READ_ME = "SHA256SUMS", "READ-ME-FIRST.html"
_TO_CLICK = ("multiplo.sh", "Multiplo.command", "Multiplo.bat")
_PROGRAM = ("start.py", "check_python.py")
_PARTS = ("wheels", "lexicons", "program")


@dataclass(frozen=True)
class Content:
    """Content of a kit. `wheel` is the package of this program, None to build it from the checkout."""

    wheel: Path | None
    platforms: Sequence[Platform]
    pythons: Sequence[str]
    languages: Sequence[str]


def write_kit(folder: Path, content: Content, report: Callable[[str], None]) -> None:
    """Write a kit into an empty folder, or in place of the kit in it. Raises KitFault."""
    lists = [find_word_list(language) for language in content.languages]
    _prepare(folder)
    report(_("The package of Multiplo"))
    wheel = _add_wheel(content.wheel, folder / "wheels")
    for platform in content.platforms:
        for python in content.pythons:
            report(_("Packages for %(platform)s, Python %(python)s") % {"platform": platform.name, "python": python})
            download_wheels(wheel, platform, python, folder / "wheels")
    for words in lists:
        _add_word_list(words, folder / "lexicons")
    _write_program(folder, wheel, content)
    _write(folder / READ_ME, render_read_me(content.platforms, content.pythons))
    _write_checksums(folder)


def find_word_list(language: str) -> LexiconFile:
    """Return the built list of a language in the data folder. Raises KitFault if there is none."""
    words = word_lists.lists_folder() / f"{language}.txt"
    found = word_lists.read_list(words) if words.is_file() else None
    if found is None:
        sentence = _(
            "There is no word list “%(language)s” in %(folder)s: build it with “%(command)s” "
            "and run the same command again."
        )
        command = f"{settings.COMMAND} lexicon build {language}"
        raise KitFault(sentence % {"language": language, "folder": words.parent, "command": command})
    return found


def _prepare(folder: Path) -> None:
    """Make the folder, or empty that of an earlier kit; the starters are written first and mark it as a kit."""
    is_kit = all((folder / name).is_file() for name in _TO_CLICK)
    if folder.exists() and not is_kit and (not folder.is_dir() or any(folder.iterdir())):
        raise KitFault(_("The folder %(folder)s is not empty: name a new folder for the kit.") % {"folder": folder})
    for part in _PARTS:
        if (folder / part).exists():
            shutil.rmtree(folder / part)
        (folder / part).mkdir(parents=True)
    for name in _TO_CLICK:
        _write(folder / name, (STARTERS / name).read_text(encoding="utf-8"))


def _add_wheel(wheel: Path | None, folder: Path) -> Path:
    if wheel is None:
        return build_wheel(settings.BASE_DIR, folder)
    if not wheel.is_file():
        raise KitFault(_("There is no file %(file)s: name the wheel of Multiplo.") % {"file": wheel})
    return Path(shutil.copy2(wheel, folder))


def _add_word_list(words: LexiconFile, folder: Path) -> None:
    """Copy a list with its origin, and write its graph: the first start then need not make it."""
    for path in (words.path, words.path.with_name(f"{words.path.name}.json")):
        if path.is_file():
            shutil.copyfile(path, folder / path.name)
    with words.path.open(encoding="utf-8") as lines:
        Lexicon.build(words.edition, lines).save(folder / words.graph.name)


def _write_program(folder: Path, wheel: Path, content: Content) -> None:
    """Write what the starters read: the installation, its texts in all languages, and what is in the kit."""
    program = folder / "program"
    for name in _PROGRAM:
        _write(program / name, (STARTERS / name).read_text(encoding="utf-8"))
    _write(program / "pythons.txt", "".join(f"{python}\n" for python in content.pythons))
    _write(program / "no_python.txt", no_python_text(content.pythons))
    _write_json(program / "texts.json", translated_texts())
    packages = "".join(f"{path.name} {_checksum(path)}\n" for path in sorted((folder / "wheels").iterdir()))
    about = {
        "version": wheel.name.split("-")[1],
        "fingerprint": hashlib.sha256(packages.encode()).hexdigest()[:12],
        "platforms": [platform.name for platform in content.platforms],
    }
    _write_json(program / "kit.json", about)


def translated_texts() -> dict[str, dict[str, str]]:
    """Return the sentences of the installation in each language of the program."""
    texts = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts[language] = {text: _(text) for text in start.TEXTS}
    return texts


def no_python_text(pythons: Sequence[str]) -> str:
    """Return what the starters say without a suitable Python, in all languages, each in a paragraph."""
    versions = ", ".join(pythons)
    paragraphs = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            sentence = _(
                "Multiplo needs Python on this computer, one of the versions %(versions)s: "
                "install it from https://www.python.org/downloads/ and start Multiplo again."
            )
            paragraphs.append(sentence % {"versions": versions})
    return "\n\n".join(dict.fromkeys(paragraphs)) + "\n"


def _write_checksums(folder: Path) -> None:
    """Write the checksums of all files, in the format of sha256sum."""
    paths = sorted(path for part in _PARTS for path in (folder / part).iterdir())
    names = sorted((*_TO_CLICK, READ_ME, *(path.relative_to(folder).as_posix() for path in paths)))
    _write(folder / CHECKSUMS, "".join(f"{_checksum(folder / name)}  {name}\n" for name in names))
    for path in (folder, *folder.rglob("*")):  # another user of the computer may read the kit
        path.chmod(0o755 if path.is_dir() or path.name in _TO_CLICK else 0o644)


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write_json(path: Path, content: object) -> None:
    _write(path, json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def _write(path: Path, text: str) -> None:
    """Write a text with the line ends that its system expects."""
    path.write_text(text, encoding="utf-8", newline="\r\n" if path.suffix == ".bat" else "\n")
