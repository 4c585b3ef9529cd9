"""Messages about appeals and rejudged turns reach the player concerned only."""

from __future__ import annotations

import json

import pytest

from tests.referee.live.live_game import LiveGame, make_live_game, slip
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.judging.services import appeals, rejudging
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.models import TurnClock, Verdict
from tournaments.now import utc_now

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.endurance]
SECRET = "My neighbour had it too."


def test_the_own_verdict_has_a_limit_and_the_own_appeal_its_answer(
    served: ServerProcess, lines: list[SocketClient]
) -> None:
    live_game = make_live_game()
    anna, bruno = (served.phone(live_game.cookie(table)) for table in (1, 2))
    lines.extend([anna, bruno])
    played(live_game, anna, bruno)
    anna.drain()
    bruno.drain()
    anna.send({"t": "me"})
    me = anna.until("me")
    shown_at = TurnClock.objects.get(turn=live_game.turn).shown_at
    assert shown_at is not None
    assert me["verdict"]["appeal"] == {"until": round(shown_at.timestamp() * 1000) + 15 * 60_000, "end_minutes": 0}
    assert (me["appeals"], me["changes"]) == ([], [])

    player = live_game.event.players.get(table=1)
    made = appeals.submit_paper_appeal(
        player=player, turn=live_game.turn, sentence=SECRET, by=live_game.judge, now=utc_now()
    )
    group = Verdict.objects.get(turn=live_game.turn, player=player).group
    rejudging.decide_group(
        turn=live_game.turn,
        group=group,
        points=30,
        request=RulingRequest(reason="seen on the slip", by=live_game.judge, now=utc_now(), appeal=made),
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


def played(live_game: LiveGame, anna: SocketClient, bruno: SocketClient) -> None:
    """A turn on the board in which both had a slip."""
    live_game.draw("CORNOAT")
    live_game.announce()
    anna.phase("running")
    bruno.phase("running")
    anna.hand_in(slip(1, word="CORNO", ref="8D", score=22))
    bruno.hand_in(slip(1, word="NORCA", ref="8D", score=22))
    live_game.close()
    live_game.place()
    anna.phase("placed")
    bruno.phase("placed")
