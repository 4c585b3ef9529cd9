"""Who may what: every page and every action of the desk, asked for by every role."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, reverse

from referee.desk import urls
from referee.desk.actions import ACTIONS
from referee.desk.preview import PROPOSALS
from referee.security import rights
from tests.referee.live.evening import Evening, make_evening
from tournaments.enums import Role
from tournaments.models import Document, LedgerEntry, Membership, PreparedGame
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db
NAMES = {pattern.name for pattern in urls.urlpatterns}
METHODS = ("GET", "POST")


@pytest.fixture
def evening(settings: Any) -> Evening:
    """A turn that is being judged, a finished sheet and a prepared game of the director."""
    evening = make_evening(joined=False)
    evening.draw("CORNOAT")
    evening.announce()
    evening.close()
    now = utc_now()
    Document.objects.create(
        game=evening.game, room=evening.room, kind="standings", language="en", asked_at=now, state="done", path="s.pdf"
    )
    (settings.DATA_DIR / "s.pdf").write_bytes(b"%PDF-1.4")
    return evening


def somebody(evening: Evening, role: Role | None) -> Client:
    """A browser in which a colleague with this role is logged in."""
    user = User.objects.create(username=f"the {role}")
    if role is not None:
        Membership.objects.create(event=evening.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def arguments(evening: Evening, pattern: URLPattern) -> Iterator[dict[str, Any]]:
    """What a page's address is made of; pages of actions once for each action."""
    kept = Document.objects.get().pk if pattern.name == "document" else 1
    known = {"code": evening.event.code, "pk": kept, "table": 1, "number": 1, "key": "none"}
    given = {name: known[name] for name in pattern.pattern.converters if name in known}
    actions = {"act": ACTIONS, "preview": PROPOSALS}.get(str(pattern.name))
    for action in actions or [None]:
        yield given if action is None else {**given, "action": action}


def ask(client: Client, method: str, address: str) -> Any:
    """Ask, and forget what that did."""
    with transaction.atomic():
        answer = client.generic(method, address)
        transaction.set_rollback(True)
    return answer


def all_requests(evening: Evening, names: set[str]) -> Iterator[tuple[str, str, str | None, str]]:
    """Name, method, action, address of everything that can be asked for; but for what a page does not take at all."""
    director = Client()
    director.force_login(evening.judge)
    for pattern in urls.urlpatterns:
        for given in arguments(evening, pattern) if pattern.name in names else ():
            address = reverse(f"desk:{pattern.name}", kwargs=given)
            for method in METHODS:
                if ask(director, method, address).status_code != 405:
                    yield str(pattern.name), method, given.get("action"), address


def test_every_page_of_the_desk_has_a_rule_and_every_rule_a_page() -> None:
    assert {*rights.PAGES, *rights.OUTSIDE} == NAMES


def test_every_action_has_a_rule_and_every_rule_an_action() -> None:
    assert set(ACTIONS) == set(rights.ACTIONS)
    assert set(PROPOSALS) <= set(rights.ACTIONS)


def test_every_way_to_ask_has_a_rule(evening: Evening) -> None:
    for name, method, _action, _address in all_requests(evening, set(rights.PAGES)):
        assert (rights.LOOK if method == "GET" else rights.CHANGE) in rights.PAGES[name], (name, method)


@pytest.mark.parametrize("role", Role)
def test_a_role_gets_what_the_table_says_and_nothing_else(evening: Evening, role: Role) -> None:
    client, wall = somebody(evening, role), reverse("wall:show", args=[evening.event.wall_token])
    asked = 0
    for name, method, action, address in all_requests(evening, set(rights.PAGES)):
        entries = LedgerEntry.objects.count()
        answer = ask(client, method, address)
        asked += 1
        if rights.may_open(role, name, method, action):
            assert answer.status_code in (200, 302, 404, 422), (name, method, action)
            continue
        refused = (302, wall) if role is Role.WALL and method == "GET" else (403, None)
        assert (answer.status_code, answer.headers.get("Location")) == refused, (name, method, action)
        assert LedgerEntry.objects.count() == entries
    assert asked > 60


