from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from engine.tiles.edition import add_edition_folder


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournaments import checks
        from tournaments.lexicons import own_editions

        add_edition_folder(own_editions.editions_folder)
        checks.register_all()
        post_migrate.connect(_keep_ledger_append_only, sender=self)
        post_migrate.connect(_record_version, sender=self)


def _keep_ledger_append_only(using: str, **_facts: Any) -> None:
    from tournaments.ledger.append_only import protect_if_there

    protect_if_there(connections[using])


def _record_version(using: str, **_facts: Any) -> None:
    from tournaments.backups.data_version import record_version

    record_version(connections[using])
