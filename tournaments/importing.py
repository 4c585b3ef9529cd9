"""Taking in a word list that somebody else made, and what is refused of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from django.utils.translation import gettext as _

from engine.edition import Edition, load_edition
from engine.lexicon.build import Rows, distinct_rows
from engine.lexicon.exporting import exported
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.reading import RefusedLine, read_lines
from tournaments import lexicons
from tournaments.errors import Refused
from tournaments.list_files import Lines, open_list
from tournaments.models import Game

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Said:
    """What the organiser says of a list: where it comes from, under which licence, whether a federation issued it."""

    source: str = ""
    licence: str = ""
    official: bool = False


@dataclass(slots=True)
class Refusals:
    """The lines of one kind that were refused: why, how many, and the first of them."""

    why: str
    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Imported:
    """A list that is installed now; what was refused of it, the most frequent reason first, and where it stands.

    `report` is the file with every refused line and its reason, None when there was none. `tables` and `comments`
    count lines as `list_files.Lines` does.
    """

    entry: lexicons.LexiconFile
    refused: list[Refusals]
    report: Path | None
    tables: int
    comments: int

    @property
    def refused_count(self) -> int:
        """How many lines were refused."""
        return sum(group.count for group in self.refused)


def import_list(
    source: Path,
    *,
    edition: str,
    name: str,
    folder: Path | None = None,
    said: Said | None = None,
    encoding: str | None = None,
) -> Imported:
    """Install the words of a file as a list of this name: one word a line in any case, as `list_files` reads it.

    A list of the same name is kept under another while a game was begun with it. `folder`: another place than that
    of the installed lists, where `lexicons.looking_in` finds it.
    """
    if not NAME.fullmatch(name):
        raise Refused(_("Name the list with small letters, digits, - and _, such as club-2026."))
    lines = open_list(source, encoding=encoding)
    path = (folder or lexicons.folder()) / f"{name}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _import(lines, source, path, load_edition(edition), said or Said())
    except OSError as error:
        text = _("The list cannot be stored in %(folder)s: %(why)s")
        raise Refused(text % {"folder": path.parent, "why": error.strerror or error}) from None


def _import(lines: Lines, source: Path, path: Path, edition: Edition, said: Said) -> Imported:
    report = path.with_suffix(".refused.txt")
    fresh = report.with_suffix(".new")
    try:
        with fresh.open("w", encoding="utf-8", errors="replace") as written:
            rows, refused = _sorted_out(edition, lines.blocks, written)
        if not len(rows):
            raise Refused(_("%(file)s has no word that this edition can lay.") % {"file": source.name})
        keep_used(path)
        entry = install(path, edition, rows, _facts(source, edition, said))
        if refused:
            fresh.replace(report)
        else:
            report.unlink(missing_ok=True)
    finally:
        fresh.unlink(missing_ok=True)
    return Imported(entry, refused, report if refused else None, lines.tables, lines.comments)


def _facts(source: Path, edition: Edition, said: Said) -> dict[str, Any]:
    return {
        "edition": edition.code,
        "language": edition.language,
        "imported_from": source.name,
        "sources": [{"taken": said.source or source.name, "licence": said.licence}],
        "official": said.official,
    }


def install(path: Path, edition: Edition, rows: Rows, facts: dict[str, Any]) -> lexicons.LexiconFile:
    """Write distinct words as they are exported, their description and their graph."""
    words = exported(edition, rows)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(words)
    fresh.replace(path)
    lexicons.describe(path, facts | {"words": len(rows), "sha256": hashlib.sha256(words).hexdigest()})
    Lexicon.build(edition, words.decode().splitlines()).save(path.with_suffix(".npy"))
    entry = lexicons.known(path)
    assert entry is not None  # noqa: S101  its edition is one that there is
    return entry


def keep_used(path: Path) -> Path | None:
    """Before a list is replaced: keep it under its checksum's name when a game was begun with it. Where it is kept."""
    if not path.exists():
        return None
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if not _is_used(checksum):
        return None
    kept = path.with_name(f"{path.stem}-{checksum[:8]}.txt")
    facts = {**lexicons.description(path), "sha256": checksum}
    facts.setdefault("edition", facts.get("language") or path.stem)
    kept.write_bytes(path.read_bytes())
    lexicons.describe(kept, facts)
    return kept


def _is_used(checksum: str) -> bool:
    """Whether a game was begun with the list of this checksum, alone or as one of two."""
    if Game.objects.filter(lexicon_sha256=checksum).exists():
        return True
    with_two = Game.objects.exclude(lexicon_parts=[]).values_list("lexicon_parts", flat=True)
    return any(part["sha256"] == checksum for parts in with_two for part in parts)


def _sorted_out(edition: Edition, blocks: Iterable[list[str]], report: TextIO) -> tuple[Rows, list[Refusals]]:
    """The distinct words as rows; the refused lines by reason, each written into the report too."""
    kept = [np.zeros((0, LONGEST_WORD), np.uint8)]
    groups: dict[str, Refusals] = {}
    for block in blocks:
        rows, refused = read_lines(edition, block)
        kept.append(distinct_rows(rows))
        for line in refused:
            _note(groups, block[line.at].strip(), line, report)
    return distinct_rows(np.concatenate(kept)), sorted(groups.values(), key=lambda group: -group.count)


def _note(groups: dict[str, Refusals], text: str, line: RefusedLine, report: TextIO) -> None:
    kind = line.sign or ("long" if line.length > LONGEST_WORD else "short")
    if kind not in groups:
        groups[kind] = Refusals(_why(line))
    group = groups[kind]
    group.count += 1
    if len(group.examples) < EXAMPLES:
        group.examples.append(text)
    report.write(f"{text}\t{group.why}\n")


def _why(line: RefusedLine) -> str:
    if not line.sign:
        return _("longer than 15 letters") if line.length > LONGEST_WORD else _("shorter than 2 letters")
    shown = line.sign if line.sign.isprintable() else f"U+{ord(line.sign):04X}"
    return _("no tile shows %(sign)s") % {"sign": "“ ”" if shown == " " else shown}
