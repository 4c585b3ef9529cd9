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
from referee.pdf.make_document import draw_document
from referee.security.log_lines import escape_controls
from tournaments.errors import Refused
from tournaments.models import Game, Room

FROM_A_FILE = {each.name: each for each in DOCUMENTS.values() if each.needs is not DocumentSource.EVENT}


class Command(BaseCommand):
    help = "Print a sheet from the archive of a game, from an event in the database, or of a prepared game."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, nargs="?", help="the file of a game or of a prepared game")
        parser.add_argument("--event", metavar="CODE", help="an event in the database, with its logo and texts")
        parser.add_argument("--game", type=int, help="with --event: the number of the game; the last one when left out")
        parser.add_argument("--room", type=int, default=Room.DRAWING, help="with --event: the number of the room")
        parser.add_argument("--choice", default="", help="with --event: what the page Print offers beside the sheet")
        parser.add_argument("--document", required=True, choices=sorted(DOCUMENTS))
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
        if (options["archive"] is None) == (options["event"] is None):
            raise CommandError("Name either the file of an archive or an event with --event CODE.", returncode=2)
        content = _draw_from_database(options) if options["event"] else _draw_from_file(options)
        try:
            options["out"].write_bytes(content)
        except OSError as error:
            raise CommandError(f"{options['out']} cannot be written ({error.strerror}).", returncode=2) from None


def _draw_from_database(options: dict[str, Any]) -> bytes:
    """Draw a document of an event, as its desk would."""
    wanted, code = DOCUMENTS[options["document"]], options["event"].strip().upper()
    games = Game.objects.filter(event__code=code).select_related("event")
    game = games.filter(number=options["game"]).first() if options["game"] else games.order_by("-number").first()
    room = Room.objects.filter(event__code=code, number=options["room"]).first()
    if game is None or room is None:
        raise CommandError(f"There is no such event, game or room: {code}.", returncode=2)
    if not wanted.has_desk:
        raise CommandError(f"{wanted.name} is printed from the file of a prepared game.", returncode=2)
    choice = options["choice"]
    if wanted.needs is DocumentSource.TURN and options["turn"] is not None:
        choice = str(options["turn"])
    if not wanted.understands(choice):
        raise CommandError(f"{wanted.name} has no choice {escape_controls(choice)}.", returncode=2)
    try:
        return draw_document(wanted, game, room, choice=choice, language=options["lang"], paper=options["paper"])
    except (Refused, LookupError) as error:
        raise CommandError(str(error), returncode=2) from None


def _draw_from_file(options: dict[str, Any]) -> bytes:
    if options["document"] not in FROM_A_FILE:
        raise CommandError(f"{options['document']} needs the database: name the event with --event.", returncode=2)
    try:
        return _draw_document(options["archive"].read_text(encoding="utf-8"), options)
    except (OSError, ValueError) as error:
        sentence = f"{options['archive']} cannot be read: {error}"
        raise CommandError(escape_controls(sentence), returncode=2) from None
    except (ArithmeticError, LookupError, TypeError) as error:
        # The archive is well-formed but contains a dangling reference.
        sentence = f"{options['archive']} contradicts itself ({error!r}); {settings.COMMAND} verify tells where."
        raise CommandError(escape_controls(sentence), returncode=2) from None


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
