"""Times of the club's pages with ten seasons, 500 events and 2,000 members: python -m tests.club_benchmark.

The requests are answered in this process, without a network. `ms` is the processor time of a request, the median of
some after a first one, and `most` that of the slowest; it does not depend on what else the machine does. `kB` is the
answer as it is transferred (gzip). With `--profile NAME` it prints where a page spends its time.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import gzip
import os
import pstats
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import tests.data_folder  # noqa: F401  a data folder of its own, before Django's settings are read

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Event, Ranking, Season

SEASONS, EVENTS, MEMBERS, PLAYERS, REGULARS = 10, 500, 2_000, 30, 400
FAITHFUL, TIMES = 5, 7
LIMIT_MS = 200


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name in the table, its address, and what is posted to it, if anything."""

    name: str
    address: str
    posted: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of a page in ms, and its size in kB."""

    name: str
    typical: float
    most: float
    size: float


def create_club(rng: Random, today: date) -> list[Event]:
    """Store ten seasons up to the present one, one event a week. The members of a season are some of all; a few play
    in each event."""
    from tests.tournaments.seasons.club_years import (
        create_evenings,
        create_members,
        create_season,
        create_turns,
        list_days,
        store_states,
    )

    everybody = create_members(rng, MEMBERS)
    faithful, members = everybody[:FAITHFUL], everybody[FAITHFUL:]
    last = today.year - (today.month < 9)
    events: list[Event] = []
    for year in range(last - SEASONS + 1, last + 1):
        create_season(year)
        regulars, days = rng.sample(members, REGULARS), list_days(year, EVENTS // SEASONS)
        events += create_evenings(rng, regulars, days, PLAYERS, always=faithful)
    for event in events:
        create_turns(rng, event)
    store_states()
    return events


def list_pages() -> Iterator[Page]:
    """Return all pages of the club that this program has."""
    from django.urls import NoReverseMatch, reverse

    from tournaments.models import Event, Member, Season

    season = Season.objects.order_by("-starts")[1]
    rankings = list(season.rankings.all())
    regular = season.rankings.get(position=0)
    from tournaments.seasons.queries.rankings import view_ranking

    member = view_ranking(regular).lines[0].member.pk
    faithful = Member.objects.order_by("pk")[0]
    walled = Event.objects.order_by("-date")[0]
    named: list[tuple[str, str, list[Any], str]] = [
        ("start page", "events", [], ""),
        ("start page, all events", "events", [], "?all=1"),
        ("seasons", "seasons", [], ""),
        *((f"season: {each.name}", "season", [season.pk], f"?ranking={each.pk}") for each in rankings),
        ("a member in a season", "season-member", [season.pk, regular.pk, member], ""),
        ("change a season", "season-edit", [season.pk], ""),
        ("events that count", "season-events", [season.pk], ""),
        ("change a ranking", "ranking-edit", [season.pk, regular.pk], ""),
        ("earlier evenings", "earlier-evenings", [], ""),
        *((f"ranking as {kind}", "season-file", [season.pk, regular.pk, kind], "") for kind in ("pdf", "csv", "xlsx")),
        ("members", "members", [], ""),
        ("members, search", "members", [], "?q=ross"),
        ("a member", "member", [member], ""),
        ("history of a member", "member-history", [faithful.pk], ""),
        ("club records", "club-records", [], ""),
        ("duplicates of members", "member-duplicates", [], ""),
        ("guests and members", "members-review", [], ""),
        ("players from members", "event-members", [walled.code], ""),
        ("ratings", "ratings", [], ""),
    ]
    for name, view, given, query in named:
        try:
            yield Page(name, reverse(f"desk:{view}", args=given) + query)
        except NoReverseMatch:
            print(f"{name}: there is no such page", file=sys.stderr)
    yield from list_previews(season, regular)
    Event.objects.filter(pk=walled.pk).update(season_on_wall=True)
    yield Page("season on the wall", reverse("wall:season", args=[walled.wall_token]))
    yield Page("private page", reverse("members:page", args=[faithful.page_token]))
    yield Page("private page, all evenings", reverse("members:page", args=[faithful.page_token]) + "?all")


def list_previews(season: Season, ranking: Ranking) -> Iterator[Page]:
    """Return the forms that show who would move: by another rule, by other events, by other dates."""
    from django.urls import reverse

    from engine.seasons.ranking_rule import read_rule
    from referee.desk.seasons.forms import RankingForm, SeasonForm
    from tournaments.seasons.queries.results import list_counting_events

    fields = RankingForm.initial_of(ranking.name, read_rule(ranking.rule)) | {"measure": "percent", "best": 8}
    rule = {name: value for name, value in fields.items() if value is not None}
    yield Page("another rule, preview", reverse("desk:ranking-edit", args=[season.pk, ranking.pk]), rule)
    counting = [event.pk for event in list_counting_events(season)]
    events = {"shown": counting, "counts": counting[1:]}
    yield Page("other events, preview", reverse("desk:season-events", args=[season.pk]), events)
    dates = SeasonForm.initial_of(season)
    dates["ends"] -= timedelta(days=30)
    yield Page("other dates, preview", reverse("desk:season-edit", args=[season.pk]), dates)


def time_page(client: Client, page: Page) -> Timing:
    """Request a page some times; a fault ends the benchmark."""
    from django.core.cache import cache

    times: list[float] = []
    answer = _request(client, page)
    for _time in range(TIMES):
        cache.clear()
        begun = time.process_time()
        answer = _request(client, page)
        times.append((time.process_time() - begun) * 1000)
    return Timing(page.name, median(times), max(times), len(gzip.compress(answer.content)) / 1000)


def _request(client: Client, page: Page) -> Any:
    answer = client.get(page.address, follow=True) if page.posted is None else client.post(page.address, page.posted)
    if answer.status_code != 200:
        sys.exit(f"{answer.status_code} for {page.address}")
    if page.posted is not None and b'name="previewed"' not in answer.content:
        sys.exit(f"{page.address} shows no preview")
    return answer


def freeze_memory() -> None:
    """Take the rows made so far, which are no part of a server, out of the collection of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 5, 400)  # as the server has it (referee/asgi.py)


