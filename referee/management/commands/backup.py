"""`manage.py backup`: write the database and its files into one file, also while the program runs."""

from __future__ import annotations

import sqlite3
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from referee.server.backup_scheduler import back_up, get_backup_folder
from referee.server.terminal_language import get_terminal_language


class Command(BaseCommand):
    """Command that makes a backup."""

    help = "Write the database and what belongs to it into one file, for example on a USB stick."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("--to", metavar="DIR", type=Path, help="folder (default: BACKUP_DIR, else DATA/backups)")
        parser.add_argument("--data", metavar="DIR", help="folder that keeps the data (default: var)")

    def handle(self, *, to: Path | None, **_options: Any) -> None:
        """Write the file and print its path."""
        with translation.override(get_terminal_language()):
            if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
                self._refuse(
                    _(
                        "The data are in PostgreSQL, which this command does not copy: docs/operating.md says how to "
                        "back it up."
                    )
                )
            if not Path(settings.DATABASES["default"]["NAME"]).exists():
                self._refuse(
                    _("There is no database in %(folder)s: name its folder with --data.")
                    % {"folder": settings.DATA_DIR}
                )
            folder = (to or get_backup_folder()).expanduser()
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path = back_up(folder)
            except (OSError, sqlite3.Error) as error:
                self._refuse(
                    _("The backup to %(folder)s failed (%(reason)s): choose another folder with --to.")
                    % {"folder": folder, "reason": error}
                )
            self.stdout.write(
                _("The backup is %(path)s. Keep it safe: whoever has it can act as the judge.") % {"path": path}
            )

    def _refuse(self, sentence: str) -> None:
        self.stderr.write(sentence)
        sys.exit(2)
