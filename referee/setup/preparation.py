"""Steps that prepare words, engine, pages and database, by programs of an environment that has all packages."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from referee import program_files
from referee.setup import database, translations
from referee.setup.folders import Project
from referee.setup.messages import translate as _
from referee.setup.records import Seal, is_up_to_date
from referee.setup.schedule import Step

STATIC_SOURCES = (
    *("requirements.txt", "referee/static/**/*", "referee/server/bundles.py"),
    *("docs/pictures/**/*", "referee/program/docs/pictures/**/*"),
)
"""The files on which the collected files of the pages depend, in a checkout and in an installed package."""
_WARM_SOURCES = ("requirements.txt", ".venv/pyvenv.cfg", "numba-*.dist-info/METADATA", "engine/**/*.py")


def preparation_steps(project: Project, python: Path) -> list[Step]:
    """List the steps of a project; `python` is the interpreter of the environment."""

    def run(*arguments: str) -> Callable[[], list[str]]:
        return lambda: [str(python), "-m", *arguments]

    def has_words() -> bool:
        return words.exists() and words.with_name("it.txt.json").exists()

    def has_graph() -> bool:
        code = (path for pattern in ("lexicon/*.py", "tiles/editions/it.toml") for path in engine.glob(pattern))
        return words.exists() and is_up_to_date(graph, (words, *code))

    root, engine, temporary = project.root, project.root / "engine", Path(tempfile.gettempdir())
    words, graph = project.lexicons / "it.txt", project.lexicons / "it.npy"
    build = run("engine.lexicon.sources", "it", "--out", str(words), "--json-progress")
    index = run("engine", "lexicon-graph", "--words", str(words), "--edition", "it", "--out", str(graph))
    warm = run("engine", "warm")
    warm_seal = Seal(program_files.warm_record(root), root, _WARM_SOURCES)
    collect = run("django", "collectstatic", "--noinput", "--clear", "--verbosity=0")
    static = Seal(program_files.static_folder(root) / "collected", root, STATIC_SOURCES)
    migrate = run("django", "migrate", "--noinput", "--skip-checks")
    is_migrated, seal_migrated = partial(database.is_migrated, project), partial(database.seal_migrated, project)
    compiled, compile_all = partial(translations.are_compiled, root), run("referee.setup.translations")
    packages, searching, room = ("packages",), ("words", "warmth"), (30, project.data)
    return [
        Step("words", _("Building the Italian word list"), has_words, build, ("environment",), room=(400, temporary)),
        Step("warmth", _("Compiling the engine"), warm_seal.is_current, warm, packages, warm_seal.write),
        Step("translations", _("Compiling the translations"), compiled, compile_all, packages),
        Step("static", _("Collecting the files of the pages"), static.is_current, collect, packages, static.write),
        Step("database", _("Preparing the database"), is_migrated, migrate, packages, seal_migrated),
        Step("graph", _("Making the word list searchable"), has_graph, index, searching, room=room),
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
