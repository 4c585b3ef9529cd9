"""Results of an event as plain data for exported files: players, games turn by turn, and overall standings.

The format is described in docs/formats.md, section 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.standings.event import EventLine, GameScore
from engine.standings.game import Standing
from tournaments.models import Event, Game, Player, Room, Round
from tournaments.play.position import profile_of, variant_of
from tournaments.results.queries.event_results import TEAM, EventView, StandingsChoice, event_view
from tournaments.results.queries.results import results_of

FORMAT, VERSION = "duplicate-event", 1


@dataclass(frozen=True, slots=True)
class GameLine:
    """A player in a game, with the points of each placed turn; None without a slip."""

    player: Player
    standing: Standing
    points: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class GameResults:
    """The placed turns of a game: their tops, and all players of the game, best first."""

    game: Game
    name: str
    tops: Sequence[int]
    lines: Sequence[GameLine]


@dataclass(frozen=True, slots=True)
class EventExport:
    """Data of every exported file.

    `view`: the standings over all games, or over the requested one; `plain`: the same without handicap, for ratings;
    `teams`: the same by teams, None without teams.
    """

    event: Event
    players: Sequence[Player]
    view: EventView
    plain: EventView
    teams: EventView | None
    games: Sequence[GameResults]


def event_export(event: Event, *, game: int | None = None, room: Room | None = None) -> EventExport | None:
    """The results of an event or one of its games, of all players or of a room; None if there is no such game.

    They include placed turns only, for a room those shown there. The number of queries grows with games, not players.
    """
    number = None if room is None else room.number
    choice = StandingsChoice(game, room=number)
    view = event_view(event, choice)
    plain = event_view(event, choice, with_handicap=False) if view and view.with_handicap else view
    if view is None or plain is None:
        return None
    players = list(Player.objects.filter(event=event).select_related("room").order_by("table"))
    if room is not None:
        players = [player for player in players if player.room_id == room.pk]
    names = dict(Round.objects.filter(event=event).values_list("number", "name"))
    games = Game.objects.filter(event=event, number__in=view.all_games).select_related("event").order_by("number")
    by_table = {player.table: player for player in Player.objects.filter(event=event)}
    chosen = [each for each in games if game in (None, each.number)]
    return EventExport(
        event=event,
        players=players,
        view=view,
        plain=plain,
        teams=event_view(event, StandingsChoice(game, TEAM, number)) if TEAM in view.groupings else None,
        games=[_results(each, names.get(each.number, ""), by_table, room) for each in chosen],
    )


def as_json(export: EventExport) -> dict[str, Any]:
    """The results in the format of docs/formats.md, section 10."""
    event, view = export.event, export.view
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": {"name": event.name, "date": event.date.isoformat(), "place": event.place, "language": event.language},
        "ranking": view.ranking,
        "players": [_player(player) for player in export.players],
        "games": [_game(each) for each in export.games],
        "standings": [_line(row.line) for row in view.rows],
        "teams": [_team(row.line.rank, row.line.team, row.line.total, row.line.members) for row in _teams(export)],
    }


def _teams(export: EventExport) -> Sequence[Any]:
    return export.teams.teams if export.teams is not None else ()


def _results(game: Game, name: str, players: Mapping[int, Player], room: Room | None) -> GameResults:
    results = results_of(game, room)
    lines = []
    for standing in results.standings:
        points: list[int | None] = [None] * len(results.tops)
        for result in results.by_table[standing.table]:
            points[result.turn - 1] = result.points
        lines.append(GameLine(players[standing.table], standing, points))
    return GameResults(game, name, results.tops, lines)


def _player(player: Player) -> dict[str, Any]:
    more = ("nickname", "licence", "age_class", "country", "team")
    known = {name: getattr(player, name) for name in more if getattr(player, name)}
    if player.stated_surname:
        known["surname"] = player.stated_surname
    return {"table": player.table, "name": player.name, "club": player.club, "series": player.series, **known}


def _game(results: GameResults) -> dict[str, Any]:
    game = results.game
    return {
        "number": game.number,
        "name": results.name,
        "state": str(game.state),
        "edition": game.edition,
        "profile": profile_of(game).name,
        "formula": variant_of(game).code,
        "rhythm_s": game.turn_seconds,
        "tops": list(results.tops),
        "results": [
            {**line.standing.as_json(), "table": line.player.table, "points": list(line.points)}
            for line in results.lines
        ],
    }


def _line(line: EventLine) -> dict[str, Any]:
    return {
        "rank": line.rank,
        "table": line.table,
        "total": line.total,
        "handicap": line.handicap,
        "negative": line.negative,
        "percent": float(line.percent),
        "average_percent": float(line.average_percent),
        "ranking_points": line.ranking_points,
        "tops_found": line.tops_found,
        "best_move": line.best_move,
        "warnings": line.warnings,
        "penalties": line.penalties,
        "solos": line.solos,
        "games": [_score(score) for score in line.games],
    }


def _score(score: GameScore) -> dict[str, Any]:
    return {
        "number": score.number,
        "points": score.points,
        "handicap": score.handicap,
        "rank": score.rank,
        "ranking_points": score.ranking_points,
        "presence": score.presence,
    }


def _team(rank: int, team: str, total: int, members: Sequence[int]) -> dict[str, Any]:
    return {"rank": rank, "team": team, "total": total, "members": list(members)}
