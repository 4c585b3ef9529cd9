"""The results as one page for the club's site: a file that needs nothing else and asks nobody for anything.

It is for everybody to read, so whoever has a nickname stands there by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.standings import Standing
from referee.results.tables import round_title
from referee.results_table import ResultsTable, as_the_hall_reads, results_table
from tournaments.selectors.event_export import EventExport, GameResults


@dataclass(frozen=True, slots=True)
class PageRow:
    """A player in a game as the page shows him; `points` are None where he had no slip."""

    standing: Standing
    name: str
    club: str
    points: list[int | None]


@dataclass(frozen=True, slots=True)
class PageGame:
    """A game on the page, under an anchor."""

    title: str
    anchor: str
    tops: list[int]
    total: int
    rows: list[PageRow]


def as_page(export: EventExport) -> bytes:
    """The page, in the active language."""
    teams: ResultsTable | None = None
    if export.teams is not None:
        teams = results_table(as_the_hall_reads(export.teams, export.players))
    context = {
        "event": export.event,
        "language": get_language() or export.event.language,
        "table": results_table(as_the_hall_reads(export.view, export.players)),
        "teams": teams,
        "games": [_game(results) for results in export.games if results.tops],
        "title": _("Results"),
    }
    return render_to_string("results/page.html", context).encode()


def _game(results: GameResults) -> PageGame:
    number = results.game.number
    rows = [
        PageRow(line.standing, line.player.shown_name, line.player.club, list(line.points)) for line in results.lines
    ]
    title = round_title(number, results.name)
    return PageGame(title, f"game-{number}", list(results.tops), sum(results.tops), rows)
