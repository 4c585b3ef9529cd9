"""`makemessages` that knows this project: both catalogues at once, and the engine's mark for sentences.

Needs the gettext tools (on Debian and Ubuntu: sudo apt install gettext). How to translate: docs/translating.md.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands.makemessages import Command as DjangoCommand

CATALOGUES = ("django", "djangojs")
NOT_FOR_PEOPLE = ["tests", "var", "docs", "fixtures", "requirements*.txt"]


class Command(DjangoCommand):
    help = "Collect every text for people into the catalogues in locale/."

    xgettext_options = [*DjangoCommand.xgettext_options, "--keyword=N_"]
    # A guess from a similar sentence would be compiled away unseen; an empty translation is seen.
    msgmerge_options = [*DjangoCommand.msgmerge_options, "--no-fuzzy-matching"]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(domain=None, all=True, add_location="file", no_obsolete=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Without --domain both catalogues of every language, texts that are gone left out."""
        chosen = [options.pop("domain")]
        ignored = [*options.pop("ignore_patterns"), *NOT_FOR_PEOPLE]
        for domain in chosen if chosen[0] else CATALOGUES:
            super().handle(*args, **options, domain=domain, ignore_patterns=list(ignored))
