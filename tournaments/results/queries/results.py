"""Results of players, turn by turn and in the standings.

The results of a room include its players and the turns shown there. Those of all rooms include all players and the
turns that every room has been shown, so they contain no secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate

from django.db.models import Count, Max, Min, Q, QuerySet, Sum

from engine.standings.game import Standing, TurnResult, standings
from tournaments.models import Entry, Game, Room, Turn, Verdict, players_in
from tournaments.play.position import profile_of
from tournaments.play.queries.phases import list_shown_turns, list_unfinished_clocks

_GAMES_KEPT = 256


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's line in the standings; `negative` is the total minus the sum of tops.

    `name` is the public name or the name on the players' list, as requested.
    """

    rank: int | None
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
    """Results of the placed turns by table, the tops of these turns, and the standings after them, best first.

    `disqualified` are the tables without a rank.
    """

    by_table: Mapping[int, list[TurnResult]]
    tops: list[int]
    standings: list[Standing]
    disqualified: frozenset[int]

    def until(self, turn: int | None) -> tuple[Mapping[int, list[TurnResult]], list[int]]:
        """The results and the tops up to this turn; all of them for None."""
        if turn is None or turn >= len(self.tops):
            return self.by_table, self.tops
        earlier = {table: [each for each in played if each.turn <= turn] for table, played in self.by_table.items()}
        return earlier, self.tops[:turn]


@dataclass(frozen=True, slots=True)
class ResultsKey:
    """State on which the results depend, as a cache key: verdicts are only replaced, never changed.

    `room_id` is None for all rooms together. `ranking` are the switches that rank, which the judge may change while a
    game is played. The code of the event tells games of different databases apart.
    """

    game_id: int
    event_code: str
    room_id: int | None
    newest_verdict: int | None
    last_shown: tuple[int, datetime | None] | None
    entries: tuple[int | None, ...]
    disqualified: frozenset[int]
    ranking: str


def results_of(game: Game, room: Room | None = None) -> Results:
    """The results of all players (of a room) in the turns that all rooms (this room) have been shown.

    Players who joined later have fewer. The results are cached until a turn is shown, taken back or judged again, a
    player joins, or the rules are changed.
    """
    return load_results(get_results_key(game, room))


def get_results_key(game: Game, room: Room | None = None) -> ResultsKey:
    """The progress of the game in all rooms or in one, in a few queries; the same progress means the same results."""
    whose = Q() if room is None else Q(entries__room=room)
    counted = Game.objects.annotate(
        newest=Max("entries", filter=whose),
        number_here=Count("entries", filter=whose),
        sum=Sum("entries", filter=whose),
        out=Count("entries", filter=whose & Q(entries__disqualified_from__isnull=False)),
    )
    fields = ("switches__ranking", "switches__ranking_ties", "out", "newest", "number_here", "sum")
    ranking, ties, number_out, *entries = counted.values_list(*fields).get(pk=game.pk)
    last = _shown(game, room).order_by("-number").values_list("pk", "placed_at", "number").first()
    # Verdicts of turns that are not shown change nothing; with thousands of players, reading them would be slow.
    verdicts = Verdict.objects.filter(turn__game=game, turn__number__lte=last[2] if last else 0)
    if room is not None:
        verdicts = verdicts.filter(player__in=players_in(game, room))
    return ResultsKey(
        game_id=game.pk,
        event_code=game.event.code,
        room_id=None if room is None else room.pk,
        newest_verdict=verdicts.order_by("-pk").values_list("pk", flat=True).first(),
        last_shown=last[:2] if last else None,
        entries=tuple(entries),
        disqualified=_disqualified(game, room) if number_out else frozenset(),
        ranking=f"{ranking} {ties}",
    )


def _disqualified(game: Game, room: Room | None) -> frozenset[int]:
    """Their tables."""
    out = Entry.objects.filter(game=game, disqualified_from__isnull=False)
    if room is not None:
        out = out.filter(room=room)
    return frozenset(out.values_list("player__table", flat=True))


def last_turn_shown(game: Game, room: Room | None = None) -> int:
    """Number of the last turn that counts in these standings; 0 before the first."""
    return _shown(game, room).order_by("-number").values_list("number", flat=True).first() or 0


def _shown(game: Game, room: Room | None) -> QuerySet[Turn]:
    """The turns that count in a room or in all rooms."""
    if room is not None:
        return list_shown_turns(game, room)
    placed = Turn.objects.filter(game=game, placed_at__isnull=False)
    waiting: int | None = list_unfinished_clocks(game).aggregate(first=Min("turn__number"))["first"]
    return placed if waiting is None else placed.filter(number__lt=waiting)


@lru_cache(maxsize=_GAMES_KEPT)
def load_results(stand: ResultsKey) -> Results:
    """The results of the game at this progress."""
    last = Turn.objects.get(pk=stand.last_shown[0]).number if stand.last_shown else 0
    played = Turn.objects.filter(game=stand.game_id, number__lte=last).order_by("number")
    turns = list(played.only("number", "top", "solo"))
    numbers = {turn.pk: turn for turn in turns}
    entries = Entry.objects.filter(game=stand.game_id)
    if stand.room_id is not None:
        entries = entries.filter(room=stand.room_id)
    tables = dict(entries.values_list("player_id", "player__table"))
    by_table: dict[int, list[TurnResult]] = {table: [] for table in tables.values()}
    fields = ("turn_id", "player_id", "points", "warnings", "penalty", "bonus")
    verdicts = Verdict.objects.filter(turn__in=numbers, player__in=entries.values("player"))
    rows = verdicts.order_by("turn__number").values_list(*fields)
    for turn_id, player_id, points, warnings, penalty, bonus in rows:
        turn, table = numbers[turn_id], tables[player_id]
        by_table[table].append(TurnResult(turn.number, points, len(warnings), penalty, turn.solo == table, bonus))
    tops = [turn.top or 0 for turn in turns]
    profile = profile_of(Game.objects.only("switches").get(pk=stand.game_id))
    return Results(by_table, tops, standings(by_table, tops, profile, stand.disqualified), stand.disqualified)


def standings_of(game: Game, room: Room | None = None) -> list[Standing]:
    """The standings after the turns that count, best first."""
    return results_of(game, room).standings


def standings_rows(
    game: Game, room: Room | None = None, *, for_judges: bool = False, most: int | None = None
) -> list[StandingRow]:
    """The standings (at most `limit` lines) with public names, or with the names on the players' list."""
    lines = standings_of(game, room)[:most]
    entries = Entry.objects.filter(game=game).select_related("player")
    if most is not None:
        entries = entries.filter(player__table__in=[line.table for line in lines])
    elif room is not None:
        entries = entries.filter(room=room)
    players = {entry.player.table: entry.player for entry in entries}
    return [
        StandingRow(
            rank=line.rank,
            table=line.table,
            name=players[line.table].name if for_judges else players[line.table].shown_name,
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
        for line in lines
    ]


def running_totals(game: Game) -> dict[int, list[int]]:
    """Totals after each of the player's turns, by table."""
    return {
        table: list(accumulate(result.points for result in played))
        for table, played in results_of(game).by_table.items()
    }
