"""`manage.py restore FILE`: replace the database by a backup; the present one is renamed."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections
from django.utils import translation
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from referee.security.login import make_link_token
from referee.server.data_lock import is_data_folder_locked
from referee.server.terminal_language import get_terminal_language
from tournaments.backups.backup_file import BackupInfo
from tournaments.backups.restore import restore_backup, stage_backup
from tournaments.backups.services import heartbeats
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge


class Command(BaseCommand):
    """Command that restores a backup, also one from another computer."""

    help = "Put a backup in the place of the present database; the present one is kept beside it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("file", type=Path, help="a file that `backup` or the running program has written")
        parser.add_argument("--data", metavar="DIR", help="folder that keeps the data (default: var)")
        parser.add_argument("--stage", action="store_true", help=SUPPRESS)

    def handle(self, *, file: Path, stage: bool, **_options: Any) -> None:
        """Restore the backup, migrate it and print its content.

        With `stage`, which a page of the desk uses, a server may run: it replaces the database when it starts again.
        Then a login token for the restored database is printed.
        """
        with translation.override(get_terminal_language()):
            self._require_free_folder(may_serve=stage)
            data, now = Path(settings.DATA_DIR), utc_now()
            try:
                if stage:
                    tokens: list[str] = []
                    stage_backup(file, data=data, now=now, prepare=partial(_prepare, tokens=tokens))
                    self.stdout.write(tokens[0])
                    return
                about, previous = restore_backup(file.expanduser(), data=data, now=now, prepare=_prepare)
            except Refused as refusal:
                self._refuse(refusal.sentence)
            except OSError as error:
                self._refuse(
                    _("The folder %(folder)s cannot be written to (%(reason)s); nothing was restored.")
                    % {"folder": settings.DATA_DIR, "reason": error}
                )
            self.stdout.write("\n".join(_summarise_restore(about, previous)))

    def _require_free_folder(self, *, may_serve: bool) -> None:
        if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
            self._refuse(
                _(
                    "The data are in PostgreSQL, where a backup file cannot be restored: docs/operating.md says how "
                    "to do it."
                )
            )
        if not may_serve and is_data_folder_locked(Path(settings.DATA_DIR)):
            self._refuse(
                _("Multiplo is running on the folder %(folder)s: stop it with Ctrl-C, then restore.")
                % {"folder": settings.DATA_DIR}
            )

    def _refuse(self, sentence: str) -> NoReturn:
        self.stderr.write(sentence)
        sys.exit(2)


def _prepare(database: Path, about: BackupInfo, tokens: list[str] | None = None) -> None:
    """Migrate an unpacked database and read one row of each table; add a login token for it to `tokens`."""
    connections.close_all()
    settled = connections["default"].settings_dict
    present = settled["NAME"]
    settled["NAME"] = str(database)
    try:
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        for model in apps.get_app_config("tournaments").get_models():
            model._default_manager.first()
        heartbeats.record_restore(backup_at=about.made_at)
        if tokens is not None:
            tokens.append(make_link_token(first_judge()))
    finally:
        connections.close_all()
        settled["NAME"] = present


def _summarise_restore(about: BackupInfo, previous: Path | None) -> list[str]:
    """Return the lines on what was restored and what to do next."""
    words = {
        "event": about.event,
        "code": about.code,
        "game": about.game,
        "turn": about.turn,
        "at": _moment(about.made_at),
    }
    if not about.event:
        lines = [_("Restored: the backup of %(at)s, which holds no event yet.") % words]
    elif about.turn == 0:
        lines = [_("Restored: %(event)s (%(code)s), game %(game)d before its first turn, as of %(at)s.") % words]
    elif about.placed:
        lines = [_("Restored: %(event)s (%(code)s), game %(game)d, turn %(turn)d on the board, as of %(at)s.") % words]
    else:
        lines = [_("Restored: %(event)s (%(code)s), game %(game)d, turn %(turn)d under way, as of %(at)s.") % words]
    if previous is not None:
        lines.append(_("The database that was here is kept as %(path)s.") % {"path": previous})
    return [*lines, _("Start the program as always: %(command)s serve") % {"command": settings.COMMAND}]


def _moment(moment: datetime) -> str:
    return f"{localtime(moment):%Y-%m-%d %H:%M:%S}"
