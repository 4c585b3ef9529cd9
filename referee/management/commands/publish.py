from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from referee.website.publish import publish
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.publishing.queries.website_runs import describe_changes


class Command(BaseCommand):
    help = "Write the club's website into a folder, as static pages; a second time, only what has changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="a new or empty folder, or that of an earlier website")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            changes = publish(options["folder"], utc_now())
        except Refused as refused:
            raise CommandError(refused.sentence, returncode=2) from None
        self.stdout.write(describe_changes(changes.files, changes.changed, changes.removed))
