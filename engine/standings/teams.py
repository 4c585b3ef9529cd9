"""Standings of teams and pairs over the games of an event: the best members of each team count.

No federation has a rule for this. The organiser chooses how many members count, and whether the best are taken in each
game or over all games. Teams with equal results share the rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.standings.event import EventLine, EventStandings, GameScore, assign_ranks


@dataclass(frozen=True, slots=True)
class TeamLine:
    """Line of a team: its members by table, the best first.

    `games` and `value` use the measure of the standings: points, ranking points, or the mean percent of the members who
    count. `total`: points of the members who count, over all games.
    """

    rank: int
    team: str
    members: tuple[int, ...]
    games: tuple[Fraction, ...]
    value: Fraction
    total: int


def team_standings(
    standings: EventStandings, teams: Mapping[int, str], best: int | None = None, *, of_each_game: bool = True
) -> list[TeamLine]:
    """Compute the standings of the teams in `teams` (table -> name), best first, equal ranks by name.

    The `best` players of a team count (all if None); in a smaller team all members count. They are the best in each
    game, or with `of_each_game` false the best in the final standings. Disqualified players, who have no rank, do not
    count.
    """
    members: dict[str, list[EventLine]] = {}
    for line in standings.lines:
        if line.rank is not None and (team := teams.get(line.table, "")):
            members.setdefault(team, []).append(line)
    counting = best or max((len(lines) for lines in members.values()), default=1)
    results = {team: _games(lines, standings, counting, of_each_game) for team, lines in members.items()}
    values = {team: _overall(games, standings.ranking) for team, (games, _) in results.items()}
    ranks = assign_ranks({team: (value,) for team, value in values.items()})
    return [
        TeamLine(
            rank=ranks[team],
            team=team,
            members=tuple(line.table for line in members[team]),
            games=results[team][0],
            value=values[team],
            total=results[team][1],
        )
        for team in sorted(members, key=lambda team: (ranks[team], team))
    ]


def _games(
    lines: Sequence[EventLine], standings: EventStandings, counting: int, of_each_game: bool
) -> tuple[tuple[Fraction, ...], int]:
    """Return (result of each game, points of all games) of the members who count."""
    games, total = [], 0
    for at in range(len(standings.games)):
        scores = [line.games[at] for line in lines]
        if of_each_game:
            scores.sort(key=lambda score: _measure(score, standings.ranking), reverse=True)
        counted = scores[:counting]
        result = sum((_measure(score, standings.ranking) for score in counted), Fraction(0))
        games.append(result / counting if standings.ranking == "average_percent" else result)
        total += sum(score.total for score in counted)
    return tuple(games), total


def _overall(games: Sequence[Fraction], ranking: str) -> Fraction:
    whole = sum(games, Fraction(0))
    return whole / len(games) if ranking == "average_percent" else whole


def _measure(score: GameScore, ranking: str) -> Fraction:
    if ranking == "average_percent":
        return score.percent
    return Fraction(score.ranking_points if ranking == "ranking_points" else score.total)
