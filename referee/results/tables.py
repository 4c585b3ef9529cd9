"""Tables in result files: standings of the event, and each game with its points turn by turn.

The import of players recognises the headings of player columns (`tournaments.players.column_headings`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from engine.standings.event import EventLine
from referee.results.standings_table import names_of_counts
from tournaments.models import Player
from tournaments.players.column_headings import field_titles
from tournaments.results.queries.event_export import EventExport, GameResults

Value = str | int | Decimal | None
_ABOUT = ("nickname", "licence", "club", "series", "age_class", "country", "team")


@dataclass(frozen=True, slots=True)
class ResultSheet:
    """Table with name, headings and rows; None is an empty cell."""

    name: str
    headings: Sequence[str]
    rows: Sequence[Sequence[Value]]


def overall_sheet(export: EventExport) -> ResultSheet:
    """Build the standings over all games, followed by the players who have played in none."""
    fields = _list_known_fields(export.players)
    view = export.view
    several = len(view.games) > 1
    titles = [round_title(number, _name_of(export, number)) for number in view.games] if several else []
    measures = _measures(view.ranking)
    counts = [name for name in names_of_counts() if any(getattr(row.line, name) for row in view.rows)]
    handicap = [_("Handicap")] if view.with_handicap else []
    headings = [
        _("Rank"),
        _("Table"),
        _("Name"),
        *(field_titles()[name] for name in fields),
        *titles,
        *handicap,
        _("Total"),
    ]
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
                *(_rank(line.rank), line.table, row.player.name, *(getattr(row.player, name) for name in fields)),
                *(games if several else []),
                *(*handicaps, line.total, line.negative, line.percent, *ends),
                *(getattr(line, count) for count in counts),
            ]
        )
    ranked = {row.line.table for row in view.rows}
    blank: list[Value] = [None] * (len(headings) - 3 - len(fields))
    for player in export.players:
        if player.table not in ranked:
            rows.append([None, player.table, player.name, *(getattr(player, name) for name in fields), *blank])
    return ResultSheet(_("Standings"), headings, rows)


def game_sheet(results: GameResults) -> ResultSheet:
    """Build the points of every player by turn; the first row holds the tops."""
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
    """Return the title of a game among several: "Game 2", with the name of its round if it has one."""
    title = _("Game %(number)s") % {"number": number}
    return f"{title} · {name}" if name else title


def _list_known_fields(players: Sequence[Player]) -> list[str]:
    """List the fields that at least one player has."""
    return [name for name in _ABOUT if name == "club" or any(getattr(player, name) for player in players)]


def _name_of(export: EventExport, number: int) -> str:
    return next((each.name for each in export.games if each.game.number == number), "")


def _measures(ranking: str) -> list[tuple[str, Callable[[EventLine], Value]]]:
    """List the measures that rank players, if that is not the total."""
    measures: dict[str, tuple[str, Callable[[EventLine], Value]]] = {
        "average_percent": (_("Average"), lambda line: line.average_percent),
        "ranking_points": (_("Ranking points"), lambda line: line.ranking_points),
    }
    return [measures[ranking]] if ranking in measures else []
