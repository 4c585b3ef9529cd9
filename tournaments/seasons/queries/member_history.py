"""History of a member: events, best words, medals, records, and the comparison with the club."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from tournaments.members.queries.identities import get_members_of_players, get_records_of, list_players_of
from tournaments.models import EventSummary, Member, PlayerResult, Season
from tournaments.seasons.queries.results import list_counting_events

MOST_WORDS = 5


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event of the member. `rank` is None after a disqualification, `players` the number of ranked players.

    `club_percent` is the mean of the ranked players; both percentages are None without tops. `partners` are the other
    members of a pair.
    """

    summary: EventSummary
    result: PlayerResult
    players: int
    club_percent: float | None
    club_solos: float
    partners: tuple[str, ...]

    @property
    def rank(self) -> int | None:
        return self.result.rank

    @property
    def percent(self) -> float | None:
        return 100 * self.result.points / self.summary.tops if self.summary.tops else None

    @property
    def is_won(self) -> bool:
        return self.result.rank == 1


@dataclass(frozen=True, slots=True)
class WordLine:
    """A word of the member with its event; `game` and `turn` are its numbers there."""

    word: str
    ref: str
    points: int
    tiles: int
    game: int
    turn: int
    solo: bool
    summary: EventSummary


@dataclass(frozen=True, slots=True)
class PersonalRecord:
    """A personal best of this `kind` (`most_percent`, `most_points`, `best_move`, `longest_word`, `most_solos`) with
    the event in which it was first reached; `word` for records of a word."""

    kind: str
    value: float
    summary: EventSummary
    word: WordLine | None = None


@dataclass(frozen=True, slots=True)
class Averages:
    """Means over events: percent of the top (None without tops) and points; numbers of solos and of events won."""

    events: int
    percent: float | None
    points: float
    solos: int
    wins: int


@dataclass(frozen=True, slots=True)
class SeasonAverages:
    """Averages of a member in a season; `counting` is the number of counting events."""

    season: Season
    counting: int
    averages: Averages


@dataclass(frozen=True, slots=True)
class Comparison:
    """The member's means beside those of the ranked players of the same events."""

    percent: float | None
    club_percent: float | None
    solos: float
    club_solos: float


@dataclass(frozen=True, slots=True)
class MemberHistory:
    """History of a member. `events` are in the order of their dates, `words` and `seasons` best and newest first.

    `medals` are the numbers of first, second and third places. An event in which the member was disqualified is among
    the events, but counts for nothing else.
    """

    member: Member
    events: Sequence[EventLine]
    averages: Averages
    words: Sequence[WordLine]
    medals: tuple[int, int, int]
    records: Sequence[PersonalRecord]
    seasons: Sequence[SeasonAverages]
    comparison: Comparison


def list_counting_of_seasons() -> list[tuple[Season, frozenset[int]]]:
    """Return the seasons, newest first, with the numbers of the counting events."""
    return [(season, frozenset(event.pk for event in list_counting_events(season))) for season in Season.objects.all()]


def member_history(member: Member, counting: Sequence[tuple[Season, frozenset[int]]] | None = None) -> MemberHistory:
    """Return the history of a member from the stored results, which the caller has refreshed.

    `counting` is what `list_counting_of_seasons` returns; give it to read the histories of many members. The number of
    queries depends on the number of seasons only.
    """
    events = list_events_of(member)
    ranked = [event for event in events if event.rank is not None]
    words = [word for event in ranked for word in _words_of(event)]
    return MemberHistory(
        member=member,
        events=events,
        averages=_averages(ranked),
        words=sorted(words, key=lambda word: (-word.points, word.summary.date))[:MOST_WORDS],
        medals=_medals(ranked),
        records=_records(ranked, words),
        seasons=_seasons(ranked, list_counting_of_seasons() if counting is None else counting),
        comparison=_compare(ranked),
    )


def list_events_of(member: Member) -> list[EventLine]:
    """Return the events of a member and of the records merged into it, oldest first.

    Of two results in one event the better one counts.
    """
    imported = Q(player=None, member__in=get_records_of(member))
    rows = PlayerResult.objects.filter(Q(player__in=list_players_of(member)) | imported)
    own: dict[int, PlayerResult] = {}
    for row in rows.select_related("summary").defer("games").order_by("summary__date", "summary", "-points", "pk"):
        own.setdefault(row.summary_id, row)
    fields = _read_fields(own)
    partners = _partners(member, own.values())
    return [
        EventLine(row.summary, row, *_means(row.summary, fields[pk]), partners.get(row.player_id or 0, ()))
        for pk, row in own.items()
    ]


