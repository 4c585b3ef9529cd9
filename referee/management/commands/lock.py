"""`lock`: the lock file of the shipped packages, and the page of their licences."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from referee.release.licences import PAGE, write_page
from referee.release.lock import LOCK_FILE, read_lock, write_lock
from referee.release.wheels import download_for_reading, read_metadata


class Command(BaseCommand):
    help = f"Write {LOCK_FILE} and {PAGE} from requirements.txt. Needs the internet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--upgrade", nargs="+", default=[], metavar="PACKAGE", help="dependencies to bring up to date"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        try:
            write_lock(root, upgrade=options["upgrade"])
            with TemporaryDirectory(prefix="multiplo-") as name:
                wheels = download_for_reading(read_lock(root), Path(name))
                write_page(root, [read_metadata(wheel) for wheel in wheels])
        except CalledProcessError as error:
            tool = Path(error.cmd[0]).name
            raise CommandError(
                f"{tool} failed, its message is above; correct requirements.txt or the network."
            ) from None
        self.stdout.write(f"{LOCK_FILE} and {PAGE} are up to date.")
