"""Times of the pages of a simultaneous game of 200 clubs with 30 players: python -m tests.simultaneous_benchmark.

One club plays a whole game; the other returns are copies of its report with other names and points. The times are
those of tests.club_benchmark.
"""

from __future__ import annotations

import copy
import os
from random import Random
from typing import TYPE_CHECKING, Any

import tests.data_folder  # noqa: F401  a data folder of its own, before Django's settings are read

if TYPE_CHECKING:
    from tournaments.models import Simultaneous

CLUBS, PLAYERS = 200, 30


def create_simultaneous(rng: Random) -> Simultaneous:
    """Store a published simultaneous game in which every club has returned one game."""
    from engine.simultaneous.rejudging import rejudge
    from referee.management.commands.simulate_clubs import START, organise, play_club
    from tournaments.lexicons import word_lists
    from tournaments.models import ClubReturn, Simultaneous
    from tournaments.prepared.scripts import script_of, to_unsaved_game
    from tournaments.simultaneous.queries.packages import package_of
    from tournaments.simultaneous.services.returns import compute_ranking

    made = organise({"seed": 1, "edition": "it", "clubs": CLUBS})
    first = made.clubs.all()[0]
    returned: Any = play_club(package_of(made, ""), first.number, first.start_code, PLAYERS, 1)
    script = script_of(made.prepared_games.get().prepared)
    report = rejudge(1, script, returned["games"][0]["archive"], *word_lists.lists_of(to_unsaved_game(script)))
    ClubReturn.objects.bulk_create(
        ClubReturn(
            simultaneous=made,
            club=club,
            received_at=START,
            content=b"",
            sha256=str(club.number),
            state="judged",
            counts="counted",
            players=PLAYERS,
            report=[_other_players(copy.deepcopy(report), club.number, rng)],
        )
        for club in made.clubs.all()
    )
    compute_ranking(made)
    return Simultaneous.objects.get(pk=made.pk)


def _other_players(report: Any, club: int, rng: Random) -> Any:
    for player in report["players"]:
        player["name"] = f"Player {club}-{player['table']}"
        player["licence"] = f"{club}/{player['table']}"
        player["points"] = [max(0, points - rng.randrange(12)) for points in player["points"]]
    return report


def run() -> None:
    """Time the pages."""
    from django.test import Client
    from django.urls import reverse

    from tests.club_benchmark import LIMIT_MS, Page, freeze_memory, time_page
    from tournaments.staff.services.login_links import first_judge

    made = create_simultaneous(Random(1))  # noqa: S311  the same clubs in each run
    client = Client()
    client.force_login(first_judge())
    pages = [
        Page("overall ranking", reverse("simultaneous:show", args=[made.token])),
        Page("overall ranking, page 30", reverse("simultaneous:show", args=[made.token]) + "?page=30"),
        Page("category", reverse("simultaneous:show", args=[made.token]) + "?category=A"),
        Page("clubs", reverse("simultaneous:clubs", args=[made.token])),
        Page("a club", reverse("simultaneous:club", args=[made.token, 7])),
        Page("package", reverse("simultaneous:package", args=[made.token])),
        Page("return form", reverse("simultaneous:return", args=[made.token])),
        Page("organiser: clubs and returns", reverse("desk:simultaneous", args=[made.pk])),
        Page("organiser: a club", reverse("desk:simultaneous-club", args=[made.pk, 7])),
        Page("organiser: comments", reverse("desk:simultaneous-comments", args=[made.pk, 1])),
        Page("simultaneous games", reverse("desk:simultaneous-games")),
        Page("booklet (PDF)", reverse("simultaneous:booklet", args=[made.token])),
    ]
    freeze_memory()
    print("| page | ms | most | kB |\n|---|---|---|---|")
    for page in pages:
        timing = time_page(client, page)
        mark = " (slow)" if timing.typical > LIMIT_MS else ""
        print(f"| {timing.name} | {timing.typical:.0f}{mark} | {timing.most:.0f} | {timing.size:.1f} |", flush=True)


def main() -> None:
    import tempfile
    from pathlib import Path

    import django
    from django.test.utils import setup_test_environment

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    django.setup()
    from referee.management.commands.simulate import use_own_database

    setup_test_environment()
    with tempfile.TemporaryDirectory(prefix="multiplo-") as folder:
        use_own_database(Path(folder))
        run()


if __name__ == "__main__":
    main()
