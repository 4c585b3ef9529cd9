"""`manage.py change_key`: give the installation another secret key."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from referee.server.data_lock import is_data_folder_locked
from referee.server.terminal_language import get_terminal_language
from referee.setup.folders import make_secret_key
from tournaments.installation.services import change_key, is_other_key
from tournaments.now import utc_now


class Command(BaseCommand):
    """Command that makes a new key in the data folder, or records the one that is set, in the database.

    A key that the database does not know yet, as after a lost one, becomes the key of the installation.
    """

    help = "Give the installation another secret key; it voids log-ins, links and the seats of phones."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("--yes", action="store_true", help="do it without asking")

    def handle(self, *, yes: bool, **_options: Any) -> None:
        """Change the key after a confirmation."""
        with translation.override(get_terminal_language()):
            data = Path(settings.DATA_DIR)
            if is_data_folder_locked(data):
                self._refuse(_("Multiplo is running on the folder %(folder)s: stop it first.") % {"folder": data})
            is_known = not is_other_key(key=settings.SECRET_KEY)
            if is_known and settings.SECRET_KEY_FROM_ENVIRONMENT:
                self._refuse(
                    _("SECRET_KEY is the key of this installation: set another one, then run this command again.")
                )
            self.stdout.write(
                _(
                    "With another key, everybody has to log in again, links to the desk and to players' own pages and "
                    "printed seat codes are void, and phones take their seats again."
                )
            )
            if not yes and not _is_confirmed():
                self._refuse(_("Nothing was changed. To change the key, answer “yes”, or use the option --yes."))
            key = settings.SECRET_KEY
            if is_known:
                file = data / "secret_key"
                file.replace(data / f"secret_key.before-{utc_now():%Y%m%d-%H%M%S}")
                make_secret_key(file)
                key = file.read_text().strip()
            change_key(key=key)
            self.stdout.write(_("The key is changed. Start all processes with it."))

    def _refuse(self, sentence: str) -> NoReturn:
        self.stderr.write(sentence)
        sys.exit(2)


def _is_confirmed() -> bool:
    try:
        return input(_("Write “yes” to go on: ")).strip().lower() == "yes"
    except EOFError:
        return False
