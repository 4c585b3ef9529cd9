"""Years of a club as stored rows: members, events with their results, seasons with rankings. No turn is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from tournaments.enums import GameState
from tournaments.models import (
    Entry,
    Event,
    EventSummary,
    Game,
    Member,
    Player,
    PlayerMember,
    PlayerResult,
    Ranking,
    Room,
    Season,
)
from tournaments.seasons.services import summaries

FIRST_NAMES = (
    *("Anna", "Bruno", "Carla", "Dario", "Elena", "Franco", "Giulia", "Hélène", "Ugo", "Paola", "Teresa", "Sergio"),
    *("Marco", "Nadia", "Oscar", "Rosa"),
)
SURNAMES = (
    *("Rossi", "Verdi", "Neri", "Bianchi", "Gallo", "Conti", "Greco", "Riva", "Fontana", "Marino", "De Luca", "Țuc"),
    *("Lefèvre", "Puig i Cadafalch", "Esposito", "Lombardi", "Castelli", "Moretti", "Ferri", "Sala"),
)
CLUBS, CATEGORIES = ("Torino", "Milano", "Chieri", ""), ("A", "B", "C", "")
WORDS = ("GRAZIOSE", "MIOCARDI", "SBUFFANTI", "QUIETAVO", "RIPOSANTE", "DISPUTATO", "SONTUOSA")
FIRST_DAY = date(2017, 9, 4)
RULES: Mapping[str, Mapping[str, object]] = {
    "Points": {"measure": "points"},
    "Best 8 by percent": {"measure": "percent", "combination": "mean", "best": 8, "minimum": 4, "ties": ["solos"]},
    "Points by place": {
        "measure": "place",
        "table": [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
        "bonus": 1,
        "best": 8,
        "ties": ["best_event", "first_places", "percent"],
    },
    "By category": {"measure": "scale", "grouping": "category"},
}


def create_members(rng: Random, number: int) -> list[Member]:
    """Store members with different names as far as there are any; every second one may be published."""
    pairs = [(first, surname) for surname in SURNAMES for first in FIRST_NAMES]
    rng.shuffle(pairs)
    return Member.objects.bulk_create(
        Member(
            surname=pairs[at % len(pairs)][1] + (f" {at // len(pairs) + 1}" if at >= len(pairs) else ""),
            first_name=pairs[at % len(pairs)][0],
            club=rng.choice(CLUBS),
            category=rng.choice(CATEGORIES),
            licence=f"L{at:05}" if at % 3 else "",
            may_be_published=at % 2 == 0,
            joined_on=FIRST_DAY,
        )
        for at in range(number)
    )


def create_season(year: int, rules: Mapping[str, Mapping[str, object]] = RULES) -> Season:
    """Store the season that starts in September of a year, with these rankings."""
    season = Season.objects.create(
        name=f"{year}–{(year + 1) % 100:02}", starts=date(year, 9, 1), ends=date(year + 1, 8, 31)
    )
    Ranking.objects.bulk_create(
        Ranking(season=season, position=at, name=name, rule=dict(rule)) for at, (name, rule) in enumerate(rules.items())
    )
    return season


def create_evenings(rng: Random, members: Sequence[Member], days: Sequence[date], players: int) -> list[Event]:
    """Store a finished event on each day, with `players` players of whom every tenth is a guest."""
    return [_create_evening(rng, members, day, players) for day in days]


def list_days(year: int, number: int) -> list[date]:
    """Return the days of a season: one a week from September on."""
    return [date(year, 9, 4) + timedelta(days=7 * week) for week in range(number)]


def store_states() -> None:
    """Give all stored results the present state of their events, so that none is computed again."""
    states = summaries._states()
    rows = list(EventSummary.objects.filter(event__in=states))
    for row in rows:
        row.state = states[row.event_id or 0]
    EventSummary.objects.bulk_update(rows, ["state"], batch_size=500)


def _create_evening(rng: Random, members: Sequence[Member], day: date, number: int) -> Event:
    at = datetime.combine(day, time(20, 30), UTC)
    code = f"{Event.objects.count():06}"
    event = Event.objects.create(
        code=code, wall_token=f"wall-{code}", name="Serata del giovedì", date=day, language="it", created_at=at
    )
    room = Room.objects.create(event=event, name="Sala")
    game = Game.objects.create(
        event=event,
        state=GameState.FINISHED,
        edition="it",
        profile="club",
        switches={},
        turn_seconds=180,
        lexicon_name="parole",
        lexicon_words=1,
        lexicon_sha256="0" * 64,
        seed=b"",
        commitment="",
        end_why="racks",
        started_at=at,
        finished_at=at + timedelta(hours=2),
        seq=60,
    )
    present = rng.sample(list(members), min(number, len(members)))
    listed = Player.objects.bulk_create(
        Player(event=event, room=room, table=table, name=member.name, club=member.club, licence="", joined_at=at)
        for table, member in enumerate(present, 1)
    )
    Entry.objects.bulk_create(Entry(game=game, player=player, room=room) for player in listed)
    PlayerMember.objects.bulk_create(
        PlayerMember(player=player, member=member)
        for table, (player, member) in enumerate(zip(listed, present, strict=True), 1)
        if table % 10
    )
    _store_results(rng, event, listed)
    return event


def _store_results(rng: Random, event: Event, players: Sequence[Player]) -> None:
    tops = rng.randint(820, 1040)
    summary = EventSummary.objects.create(event=event, name=event.name, date=event.date, tops=tops, turns=18)
    points = [int(tops * min(0.97, max(0.2, rng.gauss(0.62, 0.13)))) for _ in players]
    rows = []
    for player, total in zip(players, points, strict=True):
        rank = 1 + sum(other > total for other in points)
        rows.append(
            PlayerResult(
                summary=summary,
                player=player,
                rank=rank,
                points=total,
                solos=rng.randint(0, 2) if rank < 4 else 0,
                tops_found=rng.randint(0, 9),
                best_word=rng.choice(WORDS),
                best_points=rng.randint(50, 130),
                games=[{"number": 1, "points": total, "tops": tops, "rank": rank, "presence": "played"}],
            )
        )
    PlayerResult.objects.bulk_create(rows)
