"""Import of word lists, with a report of refused lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from django.utils.translation import gettext as _

from engine.lexicon.build import Rows, distinct_rows
from engine.lexicon.export import export_words
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.parsing import RefusedLine, read_lines
from engine.tiles.edition import Edition, load_edition
from tournaments.errors import Refused
from tournaments.lexicons import word_lists
from tournaments.lexicons.engine_build import require_engine
from tournaments.lexicons.list_files import Lines, open_list
from tournaments.models import Game

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MAX_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class ListDescription:
    """The organiser's statements on a list: source, licence, and whether a federation issued it."""

    source: str = ""
    licence: str = ""
    official: bool = False


@dataclass(slots=True)
class RefusedLines:
    """Lines refused for one reason: the reason, their number, and the first of them."""

    why: str
    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """An installed list, with its refused lines by reason, most frequent first.

    `report` is the file with all refused lines and reasons; None without any. `tables` and `comments` count lines as in
    `list_files.Lines`.
    """

    entry: word_lists.LexiconFile
    refused: list[RefusedLines]
    report: Path | None
    tables: int
    comments: int

    @property
    def refused_count(self) -> int:
        """Number of refused lines."""
        return sum(group.count for group in self.refused)


def import_list(
    source: Path,
    *,
    edition: str,
    name: str,
    folder: Path | None = None,
    said: ListDescription | None = None,
    encoding: str | None = None,
) -> ImportResult:
    """Install the words of a file, read by `list_files`, as a list of this name; upper and lower case are equal.

    An existing list of this name is copied if a game was begun with it. `folder`: another folder than that of the
    installed lists, for `word_lists.use_other_folder`.
    """
    if not NAME.fullmatch(name):
        raise Refused(_("Name the list with small letters, digits, - and _, such as club-2026."))
    require_engine()
    lines = open_list(source, encoding=encoding)
    path = (folder or word_lists.lists_folder()) / f"{name}.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _import(lines, source, path, load_edition(edition), said or ListDescription())
    except OSError as error:
        text = _("The list cannot be stored in %(folder)s: %(why)s")
        raise Refused(text % {"folder": path.parent, "why": error.strerror or error}) from None


def _import(lines: Lines, source: Path, path: Path, edition: Edition, said: ListDescription) -> ImportResult:
    report = path.with_suffix(".refused.txt")
    fresh = report.with_suffix(".new")
    try:
        with fresh.open("w", encoding="utf-8", errors="replace") as written:
            rows, refused = _sort_lines(edition, lines.blocks, written)
        if not len(rows):
            raise Refused(_("%(file)s has no word that this edition can lay.") % {"file": source.name})
        keep_used_list(path)
        entry = install_list(path, edition, rows, _facts(source, edition, said))
        if refused:
            fresh.replace(report)
        else:
            report.unlink(missing_ok=True)
    finally:
        fresh.unlink(missing_ok=True)
    return ImportResult(entry, refused, report if refused else None, lines.tables, lines.comments)


def _facts(source: Path, edition: Edition, said: ListDescription) -> dict[str, Any]:
    return {
        "edition": edition.code,
        "language": edition.language,
        "imported_from": source.name,
        "sources": [{"taken": said.source or source.name, "licence": said.licence}],
        "official": said.official,
    }


def install_list(path: Path, edition: Edition, rows: Rows, facts: dict[str, Any]) -> word_lists.LexiconFile:
    """Write distinct words in export format, with their description and graph."""
    words = export_words(edition, rows)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(words)
    fresh.replace(path)
    word_lists.write_description(path, facts | {"words": len(rows), "sha256": hashlib.sha256(words).hexdigest()})
    Lexicon.build(edition, words.decode().splitlines()).save(path.with_suffix(".npy"))
    entry = word_lists.read_list(path)
    assert entry is not None  # noqa: S101  its edition is one that there is
    return entry


def keep_used_list(path: Path) -> Path | None:
    """Copy a list that is about to be replaced, if a game was begun with it; return the path of the copy."""
    if not path.exists():
        return None
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if not _is_used(checksum):
        return None
    copy = path.with_name(f"{path.stem}-{checksum[:8]}.txt")
    facts = {**word_lists.read_description(path), "sha256": checksum}
    facts.setdefault("edition", facts.get("language") or path.stem)
    copy.write_bytes(path.read_bytes())
    word_lists.write_description(copy, facts)
    return copy


def _is_used(checksum: str) -> bool:
    """Return whether a game was begun with the list of this checksum, alone or as one of two."""
    if Game.objects.filter(lexicon_sha256=checksum).exists():
        return True
    with_two = Game.objects.exclude(lexicon_parts=[]).values_list("lexicon_parts", flat=True)
    return any(part["sha256"] == checksum for parts in with_two for part in parts)


def _sort_lines(edition: Edition, blocks: Iterable[list[str]], report: TextIO) -> tuple[Rows, list[RefusedLines]]:
    """Return the distinct words as rows, and the refused lines by reason; write refused lines to the report."""
    kept = [np.zeros((0, LONGEST_WORD), np.uint8)]
    groups: dict[str, RefusedLines] = {}
    for block in blocks:
        rows, refused = read_lines(edition, block)
        kept.append(distinct_rows(rows))
        for line in refused:
            _note_refusal(groups, block[line.at].strip(), line, report)
    return distinct_rows(np.concatenate(kept)), sorted(groups.values(), key=lambda group: -group.count)


def _note_refusal(groups: dict[str, RefusedLines], text: str, line: RefusedLine, report: TextIO) -> None:
    kind = line.sign or ("long" if line.length > LONGEST_WORD else "short")
    if kind not in groups:
        groups[kind] = RefusedLines(_refusal_reason(line))
    group = groups[kind]
    group.count += 1
    if len(group.examples) < MAX_EXAMPLES:
        group.examples.append(text)
    report.write(f"{text}\t{group.why}\n")


def _refusal_reason(line: RefusedLine) -> str:
    if not line.sign:
        return _("longer than 15 letters") if line.length > LONGEST_WORD else _("shorter than 2 letters")
    shown = line.sign if line.sign.isprintable() else f"U+{ord(line.sign):04X}"
    return _("no tile shows %(sign)s") % {"sign": "“ ”" if shown == " " else shown}
