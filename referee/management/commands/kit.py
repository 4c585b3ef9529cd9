"""`manage.py kit FOLDER`: write a folder that installs Multiplo on computers without internet."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from engine.lexicon.sources import LANGUAGES
from referee.kit.faults import KitFault
from referee.kit.platforms import PLATFORMS, PYTHONS
from referee.kit.write import Content, write_kit


class Command(BaseCommand):
    """Command that writes an offline kit."""

    help = "Write a folder that installs Multiplo on computers without internet."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("folder", type=Path, help="new folder, or that of an earlier kit, which is replaced")
        names = _list_of(PLATFORMS)
        parser.add_argument("--platforms", type=names, default=",".join(PLATFORMS), help="default: %(default)s")
        versions = _list_of(PYTHONS)
        parser.add_argument("--python", type=versions, default=",".join(PYTHONS), help="default: %(default)s")
        codes = _list_of(sorted(LANGUAGES))
        parser.add_argument("--languages", type=codes, default="it", help="word lists, as it,fr (default: %(default)s)")
        parser.add_argument("--wheel", type=Path, help="package of Multiplo (default: build that of the checkout)")

    def handle(
        self, *, folder: Path, platforms: list[str], python: list[str], languages: list[str], wheel: Path | None,
        **_options: Any,
    ) -> None:  # fmt: skip
        """Write the kit."""
        content = Content(wheel, [PLATFORMS[name] for name in platforms], python, languages)
        try:
            write_kit(folder.absolute(), content, self.stdout.write)
        except KitFault as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(_("The kit is in %(folder)s.") % {"folder": folder})


def _list_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """Return a parser for names with commas between them, which keeps the order of `known`."""

    def parse(text: str) -> list[str]:
        given = {name.strip() for name in text.split(",")}
        if unknown := sorted(given.difference(known)):
            sentence = _("%(unknown)s is not possible: choose from %(known)s")
            raise ArgumentTypeError(sentence % {"unknown": ", ".join(unknown), "known": ", ".join(known)})
        return [name for name in known if name in given]

    return parse
