"""`manage.py migrate`: create the tables, or upgrade those of an older version; newer data are refused."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections
from django.utils import translation
from django.utils.translation import gettext as _

from referee.server.start_checks import describe_other_key, require_database
from referee.server.terminal_language import get_terminal_language
from referee.server.upgrades import (
    is_of_data_folder,
    only_one_migrates,
    read_data_state,
    require_not_newer,
    upgrade_data_folder,
    upgrade_server_database,
)
from referee.setup.faults import EXPLAINED
from tournaments.errors import Refused
from tournaments.installation.services import is_other_key

_PARTIAL = ("app_label", "migration_name", "plan", "check_unapplied", "prune", "fake", "fake_initial")


class Command(migrate.Command):
    """Django's command, which upgrades a copy of the embedded database and makes a backup first."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate, after another `migrate` on the same database server has ended."""
        is_own_command: bool = self._called_from_command_line  # type: ignore[attr-defined]  # missing in the stubs
        if is_own_command:
            require_database()
        django_migrate = partial(super().handle, *args, **options)
        connection = connections[options["database"]]
        with translation.override(get_terminal_language()), only_one_migrates(connection):
            state = read_data_state(connection)
            try:
                require_not_newer(state)
                # A restore migrates a database that comes with its own key.
                if is_own_command and is_other_key(key=settings.SECRET_KEY):
                    raise Refused(describe_other_key())
                if any(options[name] for name in _PARTIAL) or not state.is_older:
                    django_migrate()
                elif is_of_data_folder(connection):
                    record = upgrade_data_folder(django_migrate, state.version)
                    self.stdout.write(_("The backup from before the upgrade is %(path)s.") % {"path": record.backup})
                elif connection.vendor == "sqlite":
                    django_migrate()
                else:
                    upgrade_server_database(django_migrate, state.version)
            except Refused as refusal:
                if not is_own_command:
                    raise
                if state.is_older:  # Django's line on the failed migration has no end
                    self.stdout.write("")
                    self.stdout.flush()
                self.stderr.write(refusal.sentence)
                sys.exit(EXPLAINED)
