"""Records of the club: best game, best moves, longest word, most solos, closest finish. They follow from the results
each time they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import Any

from django.db.models import ExpressionWrapper, F, FloatField, Max, Q, QuerySet

from tournaments.members.queries.identities import get_members_of_players, get_merged_records
from tournaments.models import EventSummary, Member, PlayerResult, Turn
from tournaments.play.queries.phases import list_games_not_over

LEAST_TURNS = 10
MOST_HOLDERS = 10


@dataclass(frozen=True, slots=True)
class Holder:
    """Holder of a record: `members` are one, two for a pair, none for a guest, who has only the `name` in the event."""

    name: str
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """The event in which a record was reached, and by whom.

    `game` and `turn` are the numbers of the game and the turn, where the record is of one; `word` and `ref` those of
    the move. The highest top has no holders, the closest finish has the first two players, and a move has all who made
    it.
    """

    summary: EventSummary
    holders: tuple[Holder, ...]
    game: int | None = None
    turn: int | None = None
    word: str = ""
    ref: str = ""
    solo: bool = False


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """A record of this `kind`: `most_percent`, `most_points`, `best_move`, `highest_top`, `longest_word`, `most_solos`
    or `closest_finish`. `entries` are all who reached the value, the earliest first, at most `MOST_HOLDERS`."""

    kind: str
    value: float
    entries: tuple[RecordEntry, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """A value with its result and what the entry says besides."""

    value: float
    results: tuple[PlayerResult, ...]
    summary: EventSummary
    place: dict[str, Any]


def club_records(*, least_turns: int = LEAST_TURNS) -> list[ClubRecord]:
    """Return the records, from the stored results, which the caller has refreshed.

    Percentages and finishes count from games of `least_turns` turns on, and in imported evenings, whose turns are
    unknown. Disqualified players hold no record. The number of queries does not depend on the number of events.
    """
    ranked = PlayerResult.objects.filter(rank__isnull=False)
    long = ranked.filter(Q(summary__turns=0) | Q(summary__turns__gte=least_turns * F("summary__games")))
    found = {
        "most_percent": _best_games(long.filter(summary__tops__gt=0), _percent_of_game),
        "most_points": _best_games(ranked, _points_of_game),
        "best_move": _best_results(ranked, "best_points", lambda row: row.best_words[0] if row.best_words else {}),
        "highest_top": _highest_tops(),
        "longest_word": _best_results(ranked, "longest_tiles", lambda row: row.longest_word),
        "most_solos": _best_results(ranked, "solos", lambda row: {}),
        "closest_finish": _closest_finishes(long),
    }
    equal = {kind: _join_equal_moves(_equal_to_first(each)) for kind, each in found.items() if each}
    holders = _read_holders(row for each in equal.values() for one in each for row in one.results)
    return [
        ClubRecord(
            kind,
            each[0].value,
            tuple(RecordEntry(one.summary, tuple(holders[row.pk] for row in one.results), **one.place) for one in each),
        )
        for kind, each in equal.items()
    ]


def _best_results(
    rows: QuerySet[PlayerResult], field: str, word: Callable[[PlayerResult], dict[str, Any]]
) -> list[_Found]:
    """Return the results with the greatest value of a field, if it is above zero."""
    value = rows.aggregate(value=Max(field))["value"]
    if not value:
        return []
    best = rows.filter(**{field: value}).select_related("summary", "player").order_by("summary__date", "pk")
    return [_Found(value, (row,), row.summary, _place(word(row))) for row in best[:MOST_HOLDERS]]


def _place(word: dict[str, Any]) -> dict[str, Any]:
    return {name: word[name] for name in ("game", "turn", "word", "ref", "solo") if name in word}


def _points_of_game(points: int, tops: int) -> float:
    return points


def _percent_of_game(points: int, tops: int) -> float:
    return 100 * points / tops if tops else 0.0


def _best_games(rows: QuerySet[PlayerResult], value: Callable[[int, int], float]) -> list[_Found]:
    """Return the best games, without handicap. Only events of several games are read game by game."""
    rows = rows.select_related("summary", "player")
    own = F("points") - F("handicap")
    share = own * 1.0 / F("summary__tops") if value is _percent_of_game else own * 1.0
    single = rows.filter(summary__games=1).annotate(own=ExpressionWrapper(share, output_field=FloatField()))
    found = [
        _Found(value(row.points - row.handicap, row.summary.tops), (row,), row.summary, {})
        for row in single.order_by("-own", "summary__date", "pk")[:MOST_HOLDERS]
    ]
    several = [
        (value(game["points"], game["tops"]), pk, game["number"])
        for pk, games in rows.filter(summary__games__gt=1).values_list("pk", "games")
        for game in games
    ]
    several.sort(key=lambda each: -each[0])
    best = several[:MOST_HOLDERS]
    read = rows.in_bulk([pk for _value, pk, _number in best])
    found += [_Found(worth, (read[pk],), read[pk].summary, {"game": number}) for worth, pk, number in best]
    found.sort(key=lambda one: (-one.value, one.summary.date, one.summary.pk))
    return [one for one in found if one.value > 0]


def _highest_tops() -> list[_Found]:
    """Return the turns with the highest tops in finished events."""
    finished = Turn.objects.filter(game__event__summary__in=EventSummary.objects.all(), top__gt=0)
    over = finished.exclude(game__in=list_games_not_over())
    turns = over.select_related("game__event__summary").order_by("-top", "game__event__date", "pk")
    return [_found_top(turn) for turn in turns[:MOST_HOLDERS]]


def _found_top(turn: Turn) -> _Found:
    best = (turn.tops or [{"word": turn.master_word, "ref": turn.master_ref}])[0]
    place = {"game": turn.game.number, "turn": turn.number, "word": best["word"], "ref": best["ref"]}
    return _Found(turn.top or 0, (), turn.game.event.summary, place)


def _closest_finishes(rows: QuerySet[PlayerResult]) -> list[_Found]:
    """Return the events with the least distance between the first two, a shared first place before all."""
    first: dict[int, list[tuple[int, int]]] = {}
    for summary, pk, points in rows.filter(rank__lte=2).order_by("rank", "pk").values_list("summary", "pk", "points"):
        first.setdefault(summary, []).append((points, pk))
    gaps = [
        (each[0][0] - each[1][0], summary, (each[0][1], each[1][1]))
        for summary, each in first.items()
        if len(each) > 1 and each[0][0] >= each[1][0]
    ]
    gaps.sort(key=lambda gap: gap[0])
    read = rows.select_related("summary", "player").in_bulk([pk for gap in gaps[:MOST_HOLDERS] for pk in gap[2]])
    found = [
        _Found(points, tuple(read[pk] for pk in pair), read[pair[0]].summary, {})
        for points, _summary, pair in gaps[:MOST_HOLDERS]
    ]
    return sorted(found, key=lambda one: (one.value, one.summary.date, one.summary.pk))


def _equal_to_first(found: Sequence[_Found]) -> list[_Found]:
    return list(islice(takewhile(lambda one: one.value == found[0].value, found), MOST_HOLDERS))


def _join_equal_moves(found: Sequence[_Found]) -> list[_Found]:
    """Make one entry of players who made the same move in a turn."""
    joined: dict[tuple[object, ...], _Found] = {}
    for at, one in enumerate(found):
        key = (one.summary.pk, *one.place.items()) if "turn" in one.place else (at,)
        known = joined.get(key)
        joined[key] = one if known is None else replace(known, results=known.results + one.results)
    return list(joined.values())


def _read_holders(rows: Iterable[PlayerResult]) -> dict[int, Holder]:
    """Return the holder behind each result: the members by whom the player was played, else the name in the event."""
    results = {row.pk: row for row in rows}
    linked = get_members_of_players(row.player_id for row in results.values() if row.player_id)
    merged = get_merged_records()
    people = {
        pk: linked.get(row.player_id or 0, []) if row.player_id else _imported(row, merged)
        for pk, row in results.items()
    }
    members = Member.objects.in_bulk({member for each in people.values() for member in each})
    return {
        pk: _holder(row, tuple(members[member] for member in people[pk] if member in members))
        for pk, row in results.items()
    }


def _imported(row: PlayerResult, merged: dict[int, int]) -> list[int]:
    return [] if row.member_id is None else [merged.get(row.member_id, row.member_id)]


def _holder(row: PlayerResult, members: tuple[Member, ...]) -> Holder:
    name = " · ".join(member.name for member in members) or (row.player.name if row.player else row.name)
    return Holder(name, members)
