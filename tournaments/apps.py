from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from engine.edition import look_also_in


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tournaments import checks, own_editions

        look_also_in(own_editions.folder)
        checks.register_all()
