"""Times of the pages of history and records with ten years of a club: python -m tests.history_benchmark.

500 events with 30 players and 20 turns each, 10 seasons. The requests are answered in this process, without a network.
The times are medians of five requests, in ms of the processor, so that they hardly depend on what else runs.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import tests.data_folder  # noqa: F401  a data folder of its own, before Django's settings are read

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Event, Game, Member, Player, Turn

EVENTS, PLAYERS, TURNS, SEASONS, REQUESTS = 500, 30, 20, 10, 5
FIRST_DAY = date(2016, 9, 6)
WORDS = ("GRAZIOSE", "SVUOTANO", "SPUTATO", "EUFUISTE", "RITAGLIO", "CORNO", "TRONCO", "REMARE")


def measure() -> dict[str, int]:
    """Store the years; return the median time of each page."""
    from django.test import Client

    from tournaments.models import Season
    from tournaments.staff.services.login_links import first_judge

    members = store_years(Random(17))  # noqa: S311  the same years in each run
    for year in range(FIRST_DAY.year, FIRST_DAY.year + SEASONS):
        Season.objects.create(name=f"Season {year}", starts=date(year, 9, 1), ends=date(year + 1, 8, 31))
    client = Client()
    client.force_login(first_judge())
    pages = {
        "private page": f"/m/{members[0].page_token}/",
        "private page, all evenings": f"/m/{members[0].page_token}/?all",
        "history at the desk": f"/desk/members/{members[0].pk}/history/",
        "club records": "/desk/records/",
    }
    return {name: ask(client, address) for name, address in pages.items()}


def ask(client: Client, address: str) -> int:
    """Return the median time of a page in ms."""
    times = []
    for _ in range(REQUESTS):
        begun = time.process_time()
        answer = client.get(address)
        times.append((time.process_time() - begun) * 1000)
        assert answer.status_code == 200, (address, answer.status_code)
    return round(median(times))


def store_years(rng: Random) -> Sequence[Member]:
    """Store members and finished events with their turns and results; the members play all of them."""
    from tournaments.models import EventSummary, Member
    from tournaments.seasons.services import summaries

    members = Member.objects.bulk_create(Member(first_name="Anna", surname=f"Rossi {at}") for at in range(PLAYERS))
    for number in range(EVENTS):
        store_event(rng, FIRST_DAY + timedelta(days=7 * number), members)
    states = summaries._states()
    rows = list(EventSummary.objects.all())
    for row in rows:
        row.state = states[row.event_id or 0]
    EventSummary.objects.bulk_update(rows, ["state"], batch_size=100)
    return members


def store_event(rng: Random, day: date, members: Sequence[Member]) -> None:
    """Store one event of a game."""
    from engine.rules.profile import load_profile
    from tournaments.models import Event, Game, Player, PlayerMember, Room

    at = datetime(day.year, day.month, day.day, 20, 30, tzinfo=UTC)
    code = f"{day:%y%m%d}"
    event = Event.objects.create(code=code, wall_token=code, name="Club night", date=day, language="en", created_at=at)
    room = Room.objects.create(event=event, name="Hall")
    game = Game.objects.create(
        event=event,
        state="finished",
        edition="it",
        profile="club",
        switches=load_profile("club").switches(),
        turn_seconds=180,
        lexicon_name="it",
        lexicon_words=1,
        lexicon_sha256="0" * 64,
        seed=b"",
        commitment="",
    )
    players = Player.objects.bulk_create(
        Player(event=event, room=room, table=table, name=member.name, joined_at=at)
        for table, member in enumerate(members, 1)
    )
    PlayerMember.objects.bulk_create(
        PlayerMember(player=player, member=member) for player, member in zip(players, members, strict=True)
    )
    store_results(event, players, store_turns(rng, game, room.pk, players, at))


def store_turns(
    rng: Random, game: Game, room: int, players: Sequence[Player], at: datetime
) -> dict[Player, list[tuple[Turn, int]]]:
    """Store turns and verdicts; return each player's turns with the points."""
    from tournaments.models import Turn, TurnClock, Verdict

    turns = Turn.objects.bulk_create(new_turn(rng, game, number, at) for number in range(1, TURNS + 1))
    TurnClock.objects.bulk_create(TurnClock(room_id=room, turn=turn, state="closed", shown_at=at) for turn in turns)
    points = {player: [(turn, rng.randint(0, turn.top or 0)) for turn in turns] for player in players}
    Verdict.objects.bulk_create(
        Verdict(
            turn=turn,
            player=player,
            group="",
            result="valid",
            points=got,
            move_score=got,
            decided_by="rule",
            move_word=turn.master_word,
            move_ref="8D",
        )
        for player, rows in points.items()
        for turn, got in rows
    )
    return points


def new_turn(rng: Random, game: Game, number: int, at: datetime) -> Turn:
    """Return a turn that is not stored yet."""
    from tournaments.models import Turn

    top, word = rng.randint(20, 110), rng.choice(WORDS)
    best = {"word": word, "ref": "8D", "score": top, "why": []}
    return Turn(
        game=game,
        number=number,
        rack="ACEIRST",
        board=["." * 15] * 15,
        top=top,
        tops=[best],
        master_word=word,
        master_ref="8D",
        master_score=top,
        drawn_at=at,
        placed_at=at,
    )


def store_results(event: Event, players: Sequence[Player], points: dict[Player, list[tuple[Turn, int]]]) -> None:
    """Store the results as `refresh_summaries` does."""
    from tournaments.models import EventSummary, PlayerResult

    turns = [turn for turn, _ in points[players[0]]]
    tops = sum(turn.top or 0 for turn in turns)
    summary = EventSummary.objects.create(event=event, name=event.name, date=event.date, tops=tops, turns=TURNS)
    totals = {player: sum(got for _, got in rows) for player, rows in points.items()}
    rows = []
    for player, total in totals.items():
        best: list[dict[str, Any]] = [
            {
                "word": turn.master_word,
                "ref": "8D",
                "points": got,
                "tiles": len(turn.master_word),
                "game": 1,
                "turn": turn.number,
                "solo": False,
            }
            for turn, got in sorted(points[player], key=lambda row: -row[1])[:5]
        ]
        rank = 1 + sum(other > total for other in totals.values())
        game = {"number": 1, "points": total, "tops": tops, "rank": rank, "presence": "played"}
        longest = max(best, key=lambda word: int(word["tiles"]))
        rows.append(
            PlayerResult(
                summary=summary,
                player=player,
                rank=rank,
                points=total,
                games=[game],
                best_word=best[0]["word"],
                best_points=best[0]["points"],
                best_words=best,
                longest_word=longest,
                longest_tiles=longest["tiles"],
            )
        )
    PlayerResult.objects.bulk_create(rows)


def main() -> None:
    import django
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    with tempfile.TemporaryDirectory() as folder:
        connection.settings_dict["NAME"] = str(Path(folder) / "benchmark.sqlite3")
        call_command("migrate", verbosity=0)
        print(json.dumps(measure(), indent=1))
        connection.close()


if __name__ == "__main__":
    main()
