from __future__ import annotations

import hashlib
import json
import secrets
import sys
import tempfile
import time
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, cast

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from engine.archive.schema import Archive
from engine.rules.profile import profile_codes
from engine.tiles.edition import edition_codes
from engine.variants.variant import NORMAL, variant_codes
from referee.pdf.sheets.match import match_pdf
from referee.pdf.sheets.standings import standings_pdf
from referee.server import databases
from tournaments.enums import DrawMode
from tournaments.errors import Refused
from tournaments.events.services.events import NewEvent, create_event
from tournaments.lexicons import word_lists
from tournaments.lexicons.list_import import import_list
from tournaments.models import Game, Slip, Turn
from tournaments.now import utc_now
from tournaments.play.simulation import play_game
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.staff.services.login_links import first_judge
from tournaments.validators import MOST_PLAYERS

START = datetime(2026, 1, 9, 20, 0, tzinfo=UTC)


class Command(BaseCommand):
    help = "Play a whole game with simulated players and write its archive and its sheets."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="it", choices=edition_codes())
        parser.add_argument("--profile", default="it-box", choices=profile_codes())
        parser.add_argument("--formula", default=NORMAL, choices=variant_codes())
        parser.add_argument("--rhythm", type=int, default=None, metavar="SECONDS", help="of a turn (the profile's)")
        parser.add_argument("--players", type=int, default=40)
        parser.add_argument("--seed", type=int, default=None, help="the same number gives the same game")
        parser.add_argument("--out", type=Path, required=True, help="folder for game.json, standings.pdf, game.pdf")
        parser.add_argument("--words", type=Path, default=None, help="a word list, one word a line")
        parser.add_argument("--language", default="it", choices=[code for code, _ in settings.LANGUAGES])

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["players"] <= MOST_PLAYERS:
            raise CommandError(f"--players must be 1 to {MOST_PLAYERS}.", returncode=2)
        began = time.perf_counter()
        out: Path = options["out"]
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{out} cannot be made a folder ({error.strerror}); give another --out.") from None
        with tempfile.TemporaryDirectory(prefix="multiplo-") as folder, word_lists.use_other_folder(Path(folder)):
            _use_own_database(Path(folder))
            game = self._play(options, Path(folder))
            archive = cast(Archive, export_game(game, now=utc_now()))
            summary = _summary(game, archive) | {"seconds": round(time.perf_counter() - began, 2)}
            connections.close_all()
        _write(out, archive, options["language"])
        self.stdout.write(json.dumps(summary))

    def _play(self, options: dict[str, Any], folder: Path) -> Game:
        number = options["seed"] if options["seed"] is not None else secrets.randbits(32)
        try:
            game = _new_game(options, number, _lexicon(options, folder))
        except (Refused, ValueError) as error:
            raise CommandError(str(error), returncode=2) from None
        room = game.event.rooms.get()
        return play_game(
            game=game,
            room=room,
            by=first_judge(),
            rng=Random(number),  # noqa: S311  a simulation, reproducible by its seed
            start=START,
            progress=self._tell,
        )

    def _tell(self, turn: Turn) -> None:
        turn.refresh_from_db()
        line = f"{turn.number:3} {turn.rack:10} {turn.master_word or '-'} {turn.master_ref} {turn.master_score or ''}"
        print(line, file=sys.stderr)


def _use_own_database(folder: Path) -> None:
    """Set up a separate database, so that a simulated game never touches the judge's data."""
    connections.close_all()
    del connections["default"]
    connections.databases["default"] = databases.sqlite_config(folder / "game.sqlite3")
    connections.configure_settings(connections.databases)
    call_command("migrate", verbosity=0)


def _lexicon(options: dict[str, Any], folder: Path) -> str | None:
    """Return the name of the word list: the organiser's file, or the installed one."""
    if options["words"] is None:
        return None
    if not options["words"].is_file():
        raise CommandError(f"There is no file {options['words']}.", returncode=2)
    imported = import_list(options["words"], edition=options["edition"], name="simulated", folder=folder)
    return imported.entry.name


def _new_game(options: dict[str, Any], number: int, lexicon: str | None) -> Game:
    players = [NewPlayer(table, f"Player {table}", "") for table in range(1, options["players"] + 1)]
    return create_event(
        NewEvent(
            name=f"Simulated game {number}",
            date=START.date(),
            place="",
            language=options["language"],
            edition=options["edition"],
            profile=options["profile"],
            draw_mode=DrawMode.SEEDED,
            lexicon=lexicon,
            variant=options["formula"],
            turn_seconds=options["rhythm"],
        ),
        players=players,
        by=first_judge(),
        now=START,
        seed=hashlib.sha256(f"multiplo simulate {number}".encode()).digest(),
    )


def _summary(game: Game, archive: Archive) -> dict[str, object]:
    turns = archive["turns"]
    return {
        "turns": len(turns),
        "players": len(archive["players"]),
        "slips": Slip.objects.filter(turn__game=game).count(),
        "top_total": sum(turn["top"] for turn in turns),
        "winner_total": max((line["total"] for line in archive["standings"]), default=0),
        "rejected_draws": sum(len(turn["rejected"]) for turn in turns),
    }


def _write(out: Path, archive: Archive, language: str) -> None:
    text = json.dumps(archive, ensure_ascii=False, indent=1)
    (out / "game.json").write_text(text + "\n", encoding="utf-8")
    (out / "standings.pdf").write_bytes(standings_pdf(archive, language=language))
    (out / "game.pdf").write_bytes(match_pdf(archive, language=language))
