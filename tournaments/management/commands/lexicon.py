"""`manage.py lexicon build | import | list | check | export`: the word lists of this installation."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.lexicon.sources import LANGUAGES
from engine.tiles.edition import edition_codes
from tournaments.errors import Refused
from tournaments.lexicons import list_import, word_lists
from tournaments.lexicons.build_list import build_list
from tournaments.lexicons.list_import import ImportResult, ListDescription
from tournaments.lexicons.word_lists import LexiconFile
from tournaments.search_box import words
from tournaments.search_box.words import WordAnswer, WordsFound

MOST_KINDS_SHOWN = 20
_LONGEST_SHOWN = 40


class Command(BaseCommand):
    help = str(gettext_lazy("Build, import, list, check and export word lists."))

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        build = acts.add_parser("build", help=_("build the list of a language from packages"))
        build.add_argument("language", choices=sorted(LANGUAGES))
        _describe_import(acts.add_parser("import", help=_("install a list of your own: one word a line")))
        acts.add_parser("list", help=_("show the installed lists"))
        check = acts.add_parser("check", help=_("say whether words are valid and why; hooks and anagrams"))
        asked = _("a word, a rack with ? for blanks, or a pattern: . is one letter, * any letters")
        check.add_argument("words", nargs="+", metavar="WORD", help=asked)
        check.add_argument("--name", help=_("the list; without it every installed one is asked"))
        check.add_argument("--edition", choices=edition_codes(), help=_("ask the lists that fit this edition"))
        export = acts.add_parser("export", help=_("print the words of a list, one a line"))
        export.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        acts: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "build": self._build,
            "import": self._import,
            "list": self._list,
            "check": self._check,
            "export": self._export,
        }
        try:
            acts[options["act"]](options)
        except Refused as refused:
            raise CommandError(refused.sentence) from None

    def _build(self, options: Mapping[str, Any]) -> None:
        built = build_list(options["language"], _run_program)
        self._say(built.entry)
        if built.kept is not None:
            self.stdout.write(_("The list that games were begun with is kept as %(name)s.") % {"name": built.kept.stem})

    def _import(self, options: Mapping[str, Any]) -> None:
        imported = list_import.import_list(
            options["file"],
            edition=options["edition"],
            name=options["name"],
            said=ListDescription(options["source"], options["licence"], options["official"]),
            encoding=options["encoding"],
        )
        self._say(imported.entry)
        for line in _format_refused(imported):
            self.stderr.write(line)

    def _list(self, options: Mapping[str, Any]) -> None:
        entries = word_lists.installed_lists()
        for entry in entries:
            self._say(entry)
        if not entries:
            self.stdout.write(_no_list())

    def _check(self, options: Mapping[str, Any]) -> None:
        entries = _find_lists(options["name"], options["edition"])
        missing = False
        for word in options["words"]:
            answers = [(entry, words.check_list(entry, word)) for entry in entries]
            missing = missing or not any(_is_found(answer) for _entry, answer in answers)
            for entry, answer in answers:
                for line in _format_answer(entry, answer, whole=len(options["words"]) == 1):
                    self.stdout.write(line)
        if missing:
            sys.exit(1)

    def _export(self, options: Mapping[str, Any]) -> None:
        [entry, *_others] = _find_lists(options["name"], None)
        self.stdout.write(word_lists.text_of(entry).decode(), ending="")

    def _say(self, entry: LexiconFile) -> None:
        line = _("%(name)s: %(words)d words, %(status)s, edition %(edition)s, SHA-256 %(sha256)s") % {
            "name": entry.name,
            "words": entry.words,
            "status": entry.origin.status,
            "edition": entry.edition.code,
            "sha256": entry.sha256,
        }
        sources = [", ".join(filter(None, (each.taken, each.package, each.licence))) for each in entry.origin.sources]
        for each in (line, *(f"  {text}" for text in (*sources, entry.origin.remark) if text)):
            self.stdout.write(each)


def _describe_import(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help=_("text, a zip with one text, or half of a hunspell pair"))
    parser.add_argument("--edition", required=True, choices=edition_codes())
    parser.add_argument("--name", required=True)
    parser.add_argument("--encoding", help=_("of the text, when it is neither UTF-8 nor Latin-1"))
    parser.add_argument("--source", default="", help=_("where the list comes from, to be shown with it"))
    parser.add_argument("--licence", default="", help=_("under which licence, to be shown with it"))
    parser.add_argument("--official", action="store_true", help=_("a federation issued this list"))


def _find_lists(name: str | None, edition: str | None) -> list[LexiconFile]:
    """The lists to search."""
    if edition is not None:
        return [word_lists.choose_list(edition, name)] if name else _lists_for_edition(edition)
    installed = word_lists.installed_lists()
    if not installed:
        raise CommandError(_no_list())
    entries = [entry for entry in installed if name in (None, entry.name)]
    if not entries:
        raise CommandError(
            _("There is no list of this name; see: %(command)s lexicon list") % {"command": settings.COMMAND}
        )
    return entries


def _no_list() -> str:
    return _("No word list is installed; build one with: %(command)s lexicon build it") % {"command": settings.COMMAND}


def _lists_for_edition(edition: str) -> list[LexiconFile]:
    return word_lists.lists_for_edition(word_lists.choose_list(edition, None).edition)


def _is_found(answer: WordAnswer) -> bool:
    found = [each for each in (answer.anagrams, answer.matching) if each is not None]
    return any(each.total for each in found) if answer.valid is None else answer.valid


def _format_answer(entry: LexiconFile, answer: WordAnswer, *, whole: bool) -> list[str]:
    """Format the answer of a list as lines; `whole`: with hooks and anagrams."""
    where = f"{entry.name} ({entry.edition.code}): "
    lines = [where + (answer.sentence or answer.asked), *(f"  {remark}" for remark in answer.remarks)]
    if whole and answer.word:
        lines += ["  " + _("front hooks: %(letters)s") % {"letters": " ".join(answer.front) or "–"}]
        lines += ["  " + _("back hooks: %(letters)s") % {"letters": " ".join(answer.back) or "–"}]
    if answer.anagrams is not None and (whole or not answer.word):
        lines += ["  " + _("anagrams: %(words)s") % {"words": _listed(answer.anagrams)}]
    if answer.matching is not None:
        lines += ["  " + _("words of this pattern: %(words)s") % {"words": _listed(answer.matching)}]
    return lines


def _listed(found: WordsFound) -> str:
    shown = " ".join(found.words) or "–"
    return shown + (" " + _("… (%(total)d in all)") % {"total": found.total} if found.more else "")


def _format_refused(imported: ImportResult) -> list[str]:
    """Format the refused and unreadable entries for the terminal."""
    lines = [_group(group.why, group.count, group.examples) for group in imported.refused[:MOST_KINDS_SHOWN]]
    count = imported.refused_count
    if count:
        text = ngettext(
            "%(number)d line is refused; it stands with the reason in %(file)s",
            "%(number)d lines are refused; they stand with their reasons in %(file)s",
            count,
        )
        lines.append(text % {"number": count, "file": imported.report})
    if imported.tables:
        text = ngettext(
            "Of %(number)d line only the first column is read.",
            "Of %(number)d lines only the first column is read.",
            imported.tables,
        )
        lines.append(text % {"number": imported.tables})
    if imported.comments:
        text = ngettext("%(number)d line is a comment.", "%(number)d lines are comments.", imported.comments)
        lines.append(text % {"number": imported.comments})
    return lines


def _group(why: str, count: int, examples: list[str]) -> str:
    shown = ", ".join(_printable(example) for example in examples)
    return f"{why}: {count} ({shown}{', …' if count > len(examples) else ''})"


def _printable(text: str) -> str:
    """The text without control characters for the terminal, shortened."""
    shown = "".join(sign if sign.isprintable() else "�" for sign in text)
    return shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "…"


def _run_program(command: list[str]) -> bool:
    """Return True when the program succeeded. It receives the same Ctrl+C as this process and cleans up first."""
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL) as builder:  # noqa: S603  our own module
        while True:
            try:
                return builder.wait() == 0
            except KeyboardInterrupt:
                continue