def test_the_director_may_everything(evening: Evening) -> None:
    for name, method, action, _address in all_requests(evening, set(rights.PAGES)):
        assert rights.may_open(Role.DIRECTOR, name, method, action), (name, method, action)


def test_for_a_stranger_the_event_does_not_exist_and_nobody_comes_in_without_a_log_in(evening: Evening) -> None:
    stranger, nobody = somebody(evening, None), Client()
    for name, method, action, address in all_requests(evening, set(rights.PAGES)):
        assert ask(stranger, method, address).status_code == 404, (name, method, action)
        answer = ask(nobody, method, address)
        assert answer.status_code == 302, (name, method, action)
        assert answer["Location"].startswith("/desk/locked/"), (name, method, action)


@pytest.mark.parametrize("role", [Role.JUDGE, Role.TYPIST, Role.WALL])
def test_pages_of_no_event_are_for_organisers(evening: Evening, role: Role) -> None:
    PreparedGame.objects.create(pk=1, by=evening.judge, title="Sealed", kind="prepared", created_at=utc_now())
    client, nobody = somebody(evening, role), Client()
    director = Client()
    director.force_login(evening.judge)
    for name, method, _action, address in all_requests(evening, set(rights.OUTSIDE)):
        allowed = rights.OUTSIDE[name]
        if allowed == rights.ANYBODY:
            continue
        assert ask(nobody, method, address)["Location"].startswith("/desk/locked/"), name
        assert (ask(client, method, address).status_code == 403) is (allowed == rights.ORGANISER), (name, method)
        assert ask(director, method, address).status_code != 403, (name, method)


@pytest.mark.parametrize("role", [Role.JUDGE, Role.TYPIST])
def test_what_is_not_allowed_is_said_in_a_sentence_on_a_page_in_a_part_and_as_json(
    evening: Evening, role: Role
) -> None:
    client, address = somebody(evening, role), f"/desk/{evening.event.code}/do/end/"
    assert "ask the director" in client.post(address).content.decode()
    assert "ask the director" in client.post(address, headers={"HX-Request": "true"})["HX-Trigger"]
    assert "ask the director" in client.post(address, headers={"Accept": "application/json"}).json()["sentence"]


def test_what_a_role_does_not_allow_is_logged_without_the_address(
    evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    client = somebody(evening, Role.TYPIST)
    with caplog.at_level(logging.WARNING, logger="multiplo.access"):
        client.post(f"/desk/{evening.event.code}/do/end/", REMOTE_ADDR="192.168.7.77")
    [record] = [each for each in caplog.records if each.name == "multiplo.access"]
    said = record.getMessage()
    assert "the typist (typist) tried act end" in said
    assert evening.event.code in said
    assert "192.168.7.0/24" in said
    assert "7.77" not in said


def test_a_judge_takes_back_his_own_placement_and_not_that_of_others(evening: Evening) -> None:
    judge, code = somebody(evening, Role.JUDGE), evening.event.code
    evening.place()
    answer = judge.post(f"/desk/{code}/do/undo/", headers={"Accept": "application/json"}).json()
    assert "the director may take it back" in answer["sentence"]
    assert evening.turn.placed_at is not None
    director = Client()
    director.force_login(evening.judge)
    assert director.post(f"/desk/{code}/do/undo/", headers={"Accept": "application/json"}).json()["ok"]
    assert judge.post(f"/desk/{code}/do/place/", headers={"Accept": "application/json"}).json()["ok"]
    assert judge.post(f"/desk/{code}/do/undo/", headers={"Accept": "application/json"}).json()["ok"]
    assert evening.turn.placed_at is None


def test_a_prepared_game_goes_into_no_event_that_somebody_else_directs(evening: Evening) -> None:
    other = make_evening(joined=False)
    Membership.objects.create(event=other.event, user=evening.judge, role=Role.JUDGE)
    PreparedGame.objects.create(pk=1, by=evening.judge, title="Sealed", kind="prepared", created_at=utc_now())
    client = Client()
    client.force_login(evening.judge)
    assert client.post("/desk/prepared/1/play/", {"event": other.event.code}).status_code == 404
