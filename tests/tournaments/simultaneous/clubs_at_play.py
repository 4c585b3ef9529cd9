"""A hub and clubs as the tests play them, through the services, on a clock of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User

from engine.simultaneous.returned import make_return
from tests.tournaments.club_game import START_TIME, seeded_random
from tests.tournaments.prepared.sample_game import create_prepared_game
from tournaments.models import InvitedClub, OpenedPackage, PreparedGame, Simultaneous
from tournaments.play.simulation import play_game
from tournaments.players.roster_text import NewPlayer
from tournaments.players.services.players import add_players
from tournaments.simultaneous.queries.packages import package_of
from tournaments.simultaneous.services import club as club_services
from tournaments.simultaneous.services import hub, returns

WINDOW, EMBARGO = timedelta(days=2), timedelta(days=5)
OPENS, CLOSES = START_TIME, START_TIME + WINDOW


def create_simultaneous(
    judge: User,
    clubs: str = "Torino\nMilano",
    games: Sequence[PreparedGame] = (),
    title: str = "Open of the regions",
    opens: datetime = OPENS,
) -> Simultaneous:
    """A simultaneous game of one prepared game."""
    return hub.create_simultaneous(
        title=title,
        note="Two minutes for each turn.",
        games=games or [create_prepared_game(judge, "Round 1")],
        clubs=clubs,
        times=hub.Times(opens, opens + WINDOW, opens + EMBARGO),
        by=judge,
        now=opens - timedelta(days=7),
    )


def open_at_club(invited: InvitedClub, judge: User, now: datetime | None = None) -> OpenedPackage:
    """The package, opened by the club with its start code."""
    now = now or invited.simultaneous.opens_at
    package = club_services.read_sealed_package(json.dumps(package_of(invited.simultaneous, "")))
    return club_services.open_sealed_package(package=package, code=invited.start_code, language="it", by=judge, now=now)


def play_at_club(
    invited: InvitedClub, judge: User, names: Sequence[str] = ("Anna Rossi", "Bruno Verdi", "Carla Neri"), seed: int = 1
) -> OpenedPackage:
    """Every game of the package, played to its end by simulated players."""
    opened = open_at_club(invited, judge)
    assert opened.event is not None
    players = [NewPlayer(table, name, invited.name, "AB"[table % 2]) for table, name in enumerate(names, 1)]
    add_players(event=opened.event, players=players, now=opened.opens_at)
    rng, room = seeded_random(seed), opened.event.rooms.get()
    for at in range(opened.prepared.count()):
        start = opened.opens_at + timedelta(hours=2 * at)
        if at:
            club_services.start_next_game(opened=opened, by=judge, now=start)
        game = opened.event.games.latest("number")
        play_game(game=game, room=room, by=judge, rng=rng, start=start)
    return opened


def returned_by(opened: OpenedPackage) -> bytes:
    """The file that the club returns."""
    now = opened.opens_at + timedelta(hours=30)
    return json.dumps(club_services.make_club_return(opened=opened, now=now)).encode()


def changed(content: bytes, change: Callable[[Any], object]) -> bytes:
    """The file after someone edited it."""
    found = json.loads(content)
    change(found)
    return json.dumps(found).encode()


def sealed_again(invited: InvitedClub, content: bytes, change: Callable[[Any], object]) -> bytes:
    """The file of a club that edits its first archive before the program seals it."""
    found = json.loads(content)
    change(found["games"][0]["archive"])
    games = [(each["game"], each["archive"]) for each in found["games"]]
    key = invited.return_key
    return json.dumps(make_return(found["simultaneous"], invited.number, key, games, found["made_at"])).encode()


def receive(simultaneous: Simultaneous, content: bytes, now: datetime | None = None) -> returns.Receipt:
    """The receipt of a return, which is judged again at once."""
    now = now or simultaneous.closes_at - timedelta(hours=1)
    receipt = returns.receive_return(simultaneous=simultaneous, content=content, now=now)
    for number in returns.list_waiting_returns():
        returns.judge_return(number)
    return receipt
