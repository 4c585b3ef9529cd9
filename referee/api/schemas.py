"""Answers of the API. These classes are the schemas of its OpenAPI document; docs/api.md explains them."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

Part = Annotated[int, Field(ge=1, description="The number of this part of the list, from 1.")]
Parts = Annotated[int, Field(ge=1, description="The number of parts of the whole list.")]


class Fault(Schema):
    """The reason why a request was not answered."""

    detail: str


class EventLine(Schema):
    """An event in the list. `games` is their number; `page` is the path of its public page, if that is on."""

    id: int
    name: str
    date: date
    place: str
    language: str
    games: int
    page: str | None


class EventList(Schema):
    """Events, newest first."""

    events: list[EventLine]
    part: Part
    parts: Parts


class GameLine(Schema):
    """A game of an event. `turn_count` counts its published turns; `over` is true when there will be no more."""

    number: int
    edition: str
    rules: str
    variant: str
    turn_count: int
    over: bool


class EventDetail(Schema):
    """An event with its games."""

    id: int
    name: str
    date: date
    place: str
    language: str
    page: str | None
    games: list[GameLine]


class StandingsLine(Schema):
    """A line of standings. `rank` is null for a disqualified player.

    `percent` is that of the sum of tops. `negative` is the distance to the sum of tops, null in standings by ranking
    points.
    """

    rank: int | None
    table: int
    name: str
    club: str
    points: int
    negative: int | None
    percent: float


class Standings(Schema):
    """Standings of an event, or of one `game`.

    `state` is `turn` while the game is played, then `provisional` until games and appeals are settled, then `final`.
    `after_turn` is the number of turns that count in the standings of one game.
    """

    event: int
    game: int | None
    state: Literal["turn", "provisional", "final"]
    after_turn: int | None
    lines: list[StandingsLine]
    part: Part
    parts: Parts


class Top(Schema):
    """A move with the most points of its turn."""

    word: str
    ref: str


class Turn(Schema):
    """A published turn.

    `top` is the score of the best moves and `tops` the first of them; `more_tops` is the number of the others. `word`,
    `ref` and `score` are the move on the board, with an empty word if nothing could be played. `solo` is the name of
    the player who alone found the top, else null. `rejected` are the racks that were drawn and put back.
    """

    number: int
    rack: str
    rejected: list[str]
    top: int
    tops: list[Top]
    more_tops: int
    word: str
    ref: str
    score: int
    solo: str | None


class GameDetail(GameLine):
    """A game, turn by turn. `board` has the rows after the last published turn, in the format of archives."""

    event: int
    board: list[str]
    turns: list[Turn]


class RankingLink(Schema):
    """A ranking of a season."""

    id: int
    name: str


class SeasonLine(Schema):
    """A season, from `starts` to `ends`, both included."""

    id: int
    name: str
    starts: date
    ends: date
    rankings: list[RankingLink]


class SeasonList(Schema):
    """Seasons, newest first."""

    seasons: list[SeasonLine]


class RankingLine(Schema):
    """A member in a ranking. `name` is null for a member who did not agree to appear on public pages.

    `rank` is null below the minimum of events. `group` is the category, club or team in rankings by group.
    """

    rank: int | None
    name: str | None
    group: str
    value: float
    events: int


class RankingDetail(Schema):
    """A ranking with its lines, ordered by group, then best first. `events` is the number of counting events."""

    season: int
    id: int
    name: str
    events: int
    lines: list[RankingLine]
