"""Standings of an event without a database: players of several series, clubs and teams in some games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from random import Random

from engine.rules.profile import load_profile
from engine.standings.event import EventLine, Handicap, PlayedGame, event_standings, group_ranks
from engine.standings.game import TurnResult
from engine.standings.teams import team_standings
from tournaments.models import Event, Player
from tournaments.results.queries.event_results import EVERYBODY, TEAM, EventRow, EventView, StandingsChoice, TeamRow

EVENT = Event(name="Torneo di primavera", date=date(2026, 3, 6), place="Torino")
Named = Callable[[int], str]


def make_view(
    size: int,
    *,
    games: int = 3,
    by: str = EVERYBODY,
    ranking: str = "total",
    name: Named = "Giocatore {}".format,
    handicap: Handicap | None = None,
) -> EventView:
    """Return the results of `size` players in games of three turns; some missed the first or came late."""
    rng = Random(size)  # noqa: S311  nothing secret is drawn with it
    profile = load_profile("club").with_switches(ranking=ranking)
    played = [PlayedGame(number, _results(size, number, rng), [80, 74, 90], profile) for number in range(1, games + 1)]
    standings = event_standings(played, handicap)
    players = {table: _player(table, name(table)) for table in range(1, size + 1)}
    return EventView(
        choice=StandingsChoice(None if games > 1 else 1, by),
        ranking=standings.ranking,
        games=standings.games,
        tops=standings.tops,
        all_games=standings.games,
        groupings=("series", "club", "team"),
        with_handicap=handicap is not None,
        rows=() if by == TEAM else tuple(_rows(standings.lines, players, by)),
        teams=tuple(
            TeamRow(line, tuple(players[table].name for table in line.members))
            for line in team_standings(standings, {table: player.team for table, player in players.items()}, 2)
        )
        if by == TEAM
        else (),
    )


def _results(size: int, game: int, rng: Random) -> dict[int, list[TurnResult]]:
    there = (table for table in range(1, size + 1) if game > 1 or table % 7)
    return {
        table: [TurnResult(turn, rng.randrange(30, 75)) for turn in range(2 if table % 5 == 0 else 1, 4)]
        for table in there
    }


def _player(table: int, name: str) -> Player:
    return Player(
        table=table, name=name, club=f"Circolo {table % 4}", series="ABC"[table % 3], team=f"Squadra {table // 3}"
    )


def _rows(lines: tuple[EventLine, ...], players: dict[int, Player], by: str) -> list[EventRow]:
    if by == EVERYBODY:
        return [EventRow(line.rank, "", players[line.table], line) for line in lines]
    groups = {table: str(getattr(player, by)) for table, player in players.items()}
    ranks = group_ranks(lines, groups)
    rows = [EventRow(ranks[line.table], groups[line.table], players[line.table], line) for line in lines]
    return sorted(rows, key=lambda row: (row.group, row.rank))
