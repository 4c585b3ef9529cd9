"""Standings of an event or one of its games: overall, by series, club, age class, country, or by teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from engine.bounded_input import parse_whole_number
from engine.standings.event import EventLine, EventStandings, Handicap, PlayedGame, event_standings, group_ranks
from engine.standings.teams import TeamLine, team_standings
from tournaments.models import Event, Game, Player, Room
from tournaments.now import utc_now
from tournaments.play.position import profile_of
from tournaments.players.name_order import alphabetic_key
from tournaments.results.queries.results import ResultsKey, get_results_key, load_results
from tournaments.results.queries.standings_state import StandingsState, state_of_standings

EVERYBODY, TEAM = "all", "team"
UP_TO = "to"
GROUPINGS = ("series", "club", "age_class", "country")
WHOLE_EVENT = "event"
_CACHED_STANDINGS = 16


@dataclass(frozen=True, slots=True)
class StandingsChoice:
    """Selection of standings: game number or None (event), grouping or teams, room number or None (all rooms).

    `after`: the standings of the event after this number of games.
    """

    game: int | None = None
    by: str = EVERYBODY
    room: int | None = None
    after: int | None = None

    @property
    def text(self) -> str:
        """Text of the selection in addresses and documents: "event.all", "2.series", "to2.all", "1.all.3" (room 3)."""
        scope = WHOLE_EVENT if self.after is None else f"{UP_TO}{self.after}"
        return f"{self.game or scope}.{self.by}{'' if self.room is None else f'.{self.room}'}"

    def counts(self, number: int) -> bool:
        """Return whether the selection includes the game with this number."""
        return self.game in (None, number) and (self.after is None or number <= self.after)


@dataclass(frozen=True, slots=True)
class EventRow:
    """A player in these standings.

    `rank` is that within `group`, or overall without groups; None for disqualified players, whose rows come last.
    """

    rank: int | None
    group: str
    player: Player
    line: EventLine


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team; `names` are its members, best first."""

    line: TeamLine
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventView:
    """The selected standings.

    `games` are the numbers of the games that count, `tops` the sum of tops of each, `all_games` all games of the event;
    `groupings` are those with a value for at least one player.

    Rows are ordered by group, then best first; with teams there are `teams` and no rows. The value of a team is that of
    its `team_best` players, all when None, in each game or over all games. `state` is None for standings that are not
    read from an event.
    """

    choice: StandingsChoice
    ranking: str
    games: tuple[int, ...]
    tops: tuple[int, ...]
    all_games: tuple[int, ...]
    groupings: tuple[str, ...]
    with_handicap: bool
    rows: tuple[EventRow, ...]
    teams: tuple[TeamRow, ...]
    state: StandingsState | None = None
    team_best: int | None = None
    team_of_each_game: bool = True


@dataclass(frozen=True, slots=True)
class EventPlace:
    """A player's place over several games, for wall and phones.

    It has the points that rank (ranking points if the profile uses them), `negative` if totals are compared with the
    tops, and the percentage that ranks.
    """

    rank: int | None
    table: int
    name: str
    club: str
    total: int
    negative: int | None
    percent: Decimal


def read_choice(text: str) -> StandingsChoice | None:
    """Parse a text of `Choice.text`; None if it is invalid."""
    game, _, rest = text.partition(".")
    by, dot, room = rest.partition(".")
    is_up_to, game = game.startswith(UP_TO), game.removeprefix(UP_TO)
    numbers = [*([] if game == WHOLE_EVENT else [game]), *([room] if dot else [])]
    if by not in (EVERYBODY, TEAM, *GROUPINGS) or not all(_is_number(number) for number in numbers):
        return None
    number, where = None if game == WHOLE_EVENT else int(game), int(room) if dot else None
    if is_up_to:
        return None if number is None else StandingsChoice(None, by, where, number)
    return StandingsChoice(number, by, where)


def _is_number(text: str) -> bool:
    return bool(parse_whole_number(text, digits=4))


