"""The director of another event finds nothing of this one, neither by its code nor by row ids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, reverse

from referee.desk.judging.preview import PROPOSALS
from referee.desk.registry import ACTIONS
from referee.desk.urls import urlpatterns
from tests.referee.live.in_process import SocketInProcess
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.documents.services import documents
from tournaments.models import Document, LedgerEntry, PreparedGame
from tournaments.now import utc_now

SECRET = "Zanzottera"
NAMES = (f"Anna {SECRET}", "Bruno Galli")


@pytest.fixture
def victim(db: None) -> LiveGame:
    live_game = make_live_game(names=NAMES)
    live_game.draw("CORNOAT")
    live_game.announce()
    return live_game


@pytest.fixture
def intruder(db: None) -> LiveGame:
    return make_live_game(names=("Zoe Other", "Yvonne Other"))


@pytest.fixture
def client(client: Client, intruder: LiveGame) -> Client:
    client.force_login(intruder.judge)
    return client


def a_document(live_game: LiveGame) -> Document:
    document = documents.request_document(game=live_game.game, kind="standings", language="en", now=utc_now())
    path = Path(settings.DATA_DIR) / "documents" / f"{live_game.event.code}.pdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"%PDF {SECRET}".encode())
    documents.claim_document(document=document)
    documents.finish_document(document=document, path=f"documents/{path.name}", now=utc_now())
    return document


def addresses_of(live_game: LiveGame, **numbers: int) -> Iterator[tuple[str, str]]:
    """Return (name, address) of every page of an event, with each action and preview."""
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        needed: dict[str, Any] = dict(pattern.pattern.converters)
        if "code" not in needed:
            continue
        chosen: dict[str, Any] = {"code": live_game.event.code, **{name: numbers.get(name, 1) for name in needed}}
        chosen["code"] = live_game.event.code
        for action in {"act": ACTIONS, "preview": PROPOSALS}.get(str(pattern.name), [""]):
            given = {**chosen, "action": action} if action else chosen
            yield f"{pattern.name} {action}".strip(), reverse(f"desk:{pattern.name}", kwargs=given)


def entries() -> int:
    return LedgerEntry.objects.count()


def test_the_matrix_holds_every_page() -> None:
    names = {pattern.name for pattern in urlpatterns if "code" in pattern.pattern.converters}
    assert {"console", "peek", "archive", "document", "documents", "players", "standings-csv", "privacy"} <= names


@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("method", ["get", "post"])
def test_to_a_director_of_another_event_no_page_of_this_one_exists(
    client: Client, victim: LiveGame, method: str, htmx: bool
) -> None:
    document, before = a_document(victim), entries()
    headers = {"HX-Request": "true"} if htmx else {}
    for name, address in addresses_of(victim, pk=document.pk, table=1):
        answer = getattr(client, method)(address, {"table": 1, "code": victim.event.code}, headers=headers)
        assert answer.status_code in (404, 405), name
        assert SECRET.encode() not in answer.content, name
    assert entries() == before


def test_the_same_pages_open_for_the_director_of_this_event(victim: LiveGame) -> None:
    """Otherwise the test above would hold for addresses that lead nowhere."""
    client, document = Client(), a_document(victim)
    client.force_login(victim.judge)
    opened = [
        name
        for name, address in addresses_of(victim, pk=document.pk, table=1)
        if client.get(address).status_code == 200
    ]
    assert {
        "console",
        "main",
        "peek",
        "players",
        "archive",
        "document",
        "documents",
        "log",
        "privacy",
        "person",
    } <= set(opened)


@pytest.mark.parametrize("who", ["stranger", "player"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_without_a_log_in_every_page_leads_to_the_locked_door(victim: LiveGame, who: str, method: str) -> None:
    client, before = Client(), entries()
    if who == "player":
        name, _, value = victim.cookie(1).partition("=")
        client.cookies[name] = value
    for name, address in addresses_of(victim, pk=1, table=1):
        answer = getattr(client, method)(address)
        assert answer.status_code in (302, 403, 405), name
        assert SECRET.encode() not in answer.content
        if answer.status_code == 302:
            assert "/desk/locked/" in answer["Location"], name
    assert entries() == before


def test_an_own_event_is_no_key_to_the_documents_and_players_of_another(
    client: Client, victim: LiveGame, intruder: LiveGame
) -> None:
    document = a_document(victim)
    own = intruder.event.code
    assert client.get(f"/desk/{own}/documents/{document.pk}/").status_code == 404
    for number in range(1, document.pk + 3):
        assert client.get(f"/desk/{own}/documents/{number}/").status_code == 404
    assert client.get(f"/desk/{own}/players/99/data.json").status_code == 404
    data = client.get(f"/desk/{own}/players/1/data.json").json()
    assert data["name"] == "Zoe Other"


def test_an_action_at_an_own_desk_reaches_only_the_own_tables_and_groups(
    client: Client, victim: LiveGame, intruder: LiveGame
) -> None:
    victim.close()
    group = victim.turn.verdicts.earliest("pk").group
    before = LedgerEntry.objects.filter(game=victim.game).count()
    intruder.draw("CORNOAT")
    intruder.announce()
    intruder.close()
    for action, fields in (
        ("decide", {"group": group, "points": "99", "reason": "mine"}),
        ("rename-player", {"table": "1", "name": "Renamed"}),
        ("give-warning", {"table": "1", "code": "discipline", "game": victim.game.pk, "event": victim.event.code}),
        ("close", {"game": victim.game.pk, "turn": victim.turn.pk}),
    ):
        client.post(f"/desk/{intruder.event.code}/do/{action}/", fields)
    assert LedgerEntry.objects.filter(game=victim.game).count() == before
    assert victim.event.players.get(table=1).name == NAMES[0]
    assert not victim.turn.verdicts.filter(points=99).exists()


def test_prepared_games_of_others_do_not_exist_whatever_their_number(client: Client, victim: LiveGame) -> None:
    prepared = PreparedGame.objects.create(
        by=victim.judge, kind="prepared", title="Final", created_at=utc_now(), state="ready", script={"secret": SECRET}
    )
    for pattern in urlpatterns:
        if "pk" in pattern.pattern.converters and "code" not in pattern.pattern.converters:
            others = dict.fromkeys(pattern.pattern.converters, 1)
            address = reverse(f"desk:{pattern.name}", kwargs={**others, "pk": prepared.pk})
            for method in ("get", "post"):
                answer = getattr(client, method)(address)
                assert answer.status_code in (404, 405), (pattern.name, method)
                assert SECRET.encode() not in answer.content
    prepared.refresh_from_db()
    assert prepared.acts == []


def test_there_is_no_admin_and_no_door_beside_the_desk(client: Client) -> None:
    User.objects.create_superuser("root", password="correct horse battery staple")
    for address in (
        "/admin/",
        "/admin/login/",
        "/accounts/login/",
        "/api/",
        "/graphql",
        "/debug/",
        "/__debug__/",
        "/silk/",
    ):
        assert client.get(address).status_code == 404, address


@pytest.mark.django_db(transaction=True)
async def test_the_socket_of_a_foreign_desk_is_closed_before_it_says_anything() -> None:
    from asgiref.sync import sync_to_async

    victim = await sync_to_async(make_live_game)(names=NAMES)
    intruder = await sync_to_async(make_live_game)(names=("Zoe Other",))
    cookie = await sync_to_async(intruder.desk_cookie)()
    seat = await sync_to_async(victim.cookie)(1)
    for who in (cookie, seat, ""):
        line = SocketInProcess(f"/ws/desk/{victim.event.code}/", who)
        assert await line.open()
        assert await line.receive() == {"close": 4401}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/ws/phone/", "/ws/wall/1/", "/ws/wall/None/", "/ws/desk/x/"])
async def test_a_socket_without_seat_session_or_token_is_shown_nothing(path: str) -> None:
    line = SocketInProcess(path)
    assert await line.open()
    first = await line.receive()
    if "close" not in first:
        assert (first["t"], first["why"]) == ("refused", "no_seat")
        first = await line.receive()
    assert first == {"close": 4401}
