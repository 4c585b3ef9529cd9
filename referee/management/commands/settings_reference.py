"""`manage.py settings_reference`: the environment variables, as .env.example and as tables of the manual."""

from __future__ import annotations

from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand

from referee.environment import reference


class Command(BaseCommand):
    """Command that prints .env.example, or writes it and the tables of docs/operating.md into the checkout."""

    help = "Print .env.example, which describes every environment variable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument(
            "--write", action="store_true", help="write .env.example and the tables of docs/operating.md (checkout)"
        )

    def handle(self, *, write: bool, **_options: object) -> None:
        """Print or write."""
        text = reference.render_env_example()
        if not write:
            self.stdout.write(text, ending="")
            return
        (settings.BASE_DIR / reference.ENV_EXAMPLE).write_text(text, encoding="utf-8")
        manual = settings.BASE_DIR / reference.MANUAL
        manual.write_text(reference.replace_tables(manual.read_text(encoding="utf-8")), encoding="utf-8")
