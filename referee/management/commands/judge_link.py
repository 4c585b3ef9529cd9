"""`manage.py judge-link`: print a fresh link to the judge's desk."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from referee.security.login import make_link_token
from referee.server.terminal_language import get_terminal_language
from tournaments.staff.services.login_links import first_judge


class Command(BaseCommand):
    """Command that makes a link with the public address; the link opens the desk once and within an hour."""

    help = "Print a link that opens the judge's desk, once and within an hour."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("--address", help="address of the server, if PUBLIC_URL is not set")

    def handle(self, *, address: str | None, **_options: object) -> None:
        """Print the link."""
        with translation.override(get_terminal_language()):
            base = (address or settings.PUBLIC_URL).rstrip("/")
            if not base:
                raise CommandError(_("Set PUBLIC_URL, or name the address: judge-link --address https://…"))
            self.stdout.write(base + reverse("enter", args=[make_link_token(first_judge())]))
