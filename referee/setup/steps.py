"""The steps of the set-up and the commands that need them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from referee.setup import database, environment, faults, static, translations, words
from referee.setup.environment import DEVELOPMENT, RUNTIME, Environment
from referee.setup.project import Project
from referee.setup.schedule import Step
from referee.setup.text import translate as _

PACKAGES = frozenset({"environment", "packages"})
_WARM = PACKAGES | {"warmth"}
_GAME = _WARM | {"words", "graph", "translations", "static"}
_ALL = _GAME | {"database"}
_NEEDS = {
    "serve": _ALL,
    "setup": _ALL,
    "simulate": _GAME - {"static"},
    "rehearse": _ALL,
    "test": _GAME | {"tools"},
    "engine": _WARM,
}


def needed_by(command: str, *arguments: str) -> frozenset[str]:
    """The names of the steps a command line builds on; most commands need no more than the packages."""
    names = _NEEDS.get(command, PACKAGES)
    if command == "lexicon" and "check" in arguments:
        return names | {"database"}  # it tells the rulings on a word
    brings_its_words = command == "simulate" and any(word.split("=")[0] == "--words" for word in arguments)
    return names - {"words", "graph"} if brings_its_words else names


def requirements_of(command: str) -> str:
    """The requirements file that a command's environment has to satisfy."""
    return DEVELOPMENT if command == "test" else RUNTIME


def opens_database(command: str, *arguments: str) -> bool:
    """Tell if a command line is about to read the embedded database, which must then be whole."""
    return "database" in needed_by(command, *arguments) or command in ("migrate", "shell", "dbshell")


def plan(project: Project, chosen: Environment) -> list[Step]:
    """Every step, each after those it builds on."""
    return [*_environment_steps(project, chosen), *_game_steps(project, chosen)]


def _environment_steps(project: Project, chosen: Environment) -> list[Step]:
    return [
        Step(
            name="environment",
            title=_("Making the Python environment"),
            after=(),
            is_done=lambda: not chosen.ours or chosen.is_made(),
            work=lambda: environment.make(chosen),
            room_mb=30,
            room_in=project.root,
        ),
        _install("packages", _("Installing the Python packages"), RUNTIME, "environment", 480, chosen),
        _install("tools", _("Installing the tools for the tests"), DEVELOPMENT, "packages", 320, chosen),
    ]


def _install(name: str, title: str, requirements: str, after: str, room_mb: int, chosen: Environment) -> Step:
    return Step(
        name=name,
        title=title,
        after=(after,),
        is_done=lambda: chosen.has(requirements),
        work=lambda: environment.install(chosen, requirements),
        seal=lambda: chosen.seal(requirements),
        detail=environment.pip_detail,
        room_mb=room_mb,
        room_in=chosen.root,
    )


def _game_steps(project: Project, chosen: Environment) -> list[Step]:
    python = str(chosen.python)
    return [
        Step(
            name="words",
            title=_("Building the Italian word list"),
            after=("environment",),
            is_done=lambda: words.has_words(project.lexicons),
            work=lambda: words.build_words(project, chosen),
            detail=words.words_detail,
            room_mb=400,
            room_in=Path(tempfile.gettempdir()),
        ),
        Step(
            name="warmth",
            title=_("Compiling the engine"),
            after=("packages",),
            is_done=lambda: words.is_warm(project, chosen),
            work=lambda: [python, "-m", "engine", "warm"],
            seal=lambda: words.seal_warm(project, chosen),
        ),
        Step(
            name="translations",
            title=_("Compiling the translations"),
            after=("packages",),
            is_done=lambda: all(map(translations.is_fresh, translations.catalogues(project.root))),
            work=lambda: [python, "-m", "referee.setup.translations"],
        ),
        Step(
            name="static",
            title=_("Collecting the files of the pages"),
            after=("packages",),
            is_done=lambda: static.is_collected(project),
            work=lambda: [python, "-m", "django", "collectstatic", "--noinput", "--clear", "--verbosity=0"],
            seal=lambda: static.seal(project),
        ),
        Step(
            name="database",
            title=_("Preparing the database"),
            after=("packages",),
            is_done=lambda: database.is_migrated(project),
            work=lambda: [python, "-m", "django", "migrate", "--noinput", "--skip-checks"],
            seal=lambda: database.seal_migrated(project),
        ),
        Step(
            name="graph",
            title=_("Making the word list searchable"),
            after=("words", "warmth"),
            is_done=lambda: words.has_graph(project),
            work=lambda: words.build_graph(project, chosen),
            room_mb=30,
            room_in=project.data,
        ),
    ]


def check_room(steps: Iterable[Step]) -> None:
    """Raise SetupFault when a disk has less room than the steps on it are going to take."""
    needed: dict[int, int] = {}
    folders: dict[int, Path] = {}
    for step in steps:
        if step.room_mb:
            disk = os.stat(step.room_in).st_dev
            needed[disk] = needed.get(disk, 0) + step.room_mb
            folders[disk] = step.room_in
    for disk, folder in folders.items():
        free = shutil.disk_usage(folder).free // 1_000_000
        if free < needed[disk]:
            raise faults.SetupFault(faults.too_little_room(folder, free, needed[disk]))
