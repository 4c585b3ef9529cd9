"""Two judges press the same button at the same moment, each in a browser of his own: it happens once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.referee.live.desk_client import DeskClient
from tests.referee.live.evening import Evening, make_evening
from tests.referee.live.serving import Answer, Served
from tournaments.enums import DrawMode, Role
from tournaments.models import Game, LedgerEntry, Membership

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    return make_evening(draw_mode=DrawMode.SEEDED)


@pytest.fixture
def desks(served: Served, evening: Evening) -> list[DeskClient]:
    """The desks of the director and of a second one."""
    colleague = User.objects.create(username="colleague")
    Membership.objects.create(event=evening.event, user=colleague, role=Role.DIRECTOR)
    both = [evening, replace(evening, judge=colleague)]
    return [DeskClient(served, evening.event.code, each.desk_cookie()) for each in both]


def notices(answer: Answer) -> list[str]:
    assert answer.status == 200, answer.text
    told: Mapping[str, Any] = json.loads(answer.headers.get("hx-trigger", "{}"))
    return [notice["text"] for notice in told.get("notices", {}).get("notices", [])]


def at_once(desks: list[DeskClient], action: str, **fields: object) -> list[list[str]]:
    """What each judge is told; nothing for who was first."""
    for desk in desks:
        desk.page()
    barrier = Barrier(len(desks))

    def press(desk: DeskClient) -> list[str]:
        barrier.wait(10)
        return notices(desk.act(action, **fields))

    with ThreadPoolExecutor(len(desks)) as pool:
        return sorted(pool.map(press, desks), key=len)


def test_each_step_of_a_turn_is_done_by_one_and_told_to_the_other(desks: list[DeskClient], evening: Evening) -> None:
    def more_time() -> dict[str, object]:
        deadline = evening.clock.deadline
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
        assert other[0].endswith("."), action
    acts = LedgerEntry.objects.filter(game=evening.game).exclude(kind__in=("created", "players", "join")).order_by("n")
    kinds = list(acts.values_list("kind", flat=True))
    assert kinds == ["draw", "announce", "add_time", "pause", "resume", "close", "place"]


def test_what_is_taken_back_is_taken_back_once(desks: list[DeskClient], evening: Evening) -> None:
    for _turn in range(2):
        for action in ("draw", "announce", "close", "place"):
            assert notices(desks[0].act(action)) == [], action
    first, second = at_once(desks, "undo")
    assert sorted(["Turn 2 is open again."]) == [text for text in (*first, *second) if "open again" in text]
    assert len(first + second) == 2, "the other one is told why nothing was done"
    assert [turn.placed_at is None for turn in evening.game.turns.order_by("number")] == [False, True]


def test_a_game_ends_once_and_one_game_follows_it(desks: list[DeskClient], evening: Evening) -> None:
    for action in ("draw", "announce", "close", "place"):
        assert notices(desks[0].act(action)) == [], action
    winner, other = at_once(desks, "end")
    assert (winner, other) == ([], ["The game is over."])
    page = desks[0].page("main/").text
    assert "next-game" in page
    told = at_once(desks, "next-game", formula="normal", rhythm="180")
    assert [len(one) for one in told] == [0, 1], told
    assert Game.objects.filter(event=evening.event).count() == 2