def event_view(event: Event, choice: StandingsChoice, now: datetime | None = None) -> EventView | None:
    """The present standings, or those of `now`; None if the event has no such game or room.

    The number of queries grows with the games only. A handicap counts in standings of the whole event.
    """
    games = list(Game.objects.filter(event=event).select_related("event").order_by("number"))
    chosen = [game for game in games if choice.counts(game.number)]
    room = Room.objects.filter(event=event, number=choice.room).first() if choice.room is not None else None
    if not chosen or (choice.room is not None and room is None) or (choice.after or 0) > len(games):
        return None
    players = {player.table: player for player in Player.objects.filter(event=event)}
    standings = _standings_of(event, chosen, players if choice.game is None else {}, room)
    present = [players[line.table] for line in standings.lines]
    groupings = tuple(name for name in (*GROUPINGS, TEAM) if any(getattr(player, name) for player in present))
    return EventView(
        choice=choice,
        ranking=standings.ranking,
        games=standings.games,
        tops=standings.tops,
        all_games=tuple(game.number for game in games),
        groupings=groupings,
        with_handicap=any(line.handicap for line in standings.lines),
        rows=_rows(standings.lines, players, choice.by) if choice.by != TEAM else (),
        teams=_teams(event, standings, players) if choice.by == TEAM else (),
        state=state_of_standings(
            chosen, room, now or utc_now(), whole_event=choice.game is None and choice.after is None
        ),
        team_best=event.team_best,
        team_of_each_game=event.team_of_each_game,
    )


def event_places(event: Event, known: Mapping[int, int] | None = None) -> list[EventPlace]:
    """The places over all games, best first; empty until a second game has a placed turn.

    `known`: only so many first turns of each game count, by the number of the game.
    """
    games = list(Game.objects.filter(event=event).select_related("event").order_by("number"))
    if len(games) < 2:
        return []
    players = {player.table: player for player in Player.objects.filter(event=event)}
    standings = _standings_of(event, games, players, known=known)
    if len(standings.games) < 2:
        return []
    return [_place(line, players[line.table], standings.ranking) for line in standings.lines]


def _standings_of(
    event: Event,
    games: Sequence[Game],
    players: Mapping[int, Player],
    room: Room | None = None,
    *,
    known: Mapping[int, int] | None = None,
) -> EventStandings:
    """The standings of a room or of all; with the event's handicap for these players.

    `known`: the number of turns of each game that count, by its number.
    """
    by_series = event.handicap.get("series", {})
    amounts = {table: by_series[player.series] for table, player in players.items() if player.series in by_series}
    in_percent = event.handicap.get("unit") == "percent"
    stands = tuple(get_results_key(game, room) for game in games)
    turns = None if known is None else tuple(known[game.number] for game in games)
    return _standings(stands, turns, tuple(sorted(amounts.items())), in_percent)


@lru_cache(maxsize=_CACHED_STANDINGS)
def _standings(
    stands: tuple[ResultsKey, ...],
    turns: tuple[int, ...] | None,
    amounts: tuple[tuple[int, int], ...],
    in_percent: bool,
) -> EventStandings:
    games = Game.objects.only("number", "switches").in_bulk([stand.game_id for stand in stands])
    played = []
    for stand, last in zip(stands, turns or [None] * len(stands), strict=True):
        game, results = games[stand.game_id], load_results(stand)
        by_table, tops = results.until(last)
        played.append(PlayedGame(game.number, by_table, tops, profile_of(game), results.disqualified))
    return event_standings(played, Handicap(dict(amounts), in_percent))


def _rows(lines: Sequence[EventLine], players: Mapping[int, Player], by: str) -> tuple[EventRow, ...]:
    if by == EVERYBODY:
        return tuple(EventRow(line.rank, "", players[line.table], line) for line in lines)
    groups = {line.table: getattr(players[line.table], by) for line in lines}
    ranks = group_ranks(lines, groups)
    rows = [
        EventRow(ranks.get(line.table), groups[line.table], players[line.table], line)
        for line in lines
        if groups[line.table]
    ]
    return tuple(sorted(rows, key=_place_in_group))


def _place_in_group(row: EventRow) -> tuple[object, ...]:
    return alphabetic_key(row.group), row.rank is None, row.rank or 0, row.line.table


def _teams(event: Event, standings: EventStandings, players: Mapping[int, Player]) -> tuple[TeamRow, ...]:
    teams = {table: player.team for table, player in players.items()}
    lines = team_standings(standings, teams, event.team_best, of_each_game=event.team_of_each_game)
    return tuple(TeamRow(line, tuple(players[table].name for table in line.members)) for line in lines)


def _place(line: EventLine, player: Player, ranking: str) -> EventPlace:
    by_places = ranking == "ranking_points"
    return EventPlace(
        rank=line.rank,
        table=line.table,
        name=player.shown_name,
        club=player.club,
        total=line.ranking_points if by_places else line.total,
        negative=None if by_places else line.negative,
        percent=line.average_percent if ranking == "average_percent" else line.percent,
    )
