"""The common ranking of all clubs: players merged by licence or by name and club, by category, by club."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import TypedDict

from engine.simultaneous.rejudging import GameReport, PlayerResult
from engine.simultaneous.signals import Signal, top_signals
from engine.standings.game import percent


class PersonLine(TypedDict):
    """Line of a person. `rank` is null for a disqualified one. `games`: by number of the game the points; `club` is the
    number of the club for which the person played first, `twice` the games that the person played a second time."""

    rank: int | None
    name: str
    series: str
    club: int
    total: int
    negative: int
    percent: float
    tops: int
    games: dict[str, int]
    twice: list[int]


class ClubLine(TypedDict):
    """Line of a club: the average of the percents of its players, in each game they played."""

    rank: int
    club: int
    name: str
    players: int
    percent: float


class TurnCount(TypedDict):
    """Number of players in a turn, of those who found the top, and of those who wrote each correct move."""

    players: int
    found: int
    moves: dict[str, int]


class CommonRanking(TypedDict):
    """Everything that is published. `turns`: by number of the game its turns; `signals`: by number of the club, only
    for the organiser."""

    people: list[PersonLine]
    clubs: list[ClubLine]
    turns: dict[str, list[TurnCount]]
    signals: dict[str, list[Signal]]


def rank(
    reports: Mapping[int, Sequence[GameReport]], clubs: Mapping[int, str], tops: Mapping[int, Sequence[int]]
) -> CommonRanking:
    """Rank the players of all clubs. `reports` and `clubs` by number of the club, `tops` by number of the game."""
    results = {club: [each for report in games for each in report["players"]] for club, games in reports.items()}
    people = merge_people(results, clubs)
    sums = {game: sum(values) for game, values in tops.items()}
    lines = [_person_line(played, sums) for played in people]
    signals = top_signals(results)
    return {
        "people": _ranked(lines),
        "clubs": _rank_clubs(people, clubs, sums),
        "turns": _count_turns(reports, tops),
        "signals": {str(club): found for club, found in signals.items()},
    }


Played = tuple[int, PlayerResult]  # the number of the club, and the result


def merge_people(results: Mapping[int, Sequence[PlayerResult]], clubs: Mapping[int, str]) -> list[list[Played]]:
    """Return the results of each person, the earliest first.

    Results with the same licence belong to one person. A result without a licence belongs to the person of the same
    name and club, if there is exactly one and that person did not play this game in the same room.
    """
    played = [(club, each) for club, players in results.items() for each in players]
    played.sort(key=lambda one: (one[1]["started_at"], one[0], one[1]["table"]))
    people: list[list[Played]] = []
    by_licence: dict[str, list[Played]] = {}
    by_name: dict[Hashable, list[list[Played]]] = {}
    for one in sorted(played, key=lambda one: not _licence(one[1])):
        licence, named = _licence(one[1]), by_name.setdefault(_name_and_club(one, clubs), [])
        person = by_licence.get(licence) if licence else _only_other(named, one)
        if person is None:
            person = []
            people.append(person)
        if person not in named:
            named.append(person)
        person.append(one)
        if licence:
            by_licence[licence] = person
    return [sorted(person, key=lambda one: one[1]["started_at"]) for person in people]


def _only_other(named: Sequence[list[Played]], one: Played) -> list[Played] | None:
    """Return the only person of this name and club, unless they sat at another table of the same game."""
    if len(named) != 1:
        return None
    club, result = one
    in_same_game = any(other == club and each["game"] == result["game"] for other, each in named[0])
    return None if in_same_game else named[0]


def _licence(result: PlayerResult) -> str:
    return "".join(result["licence"].casefold().split())


def _name_and_club(one: Played, clubs: Mapping[int, str]) -> Hashable:
    club, result = one
    name = " ".join(sorted(result["name"].casefold().split()))
    return name, " ".join((result["club"] or clubs[club]).casefold().split())


def _person_line(played: Sequence[Played], sums: Mapping[int, int]) -> PersonLine:
    """Return the line of a person without a rank; of a game played twice, the first result counts."""
    counted: dict[int, PlayerResult] = {}
    twice = []
    for _club, result in played:
        if result["game"] in counted:
            twice.append(result["game"])
        else:
            counted[result["game"]] = result
    totals = {game: sum(result["points"]) for game, result in counted.items()}
    total, most = sum(totals.values()), sum(sums.values())
    first = played[0][1]
    return {
        "rank": 0 if not any(result["out"] for result in counted.values()) else None,
        "name": first["name"],
        "series": next((result["series"] for _club, result in played if result["series"]), ""),
        "club": played[0][0],
        "total": total,
        "negative": total - most,
        "percent": float(percent(total, most)),
        "tops": sum(len(result["found"]) for result in counted.values()),
        "games": {str(game): points for game, points in sorted(totals.items())},
        "twice": twice,
    }


def _ranked(lines: Iterable[PersonLine]) -> list[PersonLine]:
    """Return the lines by their totals, ranked 1, 1, 3; the disqualified are the last."""
    ordered = sorted(lines, key=lambda line: (line["rank"] is None, -line["total"], line["name"]))
    ranked: list[PersonLine] = []
    for (is_out, _total), equals in groupby(ordered, key=lambda line: (line["rank"] is None, line["total"])):
        place = len(ranked) + 1
        ranked += [{**line, "rank": None if is_out else place} for line in equals]
    return ranked


def _rank_clubs(
    people: Sequence[Sequence[Played]], clubs: Mapping[int, str], sums: Mapping[int, int]
) -> list[ClubLine]:
    percents: dict[int, list[Decimal]] = {}
    players: dict[int, int] = {}
    for person in people:
        for club in {club for club, result in person if not result["out"]}:
            players[club] = players.get(club, 0) + 1
        for club, result in person:
            if not result["out"] and sums[result["game"]]:
                share = Decimal(100 * sum(result["points"])) / sums[result["game"]]
                percents.setdefault(club, []).append(share)
    averages = {club: _rounded(sum(values, Decimal()) / len(values)) for club, values in percents.items()}
    ordered = sorted(averages, key=lambda club: (-averages[club], clubs[club]))
    lines: list[ClubLine] = []
    for average, equals in groupby(ordered, key=averages.__getitem__):
        place = len(lines) + 1
        lines += [
            {"rank": place, "club": club, "name": clubs[club], "players": players[club], "percent": float(average)}
            for club in equals
        ]
    return lines


def _rounded(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)


def _count_turns(
    reports: Mapping[int, Sequence[GameReport]], tops: Mapping[int, Sequence[int]]
) -> dict[str, list[TurnCount]]:
    turns: dict[str, list[TurnCount]] = {
        str(game): [{"players": 0, "found": 0, "moves": {}} for _top in values] for game, values in tops.items()
    }
    for report in (each for games in reports.values() for each in games):
        counts = turns[str(report["game"])]
        for player in report["players"]:
            for count in counts:
                count["players"] += 1
            for turn in player["found"]:
                counts[turn - 1]["found"] += 1
        for count, moves in zip(counts, report["moves"], strict=False):
            for move, number in moves.items():
                count["moves"][move] = count["moves"].get(move, 0) + number
    return turns
