"""The build of a language's word list from packages, by programs of the engine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from engine.tiles.edition import edition_path
from tournaments.errors import Refused
from tournaments.lexicons import word_lists
from tournaments.lexicons.engine_build import wait_for_engine
from tournaments.lexicons.list_import import keep_used_list
from tournaments.lexicons.word_lists import LexiconFile

RunProgram = Callable[[list[str]], bool]
"""Runs a command line; returns True if the program succeeded."""


@dataclass(frozen=True, slots=True)
class BuiltList:
    """A list that was built. `kept` is the copy of the list it replaced, if a game was begun with that one."""

    entry: LexiconFile
    kept: Path | None


def build_list(language: str, run: RunProgram) -> BuiltList:
    """Build and install the list of a language, and make it searchable.

    `Refused` if the program that builds it fails; the list that was there is unchanged.
    """
    path = word_lists.lists_folder() / f"{language}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = keep_used_list(path)
    if not run([sys.executable, "-m", "engine.lexicon.sources", language, "--out", str(path)]):
        raise Refused(_("The list was not built; the one that was there is unchanged."))
    entry = word_lists.choose_list(language, language)
    files = ["--words", str(path), "--edition", str(edition_path(entry.edition.code)), "--out", str(entry.graph)]
    wait_for_engine()
    # If this fails, `graph_of` makes the graph in this process.
    run([sys.executable, "-m", "engine", "lexicon-graph", *files])
    word_lists.graph_of(entry)
    return BuiltList(entry, kept)
