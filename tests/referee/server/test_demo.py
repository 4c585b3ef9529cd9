"""The demo event: simulated players in an event that does not count, with an end of its own."""

from __future__ import annotations

import threading

import pytest
from django.test import Client

from referee.server import demo
from referee.server.demo import Pace, get_demo_turn, open_demo, play_demo
from tests.waiting import until
from tournaments.errors import Refused
from tournaments.events.services import rehearsals
from tournaments.models import Event, Slip, Turn
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

AT_ONCE = Pace(turns=2, turn_s=1, pause_s=0)


@pytest.mark.django_db(transaction=True)
def test_eight_players_hand_in_slips_for_some_turns_and_then_it_ends() -> None:
    game = open_demo(by=first_judge(), now=utc_now(), language="en", pace=AT_ONCE)
    until(lambda: "demo" not in {thread.name for thread in threading.enumerate()}, "the end of the demo")
    assert get_demo_turn(game.event) is None
    turns = list(Turn.objects.filter(game=game).order_by("number"))
    assert [turn.number for turn in turns] == [1, 2]
    assert all(turn.placed_at and turn.master_word for turn in turns)
    assert Slip.objects.filter(turn__game=game, source="phone").count() >= 8
    assert Event.objects.get().is_rehearsal
    game.refresh_from_db()
    assert game.finished_at is None


@pytest.mark.django_db
def test_a_stopped_demo_takes_no_further_step() -> None:
    stopped = threading.Event()
    game = open_demo(by=first_judge(), now=utc_now(), language="en")
    stopped.set()
    play_demo(game, AT_ONCE, stopped)
    assert not Turn.objects.exists()


@pytest.mark.django_db
def test_a_step_at_the_desk_ends_the_demo() -> None:
    game = open_demo(by=first_judge(), now=utc_now(), language="en")
    rehearsals.begin_turn(event=game.event, seconds=60, now=utc_now())
    with pytest.raises(Refused):
        play_demo(game, AT_ONCE, threading.Event())


@pytest.mark.django_db
def test_without_a_word_list_one_sentence_says_what_to_do(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "installed_lists", list)
    client.force_login(first_judge())
    page = client.post("/desk/rehearsal/", follow=True).content.decode()
    assert "build one on the page “Word lists”" in page
    assert not Event.objects.exists()
