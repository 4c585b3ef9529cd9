"""Three evenings of a small club, whose results are known from the points alone: the rows are written, not played.

| evening | tops | turns | Anna | Bruno | Carla | guest |
|---|---|---|---|---|---|---|
| 6 March | 400 | 12 | 360 | 300 | 300 | 200 |
| 13 March | 500 | 12 | 400 | 450 | – | 100, disqualified |
| 20 March | 200 | 4 | 200 | – | 199 | – |
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from tournaments.models import EventSummary, Member, PlayerResult

Line = tuple[Member | str, int | None, int]


@dataclass(frozen=True)
class ClubYear:
    """The members and the evenings."""

    anna: Member
    bruno: Member
    carla: Member
    evenings: tuple[EventSummary, ...]


def make_club_year() -> ClubYear:
    anna, bruno, carla = (
        Member.objects.create(first_name=first, surname=surname)
        for first, surname in (("Anna", "Rossi"), ("Bruno", "Verdi"), ("Carla", "Neri"))
    )
    evenings = (
        add_evening(date(2026, 3, 6), 400, 12, [(anna, 1, 360), (bruno, 2, 300), (carla, 2, 300), ("Gast", 4, 200)]),
        add_evening(date(2026, 3, 13), 500, 12, [(bruno, 1, 450), (anna, 2, 400), ("Gast", None, 100)]),
        add_evening(date(2026, 3, 20), 200, 4, [(anna, 1, 200), (carla, 2, 199)]),
    )
    return ClubYear(anna, bruno, carla, evenings)


def add_evening(on: date, tops: int, turns: int, lines: list[Line]) -> EventSummary:
    """Store an evening of one game, as an import does."""
    summary = EventSummary.objects.create(name=f"Evening {on.day}", date=on, tops=tops, turns=turns, source="a file")
    for who, rank, points in lines:
        member, name = (who, who.name) if isinstance(who, Member) else (None, who)
        PlayerResult.objects.create(summary=summary, member=member, name=name, rank=rank, points=points)
    return summary


def give_words(member: Member, evening: EventSummary, *words: tuple[str, int, bool]) -> None:
    """Store these words (word, points, solo) as the member's in an evening, best first."""
    best: list[dict[str, Any]] = [
        {"word": word, "ref": "8D", "points": points, "tiles": len(word), "game": 1, "turn": at, "solo": solo}
        for at, (word, points, solo) in enumerate(words, 1)
    ]
    longest = max(best, key=lambda word: len(word["word"]))
    PlayerResult.objects.filter(member=member, summary=evening).update(
        best_word=best[0]["word"],
        best_points=best[0]["points"],
        best_words=best,
        longest_word=longest,
        longest_tiles=longest["tiles"],
        solos=sum(word["solo"] for word in best),
    )
