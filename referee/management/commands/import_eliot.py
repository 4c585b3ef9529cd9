from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.archive.schema import Archive
from engine.interchange.eliot import eliot_archive
from engine.interchange.eliot_file import MAX_FILE_SIZE, EliotError
from engine.tiles.edition import edition_codes
from referee.security.log_lines import escape_controls
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.events.queries.events import event_by_code
from tournaments.models import Event, Membership
from tournaments.now import utc_now
from tournaments.prepared.services import prepared_games, scripted_game


class Command(BaseCommand):
    help = "Read a game that the program Eliot has saved: write its archive, or let an event play it again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--edition", choices=edition_codes(), help="the tile set; without it it is found out")
        parser.add_argument("--event", help="the code of the event whose next game follows it")
        parser.add_argument("--lexicon", help="the word list by which the new slips are judged")
        parser.add_argument("--out", type=Path, help="where to write the archive")

    def handle(self, *args: Any, **options: Any) -> None:
        archive = _read(options["file"], options["edition"])
        text = json.dumps(archive, ensure_ascii=False, indent=1)
        if options["out"]:
            _write(options["out"], text)
        if options["event"]:
            self._play(options["event"], text, options["lexicon"])
        tops = sum(turn["top"] for turn in archive["turns"])
        counts = {"turns": len(archive["turns"]), "players": len(archive["players"]), "top_total": tops}
        self.stdout.write(json.dumps({"edition": archive["edition"], "formula": archive["formula"], **counts}))

    def _play(self, code: str, text: str, lexicon: str | None) -> None:
        event = event_by_code(code)
        if event is None:
            raise CommandError(f"There is no event {code}.", returncode=2)
        director = _director(event)
        try:
            prepared = prepared_games.import_game(text=text, title="", lexicon=lexicon, by=director.user, now=utc_now())
            scripted_game.follow_script(prepared=prepared, event=event, by=director.user, now=utc_now())
        except Refused as refused:
            raise CommandError(refused.sentence, returncode=1) from None


def _director(event: Event) -> Membership:
    place = Membership.objects.filter(event=event, role=Role.DIRECTOR).select_related("user").order_by("pk").first()
    if place is None:
        raise CommandError(f"The event {event.code} has no director.", returncode=2)
    return place


def _read(path: Path, edition: str | None) -> Archive:
    try:
        if path.stat().st_size > MAX_FILE_SIZE:
            raise CommandError(f"{path} is larger than 10 MB: that is no saved game.", returncode=2)
        return eliot_archive(path.read_bytes(), edition=edition)
    except OSError as error:
        raise CommandError(f"{path} cannot be read ({error.strerror}).", returncode=2) from None
    except EliotError as error:
        raise CommandError(escape_controls(f"{path} cannot be read: {error}"), returncode=2) from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror}).", returncode=2) from None
