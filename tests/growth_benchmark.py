"""Cost of judging, pages, exports and sheets by the number of players: python -m tests.growth_benchmark.

For each size a game of 20 turns is simulated in a database of its own (SQLite). Its last turn is closed and not yet
placed, then placed. The table has a line for each thing: processor time in ms for each size, and `growth`, the time for
each player at the largest size divided by that at `--base` players. 1 is linear; below 1, a part of the cost does not
depend on the players. Requests are answered in this process, without a network; garbage is collected as in a process
that serves pages.

The speed of a shared machine may change by half within a second. Each time is therefore scaled: fixed work is timed
before and after the call, and the time is that of the call while this work takes as long as in its quickest run.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

import tests.data_folder  # noqa: F401  a data folder of its own, before Django's settings are read

if TYPE_CHECKING:
    from django.test import Client

    from tests.tournaments.club_game import ClubGame
    from tournaments.results.queries.event_export import EventExport

Result = TypeVar("Result")
SIZES, BASE, TURNS = (100, 400, 1500, 5000), 400, 20
RULED_TURN = 10
TIMES, LONG_S = 3, 10.0
SIMULATION = "simulated game of 20 turns"
PAGES = ("", "main/", "players/", "tables/", "entry-desk/", "standings/", "analysis/", "documents/", "again/?turn=10")
FILES = ("standings.csv", "archive.json")


class Measurement:
    """Processor times of calls, as multiples of that of fixed work; `quickest` is the shortest of the latter in ms."""

    def __init__(self) -> None:
        self.quickest = float("inf")

    def measure(self, call: Callable[[], object]) -> float:
        """The median of three calls, or the only one if it takes more than ten seconds; each without cached results."""
        costs: list[float] = []
        while len(costs) < TIMES:
            forget_results()
            clock = time.perf_counter()
            cost, _result = self.once(call)
            costs.append(cost)
            if time.perf_counter() - clock > LONG_S:
                break
        return median(costs)

    def once(self, call: Callable[[], Result]) -> tuple[float, Result]:
        """The time of the call, and its result."""
        gc.collect()
        before = self._fixed_work()
        began = time.process_time()
        result = call()
        took = 1000 * (time.process_time() - began)
        return took / ((before + self._fixed_work()) / 2), result

    def _fixed_work(self) -> float:
        """Make, sort and join 12,000 rows, as pages and sheets do, and return the processor time in ms."""
        began = time.process_time()
        rows = [{"number": number, "text": f"{number:05d} row"} for number in range(12_000)]
        rows.sort(key=lambda row: str(row["text"])[::-1])
        "".join(str(row["text"]) for row in rows)
        took = 1000 * (time.process_time() - began)
        self.quickest = min(self.quickest, took)
        return took


def forget_results() -> None:
    """Empty the caches of the modules that read results, as a change of the game does."""
    from tournaments.results.queries import results, turn_statistics

    for name, module in list(sys.modules.items()):
        if name.startswith("tournaments.results."):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()
    results._results.clear()
    turn_statistics._cache.clear()


@contextmanager
def own_database() -> Iterator[None]:
    """A new database with all tables, for as long as the block."""
    from django.core.management import call_command
    from django.db import connections

    from referee.server.databases import sqlite_config

    with tempfile.TemporaryDirectory() as folder:
        connections.close_all()
        del connections["default"]
        connections.databases["default"] = sqlite_config(Path(folder) / "growth.sqlite3")
        connections.configure_settings(connections.databases)
        call_command("migrate", verbosity=0)
        yield
        connections.close_all()


def play(players: int) -> ClubGame:
    """A game of 20 turns whose last turn is closed."""
    from tests.tournaments.club_game import START_TIME, create_club_game
    from tournaments.play.services.placement import undo_placement
    from tournaments.play.simulation import play_game
    from tournaments.players.services.players import NewPlayer
    from tournaments.staff.services.login_links import first_judge

    listed = [NewPlayer(table, f"Player {table}", f"Club {table % (players // 10)}") for table in range(1, players + 1)]
    club_game = create_club_game(first_judge(), listed, switches={"max_turns": TURNS})
    rng = Random(1)  # noqa: S311  the same game in each run
    play_game(game=club_game.game, room=club_game.room, by=club_game.judge, rng=rng, start=START_TIME)
    undo_placement(game=club_game.refresh(), by=club_game.judge, now=START_TIME, seed=bytes(32))
    club_game.refresh()
    return club_game


def list_calls(club_game: ClubGame) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the measured calls with their names, in order; the last turn is placed before the exports."""
    from django.test import Client

    from referee.results.files import FILES as RESULT_FILES
    from tournaments.judging.services.judge_slips import judge_turn

    client = Client()
    client.force_login(club_game.judge)
    turn = club_game.turn
    yield "judging a turn", lambda: judge_turn(turn=turn)
    yield "ruling in the present turn", undone(lambda: strike_in(club_game, TURNS))
    yield f"ruling in turn {RULED_TURN}, on the board", undone(lambda: strike_in(club_game, RULED_TURN))
    yield "placing the move", undone(lambda: club_game.place())
    for page in PAGES:
        yield f"page {page or 'game'}", request(client, club_game, page)
    club_game.place()
    for file in FILES:
        yield f"file {file}", request(client, club_game, file)
    for name, result in RESULT_FILES.items():
        yield f"results as {name}", partial(write_results, club_game, result.write)
    yield from list_sheets(club_game)


