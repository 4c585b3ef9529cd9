"""Years of a club as stored rows: members, events with their results, seasons with rankings. No turn is played; those
of an event can be stored too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any

from engine.rules.profile import load_profile
from tournaments.enums import ClockState, GameState
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
    Turn,
    TurnClock,
    Verdict,
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
STEMS = (
    *(
        "Ross",
        "Verd",
        "Ner",
        "Bianch",
        "Gall",
        "Cont",
        "Grec",
        "Riv",
        "Font",
        "Mar",
        "Lomb",
        "Castell",
        "Moret",
        "Ferr",
    ),
    *(
        "Sal",
        "Zan",
        "Bert",
        "Pell",
        "Gatt",
        "Vent",
        "Barb",
        "Cat",
        "Don",
        "Fabb",
        "Guid",
        "Man",
        "Nic",
        "Orl",
        "Pag",
        "Tes",
    ),
)
ENDINGS = ("i", "ini", "etti", "one", "elli", "aro", "ese", "ucci", "azzi", "ato")
CLUBS, CATEGORIES = ("Torino", "Milano", "Chieri", ""), ("A", "B", "C", "")
WORDS = ("GRAZIOSE", "MIOCARDI", "SBUFFANTI", "QUIETAVO", "RIPOSANTE", "DISPUTATO", "SONTUOSA")
TURNS = 18
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
    """Store members with different names, at most 4,800; every second one may be published."""
    few = number <= len(SURNAMES) * len(FIRST_NAMES)
    surnames = SURNAMES if few else [stem + ending for stem in STEMS for ending in ENDINGS]
    pairs = [(first, surname) for surname in surnames for first in FIRST_NAMES]
    rng.shuffle(pairs)
    return Member.objects.bulk_create(
        Member(
            surname=surname,
            first_name=first,
            club=rng.choice(CLUBS),
            category=rng.choice(CATEGORIES),
            licence=f"L{at:05}" if at % 3 else "",
            may_be_published=at % 2 == 0,
            joined_on=FIRST_DAY,
        )
        for at, (first, surname) in enumerate(pairs[:number])
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


def create_evenings(
    rng: Random, members: Sequence[Member], days: Sequence[date], players: int, always: Sequence[Member] = ()
) -> list[Event]:
    """Store a finished event on each day, with `players` players of whom every tenth is a guest; the members `always`
    play in each."""
    return [_create_evening(rng, members, day, players, always) for day in days]


def create_turns(rng: Random, event: Event) -> None:
    """Store placed turns of an event's game with a verdict for each player."""
    game, room, at = event.games.get(), event.rooms.get(), event.created_at
    turns = Turn.objects.bulk_create(_new_turn(rng, game, number, at) for number in range(1, TURNS + 1))
    TurnClock.objects.bulk_create(
        TurnClock(room=room, turn=turn, started_at=at, deadline=at, closed_at=at, shown_at=at, state=ClockState.CLOSED)
        for turn in turns
    )
    players = list(Player.objects.filter(event=event))
    Verdict.objects.bulk_create(
        Verdict(
            turn=turn, player=player, group="", result="valid", points=rng.randint(0, turn.top or 0), decided_by="rule"
        )
        for turn in turns
        for player in players
    )


def _new_turn(rng: Random, game: Game, number: int, at: datetime) -> Turn:
    top, word = rng.randint(20, 110), rng.choice(WORDS)
    return Turn(
        game=game,
        number=number,
        rack="AEIORST",
        board=["." * 15] * 15,
        top=top,
        tops=[{"word": word, "ref": "8D", "score": top, "why": []}],
        master_word=word,
        master_ref="8D",
        master_score=top,
        drawn_at=at,
        placed_at=at,
    )


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


def _create_evening(rng: Random, members: Sequence[Member], day: date, number: int, always: Sequence[Member]) -> Event:
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
        switches=load_profile("club").switches(),
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
    present = [*always, *rng.sample(list(members), min(number - len(always), len(members)))]
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
    summary = EventSummary.objects.create(event=event, name=event.name, date=event.date, tops=tops, turns=TURNS)
    points = [int(tops * min(0.97, max(0.2, rng.gauss(0.62, 0.13)))) for _ in players]
    rows = []
    for player, total in zip(players, points, strict=True):
        rank = 1 + sum(other > total for other in points)
        best = [_best_word(word, at) for at, word in enumerate(rng.sample(WORDS, 5), 1)]
        rows.append(
            PlayerResult(
                summary=summary,
                player=player,
                rank=rank,
                points=total,
                solos=rng.randint(0, 2) if rank < 4 else 0,
                tops_found=rng.randint(0, 9),
                best_word=best[0]["word"],
                best_points=best[0]["points"],
                best_words=best,
                longest_word=max(best, key=lambda word: int(word["tiles"])),
                longest_tiles=max(word["tiles"] for word in best),
                games=[{"number": 1, "points": total, "tops": tops, "rank": rank, "presence": "played"}],
            )
        )
    PlayerResult.objects.bulk_create(rows)


def _best_word(word: str, turn: int) -> dict[str, Any]:
    points = 131 - 11 * turn - len(word)
    return {"word": word, "ref": "8D", "points": points, "tiles": len(word), "game": 1, "turn": turn, "solo": False}
