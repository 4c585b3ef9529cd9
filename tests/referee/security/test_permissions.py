"""Permissions: every page and every action of the desk, requested by every role."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, reverse

from referee.desk import urls
from referee.desk.access import desk_page, general_page, page_path
from referee.desk.judging.preview import PROPOSALS
from referee.desk.registry import ACTIONS, GENERAL_PAGES, PAGES, Access, desk_action, may_open
from referee.security.permissions import DIRECTOR, NOBODY
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.enums import Role
from tournaments.models import Document, LedgerEntry, Membership, PreparedGame
from tournaments.now import utc_now
from tournaments.staff.services.login_links import first_judge

pytestmark = pytest.mark.django_db
NAMES = {pattern.name for pattern in urls.urlpatterns}
METHODS = ("GET", "POST")


@pytest.fixture
def live_game(settings: Any) -> LiveGame:
    """A closed turn, a finished document and a prepared game of the director."""
    live_game = make_live_game(joined=False)
    live_game.draw("CORNOAT")
    live_game.announce()
    live_game.close()
    now = utc_now()
    Document.objects.create(
        game=live_game.game,
        room=live_game.room,
        kind="standings",
        language="en",
        asked_at=now,
        state="done",
        path="s.pdf",
    )
    (settings.DATA_DIR / "s.pdf").write_bytes(b"%PDF-1.4")
    return live_game


def somebody(live_game: LiveGame, role: Role | None) -> Client:
    """Return a browser in which a colleague with this role is logged in."""
    user = User.objects.create(username=f"the {role}")
    if role is not None:
        Membership.objects.create(event=live_game.event, user=user, role=role)
    client = Client()
    client.force_login(user)
    return client


def arguments(live_game: LiveGame, pattern: URLPattern) -> Iterator[dict[str, Any]]:
    """Return the arguments of a page's address; pages of actions once for each action."""
    kept = Document.objects.get().pk if pattern.name == "document" else 1
    known = {"code": live_game.event.code, "pk": kept, "table": 1, "number": 1, "key": "none", "edition": "it"}
    known |= {"season": 1, "ranking": 1, "summary": 1, "member": 1, "returned": 1, "file_format": "csv", "kind": "csv"}
    given = {name: known[name] for name in pattern.pattern.converters if name in known}
    actions = {"act": ACTIONS, "preview": PROPOSALS}.get(str(pattern.name))
    for action in actions or [None]:
        yield given if action is None else {**given, "action": action}


def ask(client: Client, method: str, address: str) -> Any:
    """Send a request, and roll back its changes."""
    with transaction.atomic():
        answer = client.generic(method, address)
        transaction.set_rollback(True)
    return answer


NOT_TAKEN: dict[tuple[str, str, str | None], bool] = {}
"""By name, method and action of a request, if the page does not take it at all; no role changes that."""


def all_requests(live_game: LiveGame, names: set[str]) -> Iterator[tuple[str, str, str | None, str]]:
    """Return name, method, action and address of all requests that the pages take."""
    director = Client()
    director.force_login(live_game.judge)
    for pattern in urls.urlpatterns:
        for given in arguments(live_game, pattern) if pattern.name in names else ():
            address = reverse(f"desk:{pattern.name}", kwargs=given)
            for method in METHODS:
                name, action = str(pattern.name), given.get("action")
                if (name, method, action) not in NOT_TAKEN:
                    NOT_TAKEN[name, method, action] = ask(director, method, address).status_code == 405
                if not NOT_TAKEN[name, method, action]:
                    yield name, method, action, address


def test_every_declared_page_has_an_address_and_every_address_a_declared_page() -> None:
    assert {*PAGES, *GENERAL_PAGES} == NAMES


def test_every_preview_belongs_to_an_action() -> None:
    assert set(PROPOSALS) <= set(ACTIONS)


def test_an_action_or_page_that_no_role_may_use_or_that_is_declared_twice_is_refused() -> None:
    before = {**ACTIONS}
    with pytest.raises(ImproperlyConfigured):
        desk_action("open-to-nobody", roles=NOBODY, spoiler=True)
    with pytest.raises(ImproperlyConfigured):
        desk_action("place", roles=DIRECTOR, spoiler=True)
    with pytest.raises(ImproperlyConfigured):
        desk_page("closed-to-all", spoiler=True)
    with pytest.raises(ImproperlyConfigured):
        general_page("console", access=Access.USER)
    with pytest.raises(ImproperlyConfigured):
        page_path("undeclared/", lambda request: HttpResponse())
    assert before == ACTIONS


def test_a_page_takes_the_methods_it_declares_and_no_others(live_game: LiveGame) -> None:
    for name, method, _action, _address in all_requests(live_game, set(PAGES)):
        assert method in PAGES[name].methods, (name, method)


