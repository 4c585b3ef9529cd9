"""Double entry by two typists: the second types blind, differences appear after both, placing asks once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from referee.desk import urls
from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Membership, Slip, Typing

pytestmark = pytest.mark.django_db

SECRETS = ("CRONO", "8877")
FIRST = "2 8D CRONO 8877"


@pytest.fixture
def live_game() -> LiveGame:
    """A running turn in an event in which two people type each slip."""
    live_game = make_live_game(joined=False)
    answer = do(browser(live_game.judge), live_game, "set-double-typing", wanted="yes")
    assert answer["ok"]
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def typist(live_game: LiveGame, name: str) -> Client:
    user = User.objects.create(username=name, first_name=name.title())
    Membership.objects.create(event=live_game.event, user=user, role=Role.TYPIST)
    return browser(user)


def do(client: Client, live_game: LiveGame, action: str, **fields: object) -> Any:
    return client.post(
        f"/desk/{live_game.event.code}/do/{action}/", fields, headers={"Accept": "application/json"}
    ).json()


def types(client: Client, live_game: LiveGame, line: str) -> str:
    answer = client.post(f"/desk/{live_game.event.code}/paper/", {"line": line}, headers={"Accept": "application/json"})
    assert answer.json()["ok"], answer.json()
    return str(answer.json()["sentence"])


def everything(client: Client, live_game: LiveGame) -> str:
    """Return all pages that this browser may open, and the echo of lines for the same table."""
    known = {"code": live_game.event.code, "table": 2, "pk": 1, "key": "0" * 64, "number": 1}
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
        told.append(client.get(f"/desk/{live_game.event.code}/echo/", {"line": line}).content.decode())
    return "\n".join(told)


def found(text: str) -> list[str]:
    return leaked(text, SECRETS)


def test_the_second_typist_sees_nothing_of_what_the_first_has_typed(live_game: LiveGame) -> None:
    ada, ben = typist(live_game, "ada"), typist(live_game, "ben")
    types(ada, live_game, FIRST)
    page = ben.get(f"/desk/{live_game.event.code}/").content.decode()
    assert "Type these slips a second time" in page
    assert found(everything(ben, live_game)) == []
    live_game.close()
    assert found(everything(ben, live_game)) == []
    assert found(types(ben, live_game, "2 8D CORNO 22")) == []


def test_once_both_have_typed_both_readings_are_shown_to_them_and_to_the_judge(live_game: LiveGame) -> None:
    ada, ben, carla = (typist(live_game, name) for name in ("ada", "ben", "carla"))
    types(ada, live_game, FIRST)
    said = types(ben, live_game, "2 8D CORNO 22")
    assert "Table 2 was typed in two ways: look at the paper again." in said
    for client in (ada, ben, browser(live_game.judge)):
        page = client.get(f"/desk/{live_game.event.code}/typings/").content.decode()
        assert "CRONO" in page
        assert "CORNO" in page
    assert found(everything(carla, live_game)) == []
    assert "settle-typing" not in ada.get(f"/desk/{live_game.event.code}/").content.decode()


def test_equal_typings_are_not_reported(live_game: LiveGame) -> None:
    ada, ben = typist(live_game, "ada"), typist(live_game, "ben")
    said = types(ada, live_game, FIRST)
    assert types(ben, live_game, FIRST) == said
    assert "typed in two ways" not in browser(live_game.judge).get(f"/desk/{live_game.event.code}/").content.decode()


def test_placing_asks_once_while_something_is_open(live_game: LiveGame) -> None:
    ada, judge = typist(live_game, "ada"), browser(live_game.judge)
    types(ada, live_game, FIRST)
    types(ada, live_game, "3 8D CORNO 22")
    live_game.close()
    page = judge.get(f"/desk/{live_game.event.code}/").content.decode()
    assert 'hx-confirm="2 paper slips were typed only once. The move will be placed all the same.' in page
    assert '<input type="hidden" name="asked" value="2">' in page
    refused = do(judge, live_game, "place", asked=1)
    assert (refused["ok"], "2 paper slips were typed only once." in refused["sentence"]) == (False, True)
    assert do(judge, live_game, "place", asked=2)["ok"]


def test_placing_asks_nothing_when_everything_agrees_or_the_switch_is_off(live_game: LiveGame) -> None:
    ada, ben, judge = typist(live_game, "ada"), typist(live_game, "ben"), browser(live_game.judge)
    types(ada, live_game, FIRST)
    live_game.close()
    assert not do(judge, live_game, "place")["ok"]
    types(ben, live_game, FIRST)
    assert "typed only once. Go on" not in judge.get(f"/desk/{live_game.event.code}/").content.decode()
    assert do(judge, live_game, "place")["ok"]


def test_the_judge_settles_a_difference_by_one_click_or_one_line(live_game: LiveGame) -> None:
    ada, ben, judge = typist(live_game, "ada"), typist(live_game, "ben"), browser(live_game.judge)
    for table in (2, 3):
        types(ada, live_game, f"{table} 8D CRONO 8877")
        types(ben, live_game, f"{table} 8D CORNO 22")
    live_game.close()
    second = Typing.objects.get(player__table=2, by__username="ben")
    assert do(judge, live_game, "settle-typing", typing=second.pk)["ok"]
    assert do(judge, live_game, "settle-typing", line="3 8D ORCO 12")["ok"]
    words = {slip.player.table: slip.word for slip in Slip.objects.order_by("version").select_related("player")}
    assert words == {2: "CORNO", 3: "ORCO"}
    assert do(judge, live_game, "place")["ok"]


def test_a_typist_settles_nothing_and_does_not_turn_the_switch(live_game: LiveGame) -> None:
    ada, ben = typist(live_game, "ada"), typist(live_game, "ben")
    types(ada, live_game, FIRST)
    types(ben, live_game, "2 8D CORNO 22")
    typed = Typing.objects.earliest("pk")
    assert not do(ada, live_game, "settle-typing", typing=typed.pk)["ok"]
    assert not do(ada, live_game, "set-double-typing", wanted="no")["ok"]


def test_a_line_that_comes_again_changes_nothing(live_game: LiveGame) -> None:
    ada = typist(live_game, "ada")
    line = {"line": FIRST, "line_id": "7d2c2a0e-6b3a-4c53-9d84-3f1a0b6c9d11"}
    for _time in range(2):
        answer = ada.post(f"/desk/{live_game.event.code}/paper/", line, headers={"Accept": "application/json"})
        assert answer.json()["ok"]
    assert (Slip.objects.count(), Typing.objects.count()) == (1, 1)
