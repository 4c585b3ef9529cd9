"""Standings over the games of an event, and ranks within groups of players.

Values are exact and rounded only for display. A player who missed a game scores nothing in it, but its tops count for
their percent; `GameScore.presence` shows the absence.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import floor
from typing import Literal, TypeVar

from engine.rules.profile import Profile
from engine.standings.game import TurnResult, best_move, points_from_last_turn, tops_found
from engine.standings.ranking_points import ranking_points

Presence = Literal["played", "late", "left", "missed"]
Key = tuple[Fraction | int, ...]
Ranked = TypeVar("Ranked", bound=Hashable)


@dataclass(frozen=True)
class PlayedGame:
    """Placed turns of a game: results of its players by table, and the tops of turn 1, 2 ...

    `disqualified`: tables of the players who were disqualified in it.
    """

    number: int
    results: Mapping[int, Sequence[TurnResult]]
    tops: Sequence[int]
    profile: Profile
    disqualified: frozenset[int] = frozenset()

    @cached_property
    def sum_of_tops(self) -> int:
        return sum(self.tops)


@dataclass(frozen=True, slots=True)
class Handicap:
    """Extra points of players in every game that they play, by table.

    `amounts` are points, or percent of the tops of the turns in which the player had a slip (rounded half up to whole
    points). No federation has this rule; it is our option for clubs.
    """

    amounts: Mapping[int, int] = field(default_factory=dict)
    in_percent: bool = False

    def of(self, table: int, played: Sequence[TurnResult], tops: Sequence[int]) -> int:
        """Return the extra points of this player in a game; 0 before their first turn is placed."""
        amount = self.amounts.get(table, 0)
        if not self.in_percent or not played:
            return amount if played else 0
        return floor(Fraction(amount * sum(tops[result.turn - 1] for result in played), 100) + Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class GameScore:
    """Score of a player in one game.

    `rank` is None if the player missed the game or was disqualified in it; `percent` is exact. `presence` is "late" if
    the first turns are missing, "left" if the last ones are.
    """

    number: int
    points: int
    handicap: int
    rank: int | None
    ranking_points: int
    percent: Fraction
    presence: Presence

    @property
    def total(self) -> int:
        """Points and handicap."""
        return self.points + self.handicap


@dataclass(frozen=True, slots=True)
class EventLine:
    """Line of a player over all games.

    `total` includes the handicap; `negative` and `percent` refer to the tops of all games; `average_percent` (two
    decimals) is the mean of the percents of the games. A player who was disqualified in any game has no rank.
    """

    rank: int | None
    table: int
    games: tuple[GameScore, ...]
    total: int
    handicap: int
    negative: int
    percent: Decimal
    average_percent: Decimal
    ranking_points: int
    tops_found: int
    best_move: int
    warnings: int
    penalties: int
    solos: int
    value: Fraction


@dataclass(frozen=True, slots=True)
class EventStandings:
    """Standings of an event: lines best first, players of equal rank by table, players without a rank last.

    `ranking` is the measure: the switch of the profile, or "total" for a single game.
    """

    lines: tuple[EventLine, ...]
    games: tuple[int, ...]
    tops: tuple[int, ...]
    ranking: str


def event_standings(games: Sequence[PlayedGame], handicap: Handicap | None = None) -> EventStandings:
    """Compute the standings over these games, given in their order. The profile of the last one sets the measure:

    * `total` and `percent`: the points of all games (the tops are the same for everybody, so both rank alike);
    * `average_percent`: the mean of the percents of the games; short and long games have the same weight (FISE);
    * `ranking_points`: the sum of the ranking points of the games (Romania; `engine.standings.ranking_points`).

    `ranking_ties` breaks ties in its order: `last_game`, the result of the last game; `last_move_backwards`, the last
    move of the last game, the one before, and so on through all games (FISF); `tops_found` and `best_move` in all games
    (FISE). Players who are still equal share the rank. A player disqualified in one of the games has no rank in the
    standings, and neither rank nor ranking points in that game. A single game is ranked as in `engine.standings.game`.
    Games without a placed turn do not count; if there are no others, everybody is first with 0 points.
    """
    tables = sorted({table for game in games for table in game.results})
    begun = [game for game in games if game.tops] or games[-1:]
    profile = begun[-1].profile
    scores = [_scores(game, handicap or Handicap()) for game in begun]
    rows = {
        table: tuple(scored.get(table, _missed(game)) for game, scored in zip(begun, scores, strict=True))
        for table in tables
    }
    values = {table: _ranking_value(row, begun, profile) for table, row in rows.items()}
    out = frozenset[int]().union(*(game.disqualified for game in games))
    ranked = [table for table in tables if table not in out]
    ranks = assign_ranks(
        {table: (values[table], *_tie_break_key(table, rows[table], begun, profile)) for table in ranked}
    )
    lines = [_line(ranks.get(table), table, rows[table], values[table], begun) for table in tables]
    lines.sort(key=lambda line: (line.rank is None, line.rank or 0, line.table))
    return EventStandings(
        lines=tuple(lines),
        games=tuple(game.number for game in begun),
        tops=tuple(game.sum_of_tops for game in begun),
        ranking=profile.ranking if len(begun) > 1 else "total",
    )


def group_ranks(lines: Iterable[EventLine], groups: Mapping[int, str]) -> dict[int, int]:
    """Return the rank of each player within their group (series, club ...), by table.

    It follows from the overall rank alone: players who share that rank share this one. Players without a group or
    without an overall rank are left out.
    """
    ranks: dict[int, int] = {}
    members: dict[str, list[EventLine]] = {}
    for line in sorted((line for line in lines if line.rank is not None), key=lambda line: line.rank or 0):
        if group := groups.get(line.table, ""):
            members.setdefault(group, []).append(line)
    for group_lines in members.values():
        better = 0
        for _, equals in groupby(group_lines, key=lambda line: line.rank):
            same = list(equals)
            ranks.update((line.table, better + 1) for line in same)
            better += len(same)
    return ranks


def round_half_up(exact: Fraction, decimals: int) -> Decimal:
    """Round `exact` to this number of decimals, a half up."""
    return Decimal(floor(exact * 10**decimals + Fraction(1, 2))).scaleb(-decimals)


def _scores(game: PlayedGame, handicap: Handicap) -> dict[int, GameScore]:
    """Return the scores of all players of the game, by table; ranks and ranking points by its own total and ties."""
    handicaps = {table: handicap.of(table, played, game.tops) for table, played in game.results.items()}
    plain = {
        table: _score(game, played, handicaps[table], rank=None, ranked_points=0)
        for table, played in game.results.items()
    }
    ranks = assign_ranks(
        {
            table: (score.total, *_tie_break_key(table, (score,), (game,), game.profile))
            for table, score in plain.items()
            if table not in game.disqualified
        }
    )
    ranked_points = ranking_points(ranks) if game.tops else dict.fromkeys(ranks, 0)
    return {
        table: _score(game, played, handicaps[table], ranks.get(table), ranked_points.get(table, 0))
        for table, played in game.results.items()
    }


def _score(
    game: PlayedGame, played: Sequence[TurnResult], handicap: int, rank: int | None, ranked_points: int
) -> GameScore:
    points = sum(result.points for result in played)
    return GameScore(
        number=game.number,
        points=points,
        handicap=handicap,
        rank=rank,
        ranking_points=ranked_points,
        percent=_percent(points + handicap, game.sum_of_tops),
        presence=_presence(played, len(game.tops)),
    )


def _presence(played: Sequence[TurnResult], turns: int) -> Presence:
    if turns and (not played or played[0].turn > 1):
        return "late"
    return "left" if turns and played[-1].turn < turns else "played"


def _missed(game: PlayedGame) -> GameScore:
    return GameScore(game.number, 0, 0, None, 0, Fraction(0), "missed")


def _percent(total: int, sum_of_tops: int) -> Fraction:
    return Fraction(100 * total, sum_of_tops) if sum_of_tops else Fraction(0)


def _ranking_value(row: Sequence[GameScore], games: Sequence[PlayedGame], profile: Profile) -> Fraction:
    """Return the measure by which the player is ranked before ties; in a single game it is always the total."""
    if len(games) == 1:
        return Fraction(row[0].total)
    if profile.ranking == "average_percent":
        return _average_percent(row, games)
    if profile.ranking == "ranking_points":
        return Fraction(sum(score.ranking_points for score in row))
    return Fraction(sum(score.total for score in row))


def _average_percent(row: Sequence[GameScore], games: Sequence[PlayedGame]) -> Fraction:
    """Return the mean of the percents over the games in which points were possible so far."""
    begun = [score.percent for score, game in zip(row, games, strict=True) if game.sum_of_tops]
    return sum(begun, Fraction(0)) / len(begun) if begun else Fraction(0)


def _tie_break_key(table: int, row: Sequence[GameScore], games: Sequence[PlayedGame], profile: Profile) -> Key:
    """Return the tie-breakers in the order of the profile; the greater one wins."""
    key: list[int] = []
    for code in profile.ranking_ties:
        if code == "last_game":
            key.append(row[-1].total)
            continue
        per_game = [(game.results.get(table, ()), game.tops) for game in games]
        if code == "last_move_backwards":
            key += (
                points for played, tops in reversed(per_game) for points in points_from_last_turn(played, len(tops))
            )
        elif code == "tops_found":
            key.append(sum(tops_found(played, tops) for played, tops in per_game))
        else:
            key.append(max(best_move(played) for played, _ in per_game))
    return tuple(key)


def assign_ranks(keys: Mapping[Ranked, Key]) -> dict[Ranked, int]:
    """Assign ranks 1, 1, 3: the greatest key first; equal keys share a rank."""
    ranks: dict[Ranked, int] = {}
    best_first = sorted(keys, key=keys.__getitem__, reverse=True)
    for _, equals in groupby(best_first, key=keys.__getitem__):
        ranks |= dict.fromkeys(equals, len(ranks) + 1)
    return ranks


def _line(
    rank: int | None, table: int, row: tuple[GameScore, ...], value: Fraction, games: Sequence[PlayedGame]
) -> EventLine:
    total, tops = sum(score.total for score in row), sum(game.sum_of_tops for game in games)
    played = [result for game in games for result in game.results.get(table, ())]
    return EventLine(
        rank=rank,
        table=table,
        games=row,
        total=total,
        handicap=sum(score.handicap for score in row),
        negative=total - tops,
        percent=round_half_up(_percent(total, tops), 1),
        average_percent=round_half_up(_average_percent(row, games), 2),
        ranking_points=sum(score.ranking_points for score in row),
        tops_found=sum(tops_found(game.results.get(table, ()), game.tops) for game in games),
        best_move=best_move(played),
        warnings=sum(result.warnings for result in played),
        penalties=sum(result.penalty > 0 for result in played),
        solos=sum(result.solo for result in played),
        value=value,
    )