@pytest.mark.parametrize("role", Role)
def test_a_role_gets_what_the_table_says_and_nothing_else(live_game: LiveGame, role: Role) -> None:
    client, wall = somebody(live_game, role), reverse("wall:show", args=[live_game.event.wall_token])
    asked = 0
    for name, method, action, address in all_requests(live_game, set(PAGES)):
        entries = LedgerEntry.objects.count()
        answer = ask(client, method, address)
        asked += 1
        if may_open(role, name, method, action):
            assert answer.status_code in (200, 302, 404, 422), (name, method, action)
            continue
        refused = (302, wall) if role is Role.WALL and method == "GET" else (403, None)
        assert (answer.status_code, answer.headers.get("Location")) == refused, (name, method, action)
        assert LedgerEntry.objects.count() == entries
    assert asked > 60


def test_the_director_may_everything(live_game: LiveGame) -> None:
    for name, method, action, _address in all_requests(live_game, set(PAGES)):
        assert may_open(Role.DIRECTOR, name, method, action), (name, method, action)


def test_the_event_does_not_exist_for_strangers_and_needs_a_log_in(live_game: LiveGame) -> None:
    stranger, nobody = somebody(live_game, None), Client()
    for name, method, action, address in all_requests(live_game, set(PAGES)):
        assert ask(stranger, method, address).status_code == 404, (name, method, action)
        answer = ask(nobody, method, address)
        assert answer.status_code == 302, (name, method, action)
        assert answer["Location"].startswith("/desk/locked/"), (name, method, action)


def test_pages_of_no_event_are_for_organisers(live_game: LiveGame) -> None:
    PreparedGame.objects.create(pk=1, by=live_game.judge, title="Sealed", kind="prepared", created_at=utc_now())
    colleagues = {role: somebody(live_game, role) for role in (Role.JUDGE, Role.TYPIST, Role.WALL)}
    nobody, director, owner = Client(), Client(), Client()
    director.force_login(live_game.judge)
    owner.force_login(first_judge())
    for name, method, _action, address in all_requests(live_game, set(GENERAL_PAGES)):
        allowed = GENERAL_PAGES[name]
        if allowed == Access.ANYBODY:
            continue
        assert ask(nobody, method, address)["Location"].startswith("/desk/locked/"), name
        refused = allowed in (Access.ORGANISER, Access.OWNER)
        for role, client in colleagues.items():
            assert (ask(client, method, address).status_code == 403) is refused, (name, method, role)
        assert (ask(director, method, address).status_code == 403) is (allowed == Access.OWNER), (name, method)
        assert ask(owner, method, address).status_code != 403, (name, method)


@pytest.mark.parametrize("role", [Role.JUDGE, Role.TYPIST])
def test_what_is_not_allowed_is_said_in_a_sentence_on_a_page_in_a_part_and_as_json(
    live_game: LiveGame, role: Role
) -> None:
    client, address = somebody(live_game, role), f"/desk/{live_game.event.code}/do/end/"
    assert "ask the director" in client.post(address).content.decode()
    assert "ask the director" in client.post(address, headers={"HX-Request": "true"})["HX-Trigger"]
    assert "ask the director" in client.post(address, headers={"Accept": "application/json"}).json()["sentence"]


def test_what_a_role_does_not_allow_is_logged_without_the_address(
    live_game: LiveGame, caplog: pytest.LogCaptureFixture
) -> None:
    client = somebody(live_game, Role.TYPIST)
    with caplog.at_level(logging.WARNING, logger="multiplo.access"):
        client.post(f"/desk/{live_game.event.code}/do/end/", REMOTE_ADDR="192.168.7.77")
    [record] = [each for each in caplog.records if each.name == "multiplo.access"]
    said = record.getMessage()
    assert "the typist (typist) tried act end" in said
    assert live_game.event.code in said
    assert "192.168.7.0/24" in said
    assert "7.77" not in said


def test_a_judge_takes_back_only_their_own_placement(live_game: LiveGame) -> None:
    judge, code = somebody(live_game, Role.JUDGE), live_game.event.code
    live_game.place()
    answer = judge.post(f"/desk/{code}/do/undo/", headers={"Accept": "application/json"}).json()
    assert "the director may take it back" in answer["sentence"]
    assert live_game.turn.placed_at is not None
    director = Client()
    director.force_login(live_game.judge)
    assert director.post(f"/desk/{code}/do/undo/", headers={"Accept": "application/json"}).json()["ok"]
    assert judge.post(f"/desk/{code}/do/place/", headers={"Accept": "application/json"}).json()["ok"]
    assert judge.post(f"/desk/{code}/do/undo/", headers={"Accept": "application/json"}).json()["ok"]
    assert live_game.turn.placed_at is None


def test_a_prepared_game_goes_into_no_event_that_somebody_else_directs(live_game: LiveGame) -> None:
    other = make_live_game(joined=False)
    Membership.objects.create(event=other.event, user=live_game.judge, role=Role.JUDGE)
    PreparedGame.objects.create(pk=1, by=live_game.judge, title="Sealed", kind="prepared", created_at=utc_now())
    client = Client()
    client.force_login(live_game.judge)
    assert client.post("/desk/prepared/1/play/", {"event": other.event.code}).status_code == 404
