"""`manage.py edition list | check FILE | copy CODE`: the tile sets of this installation, and how to make one."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.tiles.edition import (
    Edition,
    EditionError,
    edition_codes,
    edition_path,
    find_edition_errors,
    load_edition,
    open_edition,
)
from tournaments.errors import Refused
from tournaments.lexicons import own_editions
from tournaments.lexicons.names import edition_name


class Command(BaseCommand):
    help = str(gettext_lazy("List the editions (tile sets), check the file of one, or copy one to edit it."))
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help=_("show the editions, and files that cannot be used"))
        check = acts.add_parser("check", help=_("say what an edition holds, or what is wrong with its file"))
        check.add_argument("file", metavar="FILE", help=_("a file (.toml) or a code"))
        copy = acts.add_parser("copy", help=_("copy an edition of the program into the data folder, to edit it there"))
        copy.add_argument("code", metavar="CODE")
        copy.add_argument("--name", metavar="CODE", help=_("the code of the copy (the same as that of the original)"))

    def handle(self, *args: Any, **options: Any) -> None:
        acts: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "list": self._list,
            "check": self._check,
            "copy": self._copy,
        }
        try:
            acts[options["act"]](options)
        except (Refused, EditionError) as error:
            raise CommandError(str(error)) from None

    def _list(self, options: Mapping[str, Any]) -> None:
        for code in edition_codes():
            self.stdout.write(f"{code}: {edition_name(load_edition(code))}{self._where(code)}")
        for error in find_edition_errors().values():
            self.stderr.write(_("This file cannot be used: %(why)s") % {"why": error})

    def _where(self, code: str) -> str:
        path = edition_path(code)
        return f" ({path})" if path is not None and path.parent == own_editions.editions_folder() else ""

    def _check(self, options: Mapping[str, Any]) -> None:
        self._say(open_edition(options["file"]))

    def _copy(self, options: Mapping[str, Any]) -> None:
        path = own_editions.copy_to_edit(options["code"], options["name"])
        sentence = _("Edit %(path)s, then try: %(command)s edition check %(code)s")
        self.stdout.write(sentence % {"path": path, "code": path.stem, "command": settings.COMMAND})

    def _say(self, edition: Edition) -> None:
        self.stdout.write(f"{edition.code}: {edition_name(edition)}")
        self.stdout.write(ngettext("%(n)d tile", "%(n)d tiles", edition.total) % {"n": edition.total})
        tiles = (f"{kind.face} {kind.count}×{kind.value}" for kind in edition.kinds)
        self.stdout.write("  " + "  ".join(tiles))
        if edition.blank_only:
            letters = ", ".join(edition.blank_only)
            self.stdout.write(_("Letters that only a blank can be: %(letters)s") % {"letters": letters})
        self.stdout.write(_("Source: %(source)s") % {"source": edition.source})