def _read_fields(summaries: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return number, sum of points and sum of solos of the ranked players of each event."""
    ranked = PlayerResult.objects.filter(summary__in=list(summaries), rank__isnull=False).order_by()
    sums = ranked.values("summary").annotate(players=Count("pk"), sum_points=Sum("points"), sum_solos=Sum("solos"))
    fields: dict[int, dict[str, Any]] = {each["summary"]: {**each} for each in sums}
    return {pk: fields.get(pk, {"players": 0}) for pk in summaries}


def _means(summary: EventSummary, field: Mapping[str, Any]) -> tuple[int, float | None, float]:
    """Return the number of ranked players, the mean of their percentages and of their solos."""
    players = field["players"]
    if not players:
        return 0, None, 0.0
    percent = 100 * field["sum_points"] / players / summary.tops if summary.tops else None
    return players, percent, field["sum_solos"] / players


def _partners(member: Member, results: Iterable[PlayerResult]) -> dict[int, tuple[str, ...]]:
    """Return the names of the other members of a pair, by player."""
    players = [row.player_id for row in results if row.player_id is not None]
    shared = {player: people for player, people in get_members_of_players(players).items() if len(people) > 1}
    members = Member.objects.in_bulk({pk for people in shared.values() for pk in people})
    return {player: tuple(members[pk].name for pk in people if pk != member.pk) for player, people in shared.items()}


def _words_of(event: EventLine) -> list[WordLine]:
    return [WordLine(**word, summary=event.summary) for word in event.result.best_words]


def _averages(events: Sequence[EventLine]) -> Averages:
    return Averages(
        events=len(events),
        percent=_mean(event.percent for event in events),
        points=_mean(event.result.points for event in events) or 0.0,
        solos=sum(event.result.solos for event in events),
        wins=sum(event.is_won for event in events),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _medals(events: Sequence[EventLine]) -> tuple[int, int, int]:
    gold, silver, bronze = (sum(event.rank == rank for event in events) for rank in (1, 2, 3))
    return gold, silver, bronze


def _records(ranked: Sequence[EventLine], words: Sequence[WordLine]) -> list[PersonalRecord]:
    """Return the personal bests; of equal ones the first. A kind without a value above zero is left out."""
    longest = [
        WordLine(**event.result.longest_word, summary=event.summary) for event in ranked if event.result.longest_word
    ]
    found = [
        _best_event("most_percent", ranked, lambda event: event.percent or 0),
        _best_event("most_points", ranked, lambda event: event.result.points),
        _best_word("best_move", words, lambda word: word.points),
        _best_word("longest_word", longest, lambda word: word.tiles),
        _best_event("most_solos", ranked, lambda event: event.result.solos),
    ]
    return [record for record in found if record is not None]


def _best_event(kind: str, events: Sequence[EventLine], value: Callable[[EventLine], float]) -> PersonalRecord | None:
    best = max(events, key=value, default=None)
    return PersonalRecord(kind, value(best), best.summary) if best is not None and value(best) > 0 else None


def _best_word(kind: str, words: Sequence[WordLine], value: Callable[[WordLine], float]) -> PersonalRecord | None:
    best = max(words, key=value, default=None)
    return PersonalRecord(kind, value(best), best.summary, best) if best is not None and value(best) > 0 else None


def _seasons(events: Sequence[EventLine], counting: Sequence[tuple[Season, frozenset[int]]]) -> list[SeasonAverages]:
    """Return the averages of each season in which the member played, newest first."""
    lines = []
    for season, own in counting:
        played = [event for event in events if event.summary.pk in own]
        if played:
            lines.append(SeasonAverages(season, len(own), _averages(played)))
    return lines


def _compare(ranked: Sequence[EventLine]) -> Comparison:
    return Comparison(
        percent=_mean(event.percent for event in ranked),
        club_percent=_mean(event.club_percent for event in ranked),
        solos=_mean(event.result.solos for event in ranked) or 0.0,
        club_solos=_mean(event.club_solos for event in ranked) or 0.0,
    )
