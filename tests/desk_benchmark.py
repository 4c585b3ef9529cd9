"""Times of the desk's actions and pages with 120 players, and the sizes of the pages: python -m tests.desk_benchmark.

The requests are answered in this process, without a network. `ms` is the median of the turns, `kB` the largest answer
as it is transferred (gzip).
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import tests.data_folder  # noqa: F401  a data folder of its own, before Django's settings are read

if TYPE_CHECKING:
    from tests.tournaments.club_game import ClubGame

PLAYERS, TURNS, DIFFERENT_SLIPS = 120, 12, 40
PAGES = (
    *("", "main/", "slips-in/", "players/", "entry-desk/", "tables/", "standings/", "analysis/", "documents/"),
    *("rounds/", "staff/", "rules/"),
)


class Desk:
    """A browser at the desk of a game; `times` in ms and `sizes` in kB by name of the request."""

    def __init__(self, club_game: ClubGame) -> None:
        from django.test import Client

        self.club_game = club_game
        self.client = Client()
        self.client.force_login(club_game.judge)
        self.base = f"/desk/{club_game.event.code}/"
        self.times: dict[str, list[float]] = defaultdict(list)
        self.sizes: dict[str, float] = defaultdict(float)

    def ask(self, name: str, address: str, fields: dict[str, str] | None = None) -> None:
        """Send a request and keep its time and size. A fault ends the benchmark."""
        begun = time.perf_counter()
        if fields is None:
            answer: Any = self.client.get(self.base + address)
        else:
            answer = self.client.post(self.base + address, fields, headers={"HX-Request": "true"})
        self.times[name].append((time.perf_counter() - begun) * 1000)
        if answer.status_code not in (200, 302):
            sys.exit(f"{answer.status_code} for {self.base}{address}")
        self.sizes[name] = max(self.sizes[name], len(gzip.compress(answer.content)) / 1000)

    def act(self, action: str) -> None:
        self.ask(f"do {action}", f"do/{action}/", {"turn": str(self.club_game.game.turns.count())})

    def play_turn(self, rng: Random) -> None:
        """Play a turn by the desk's actions. Every page is opened once while slips are judged."""
        from tournaments.play.simulation import plausible_slips

        self.act("draw")
        self.act("announce")
        slips = plausible_slips(self.club_game.turn, rng, DIFFERENT_SLIPS)
        for table in range(1, PLAYERS):
            self.club_game.phone(table, *rng.choice(slips), after=0.001)
        word, ref, score = slips[0]
        self.ask("paper line", "paper/", {"line": f"{PLAYERS} {ref} {word} {score}"})
        self.act("close")
        for page in PAGES:
            self.ask(f"page {page or 'game'}", page)
        self.act("place")


def measure() -> dict[str, dict[str, float]]:
    """Play the game; return the median time and the largest size of each request."""
    from tests.tournaments.club_game import create_club_game
    from tournaments.now import utc_now
    from tournaments.players.services.players import NewPlayer
    from tournaments.staff.services.login_links import first_judge

    listed = [NewPlayer(table, f"Player {table}", f"Club {table % 9}") for table in range(1, PLAYERS + 1)]
    club_game = create_club_game(first_judge(), listed, profile="club")
    desk, rng = Desk(club_game), Random(1)  # noqa: S311  the same slips in each run
    for _turn in range(TURNS):
        club_game.now = utc_now()
        desk.play_turn(rng)
    return {name: {"ms": round(median(times)), "kB": round(desk.sizes[name], 1)} for name, times in desk.times.items()}


def main() -> None:
    import django
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    with tempfile.TemporaryDirectory() as folder:
        connection.settings_dict["NAME"] = str(Path(folder) / "benchmark.sqlite3")
        call_command("migrate", verbosity=0)
        print(json.dumps(measure(), indent=1).replace(',\n  "kB"', ', "kB"').replace("{\n  ", "{").replace("\n }", "}"))
        connection.close()


if __name__ == "__main__":
    main()
