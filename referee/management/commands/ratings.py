from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from engine.archive.schema import FORMAT, Archive, ArchiveError, check_archive
from engine.bounded_input import read_json
from engine.ratings.form import MOST_GAMES, USUAL_GAMES, Form, compute_form
from engine.ratings.open_rating import LIBRARY, VERSION, Rating, rate_games
from tournaments.ratings.archived_games import read_rated_games
from tournaments.ratings.queries.ratings import list_ratings
from tournaments.ratings.services.refresh import refresh_ratings

Line = tuple[int, Rating, Form | None]


class Command(BaseCommand):
    help = "Print the ratings of all members as JSON, from the database or from archives alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from-archives", type=Path, metavar="FOLDER", help="a folder with archives of games")
        parser.add_argument("--games", type=int, default=USUAL_GAMES, help="the number of last games of the form")

    def handle(self, *args: Any, **options: Any) -> None:
        games, folder = options["games"], options["from_archives"]
        if not 1 <= games <= MOST_GAMES:
            raise CommandError(f"--games must be 1 to {MOST_GAMES}.", returncode=2)
        if folder is not None and not folder.is_dir():
            raise CommandError(f"There is no folder {folder}.", returncode=2)
        lines = _rate_archives(folder, games) if folder else _rate_database(games)
        listed = [_as_json(*line) for line in sorted(lines, key=lambda line: (-line[1].shown, line[0]))]
        report = {"version": VERSION, "library": LIBRARY, "members": listed}
        self.stdout.write(json.dumps(report, indent=1))


def _rate_database(games: int) -> Iterator[Line]:
    refresh_ratings()
    return ((each.member.pk, each.rating, each.form) for each in list_ratings(games=games))


def _rate_archives(folder: Path, last: int) -> Iterator[Line]:
    games = read_rated_games(_read_archives(folder))
    scores: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for game in games:
        for member, score in game.scores.items():
            scores[member].append((score.points, game.tops))
    ratings = rate_games(games)
    return ((member, rating, compute_form(scores[member], last)) for member, rating in ratings.items())


def _read_archives(folder: Path) -> Iterable[Archive]:
    """Read all archives in the folder and below it; JSON files of other formats are left out."""
    for path in sorted(folder.rglob("*.json")):
        try:
            found = read_json(path.read_text(encoding="utf-8"))
            if isinstance(found, dict) and found.get("format") == FORMAT:
                yield check_archive(found)
        except (ValueError, ArchiveError, OSError) as error:
            raise CommandError(f"{path} cannot be read: {error}", returncode=2) from None


def _as_json(member: int, rating: Rating, form: Form | None) -> dict[str, object]:
    return {
        "member": member,
        "rating": rating.shown,
        "mean": rating.mean,
        "deviation": rating.deviation,
        "games": rating.games,
        "form": None
        if form is None
        else {
            "games": form.games,
            "percent": float(form.percent),
            "spread": None if form.spread is None else float(form.spread),
        },
    }
