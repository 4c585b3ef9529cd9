"""An event with a handicap, played after evenings from which its members have ratings."""

from __future__ import annotations

from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.club_game import ClubGame, create_club_game, play_turn, seeded_random
from tests.tournaments.conftest import KeptRows, _small_word_list, kept_rows, small_data_folder
from tournaments.enums import EndReason
from tournaments.events.services import options
from tournaments.models import EventSummary, Member, PlayerMember, PlayerResult
from tournaments.play.services import game_end
from tournaments.players.services.players import NewPlayer
from tournaments.staff.services.login_links import first_judge

__all__ = ["_small_word_list", "kept_rows", "small_data_folder"]
PLAYERS = (
    NewPlayer(1, "Anna Rossi", "Torino", "A", licence="IT-7"),
    NewPlayer(2, "Bruno Verdi", "Torino", "B"),
    NewPlayer(3, "Dalí Țuc", "Milano", "B"),
    NewPlayer(17, "=1+1", "", ""),
)
POINTS = {"Rossi": 800, "Verdi": 700, "Tuc": 400}


def play() -> ClubGame:
    """Table 17 is a guest; the three members have an earlier evening with 80, 70 and 40 percent of the top."""
    earlier = EventSummary.objects.create(name="Earlier", date=date(2026, 1, 9), tops=1000)
    evening = create_club_game(first_judge(), PLAYERS, name="Club night")
    for rank, (table, (name, points)) in enumerate(zip((1, 2, 3), POINTS.items(), strict=True), 1):
        member = Member.objects.create(surname=name)
        games = [{"number": 1, "points": points, "tops": 1000, "rank": rank, "presence": "played"}]
        PlayerResult.objects.create(summary=earlier, member=member, rank=rank, points=points, games=games)
        PlayerMember.objects.create(player=evening.player(table), member=member)
    rng = seeded_random(5)
    play_turn(evening, rng)
    play_turn(evening, rng)
    options.set_handicap(event=evening.event, unit="points", series={"B": 500}, by=evening.judge, now=evening.later())
    return evening


@pytest.fixture(scope="module")
def played_once(kept_rows: KeptRows) -> Any:
    return kept_rows(play)


@pytest.fixture
def evening(played_once: Any, db: None) -> ClubGame:
    """The event; its game is still going on."""
    return deepcopy(played_once)  # type: ignore[no-any-return]


@pytest.fixture
def finished(evening: ClubGame) -> ClubGame:
    """The event after its only game."""
    game_end.end_game(game=evening.refresh(), why=EndReason.JUDGE, by=evening.judge, now=evening.later())
    return evening


@pytest.fixture
def director(client: Client) -> Client:
    client.force_login(first_judge(), backend="django.contrib.auth.backends.ModelBackend")
    return client
