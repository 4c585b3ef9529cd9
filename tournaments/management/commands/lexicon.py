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

from engine.edition import UnknownLetter, edition_codes
from engine.lexicon.sources import LANGUAGES
from tournaments import importing, lexicons
from tournaments.errors import Refused
from tournaments.lexicons import LexiconFile

MOST_REFUSED_SHOWN = 20


class Command(BaseCommand):
    help = str(gettext_lazy("Build, import, list, check and export word lists."))

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        build = acts.add_parser("build", help=_("build the list of a language from packages"))
        build.add_argument("language", choices=sorted(LANGUAGES))
        taken = acts.add_parser("import", help=_("install a list of your own: one word a line"))
        taken.add_argument("file", type=Path)
        taken.add_argument("--edition", required=True, choices=edition_codes())
        taken.add_argument("--name", required=True)
        acts.add_parser("list", help=_("show the installed lists"))
        check = acts.add_parser("check", help=_("say whether words are in a list"))
        check.add_argument("words", nargs="+", metavar="WORD")
        check.add_argument("--name", help=_("the list; without it every installed one is asked"))
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
        language = options["language"]
        path = lexicons.folder() / f"{language}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = importing.keep_used(path)
        command = [sys.executable, "-m", "engine.lexicon.sources", language, "--out", str(path)]
        if subprocess.run(command, cwd=settings.BASE_DIR, check=False).returncode:  # noqa: S603  our own module
            raise CommandError(_("The list was not built; the one that was there is unchanged."))
        entry = lexicons.choose(language, language)
        lexicons.graph_of(entry)
        self._say(entry)
        if kept is not None:
            self.stdout.write(_("The list that games were begun with is kept as %(name)s.") % {"name": kept.stem})

    def _import(self, options: Mapping[str, Any]) -> None:
        imported = importing.import_list(options["file"], edition=options["edition"], name=options["name"])
        for word, why in imported.refused[:MOST_REFUSED_SHOWN]:
            self.stderr.write(f"{word}: {why}")
        if imported.refused:
            number = len(imported.refused)
            self.stderr.write(
                ngettext("%(number)d word is refused.", "%(number)d words are refused.", number) % {"number": number}
            )
        self._say(imported.entry)

    def _list(self, options: Mapping[str, Any]) -> None:
        entries = lexicons.installed()
        for entry in entries:
            self._say(entry)
        if not entries:
            self.stdout.write(_("No word list is installed; build one with: manage.py lexicon build it"))

    def _check(self, options: Mapping[str, Any]) -> None:
        entries = [entry for entry in lexicons.installed() if options["name"] in (None, entry.name)]
        if not entries:
            raise CommandError(_("There is no list of this name; see: manage.py lexicon list"))
        missing = 0
        for word in options["words"]:
            holders = ", ".join(entry.name for entry in entries if _holds(entry, word))
            missing += not holders
            where = holders or _("in no list")
            self.stdout.write(f"{word.upper()}: {where}")
        if missing:
            sys.exit(1)

    def _export(self, options: Mapping[str, Any]) -> None:
        entry = next((entry for entry in lexicons.installed() if entry.name == options["name"]), None)
        if entry is None:
            raise CommandError(_("There is no list of this name; see: manage.py lexicon list"))
        self.stdout.write("".join(f"{word}\n" for word in lexicons.words_of(entry)), ending="")

    def _say(self, entry: LexiconFile) -> None:
        line = _("%(name)s: %(words)d words, edition %(edition)s, SHA-256 %(sha256)s") % {
            "name": entry.name,
            "words": entry.words,
            "edition": entry.edition,
            "sha256": entry.sha256,
        }
        self.stdout.write(f"{line}\n  {entry.note}" if entry.note else line)


def _holds(entry: LexiconFile, word: str) -> bool:
    lexicon = lexicons.graph_of(entry)
    try:
        return lexicon.edition.parse_word(word) in lexicon
    except UnknownLetter:
        return False
