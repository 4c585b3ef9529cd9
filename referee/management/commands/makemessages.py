"""`makemessages` for this project: both catalogues at once, with the engine's marker for sentences.

Needs the gettext tools (on Debian and Ubuntu: sudo apt install gettext). See docs/translating.md.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands.makemessages import Command as DjangoCommand

CATALOGUES = ("django", "djangojs")
UNTRANSLATED_FOLDERS = ["tests", "var", "docs", "fixtures", "requirements*.txt"]


class Command(DjangoCommand):
    help = "Collect every text for people into the catalogues in locale/."

    xgettext_options = [*DjangoCommand.xgettext_options, "--keyword=N_"]
    # Without fuzzy matches: a wrong guess would go unnoticed, an empty translation does not.
    msgmerge_options = [*DjangoCommand.msgmerge_options, "--no-fuzzy-matching"]

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(domain=None, all=True, add_location="file", no_obsolete=True)

    def handle(self, *args: Any, **options: Any) -> None:
        """Update both catalogues of every language and drop obsolete texts, unless --domain is given."""
        chosen = [options.pop("domain")]
        ignored = [*options.pop("ignore_patterns"), *UNTRANSLATED_FOLDERS]
        for domain in chosen if chosen[0] else CATALOGUES:
            super().handle(*args, **options, domain=domain, ignore_patterns=list(ignored))
