"""Public data of a simultaneous game. Before the end of the embargo these queries give nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import cast

from engine.prepared.script import Script
from engine.simultaneous.ranking import ClubLine, CommonRanking, PersonLine, TurnCount
from tournaments.models import Simultaneous
from tournaments.prepared.scripts import script_of

PAGE = 100


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Line of a ranking with the name of the club; `rank` is that within the shown category.

    `points` of each game are given on the page of a club; None for a game that the person did not play.
    """

    rank: int | None
    line: PersonLine
    club: str
    points: Sequence[int | None] = ()


@dataclass(frozen=True, slots=True)
class RankingPage:
    """Part of a ranking. `categories` are all that occur, `category` is the shown one, or empty."""

    rows: Sequence[PersonRow]
    people: int
    page: int
    pages: int
    categories: Sequence[str]
    category: str


@dataclass(frozen=True, slots=True)
class ClubPage:
    """Club with its line in the ranking of clubs, and its players by their place among all."""

    line: ClubLine
    rows: Sequence[PersonRow]


@dataclass(frozen=True, slots=True)
class BookletGame:
    """Game for the booklet: its script, how many found what, and the commentator's texts by number of the turn."""

    number: int
    script: Script
    counts: Sequence[TurnCount]
    comments: dict[int, str]


def find_simultaneous(token: str) -> Simultaneous | None:
    """Return the simultaneous game at this public address."""
    return Simultaneous.objects.defer("games").filter(token=token).first()


def ranking_of(simultaneous: Simultaneous, now: datetime) -> CommonRanking | None:
    """Return the ranking, None before the end of the embargo and before anybody returned a game."""
    if now < simultaneous.embargo_until or simultaneous.ranking is None:
        return None
    return cast(CommonRanking, simultaneous.ranking)


def ranking_page(ranking: CommonRanking, category: str, page: int) -> RankingPage:
    """Return a page, from 1, of the overall ranking or of that of a category."""
    lines = [line for line in ranking["people"] if not category or line["series"] == category]
    pages = max(1, -(-len(lines) // PAGE))
    shown = min(max(1, page), pages)
    rows = _rows(lines, ranking)[(shown - 1) * PAGE : shown * PAGE]
    categories = sorted({line["series"] for line in ranking["people"] if line["series"]})
    return RankingPage(rows, len(lines), shown, pages, categories, category)


def club_page(ranking: CommonRanking, number: int) -> ClubPage | None:
    """Return the page of a club; None if none of its players is ranked."""
    line = next((line for line in ranking["clubs"] if line["club"] == number), None)
    if line is None:
        return None
    people = [each for each in ranking["people"] if each["club"] == number]
    rows = [
        PersonRow(each["rank"], each, line["name"], [each["games"].get(game) for game in ranking["turns"]])
        for each in people
    ]
    return ClubPage(line, rows)


def booklet_games(simultaneous: Simultaneous, ranking: CommonRanking) -> list[BookletGame]:
    """Return the games of the booklet."""
    return [
        BookletGame(
            number=game.number,
            script=script_of(game.prepared),
            counts=ranking["turns"][str(game.number)],
            comments={int(turn): text for turn, text in game.comments.items()},
        )
        for game in simultaneous.prepared_games.select_related("prepared")
    ]


def _rows(lines: Sequence[PersonLine], ranking: CommonRanking) -> list[PersonRow]:
    """Rank the lines among themselves: 1, 1, 3; the disqualified have no rank."""
    clubs = {club["club"]: club["name"] for club in ranking["clubs"]}
    rows: list[PersonRow] = []
    for rank, equals in groupby(lines, key=lambda line: line["rank"]):
        place = None if rank is None else len(rows) + 1
        rows += [PersonRow(place, line, clubs.get(line["club"], "")) for line in equals]
    return rows
