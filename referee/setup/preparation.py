"""Steps that prepare engine, words, pages and database, run in an environment that has all packages."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from referee import program_files
from referee.setup import database, translations
from referee.setup.folders import Project
from referee.setup.messages import translate as _
from referee.setup.records import Seal, is_up_to_date
from referee.setup.steps import Step

STATIC_SOURCES = (
    *("requirements.txt", "referee/static/**/*", "referee/server/bundles.py"),
    *("docs/pictures/**/*", "referee/program/docs/pictures/**/*"),
)
"""The files on which the collected files of the pages depend, in a checkout and in an installed package."""


def preparation_steps(project: Project) -> list[Step]:
    """List the steps of a project in their order."""
    from engine.lexicon.machine_code import is_compiled

    def run(*arguments: str) -> Callable[[], list[str]]:
        return lambda: [sys.executable, "-m", *arguments]

    def has_other_list() -> bool:
        return not words.exists() and any(project.lexicons.glob("*.txt"))

    def has_words() -> bool:
        return has_other_list() or (words.exists() and words.with_name("it.txt.json").exists())

    def has_graph() -> bool:
        code = (path for pattern in ("lexicon/*.py", "tiles/editions/it.toml") for path in engine.glob(pattern))
        return has_other_list() or (words.exists() and is_up_to_date(graph, (words, *code)))

    root, engine = project.root, project.root / "engine"
    words, graph = project.lexicons / "it.txt", project.lexicons / "it.npy"
    build = run("engine.lexicon.sources", "it", "--out", str(words), "--json-progress")
    index = run("engine", "lexicon-graph", "--words", str(words), "--edition", "it", "--out", str(graph))
    warm = run("engine", "warm", "--json-progress")
    collect = run("django", "collectstatic", "--noinput", "--clear", "--verbosity=0")
    static = Seal(program_files.static_folder(root) / "collected", root, STATIC_SOURCES)
    migrate = run("django", "migrate", "--noinput", "--skip-checks")
    is_migrated, seal_migrated = partial(database.is_migrated, project), partial(database.seal_migrated, project)
    compiled, compile_all = partial(translations.are_compiled, root), run("referee.setup.translations")
    temporary, room = (400, Path(tempfile.gettempdir())), (30, project.data)
    return [
        Step("translations", _("Compiling the translations"), compiled, compile_all),
        Step("static", _("Collecting the files of the pages"), static.is_current, collect, static.write),
        Step("database", _("Preparing the database"), is_migrated, migrate, seal_migrated),
        Step("engine", _("Compiling the engine"), is_compiled, warm),
        Step("words", _("Building the Italian word list"), has_words, build, room=temporary),
        Step("graph", _("Making the word list searchable"), has_graph, index, room=room),
    ]


def copy_words(project: Project) -> None:
    """Copy the word lists of the default data folder into another one without lists."""
    usual = program_files.usual_data_folder(project.root) / "lexicons"
    if usual == project.lexicons or not (usual / "it.txt").exists() or any(project.lexicons.iterdir()):
        return
    # The list is copied last: without it, the next start builds it.
    for path in sorted(filter(Path.is_file, usual.iterdir()), key=lambda path: path.name == "it.txt"):
        fresh = project.lexicons / f"{path.name}.new"
        shutil.copy2(path, fresh)
        fresh.replace(project.lexicons / path.name)
