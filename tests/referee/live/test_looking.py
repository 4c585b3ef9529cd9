"""Which judge has which slips before him, over real sockets: told to the other judges, and to nobody else."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from referee.live.looking import FORGOTTEN_S, Glance, Looking
from tests.referee.live.desk_client import DeskClient
from tests.referee.live.evening import Evening, make_evening
from tests.referee.live.serving import Line, Served
from tournaments.enums import Role
from tournaments.models import Membership

CARD, STAGE = "0f8f6a12", (1, 2)


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    return make_evening()


def cookie(evening: Evening, name: str, role: Role) -> str:
    """The session of a colleague."""
    user = User.objects.create(username=name.lower(), first_name=name)
    Membership.objects.create(event=evening.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def desk(served: Served, evening: Evening, lines: list[Line], session: str) -> Line:
    lines.append(served.socket(f"/ws/desk/{evening.event.code}/", session))
    lines[-1].until("state")
    return lines[-1]


def test_judges_see_where_the_others_look_and_that_they_left(
    served: Served, evening: Evening, lines: list[Line]
) -> None:
    anna = desk(served, evening, lines, cookie(evening, "Anna", Role.JUDGE))
    berto = desk(served, evening, lines, cookie(evening, "Berto", Role.JUDGE))
    anna.send({"t": "look", "at": CARD})
    assert berto.until("looking")["at"] == [{"who": "Anna", "at": CARD}]
    late = desk(served, evening, lines, evening.desk_cookie())
    assert late.until("looking")["at"] == [{"who": "Anna", "at": CARD}]
    anna.socket.close()
    assert berto.until("looking", at=[])


def test_a_typist_neither_sees_it_nor_is_seen(served: Served, evening: Evening, lines: list[Line]) -> None:
    judge = desk(served, evening, lines, evening.desk_cookie())
    typist = desk(served, evening, lines, cookie(evening, "Tina", Role.TYPIST))
    anna = desk(served, evening, lines, cookie(evening, "Anna", Role.JUDGE))
    typist.send({"t": "look", "at": "from a typist"})
    anna.send({"t": "look", "at": CARD})
    assert judge.until("looking", at=[{"who": "Anna", "at": CARD}])
    typist.send({"t": "ping", "c": 7})
    typist.until("pong")
    assert not any('"looking"' in text for text in typist.texts)
    assert not any("typist" in text for text in judge.texts)


@pytest.mark.django_db(transaction=True)
def test_what_one_judge_accepts_is_news_to_the_desks_of_judges_alone(
    served: Served, evening: Evening, lines: list[Line]
) -> None:
    evening.draw("CORNOAT")
    evening.announce()
    lines.append(served.phone(evening.cookie(1)))
    lines[-1].phase("running")
    lines[-1].hand_in({"t": "slip", "id": "0f8f6a12-0000-4000-8000-000000000001", "turn": 1, "word": "CORNO",
                       "ref": "8D", "score": 22})  # fmt: skip
    phone = lines[-1]
    evening.close()
    typist = desk(served, evening, lines, cookie(evening, "Tina", Role.TYPIST))
    anna = desk(served, evening, lines, cookie(evening, "Anna", Role.JUDGE))
    client = DeskClient(served, evening.event.code, evening.desk_cookie())
    assert "Accept all that are clear" in client.page("main/").text
    assert "Accepted by" in client.act("accept-clear").text
    assert anna.until("looked")["look"] > 0
    for line in (typist, phone):
        line.send({"t": "ping", "c": 1})
        line.until("pong")
        assert not any('"looked"' in text for text in line.texts)


def test_a_desk_that_died_is_forgotten() -> None:
    looking = Looking()
    assert looking.note("a", Glance(STAGE, 1, "Anna", CARD), 0.0)
    assert not looking.note("a", Glance(STAGE, 1, "Anna", CARD), 20.0)
    assert looking.forget(20.0 + FORGOTTEN_S) == set()
    assert looking.others(STAGE, 2) == [Glance(STAGE, 1, "Anna", CARD)]
    assert looking.others(STAGE, 1) == []
    assert looking.forget(21.0 + FORGOTTEN_S) == {STAGE}
    assert looking.others(STAGE, 2) == []


def test_two_desks_of_one_judge_at_the_same_slips_are_one_name() -> None:
    looking = Looking()
    looking.note("a", Glance(STAGE, 1, "Anna", CARD), 0.0)
    looking.note("b", Glance(STAGE, 1, "Anna", CARD), 0.0)
    assert looking.others(STAGE, 2) == [Glance(STAGE, 1, "Anna", CARD)]
    assert looking.note("a", Glance(STAGE, 1, "Anna", ""), 1.0)
    assert looking.others(STAGE, 2) == [Glance(STAGE, 1, "Anna", CARD)]