def print_profile(client: Client, page: Page) -> None:
    """Print where a request spends its time."""
    _request(client, page)
    profile = cProfile.Profile()
    profile.runcall(_request, client, page)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


def run(only: str) -> None:
    """Store the club, and time its pages or profile those whose name contains `only`."""
    from django.test import Client
    from django.utils import timezone

    from tournaments.models import Membership
    from tournaments.staff.services.login_links import first_judge

    judge = first_judge()
    events = create_club(Random(1), timezone.localdate())  # noqa: S311  the same club in each run
    Membership.objects.bulk_create(Membership(event=event, user=judge, role="director") for event in events)
    client = Client()
    client.force_login(judge)
    pages = list(list_pages())
    freeze_memory()
    if only:
        for page in pages:
            if only in page.name:
                print_profile(client, page)
        return
    print("| page | ms | most | kB |\n|---|---|---|---|")
    for page in pages:
        timing = time_page(client, page)
        mark = " (slow)" if timing.typical > LIMIT_MS else ""
        print(f"| {timing.name} | {timing.typical:.0f}{mark} | {timing.most:.0f} | {timing.size:.1f} |")


def main() -> None:
    import django
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    parser = argparse.ArgumentParser(prog="python -m tests.club_benchmark", description="Time the club's pages.")
    parser.add_argument("--profile", default="", metavar="NAME", help="profile the pages whose name contains this")
    only = parser.parse_args().profile
    django.setup()
    setup_test_environment()
    with tempfile.TemporaryDirectory() as folder:
        connection.settings_dict["NAME"] = str(Path(folder) / "benchmark.sqlite3")
        call_command("migrate", verbosity=0)
        run(only)
        connection.close()


if __name__ == "__main__":
    main()
