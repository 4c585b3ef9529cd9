"""Two typists at their desks: the second is blind, differences are shown once both have typed, placing asks once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from referee.desk import urls
from tests.leaks import leaked
from tests.referee.live.evening import Evening, make_evening
from tournaments.enums import Role
from tournaments.models import Membership, Slip, Typing

pytestmark = pytest.mark.django_db

SECRETS = ("CRONO", "8877")
FIRST = "2 8D CRONO 8877"


@pytest.fixture
def evening() -> Evening:
    """A running turn in an event in which two people type each slip."""
    evening = make_evening(joined=False)
    answer = do(browser(evening.judge), evening, "set-double-typing", wanted="yes")
    assert answer["ok"]
    evening.draw("CORNOAT")
    evening.announce()
    return evening


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def typist(evening: Evening, name: str) -> Client:
    user = User.objects.create(username=name, first_name=name.title())
    Membership.objects.create(event=evening.event, user=user, role=Role.TYPIST)
    return browser(user)


def do(client: Client, evening: Evening, action: str, **fields: object) -> Any:
    return client.post(
        f"/desk/{evening.event.code}/do/{action}/", fields, headers={"Accept": "application/json"}
    ).json()


def types(client: Client, evening: Evening, line: str) -> str:
    answer = client.post(f"/desk/{evening.event.code}/paper/", {"line": line}, headers={"Accept": "application/json"})
    assert answer.json()["ok"], answer.json()
    return str(answer.json()["sentence"])


def everything(client: Client, evening: Evening) -> str:
    """All pages that this browser may open, and how lines for the same table are read."""
    known = {"code": evening.event.code, "table": 2, "pk": 1, "key": "0" * 64, "number": 1}
    told = []
    for pattern in urls.urlpatterns:
        names = set(pattern.pattern.converters)
        if "code" not in names or pattern.name in ("act", "preview", "document-look", "document-page"):
            continue
        address = reverse(f"desk:{pattern.name}", kwargs={name: known[name] for name in names})
        for headers in ({}, {"HX-Request": "true"}):
            answer = client.get(address, headers=headers)
            told.append(answer.content.decode("latin-1") + str(answer.headers))
    for line in ("2 8D CORNO 22", "2 =", "2 -", "2 8D CRON"):
        told.append(client.get(f"/desk/{evening.event.code}/echo/", {"line": line}).content.decode())
    return "\n".join(told)


def found(text: str) -> list[str]:
    return leaked(text, SECRETS)


def test_the_second_typist_sees_nothing_of_what_the_first_has_typed(evening: Evening) -> None:
    ada, ben = typist(evening, "ada"), typist(evening, "ben")
    types(ada, evening, FIRST)
    page = ben.get(f"/desk/{evening.event.code}/").content.decode()
    assert "Type these slips a second time" in page
    assert found(everything(ben, evening)) == []
    evening.close()
    assert found(everything(ben, evening)) == []
    assert found(types(ben, evening, "2 8D CORNO 22")) == []


def test_once_both_have_typed_both_readings_are_shown_to_them_and_to_the_judge(evening: Evening) -> None:
    ada, ben, carla = (typist(evening, name) for name in ("ada", "ben", "carla"))
    types(ada, evening, FIRST)
    said = types(ben, evening, "2 8D CORNO 22")
    assert "Table 2 was typed in two ways: look at the paper again." in said
    for client in (ada, ben, browser(evening.judge)):
        page = client.get(f"/desk/{evening.event.code}/typings/").content.decode()
        assert "CRONO" in page
        assert "CORNO" in page
    assert found(everything(carla, evening)) == []
    assert "settle-typing" not in ada.get(f"/desk/{evening.event.code}/").content.decode()


def test_what_agrees_is_told_to_nobody(evening: Evening) -> None:
    ada, ben = typist(evening, "ada"), typist(evening, "ben")
    said = types(ada, evening, FIRST)
    assert types(ben, evening, FIRST) == said
    assert "typed in two ways" not in browser(evening.judge).get(f"/desk/{evening.event.code}/").content.decode()


def test_placing_asks_once_while_something_is_open(evening: Evening) -> None:
    ada, judge = typist(evening, "ada"), browser(evening.judge)
    types(ada, evening, FIRST)
    types(ada, evening, "3 8D CORNO 22")
    evening.close()
    page = judge.get(f"/desk/{evening.event.code}/").content.decode()
    assert 'hx-confirm="2 paper slips were typed only once. Go on all the same?' in page
    assert '<input type="hidden" name="asked" value="2">' in page
    refused = do(judge, evening, "place", asked=1)
    assert (refused["ok"], "2 paper slips were typed only once." in refused["sentence"]) == (False, True)
    assert do(judge, evening, "place", asked=2)["ok"]


def test_placing_asks_nothing_when_everything_agrees_or_the_switch_is_off(evening: Evening) -> None:
    ada, ben, judge = typist(evening, "ada"), typist(evening, "ben"), browser(evening.judge)
    types(ada, evening, FIRST)
    evening.close()
    assert not do(judge, evening, "place")["ok"]
    types(ben, evening, FIRST)
    assert "typed only once. Go on" not in judge.get(f"/desk/{evening.event.code}/").content.decode()
    assert do(judge, evening, "place")["ok"]


def test_the_judge_settles_a_difference_by_one_click_or_one_line(evening: Evening) -> None:
    ada, ben, judge = typist(evening, "ada"), typist(evening, "ben"), browser(evening.judge)
    for table in (2, 3):
        types(ada, evening, f"{table} 8D CRONO 8877")
        types(ben, evening, f"{table} 8D CORNO 22")
    evening.close()
    second = Typing.objects.get(player__table=2, by__username="ben")
    assert do(judge, evening, "settle-typing", typing=second.pk)["ok"]
    assert do(judge, evening, "settle-typing", line="3 8D ORCO 12")["ok"]
    words = {slip.player.table: slip.word for slip in Slip.objects.order_by("version").select_related("player")}
    assert words == {2: "CORNO", 3: "ORCO"}
    assert do(judge, evening, "place")["ok"]


def test_a_typist_settles_nothing_and_does_not_turn_the_switch(evening: Evening) -> None:
    ada, ben = typist(evening, "ada"), typist(evening, "ben")
    types(ada, evening, FIRST)
    types(ben, evening, "2 8D CORNO 22")
    typed = Typing.objects.earliest("pk")
    assert not do(ada, evening, "settle-typing", typing=typed.pk)["ok"]
    assert not do(ada, evening, "set-double-typing", wanted="no")["ok"]


def test_a_line_that_comes_again_changes_nothing(evening: Evening) -> None:
    ada = typist(evening, "ada")
    line = {"line": FIRST, "line_id": "7d2c2a0e-6b3a-4c53-9d84-3f1a0b6c9d11"}
    for _time in range(2):
        answer = ada.post(f"/desk/{evening.event.code}/paper/", line, headers={"Accept": "application/json"})
        assert answer.json()["ok"]
    assert (Slip.objects.count(), Typing.objects.count()) == (1, 1)
