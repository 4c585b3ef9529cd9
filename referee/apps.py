from __future__ import annotations

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class RefereeConfig(AppConfig):
    name = "referee"

    def ready(self) -> None:
        from referee import checks, tasks
        from referee.live import relay
        from referee.security import attempts

        relay.listen()
        attempts.listen()
        checks.register_all()
        tasks.listen()


class StaticConfig(StaticFilesConfig):
    """Leaves out what django-htmx brings besides htmx itself: extensions that import files it does not have."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*", "django_htmx/*-4*"]
