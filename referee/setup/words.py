"""The steps' view of the Italian word list and of the engine's compiled code: what is there, what is stale."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from referee.setup import pins
from referee.setup.environment import RUNTIME, Environment
from referee.setup.project import Project

EDITION = "it"
_GRAPH_SOURCES = (f"engine/editions/{EDITION}.toml", "engine/lexicon/*.py")


def has_words(lexicons: Path) -> bool:
    """Whether the list and its description are there; both are written whole or not at all."""
    return all((lexicons / name).exists() for name in (f"{EDITION}.txt", f"{EDITION}.txt.json"))


def build_words(project: Project, environment: Environment) -> Sequence[str] | None:
    """Copy the lists of the usual data folder when another one has none yet, else the command that builds the list."""
    usual = project.root / "var" / "lexicons"
    if usual != project.lexicons and has_words(usual) and not any(project.lexicons.iterdir()):
        _copy_lexicons(usual, project.lexicons)
        return None
    out = project.lexicons / f"{EDITION}.txt"
    sources = ["-m", "engine.lexicon.sources", EDITION, "--out", str(out), "--json-progress"]
    return [str(environment.python), *sources]


def _copy_lexicons(usual: Path, lexicons: Path) -> None:
    # The list itself last: without it the next start begins again.
    for path in sorted(usual.iterdir(), key=lambda path: path.name == f"{EDITION}.txt"):
        if path.is_file():
            fresh = lexicons / f"{path.name}.new"
            shutil.copy2(path, fresh)
            fresh.replace(lexicons / path.name)


def words_detail(line: str) -> str:
    """What the builder says it does, from a line of its JSON progress."""
    with contextlib.suppress(ValueError):
        event = json.loads(line)
        if isinstance(event, dict):
            share = event.get("share")
            return str(event.get("text") or "") + (f", {share:.0%}" if isinstance(share, float) else "")
    return ""


def has_graph(project: Project) -> bool:
    """Whether the searchable form is there and newer than what it is made from."""
    graph = project.lexicons / f"{EDITION}.npy"
    words = project.lexicons / f"{EDITION}.txt"
    if not (graph.exists() and words.exists()):
        return False
    code = (path for pattern in _GRAPH_SOURCES for path in project.root.glob(pattern))
    return all(graph.stat().st_mtime_ns >= path.stat().st_mtime_ns for path in (words, *code))


def build_graph(project: Project, environment: Environment) -> list[str]:
    """The command that makes the searchable form."""
    words, graph = (project.lexicons / f"{EDITION}.{ending}" for ending in ("txt", "npy"))
    options = ["--words", str(words), "--edition", EDITION, "--out", str(graph)]
    return [str(environment.python), "-m", "engine", "lexicon-graph", *options]


def is_warm(project: Project, environment: Environment) -> bool:
    """Whether the engine has been compiled in its present form by this environment."""
    try:
        return _warm_seal(project, environment).read_text(encoding="utf-8") == _warmth(project)
    except OSError:
        return False


def seal_warm(project: Project, environment: Environment) -> None:
    """Remember that the engine is compiled. In a folder that cannot be written to it is asked at each start."""
    with contextlib.suppress(OSError):
        seal = _warm_seal(project, environment)
        seal.parent.mkdir(exist_ok=True)
        seal.write_text(_warmth(project), encoding="utf-8")


def _warm_seal(project: Project, environment: Environment) -> Path:
    # Among the compiled files, so that whoever clears those away clears it away too.
    return project.root / "engine" / "__pycache__" / f"warm-{environment.version}"


def _warmth(project: Project) -> str:
    digest = hashlib.sha256(pins.fingerprint(project.root / RUNTIME).encode())
    for path in sorted((project.root / "engine").rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()
