"""The card a judge reviews is sent to the room's other judges only, over real sockets."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from referee.live.rooms.judge_presence import PRESENCE_LIFETIME_S, JudgeFocus, JudgePresence
from tests.referee.live.desk_client import DeskClient
from tests.referee.live.live_game import LiveGame, make_live_game
from tests.referee.live.live_server import ServerProcess, SocketClient
from tournaments.enums import Role
from tournaments.models import Membership

CARD, STAGE = "0f8f6a12", (1, 2)


@pytest.fixture
def live_game(transactional_db: None) -> LiveGame:
    return make_live_game()


def cookie(live_game: LiveGame, name: str, role: Role) -> str:
    """Create another judge's session."""
    user = User.objects.create(username=name.lower(), first_name=name)
    Membership.objects.create(event=live_game.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def desk(served: ServerProcess, live_game: LiveGame, lines: list[SocketClient], session: str) -> SocketClient:
    lines.append(served.socket(f"/ws/desk/{live_game.event.code}/", session))
    lines[-1].until("state")
    return lines[-1]


def test_judges_see_where_the_others_look_and_that_they_left(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    anna = desk(served, live_game, lines, cookie(live_game, "Anna", Role.JUDGE))
    berto = desk(served, live_game, lines, cookie(live_game, "Berto", Role.JUDGE))
    anna.send({"t": "look", "at": CARD})
    assert berto.until("looking")["at"] == [{"who": "Anna", "at": CARD}]
    late = desk(served, live_game, lines, live_game.desk_cookie())
    assert late.until("looking")["at"] == [{"who": "Anna", "at": CARD}]
    anna.socket.close()
    assert berto.until("looking", at=[])


def test_a_typist_neither_sees_it_nor_is_seen(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    judge = desk(served, live_game, lines, live_game.desk_cookie())
    typist = desk(served, live_game, lines, cookie(live_game, "Tina", Role.TYPIST))
    anna = desk(served, live_game, lines, cookie(live_game, "Anna", Role.JUDGE))
    typist.send({"t": "look", "at": "from a typist"})
    anna.send({"t": "look", "at": CARD})
    assert judge.until("looking", at=[{"who": "Anna", "at": CARD}])
    typist.send({"t": "ping", "c": 7})
    typist.until("pong")
    assert not any('"looking"' in text for text in typist.texts)
    assert not any("typist" in text for text in judge.texts)


@pytest.mark.endurance
@pytest.mark.django_db(transaction=True)
def test_what_one_judge_accepts_is_news_to_the_desks_of_judges_alone(
    served: ServerProcess, live_game: LiveGame, lines: list[SocketClient]
) -> None:
    live_game.draw("CORNOAT")
    live_game.announce()
    lines.append(served.phone(live_game.cookie(1)))
    lines[-1].phase("running")
    lines[-1].hand_in({"t": "slip", "id": "0f8f6a12-0000-4000-8000-000000000001", "turn": 1, "word": "CORNO",
                       "ref": "8D", "score": 22})  # fmt: skip
    phone = lines[-1]
    live_game.close()
    typist = desk(served, live_game, lines, cookie(live_game, "Tina", Role.TYPIST))
    anna = desk(served, live_game, lines, cookie(live_game, "Anna", Role.JUDGE))
    client = DeskClient(served, live_game.event.code, live_game.desk_cookie())
    assert "Accept all slips without doubt" in client.page("main/").text
    assert "Accepted by" in client.act("accept-clear").text
    assert anna.until("looked")["look"] > 0
    for line in (typist, phone):
        line.send({"t": "ping", "c": 1})
        line.until("pong")
        assert not any('"looked"' in text for text in line.texts)


def test_a_desk_that_died_is_forgotten() -> None:
    looking = JudgePresence()
    assert looking.note("a", JudgeFocus(STAGE, 1, "Anna", CARD), 0.0)
    assert not looking.note("a", JudgeFocus(STAGE, 1, "Anna", CARD), 20.0)
    assert looking.forget(20.0 + PRESENCE_LIFETIME_S) == set()
    assert looking.others(STAGE, 2) == [JudgeFocus(STAGE, 1, "Anna", CARD)]
    assert looking.others(STAGE, 1) == []
    assert looking.forget(21.0 + PRESENCE_LIFETIME_S) == {STAGE}
    assert looking.others(STAGE, 2) == []


def test_two_desks_of_one_judge_at_the_same_slips_are_one_name() -> None:
    looking = JudgePresence()
    looking.note("a", JudgeFocus(STAGE, 1, "Anna", CARD), 0.0)
    looking.note("b", JudgeFocus(STAGE, 1, "Anna", CARD), 0.0)
    assert looking.others(STAGE, 2) == [JudgeFocus(STAGE, 1, "Anna", CARD)]
    assert looking.note("a", JudgeFocus(STAGE, 1, "Anna", ""), 1.0)
    assert looking.others(STAGE, 2) == [JudgeFocus(STAGE, 1, "Anna", CARD)]
