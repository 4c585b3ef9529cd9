"""`manage.py simulate_clubs`: a simultaneous game of many clubs, from the package to the published booklet."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import django
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from engine.prepared.prepare_game import GameCriteria
from engine.simultaneous.package import Package
from referee.management.commands.simulate import use_own_database
from referee.pdf.sheets.booklet import booklet_pdf
from tournaments.enums import ReturnState
from tournaments.errors import Refused
from tournaments.models import PreparedGame, Simultaneous
from tournaments.play.simulation import SimulatedPlayer, play_game
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services.players import add_players
from tournaments.prepared import make_game
from tournaments.prepared.services.prepared_games import Order, order_game
from tournaments.simultaneous.queries.packages import package_of
from tournaments.simultaneous.queries.published import booklet_games, ranking_of
from tournaments.simultaneous.services import club as club_services
from tournaments.simultaneous.services import hub
from tournaments.simultaneous.services.returns import (
    compute_ranking,
    judge_return,
    list_waiting_returns,
    receive_return,
)
from tournaments.staff.services.login_links import first_judge

START = datetime(2026, 1, 9, 20, 0, tzinfo=UTC)
TIMES = hub.Times(START, START + timedelta(days=7), START + timedelta(days=8))
MOST_CLUBS, MOST_PLAYERS, MOST_PROCESSES = 500, 200, 16
CATEGORIES = ("A", "B", "C")


@dataclass(slots=True)
class Timer:
    """Seconds of each step, by its name: on the clock of the wall, and of processors, those of children included."""

    seconds: dict[str, tuple[float, float]] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure what is done within."""
        began, busy = time.perf_counter(), _processor_seconds()
        yield
        self.seconds[name] = (round(time.perf_counter() - began, 1), round(_processor_seconds() - busy, 1))
        print(f"{name}: {self.seconds[name][0]} s, processors {self.seconds[name][1]} s", file=sys.stderr)


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Command(BaseCommand):
    help = "Simulate a simultaneous game: package, play at each club, return, judging again, ranking, booklet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--clubs", type=int, default=200)
        parser.add_argument("--players", type=int, default=30, help="of each club")
        parser.add_argument("--processes", type=int, default=2, help="in which the clubs play, each with its own data")
        parser.add_argument("--edition", default="it")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--out", type=Path, default=None, help="folder for the package, the returns and the booklet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        for option, most in (("clubs", MOST_CLUBS), ("players", MOST_PLAYERS), ("processes", MOST_PROCESSES)):
            if not 1 <= options[option] <= most:
                raise CommandError(f"--{option} must be 1 to {most}.", returncode=2)
        timer = Timer()
        with tempfile.TemporaryDirectory(prefix="multiplo-") as folder, timer.step("whole"):
            out: Path = options["out"] or Path(folder) / "out"
            out.mkdir(parents=True, exist_ok=True)
            use_own_database(Path(folder))
            try:
                summary = simulate(options, Path(folder), out, timer)
            except Refused as refused:
                raise CommandError(refused.sentence, returncode=2) from None
            connections.close_all()
        self.stdout.write(json.dumps(summary | {"seconds": timer.seconds}))


