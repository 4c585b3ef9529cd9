"""`manage.py check_services`: check settings, database, Redis and worker of an installation on servers."""

from __future__ import annotations

import sys

from django.core.management.base import BaseCommand

from referee.server.start_checks import FAULT, find_faults, list_service_checks


class Command(BaseCommand):
    """Command that prints a sentence for each fault, and ends with 2 if there is one."""

    help = "Check settings, database, Redis and worker; each fault is a sentence with its remedy."
    requires_system_checks: list[str] = []

    def handle(self, **_options: object) -> None:
        """Print the faults."""
        faults = find_faults(list_service_checks())
        if faults:
            self.stderr.write("\n".join(faults))
            sys.exit(FAULT)
