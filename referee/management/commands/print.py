from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engine.archive.schema import Archive, read_archive
from engine.prepared.script import read_script
from referee.pdf.catalogue import DOCUMENTS, DocumentSource
from referee.pdf.drawing.sheet import PAPERS
from referee.security.log_lines import escape_controls

FROM_A_FILE = {each.name: each for each in DOCUMENTS.values() if each.needs is not DocumentSource.EVENT}


class Command(BaseCommand):
    help = "Print a sheet from the archive of a game, or the sealed sheet of a prepared one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path)
        parser.add_argument("--document", required=True, choices=sorted(FROM_A_FILE))
        parser.add_argument("--out", type=Path, required=True)
        parser.add_argument("--paper", default="a4", choices=sorted(PAPERS))
        parser.add_argument(
            "--lang",
            default="it",
            choices=[code for code, _ in settings.LANGUAGES],
            help="of the sheet; the sentences of verdicts stay in the language in which the archive was written",
        )
        parser.add_argument("--turn", type=int, help="the turn of a sheet of one turn; the last one when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            content = _draw_document(options["archive"].read_text(encoding="utf-8"), options)
        except (OSError, ValueError) as error:
            sentence = f"{options['archive']} cannot be read: {error}"
            raise CommandError(escape_controls(sentence), returncode=2) from None
        except (ArithmeticError, LookupError, TypeError) as error:
            # The archive is well-formed but contains a dangling reference.
            sentence = f"{options['archive']} contradicts itself ({error!r}); manage.py verify tells where."
            raise CommandError(escape_controls(sentence), returncode=2) from None
        try:
            options["out"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written ({error.strerror}).", returncode=2) from None


def _draw_document(text: str, options: dict[str, Any]) -> bytes:
    wanted = FROM_A_FILE[options["document"]]
    look = {"language": options["lang"], "paper": options["paper"]}
    if wanted.needs is DocumentSource.PREPARED:
        return wanted.make(read_script(text), **look)
    archive = read_archive(text)
    return wanted.make(
        archive, *([_turn(archive, options["turn"])] if wanted.needs is DocumentSource.TURN else []), **look
    )


def _turn(archive: Archive, number: int | None) -> int:
    """Return the number of the requested turn, which the archive must contain."""
    numbers = [turn["number"] for turn in archive["turns"]]
    if number is None and numbers:
        return max(numbers)
    if number is not None and number in numbers:
        return number
    raise CommandError(f"The archive has no turn {number or 1}: it has {len(numbers)} turns.", returncode=2)