def simulate(options: dict[str, Any], folder: Path, out: Path, timer: Timer) -> dict[str, object]:
    """Play the whole simultaneous game; return its numbers."""
    with timer.step("package"):
        simultaneous = organise(options)
        package = package_of(simultaneous, "")
        (out / "package.json").write_text(json.dumps(package), encoding="utf-8")
    codes = dict(simultaneous.clubs.values_list("number", "start_code"))
    files = []
    with timer.step("play, return, judge again"):
        for path in _play_everywhere(package, codes, options, folder, out):
            files.append(path)
            receive_return(simultaneous=simultaneous, content=path.read_bytes(), now=START + timedelta(days=1))
            for number in list_waiting_returns():
                judge_return(number, then_rank=False)
    with timer.step("ranking"):
        compute_ranking(simultaneous)
    simultaneous.refresh_from_db()
    with timer.step("booklet"):
        ranking = ranking_of(simultaneous, TIMES.embargo_until)
        assert ranking is not None  # noqa: S101  every return is judged
        games = booklet_games(simultaneous, ranking)
        (out / "booklet.pdf").write_bytes(booklet_pdf(simultaneous, ranking, games, language="en"))
    judged = simultaneous.returns.filter(state=ReturnState.JUDGED)
    return {
        "clubs": len(ranking["clubs"]),
        "people": len(ranking["people"]),
        "turns": [len(game.script["turns"]) for game in games],
        "differences": sum(judged.values_list("differences", flat=True)),
        "judged": judged.count(),
        "return_kB": round(sum(path.stat().st_size for path in files) / len(files) / 1000),
    }


def organise(options: dict[str, Any]) -> Simultaneous:
    """Create a simultaneous game of one prepared game for so many `clubs`."""
    judge, secret = first_judge(), bytes([options["seed"] % 256]) * 32
    order = Order(edition=options["edition"], profile="club", lexicon=None, wishes=GameCriteria())
    prepared = order_game(title="Simultaneous", order=order, by=judge, now=START - timedelta(days=9), secret=secret)
    make_game.make_game(prepared.pk)
    prepared = PreparedGame.objects.get(pk=prepared.pk)
    return hub.create_simultaneous(
        title="Simultaneous of the clubs",
        note="",
        games=[prepared],
        clubs="\n".join(f"Club {number}" for number in range(1, options["clubs"] + 1)),
        times=TIMES,
        by=judge,
        now=START - timedelta(days=8),
    )


def _play_everywhere(
    package: Package, codes: dict[int, str], options: dict[str, Any], folder: Path, out: Path
) -> Iterator[Path]:
    """Let the clubs play in several processes, each with its own database; give each file as it is returned."""
    context = get_context("spawn")
    with ProcessPoolExecutor(options["processes"], mp_context=context, initializer=django.setup) as pool:
        jobs = [
            pool.submit(_play_in_process, package, number, code, options["players"], options["seed"], folder, out)
            for number, code in codes.items()
        ]
        for job in as_completed(jobs):
            yield job.result()


def _play_in_process(
    package: Package, number: int, code: str, players: int, seed: int, folder: Path, out: Path
) -> Path:
    """Play the games of a club in the database of this process, and write the file of its return."""
    own = folder / f"process-{os.getpid()}"
    if not own.exists():
        own.mkdir()
        use_own_database(own)
    path = out / f"return-{number}.json"
    path.write_text(json.dumps(play_club(package, number, code, players, seed)), encoding="utf-8")
    return path


def play_club(package: Package, number: int, code: str, players: int, seed: int) -> object:
    """Open the package as this club, play with simulated players, and give the return."""
    judge, rng = first_judge(), Random(seed * 1000 + number)  # noqa: S311  a simulation, reproducible by its seed
    opened = club_services.open_sealed_package(package=package, code=code, language="en", by=judge, now=START)
    event = opened.event
    assert event is not None  # noqa: S101  it was created with the package
    roster = [
        NewPlayer(
            table,
            f"Player {number}-{table}",
            f"Club {number}",
            series=rng.choice(CATEGORIES),
            licence=f"{number}/{table}",
        )
        for table in range(1, players + 1)
    ]
    seated = add_players(event=event, players=roster, now=START)
    simulated = [SimulatedPlayer(player, rng.betavariate(3, 2), on_paper=player.table == 1) for player in seated]
    game, room, start = event.games.get(), event.rooms.get(), START + timedelta(hours=1)
    play_game(game=game, room=room, by=judge, rng=rng, start=start, players=simulated)
    return club_services.make_club_return(opened=opened, now=START + timedelta(hours=5))
