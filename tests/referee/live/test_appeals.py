"""What a phone hears over its socket of appeals and of turns that are judged again: its own, and nobody else's."""

from __future__ import annotations

import json

import pytest

from tests.referee.live.evening import Evening, make_evening, slip
from tests.referee.live.serving import Line, Served
from tournaments.models import TurnClock, Verdict
from tournaments.now import utc_now
from tournaments.services import appeals, reopening

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "My neighbour had it too."


def test_the_own_verdict_has_a_limit_and_the_own_appeal_its_answer(served: Served, lines: list[Line]) -> None:
    evening = make_evening()
    anna, bruno = (served.phone(evening.cookie(table)) for table in (1, 2))
    lines.extend([anna, bruno])
    played(evening, anna, bruno)
    anna.drain()
    bruno.drain()
    anna.send({"t": "me"})
    me = anna.until("me")
    shown_at = TurnClock.objects.get(turn=evening.turn).shown_at
    assert shown_at is not None
    assert me["verdict"]["appeal"] == {"until": round(shown_at.timestamp() * 1000) + 15 * 60_000, "end_minutes": 0}
    assert (me["appeals"], me["changes"]) == ([], [])

    player = evening.event.players.get(table=1)
    made = appeals.appeal_on_paper(player=player, turn=evening.turn, sentence=SECRET, by=evening.judge, now=utc_now())
    group = Verdict.objects.get(turn=evening.turn, player=player).group
    reopening.decide(
        turn=evening.turn,
        group=group,
        points=30,
        reason="seen on the slip",
        by=evening.judge,
        now=utc_now(),
        appeal=made,
    )
    anna.until("state")
    anna.send({"t": "me"})
    mine = anna.until("me")
    assert [(one["state"], one["answer"], one["sentence"]) for one in mine["appeals"]] == [
        ("upheld", "seen on the slip", SECRET)
    ]
    assert [(one["turn"], one["after"]) for one in mine["changes"]] == [(1, 30)]
    bruno.drain()
    bruno.send({"t": "me"})
    theirs = bruno.until("me")
    assert (theirs["appeals"], theirs["changes"]) == ([], [])
    assert "seen on the slip" not in json.dumps(theirs)


def played(evening: Evening, anna: Line, bruno: Line) -> None:
    """A turn on the board in which both had a slip."""
    evening.draw("CORNOAT")
    evening.announce()
    anna.phase("running")
    bruno.phase("running")
    anna.hand_in(slip(1, word="CORNO", ref="8D", score=22))
    bruno.hand_in(slip(1, word="NORCA", ref="8D", score=22))
    evening.close()
    evening.place()
    anna.phase("placed")
    bruno.phase("placed")
