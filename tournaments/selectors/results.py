"""Results: what every player has, turn by turn and in the standings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate

from django.db.models import Count, Max

from engine.standings import Standing, TurnResult, standings
from tournaments.models import Entry, Game, Turn, Verdict
from tournaments.position import profile_of

_GAMES_KEPT = 16


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's line in the standings; `negative` is the total minus the sum of tops."""

    rank: int
    table: int
    name: str
    club: str
    series: str
    total: int
    negative: int
    percent: Decimal
    warnings: int
    penalties: int
    solos: int
    player_id: int


@dataclass(frozen=True, slots=True)
class Results:
    """The results of the placed turns by table, the tops of these turns, and the standings after them, best first."""

    by_table: Mapping[int, list[TurnResult]]
    tops: list[int]
    standings: list[Standing]


@dataclass(frozen=True, slots=True)
class Stand:
    """What the results depend on, for the cache: verdicts and turns are only ever written anew, never changed.

    `ranking` are the switches that rank, which the judge may change while a game is played. The code of the event tells
    games of different databases apart.
    """

    game_id: int
    event_code: str
    newest_verdict: int | None
    last_placed: tuple[int, datetime | None] | None
    newest_entry: int | None
    entries: int
    ranking: str


def results_of(game: Game) -> Results:
    """What everybody got in the turns that are on the board; players who joined later have fewer.

    Cached until a turn is placed, taken back or judged again, somebody joins, or the rules are changed.
    """
    return results_at(stand_of(game))


def stand_of(game: Game) -> Stand:
    """How far the game is, in three queries; equal ones have the same results."""
    placed = Turn.objects.filter(game=game, placed_at__isnull=False).order_by("-number")
    switches = Game.objects.filter(pk=game.pk).values_list("switches__ranking", "switches__ranking_ties")
    ranking, ties, newest_entry, entries = switches.annotate(Max("entries__pk"), Count("entries")).get()
    return Stand(
        game_id=game.pk,
        event_code=game.event.code,
        newest_verdict=Verdict.objects.filter(turn__game=game).order_by("-pk").values_list("pk", flat=True).first(),
        last_placed=placed.values_list("pk", "placed_at").first(),
        newest_entry=newest_entry,
        entries=entries,
        ranking=f"{ranking} {ties}",
    )


@lru_cache(maxsize=_GAMES_KEPT)
def results_at(stand: Stand) -> Results:
    """The results of the game that stands so."""
    placed = Turn.objects.filter(game=stand.game_id, placed_at__isnull=False).order_by("number")
    turns = list(placed.only("number", "top", "solo"))
    numbers = {turn.pk: turn for turn in turns}
    tables = dict(Entry.objects.filter(game=stand.game_id).values_list("player_id", "player__table"))
    by_table: dict[int, list[TurnResult]] = {table: [] for table in tables.values()}
    fields = ("turn_id", "player_id", "points", "warnings", "penalty", "bonus")
    rows = Verdict.objects.filter(turn__in=numbers).order_by("turn__number").values_list(*fields)
    for turn_id, player_id, points, warnings, penalty, bonus in rows:
        turn, table = numbers[turn_id], tables[player_id]
        by_table[table].append(
            TurnResult(turn.number, points, len(warnings), penalty, turn.solo == table, bonus)
        )
    tops = [turn.top or 0 for turn in turns]
    profile = profile_of(Game.objects.only("switches").get(pk=stand.game_id))
    return Results(by_table, tops, standings(by_table, tops, profile))


def standings_of(game: Game) -> list[Standing]:
    """The standings after the placed turns, best first."""
    return results_of(game).standings


def standings_rows(game: Game) -> list[StandingRow]:
    """The standings with the names of the players."""
    entries = Entry.objects.filter(game=game).select_related("player")
    players = {entry.player.table: entry.player for entry in entries}
    return [
        StandingRow(
            rank=line.rank,
            table=line.table,
            name=players[line.table].name,
            club=players[line.table].club,
            series=players[line.table].series,
            total=line.total,
            negative=line.negative,
            percent=line.percent,
            warnings=line.warnings,
            penalties=line.penalties,
            solos=line.solos,
            player_id=players[line.table].pk,
        )
        for line in standings_of(game)
    ]


def running_totals(game: Game) -> dict[int, list[int]]:
    """By table the total after each of the player's turns."""
    return {
        table: list(accumulate(result.points for result in played))
        for table, played in results_of(game).by_table.items()
    }
