"""Results of players, turn by turn and in the standings.

The results of a room include its players and the turns shown there. Those of all rooms include all players and the
turns that every room has been shown, so they contain no secret.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import reduce
from itertools import accumulate
from operator import or_

from django.db.models import Count, Max, Min, Q, QuerySet, Subquery, Sum

from engine.standings.game import Standing, TurnResult, standings
from tournaments.models import Entry, Game, Player, Room, Turn, Verdict
from tournaments.play.position import profile_of
from tournaments.play.queries.phases import list_shown_turns, list_unfinished_clocks

_RESULTS_KEPT = 512


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


def results_in(game: Game, shown: Mapping[int, Turn | None]) -> dict[int, Results]:
    """The results of several rooms, by room; `shown` has the last turn that each has been shown.

    The number of queries does not depend on the number of rooms.
    """
    keys = _keys_of_rooms(game, shown)
    results = _load_all(keys.values())
    return {room: results[key] for room, key in keys.items()}


def get_results_key(game: Game, room: Room | None = None) -> ResultsKey:
    """The progress of the game in all rooms or in one, in a few queries; the same progress means the same results."""
    last = _shown(game, room).order_by("-number").only("game_id", "number", "placed_at").first()
    if room is not None:
        return _keys_of_rooms(game, {room.pk: last})[room.pk]
    entries = Entry.objects.filter(game=game)
    progress = tuple(entries.aggregate(**_PROGRESS).values())
    # Verdicts of turns that are not shown change nothing; with thousands of players, reading them would be slow.
    verdicts = Verdict.objects.filter(turn__game=game, turn__number__lte=last.number if last else 0)
    return ResultsKey(
        game_id=game.pk,
        event_code=game.event.code,
        room_id=None,
        newest_verdict=verdicts.order_by("-pk").values_list("pk", flat=True).first(),
        last_shown=(last.pk, last.placed_at) if last else None,
        entries=progress,
        disqualified=frozenset(table for _room, table in _disqualified(entries, [progress])),
        ranking=_ranking(game),
    )


_PROGRESS = {"newest": Max("pk"), "number": Count("pk"), "sum": Sum("pk"), "out": Count("disqualified_from")}
_NO_ENTRIES = (None, 0, None, 0)


def _keys_of_rooms(game: Game, shown: Mapping[int, Turn | None]) -> dict[int, ResultsKey]:
    entries = Entry.objects.filter(game=game, room__in=shown)
    progress = {room: tuple(rest) for room, *rest in entries.values_list("room").annotate(**_PROGRESS)}
    newest, ranking = _newest_verdicts(game, shown), _ranking(game)
    out: defaultdict[int, set[int]] = defaultdict(set)
    for room, table in _disqualified(entries, progress.values()):
        out[room].add(table)
    return {
        room: ResultsKey(
            game_id=game.pk,
            event_code=game.event.code,
            room_id=room,
            newest_verdict=newest.get(room),
            last_shown=(last.pk, last.placed_at) if last else None,
            entries=progress.get(room, _NO_ENTRIES),
            disqualified=frozenset(out[room]),
            ranking=ranking,
        )
        for room, last in shown.items()
    }


def _newest_verdicts(game: Game, shown: Mapping[int, Turn | None]) -> dict[int, int]:
    """The newest verdict of the turns shown in each room."""
    rooms: defaultdict[int, list[int]] = defaultdict(list)
    for room, last in shown.items():
        if last is not None:
            rooms[last.number].append(room)
    if not rooms:
        return {}
    here = (Q(turn__number__lte=last, player__entries__room__in=some) for last, some in rooms.items())
    verdicts = Verdict.objects.filter(reduce(or_, here), turn__game=game, player__entries__game=game)
    return dict(verdicts.values_list("player__entries__room").annotate(newest=Max("pk")))


def _ranking(game: Game) -> str:
    ranking, ties = Game.objects.values_list("switches__ranking", "switches__ranking_ties").get(pk=game.pk)
    return f"{ranking} {ties}"


def _disqualified(entries: QuerySet[Entry], progress: Iterable[tuple[int | None, ...]]) -> Iterable[tuple[int, int]]:
    """Their rooms and tables; no query if there are none."""
    if not any(number_out for *_rest, number_out in progress):
        return ()
    return entries.filter(disqualified_from__isnull=False).values_list("room", "player__table")


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


_results: dict[ResultsKey, Results] = {}
_results_lock = threading.Lock()


def load_results(stand: ResultsKey) -> Results:
    """The results of the game at this progress."""
    return _load_all([stand])[stand]


def _load_all(stands: Iterable[ResultsKey]) -> dict[ResultsKey, Results]:
    """The results of one game at each progress; those that are not cached are read together."""
    with _results_lock:
        found = {stand: _results.get(stand) for stand in stands}
    missing = [stand for stand, results in found.items() if results is None]
    new = dict(_read_results(missing)) if missing else {}
    with _results_lock:
        _results.update(new)
        for oldest in list(_results)[:-_RESULTS_KEPT]:
            del _results[oldest]
    return {stand: results or new[stand] for stand, results in found.items()}


def _read_results(stands: Sequence[ResultsKey]) -> Iterator[tuple[ResultsKey, Results]]:
    game_id = stands[0].game_id
    shown = Turn.objects.filter(pk__in=[stand.last_shown[0] for stand in stands if stand.last_shown])
    played = Turn.objects.filter(game=game_id, number__lte=Subquery(shown.order_by("-number").values("number")[:1]))
    turns = {turn.pk: turn for turn in played.order_by("number").only("number", "top", "solo")}
    entries = Entry.objects.filter(game=game_id)
    if all(stand.room_id is not None for stand in stands):
        entries = entries.filter(room__in=[stand.room_id for stand in stands])
    places = {player: (room, table) for player, room, table in entries.values_list("player", "room", "player__table")}
    fields = ("turn", "player", "points", "warnings", "penalty", "bonus")
    verdicts = Verdict.objects.filter(turn__in=turns, player__in=list(places))
    rows: defaultdict[int, list[tuple[int, TurnResult]]] = defaultdict(list)
    for turn_id, player, points, warnings, penalty, bonus in verdicts.order_by("turn__number").values_list(*fields):
        (room, table), turn = places[player], turns[turn_id]
        result = TurnResult(turn.number, points, len(warnings), penalty, turn.solo == table, bonus)
        rows[room].append((table, result))
    profile = profile_of(Game.objects.only("switches").get(pk=game_id))
    for stand in stands:
        last = turns[stand.last_shown[0]].number if stand.last_shown else 0
        rooms = {room for room, _table in places.values()} if stand.room_id is None else {stand.room_id}
        by_table: dict[int, list[TurnResult]] = {table: [] for room, table in places.values() if room in rooms}
        for table, result in (row for room in rooms for row in rows[room]):
            if result.turn <= last:
                by_table[table].append(result)
        tops = [turn.top or 0 for turn in turns.values() if turn.number <= last]
        yield stand, Results(by_table, tops, standings(by_table, tops, profile, stand.disqualified), stand.disqualified)


def standings_of(game: Game, room: Room | None = None) -> list[Standing]:
    """The standings after the turns that count, best first."""
    return results_of(game, room).standings


def standings_rows(
    game: Game, room: Room | None = None, *, for_judges: bool = False, most: int | None = None
) -> list[StandingRow]:
    """The standings (at most `limit` lines) with public names, or with the names on the players' list."""
    lines = standings_of(game, room)[:most]
    entries = Entry.objects.filter(game=game)
    if most is not None:
        entries = entries.filter(player__table__in=[line.table for line in lines])
    elif room is not None:
        entries = entries.filter(room=room)
    return _rows(lines, _players_by_table(entries), for_judges=for_judges)


def standings_rows_in(game: Game, shown: Mapping[int, Turn | None]) -> dict[int, list[StandingRow]]:
    """The standings of several rooms with public names, by room; see `results_in`."""
    players = _players_by_table(Entry.objects.filter(game=game, room__in=shown))
    return {room: _rows(results.standings, players) for room, results in results_in(game, shown).items()}


def _players_by_table(entries: QuerySet[Entry]) -> dict[int, Player]:
    return {entry.player.table: entry.player for entry in entries.select_related("player")}


def _rows(lines: Iterable[Standing], players: Mapping[int, Player], *, for_judges: bool = False) -> list[StandingRow]:
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
