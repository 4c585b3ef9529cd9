from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engine.archive import ArchiveError, read_archive
from engine.script import ScriptError, read_script
from referee.pdf.match import match_pdf
from referee.pdf.prepared import prepared_pdf
from referee.pdf.rules import rules_pdf
from referee.pdf.sheet import PAPERS
from referee.pdf.standings import standings_pdf

DOCUMENTS: dict[str, Callable[..., bytes]] = {
    "standings": standings_pdf,
    "match": match_pdf,
    "rules": rules_pdf,
    "prepared": prepared_pdf,
}
READERS: dict[str, Callable[[str], object]] = {"prepared": read_script}


class Command(BaseCommand):
    help = "Print a sheet from the archive of a game, or the sealed sheet of a prepared one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path)
        parser.add_argument("--document", required=True, choices=sorted(DOCUMENTS))
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--paper", default="a4", choices=sorted(PAPERS))
        parser.add_argument("--lang", default="it", choices=[code for code, _ in settings.LANGUAGES])

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            read = READERS.get(options["document"], read_archive)
            archive = read(options["archive"].read_text(encoding="utf-8"))
            content = DOCUMENTS[options["document"]](archive, language=options["lang"], paper=options["paper"])
        except (OSError, UnicodeDecodeError, ArchiveError, ScriptError) as error:
            raise CommandError(f"{options['archive']} cannot be read: {error}", returncode=2) from None
        try:
            options["out"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written ({error.strerror}).", returncode=2) from None
