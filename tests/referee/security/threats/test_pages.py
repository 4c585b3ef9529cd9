"""No page loads from another server, changes state by GET, acts for another site or continues an old session.

Headers and inline scripts: test_headers.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern

from referee.desk.registry import ACTIONS
from referee.desk.urls import urlpatterns
from referee.security.login import make_link_token
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.models import Event, Game, LedgerEntry, Player, Slip

pytestmark = pytest.mark.django_db
OWN = ("http://testserver", "https://testserver")
ADDRESS = re.compile(r"""(?:href|src|action|srcset|poster|formaction)\s*=\s*["']([^"']*)["']""")
FOREIGN = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", re.IGNORECASE)
# Names of formats, which no client fetches.
NAMES_OF_FORMATS = ("http://www.w3.org/", "https://www.w3.org/")


@pytest.fixture
def live_game() -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    live_game.close()
    return live_game


def visitors(live_game: LiveGame) -> Iterator[tuple[str, Client]]:
    judge, player = Client(), Client()
    judge.force_login(live_game.judge)
    name, _, value = live_game.cookie(1).partition("=")
    player.cookies[name] = value
    yield from (("judge", judge), ("player", player), ("stranger", Client()))


def pages(live_game: LiveGame) -> list[str]:
    code = live_game.event.code
    desk = ["", "players/", "standings/", "log/", "words/", "rules/", "documents/", "privacy/", "privacy/?forget=1"]
    desk += ["analysis/", "public-page/"]
    hall = ["/", f"/j/{code}/", "/play/", f"/wall/{live_game.event.wall_token}/", "/nowhere/", "/practice/x/"]
    return [*hall, "/desk/", "/desk/new/", "/desk/prepared/", "/desk/locked/", *(f"/desk/{code}/{it}" for it in desk)]


def shown(live_game: LiveGame) -> Iterator[tuple[str, HttpResponse]]:
    for who, client in visitors(live_game):
        for address in pages(live_game):
            yield f"{who} at {address}", client.get(address)  # type: ignore[misc]


def test_no_page_asks_another_server_for_anything(live_game: LiveGame) -> None:
    seen = 0
    for where, answer in shown(live_game):
        text = answer.content.decode()
        for address in ADDRESS.findall(text):
            seen += 1
            parts = urlsplit(address)
            own = not parts.netloc or f"{parts.scheme}://{parts.netloc}" in OWN
            assert own, (where, address)
            assert parts.scheme in ("", "http", "https", "data"), (where, address)
        for found in FOREIGN.findall(text):
            assert found.startswith(NAMES_OF_FORMATS) or "testserver" in found or "w3.org" in found, (where, found)
    assert seen > 200


def test_no_script_or_style_asks_another_server_for_anything() -> None:
    folder = Path(settings.BASE_DIR) / "referee" / "static"
    files = [path for kind in ("*.js", "*.css", "*.svg") for path in folder.rglob(kind)]
    assert len(files) > 30
    for path in files:
        for found in FOREIGN.finditer(path.read_text(encoding="utf-8")):
            assert "w3.org" in found[0], (path.name, found[0])


def test_nothing_can_be_posted_without_the_token_of_an_own_page(live_game: LiveGame) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(live_game.judge)
    code, before = live_game.event.code, LedgerEntry.objects.count()
    for action in ACTIONS:
        assert client.post(f"/desk/{code}/do/{action}/", {"table": 1}).status_code == 403, action
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        if set(pattern.pattern.converters) == {"code"}:
            answer = client.post(
                f"/desk/{str(pattern.pattern).replace('<str:code>', code)}", {"days": "1", "code": code}
            )
            assert answer.status_code == 403, pattern.name
    for address in ("/", f"/j/{code}/", "/desk/new/", "/desk/prepared/", "/desk/prepared/bring/"):
        assert client.post(address, {"name": "x"}).status_code == 403, address
    assert LedgerEntry.objects.count() == before


def test_the_token_alone_does_not_help_a_page_of_another_site(live_game: LiveGame) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(live_game.judge)
    page = client.get(f"/desk/{live_game.event.code}/players/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token is not None
    posted = {"csrfmiddlewaretoken": token[1], "lines": "Zoe"}
    address = f"/desk/{live_game.event.code}/do/add-players/"
    assert client.post(address, posted, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post(address, posted, headers={"Origin": "http://testserver:9999"}).status_code == 403
    assert client.post(address, posted, headers={"Origin": "http://testserver"}).status_code == 302


def test_no_address_changes_anything_by_being_looked_at(live_game: LiveGame) -> None:
    def state() -> tuple[object, ...]:
        rows = (LedgerEntry, Player, Slip, Event, Game)
        return tuple(list(model.objects.order_by("pk").values()) for model in rows)

    before = state()
    code = live_game.event.code
    judge = next(client for who, client in visitors(live_game) if who == "judge")
    for address in [
        *pages(live_game),
        *(f"/desk/{code}/do/{action}/" for action in ACTIONS),
        f"/desk/{code}/archive.json",
    ]:
        judge.get(f"{address.partition('?')[0]}?table=1&days=1&name=x&forget=1&code={code}")
    assert state() == before


def test_logging_in_gives_a_new_session_and_the_old_one_is_nobodys(live_game: LiveGame) -> None:
    """A session that an attacker planted in the judge's browser does not become the judge's."""
    client = Client()
    session = client.session
    session["planted"] = "by the laptop in the hall"
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    assert client.post(f"/enter/{make_link_token(live_game.judge)}/").status_code == 302
    assert client.cookies[settings.SESSION_COOKIE_NAME].value != session.session_key
    assert not Session.objects.filter(session_key=session.session_key).exists()
    attacker = Client()
    attacker.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    assert attacker.get(f"/desk/{live_game.event.code}/").status_code == 302


def test_a_link_lets_in_once(live_game: LiveGame) -> None:
    address = f"/enter/{make_link_token(live_game.judge)}/"
    first, second = Client(), Client()
    first.post(address)
    second.post(address)
    assert first.get(f"/desk/{live_game.event.code}/").status_code == 200
    assert second.get(f"/desk/{live_game.event.code}/").status_code == 302


def test_a_preview_of_a_link_does_not_use_it_up(live_game: LiveGame) -> None:
    address = f"/enter/{make_link_token(live_game.judge)}/"
    for fetch in (Client().get, Client().head, Client().get):
        assert fetch(address).status_code == 200
    judge = Client(enforce_csrf_checks=True)
    token = judge.get(address).context["csrf_token"]
    assert judge.post(address).status_code == 403
    assert judge.post(address, {"csrfmiddlewaretoken": str(token)})["Location"] == "/desk/"
    assert judge.get(f"/desk/{live_game.event.code}/").status_code == 200
    assert Client().get(address)["Location"] == "/desk/locked/"


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_are_hidden_from_scripts_other_sites_and_from_http_once_set_over_https(
    live_game: LiveGame, secure: bool
) -> None:
    client = Client()
    client.post(f"/enter/{make_link_token(live_game.judge)}/", secure=secure)
    joined = client.post(f"/j/{live_game.event.code}/", {"name": "Zoe"}, secure=secure)
    assert joined.status_code == 302
    seat, session = client.cookies["seat"], client.cookies[settings.SESSION_COOKIE_NAME]
    for cookie in (seat, session):
        assert cookie["httponly"] is True
        assert cookie["samesite"] in ("Lax", "Strict")
    assert bool(seat["secure"]) is secure


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "testserver@evil.example", "a b", "[::"])
def test_a_foreign_host_gets_no_page_and_is_put_into_none(live_game: LiveGame, host: str) -> None:
    answer = Client().get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert "evil" not in answer.content.decode()
    answer = Client().get("/", headers={"X-Forwarded-Host": host})
    assert answer.status_code == 200
    assert "evil" not in answer.content.decode()


def test_a_way_back_leads_to_no_other_site(live_game: LiveGame) -> None:
    judge = next(client for who, client in visitors(live_game) if who == "judge")
    address = f"/desk/{live_game.event.code}/do/add-players/"
    for target in (
        "http://evil.example/",
        "//evil.example/",
        "javascript:alert(1)",
        "/\\evil.example",
        "https:evil.example",
    ):
        answer = judge.post(address, {"lines": "", "next": target})
        assert urlsplit(answer["Location"]).netloc in ("", "testserver"), target
        assert "evil" not in answer["Location"]
