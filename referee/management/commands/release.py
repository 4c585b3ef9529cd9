"""`release`: everything that is published of a version."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from referee.kit.faults import KitFault
from referee.kit.platforms import PLATFORMS
from referee.release.release import CHECKSUMS, Parts, make_release
from referee.release.versions import NotReady, require_clean_tree, set_version
from referee.release.wheels import PYTHONS


class Command(BaseCommand):
    help = "Make wheel, Debian package, kit, bill of materials and checksums of the commit that is checked out."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Replace Django's option --version, which prints its own."""
        return super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="new or empty folder for the files")
        parser.add_argument("--version", dest="number", help="write this version and today into the files, and commit")
        parser.add_argument(
            "--pythons", nargs="+", choices=PYTHONS, default=PYTHONS, help="of the Debian package and the kit"
        )
        names = list(PLATFORMS)
        parser.add_argument("--platforms", nargs="*", choices=names, default=names, help="of the kit; none: no kit")
        parser.add_argument("--languages", nargs="+", default=["it"], help="of the word lists in the kit")

    def handle(self, *args: Any, **options: Any) -> None:
        root, folder = Path(settings.BASE_DIR), options["folder"].expanduser().absolute()
        try:
            if options["number"]:
                require_clean_tree(root)
                set_version(root, options["number"], f"{timezone.localdate():%Y-%m-%d}")
            say = lambda title: self.stdout.write(f"Making {title} …")  # noqa: E731
            parts = Parts(sorted(options["pythons"]), options["platforms"], options["languages"])
            version = make_release(root, folder, parts, say)
        except (NotReady, KitFault) as refusal:
            raise CommandError(str(refusal)) from None
        except CalledProcessError as error:
            output = str(error.stderr or "its message is above").strip()
            raise CommandError(f"{Path(error.cmd[0]).name} failed: {output}") from None
        self.stdout.write(f"Version {version} is in {folder}; “sha256sum --check {CHECKSUMS}” verifies the files.")
