"""Checks of the services of an installation on several servers: PostgreSQL, Redis and the Celery workers."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.utils.translation import gettext as _

from referee.readiness.finding import Finding, State
from referee.server.services import find_redis_fault, find_worker_fault
from referee.server.start_checks import find_data_fault
from referee.setup import database


def check_services() -> list[Finding]:
    """Check the services that the environment names; none on a laptop."""
    found = [] if database.is_ours() else [_check("database", find_data_fault, _("The database server answers."))]
    if not settings.EMBEDDED:
        found += [
            _check("redis", find_redis_fault, _("Redis answers.")),
            _check("worker", find_worker_fault, _("A worker answers."), "warning"),
        ]
    return found


def _check(name: str, find_fault: Callable[[], str], good: str, bad: State = "fault") -> Finding:
    fault = find_fault()
    return Finding(name, bad, fault) if fault else Finding(name, "ok", good)
