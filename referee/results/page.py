"""Results as one self-contained page for the club's site, with nicknames instead of names where players have one."""

from __future__ import annotations

from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from engine.standings.game import Standing
from referee.results.standings_table import ResultsTable, results_table, use_public_names
from referee.results.tables import round_title
from tournaments.results.queries.event_export import EventExport, GameResults


@dataclass(frozen=True, slots=True)
class PageRow:
    """Result of a player in a game; `points` are None in turns without a slip."""

    standing: Standing
    name: str
    club: str
    points: list[int | None]


@dataclass(frozen=True, slots=True)
class PageGame:
    """Game on the page, with its anchor."""

    title: str
    anchor: str
    tops: list[int]
    total: int
    rows: list[PageRow]


def build_page(export: EventExport) -> bytes:
    """Return the page in the active language."""
    teams: ResultsTable | None = None
    if export.teams is not None:
        teams = results_table(use_public_names(export.teams, export.players))
    context = {
        "event": export.event,
        "language": get_language() or export.event.language,
        "table": results_table(use_public_names(export.view, export.players)),
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
