"""Two judges press the same button at the same moment in two browsers: the action happens once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.referee.live.desk_client import DeskClient
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.live.live_server import HttpAnswer, ServerProcess
from tournaments.enums import DrawMode, Role
from tournaments.models import Game, LedgerEntry, Membership

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def live_game(transactional_db: None) -> LiveGame:
    return make_live_game(draw_mode=DrawMode.SEEDED)


@pytest.fixture
def desks(served: ServerProcess, live_game: LiveGame) -> list[DeskClient]:
    """The desks of the director and of a second one."""
    colleague = User.objects.create(username="colleague")
    Membership.objects.create(event=live_game.event, user=colleague, role=Role.DIRECTOR)
    both = [live_game, replace(live_game, judge=colleague)]
    return [DeskClient(served, live_game.event.code, each.desk_cookie()) for each in both]


def notices(answer: HttpAnswer) -> list[str]:
    assert answer.status == 200, answer.text
    told: Mapping[str, Any] = json.loads(answer.headers.get("hx-trigger", "{}"))
    return [notice["text"] for notice in told.get("notices", {}).get("notices", [])]


def at_once(desks: list[DeskClient], action: str, **fields: object) -> list[list[str]]:
    """Sentence shown to each judge; empty for the first one."""
    for desk in desks:
        desk.page()
    barrier = Barrier(len(desks))

    def press(desk: DeskClient) -> list[str]:
        barrier.wait(10)
        return notices(desk.act(action, **fields))

    with ThreadPoolExecutor(len(desks)) as pool:
        return sorted(pool.map(press, desks), key=len)


@pytest.mark.endurance
def test_each_step_of_a_turn_is_done_by_one_and_told_to_the_other(desks: list[DeskClient], live_game: LiveGame) -> None:
    def more_time() -> dict[str, object]:
        deadline = live_game.clock.deadline
        assert deadline is not None
        return {"deadline": deadline.isoformat()}

    told = {
        "draw": at_once(desks, "draw"),
        "announce": at_once(desks, "announce"),
        "more-time": at_once(desks, "more-time", **more_time()),
        "pause": at_once(desks, "pause"),
        "resume": at_once(desks, "resume"),
        "close": at_once(desks, "close"),
        "place": at_once(desks, "place"),
    }
    for action, (winner, other) in told.items():
        assert winner == [], action
        assert len(other) == 1, action
        assert re.search(r"already\. \S.+ at \d\d:\d\d\.$", other[0]), (action, other)
    acts = (
        LedgerEntry.objects.filter(game=live_game.game).exclude(kind__in=("created", "players", "join")).order_by("n")
    )
    kinds = list(acts.values_list("kind", flat=True))
    assert kinds == ["draw", "announce", "add_time", "pause", "resume", "close", "place"]


@pytest.mark.endurance
def test_what_is_taken_back_is_taken_back_once(desks: list[DeskClient], live_game: LiveGame) -> None:
    for _turn in range(2):
        for action in ("draw", "announce", "close", "place"):
            assert notices(desks[0].act(action)) == [], action
    first, second = at_once(desks, "undo")
    assert sorted(["Turn 2 is open again."]) == [text for text in (*first, *second) if "open again" in text]
    assert len(first + second) == 2, "the other one is told why nothing was done"
    assert [turn.placed_at is None for turn in live_game.game.turns.order_by("number")] == [False, True]


@pytest.mark.endurance
def test_a_game_ends_once_and_one_game_follows_it(desks: list[DeskClient], live_game: LiveGame) -> None:
    for action in ("draw", "announce", "close", "place"):
        assert notices(desks[0].act(action)) == [], action
    winner, other = at_once(desks, "end")
    assert (winner, other) == ([], ["The game is over."])
    page = desks[0].page("main/").text
    assert "next-game" in page
    told = at_once(desks, "next-game", variant="normal", time_control="180")
    assert [len(one) for one in told] == [0, 1], told
    assert Game.objects.filter(event=live_game.event).count() == 2
