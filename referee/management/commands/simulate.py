from __future__ import annotations

import hashlib
import json
import secrets
import sys
import tempfile
import time
from argparse import ArgumentParser
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
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
from tournaments.models import Game, Member, Ranking, Slip, Turn
from tournaments.now import utc_now
from tournaments.play.simulation import play_game
from tournaments.players.services.players import NewPlayer
from tournaments.results.queries.archive import export_game
from tournaments.seasons.queries.rankings import view_ranking
from tournaments.seasons.simulation import (
    LEAST_MEMBERS,
    MOST_EVENINGS,
    MOST_MEMBERS,
    ClubYear,
    play_club_year,
)
from tournaments.staff.services.login_links import first_judge
from tournaments.validators import MOST_PLAYERS

START = datetime(2026, 1, 9, 20, 0, tzinfo=UTC)


class Command(BaseCommand):
    help = "Play a whole game, or with --evenings a club year, with simulated players; write archives and results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--edition", default="it", choices=edition_codes())
        parser.add_argument("--profile", default="it-box", choices=profile_codes())
        parser.add_argument("--formula", default=NORMAL, choices=variant_codes())
        parser.add_argument("--rhythm", type=int, default=None, metavar="SECONDS", help="of a turn (the profile's)")
        parser.add_argument("--players", type=int, default=40)
        parser.add_argument("--turns", type=int, default=None, help="most turns of a game (until the tiles run out)")
        parser.add_argument("--seed", type=int, default=None, help="the same number gives the same game")
        parser.add_argument("--out", type=Path, required=True, help="folder for game.json, standings.pdf, game.pdf")
        parser.add_argument("--evenings", type=int, default=None, help="a club year of so many evenings, one a week")
        parser.add_argument("--members", type=int, default=60, help="of the club, with --evenings")
        parser.add_argument("--words", type=Path, default=None, help="a word list, one word a line")
        parser.add_argument("--language", default="it", choices=[code for code, _ in settings.LANGUAGES])

    def handle(self, *args: Any, **options: Any) -> None:
        _require_number("--players", options["players"], 1, MOST_PLAYERS)
        if options["evenings"] is not None:
            _require_number("--evenings", options["evenings"], 1, MOST_EVENINGS)
            _require_number("--members", options["members"], LEAST_MEMBERS, MOST_MEMBERS)
        began = time.perf_counter()
        out: Path = options["out"]
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{out} cannot be made a folder ({error.strerror}); give another --out.") from None
        with tempfile.TemporaryDirectory(prefix="multiplo-") as folder, word_lists.use_other_folder(Path(folder)):
            use_own_database(Path(folder))
            summary = (self._game if options["evenings"] is None else self._club_year)(options, Path(folder), out)
            connections.close_all()
        self.stdout.write(json.dumps(summary | {"seconds": round(time.perf_counter() - began, 2)}))

    def _game(self, options: dict[str, Any], folder: Path, out: Path) -> dict[str, object]:
        game = self._play(options, folder)
        archive = cast(Archive, export_game(game, now=utc_now()))
        _write(out, archive, options["language"])
        return _summary(game, archive)

    def _club_year(self, options: dict[str, Any], folder: Path, out: Path) -> dict[str, object]:
        number = _seed_number(options)
        try:
            year = play_club_year(
                replace(_new_event(options, _lexicon(options, folder)), name="Evening", date=START.date()),
                evenings=options["evenings"],
                members=options["members"],
                by=first_judge(),
                rng=Random(number),  # noqa: S311  a simulation, reproducible by its seed
                seed=f"multiplo simulate {number}",
                progress=lambda game: print(f"{game.event.date} {game.event.name}", file=sys.stderr),
            )
        except (Refused, ValueError) as error:
            raise CommandError(str(error), returncode=2) from None
        _write_club_year(out, year)
        return {"evenings": len(year.games), "members": options["members"], "slips": Slip.objects.count()}

    def _play(self, options: dict[str, Any], folder: Path) -> Game:
        number = _seed_number(options)
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


def use_own_database(folder: Path) -> None:
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


def _require_number(option: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise CommandError(f"{option} must be {least} to {most}.", returncode=2)


def _seed_number(options: dict[str, Any]) -> int:
    return options["seed"] if options["seed"] is not None else secrets.randbits(32)


def _new_event(options: dict[str, Any], lexicon: str | None) -> NewEvent:
    return NewEvent(
        name="Simulated game",
        date=START.date(),
        place="",
        language=options["language"],
        edition=options["edition"],
        profile=options["profile"],
        draw_mode=DrawMode.SEEDED,
        switches={} if options["turns"] is None else {"max_turns": options["turns"]},
        lexicon=lexicon,
        variant=options["formula"],
        turn_seconds=options["rhythm"],
    )


def _new_game(options: dict[str, Any], number: int, lexicon: str | None) -> Game:
    players = [NewPlayer(table, f"Player {table}", "") for table in range(1, options["players"] + 1)]
    return create_event(
        replace(_new_event(options, lexicon), name=f"Simulated game {number}"),
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
    _write_json(out / "game.json", archive)
    (out / "standings.pdf").write_bytes(standings_pdf(archive, language=language))
    (out / "game.pdf").write_bytes(match_pdf(archive, language=language))


def _write_club_year(out: Path, year: ClubYear) -> None:
    """Write the archive of each evening and the rankings of the season."""
    (out / "evenings").mkdir(exist_ok=True)
    for number, game in enumerate(year.games, 1):
        _write_json(out / "evenings" / f"{number:02}.json", export_game(game, now=utc_now()))
    members = Member.objects.filter(merged_into=None).order_by("pk")
    _write_json(
        out / "season.json",
        {
            "members": [{"id": member.pk, "name": member.name} for member in members],
            "rankings": [_ranking_as_json(ranking) for ranking in year.season.rankings.all()],
        },
    )


def _ranking_as_json(ranking: Ranking) -> dict[str, object]:
    view = view_ranking(ranking)
    return {
        "code": ranking.name,
        "n": view.rule.best,
        "table": list(view.rule.table) or None,
        "combination": view.rule.combination,
        "lines": [
            {"member": line.member.pk, "rank": line.line.rank, "value": _number(line.line.value)} for line in view.lines
        ],
    }


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
