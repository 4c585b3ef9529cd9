"""The tables that stand in files of results: of the whole event, and of each game with its points turn by turn.

The headings of a player's columns are those that the import of players knows again (tournaments.headings).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from engine.event_standings import EventLine
from referee.results_table import names_of_counts
from tournaments.models import Player
from tournaments.selectors.event_export import EventExport, GameResults

Value = str | int | Decimal | None
_ABOUT = ("nickname", "club", "series", "age_class", "country", "team")


@dataclass(frozen=True, slots=True)
class ResultSheet:
    """A table with its name, its headings and its rows; None is an empty cell."""

    name: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Value]]


def overall_sheet(export: EventExport) -> ResultSheet:
    """Everybody over all games, best first; then who has played in none."""
    told = _told(export.players)
    view = export.view
    several = len(view.games) > 1
    titles = [round_title(number, _name_of(export, number)) for number in view.games] if several else []
    measures = _measures(view.ranking)
    counts = [name for name in names_of_counts() if any(getattr(row.line, name) for row in view.rows)]
    handicap = [_("Handicap")] if view.with_handicap else []
    headings = [_("Rank"), _("Table"), _("Name"), *(_headings()[name] for name in told), *titles, *handicap, _("Total")]
    headings += [_("Negative"), _("Percent"), *(title for title, _read in measures)]
    headings += [names_of_counts()[count] for count in counts]
    rows: list[list[Value]] = []
    for row in view.rows:
        line = row.line
        games: list[Value] = [score.points if score.presence != "missed" else None for score in line.games]
        handicaps: list[Value] = [line.handicap] if view.with_handicap else []
        ends: list[Value] = [read(line) for _title, read in measures]
        rows.append(
            [
                *(_rank(line.rank), line.table, row.player.name, *(getattr(row.player, name) for name in told)),
                *(games if several else []),
                *(*handicaps, line.total, line.negative, line.percent, *ends),
                *(getattr(line, count) for count in counts),
            ]
        )
    ranked = {row.line.table for row in view.rows}
    blank: list[Value] = [None] * (len(headings) - 3 - len(told))
    for player in export.players:
        if player.table not in ranked:
            rows.append([None, player.table, player.name, *(getattr(player, name) for name in told), *blank])
    return ResultSheet(_("Standings"), headings, rows)


def game_sheet(results: GameResults) -> ResultSheet:
    """A game: who had how many points in which turn. The first row holds the tops."""
    turns = range(1, len(results.tops) + 1)
    headings = [_("Rank"), _("Table"), _("Name"), _("Club"), _("Total"), _("Negative"), _("Percent")]
    headings += [_("T%(number)s") % {"number": turn} for turn in turns]
    tops: list[Value] = [None, None, _("Top"), None, sum(results.tops), None, None, *results.tops]
    rows: list[list[Value]] = [tops]
    for line in results.lines:
        standing, player = line.standing, line.player
        rows.append(
            [
                *(_rank(standing.rank), player.table, player.name, player.club),
                *(standing.total, standing.negative, standing.percent, *line.points),
            ]
        )
    return ResultSheet(round_title(results.game.number, results.name), headings, rows)


def _rank(rank: int | None) -> Value:
    return _("disqualified") if rank is None else rank


def round_title(number: int, name: str) -> str:
    """How a game is called among several: "Game 2", with the name of its round where it has one."""
    title = _("Game %(number)s") % {"number": number}
    return f"{title} · {name}" if name else title


def _told(players: Sequence[Player]) -> list[str]:
    """What at least one player has."""
    return [name for name in _ABOUT if name == "club" or any(getattr(player, name) for player in players)]


def _headings() -> dict[str, str]:
    return {
        "nickname": _("Nickname"),
        "club": _("Club"),
        "series": _("Series"),
        "age_class": _("Age class"),
        "country": _("Country"),
        "team": _("Team"),
    }


def _name_of(export: EventExport, number: int) -> str:
    return next((each.name for each in export.games if each.game.number == number), "")


def _measures(ranking: str) -> list[tuple[str, Callable[[EventLine], Value]]]:
    """What ranks, where that is not the total."""
    measures: dict[str, tuple[str, Callable[[EventLine], Value]]] = {
        "average_percent": (_("Average"), lambda line: line.average_percent),
        "ranking_points": (_("Ranking points"), lambda line: line.ranking_points),
    }
    return [measures[ranking]] if ranking in measures else []