def write_results(club_game: ClubGame, write: Callable[[EventExport], bytes]) -> None:
    """Write a file with the results of all players."""
    from tournaments.results.queries.event_export import event_export

    export = event_export(club_game.event)
    assert export is not None
    write(export)


def list_sheets(club_game: ClubGame) -> Iterator[tuple[str, Callable[[], object]]]:
    from referee.pdf.catalogue import DOCUMENTS
    from referee.pdf.make_document import draw_document

    for wanted in DOCUMENTS.values():
        if wanted.has_desk:
            draw = partial(
                draw_document, wanted, club_game.refresh(), club_game.room, choice="", language="en", paper="a4"
            )
            yield f"sheet {wanted.name}", draw


def request(client: Client, club_game: ClubGame, page: str) -> Callable[[], object]:
    def ask() -> None:
        answer: Any = client.get(f"/desk/{club_game.event.code}/{page}")
        if answer.status_code != 200:
            sys.exit(f"{answer.status_code} for {page}")

    return ask


def undone(call: Callable[[], object]) -> Callable[[], None]:
    """The same call, after which the database is as before; what waits for the commit is not run."""
    from django.db import transaction

    def run() -> None:
        with transaction.atomic():
            call()
            transaction.set_rollback(True)

    return run


def strike_in(club_game: ClubGame, number: int) -> None:
    """Strike the word of the best slip of a turn, which most players have written."""
    from tournaments.enums import Ruling
    from tournaments.judging.services import rejudging, rulings
    from tournaments.judging.services.ruling_request import RulingRequest
    from tournaments.models import Turn

    turn = Turn.objects.select_related("game__event").get(game=club_game.game, number=number)
    asked = RulingRequest(by=club_game.judge, now=club_game.later(), reason="another dictionary")
    assert turn.tops
    service = rulings if turn.placed_at is None else rejudging
    service.rule_word(turn=turn, word=turn.tops[0]["word"], ruling=Ruling.STRUCK, request=asked)


def print_table(costs: dict[int, dict[str, float]], base: int, unit: float) -> None:
    """A table as in docs/performance.md; `unit` is the time in ms that a cost of 1 stands for."""
    sizes = sorted(costs)
    largest = sizes[-1]
    print(f"| ms | {' | '.join(f'{size:,}' for size in sizes)} | growth |")
    print("|---" * (len(sizes) + 2) + "|")
    for name, most in costs[largest].items():
        each = " | ".join(f"{costs[size][name] * unit:,.0f}" for size in sizes)
        growth = most / costs[base][name] * base / largest
        print(f"| {name} | {each} | {growth:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of players")
    parser.add_argument("--base", type=int, default=BASE, help="the size with which the largest one is compared")
    parser.add_argument("--only", default="", help="a part of the names of what is measured")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    import django
    from django.test.utils import setup_test_environment

    from referee.server.garbage_collection import tune_garbage_collection

    django.setup()
    setup_test_environment()
    tune_garbage_collection()
    measurement, costs = Measurement(), dict[int, dict[str, float]]()
    for size in asked.sizes:
        with own_database():
            simulated, club_game = measurement.once(partial(play, size))
            costs[size] = {SIMULATION: simulated}
            for name, call in list_calls(club_game):
                if asked.only in name:
                    costs[size][name] = measurement.measure(call)
                    print(size, name, costs[size][name], file=sys.stderr, flush=True)
    print_table(costs, asked.base if asked.base in costs else min(costs), measurement.quickest)


if __name__ == "__main__":
    main()
