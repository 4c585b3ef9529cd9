from __future__ import annotations

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class RefereeConfig(AppConfig):
    name = "referee"

    def ready(self) -> None:
        from django.conf import settings

        from referee import checks, task_dispatch
        from referee.live.rooms import broadcast
        from referee.security import login_throttle
        from referee.server import error_reports

        if settings.SENTRY_DSN:
            error_reports.start_reporting(settings.SENTRY_DSN)
        broadcast.connect_signals()
        login_throttle.connect_signals()
        checks.register_all()
        task_dispatch.connect_signals()


class StaticConfig(StaticFilesConfig):
    """Static files without django-htmx's extensions, which import missing files."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*", "django_htmx/*-4*"]
