"""Headers of every page, and the absence of content that the content security policy would have to except."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from pytest_django import Settings

from referee.security.transport import https_settings
from tests.leaks import leaked
from tests.referee.live.live_game import LiveGame, make_live_game
from tournaments.models import Document, PracticeLink, PreparedGame
from tournaments.now import utc_now

pytestmark = pytest.mark.django_db
# Files with a style of their own, which no server of this program shows: other sites host the page for the club's
# site, and READ-ME-FIRST of the offline kit is opened from a folder.
FILES = {"templates/kit/read_me.html", "templates/results/page.html"}
TEMPLATES = [
    path
    for path in sorted(Path(configured.BASE_DIR, "templates").rglob("*.html"))
    if path.relative_to(configured.BASE_DIR).as_posix() not in FILES
]
# Pages without game data, which a phone may show again without a request. Game data comes over the socket.
MAY_BE_KEPT = {"phone:join", "phone:join_event", "phone:play", "wall:show"}
# Answered in the event loop with the live server; separate tests ask for them over real connections.
LIVE = {"phone:state", "phone:slip"}
CLOSED = {"default-src": "'self'", "script-src": "'self'", "style-src": "'self'", "object-src": "'none'"}


@pytest.fixture
def live_game(settings: Any) -> LiveGame:
    live_game = make_live_game()
    live_game.draw("CORNOAT")
    live_game.announce()
    live_game.close()
    now = utc_now()
    prepared = PreparedGame.objects.create(pk=1, by=live_game.judge, title="x", kind="prepared", created_at=now)
    PracticeLink.objects.create(prepared=prepared, token="practice", made_at=now)
    Document.objects.create(
        pk=1, game=live_game.game, room=live_game.room, kind="standings", asked_at=now, state="done", path="headers.pdf"
    )
    (settings.DATA_DIR / "headers.pdf").write_bytes(b"%PDF-1.4")
    return live_game


def named(patterns: list[Any], space: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Return all pages of the program by name."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from named(pattern.url_patterns, f"{pattern.namespace}:" if pattern.namespace else space)
        else:
            yield f"{space}{pattern.name}", pattern


def addresses(live_game: LiveGame) -> dict[str, str]:
    """Return one address for every page."""
    known: dict[str, Any] = {
        "code": live_game.event.code,
        "pk": 1,
        "table": 1,
        "action": "rule-word",
        "step": "begin",
    }
    known |= {"key": "word", "turn": 1, "game": 1, "edition": "it", "name": "run-a-club-night"}
    known |= {"event": 1, "season": 1, "ranking": 1, "member": 1, "summary": 1, "returned": 1, "kind": "csv"}
    known |= {"file_format": "csv"}
    tokens = {"wall": live_game.event.wall_token, "practice": "practice"}
    found = {}
    for name, pattern in named(get_resolver().url_patterns):
        wanted = pattern.pattern.converters
        given = {key: known[key] for key in wanted if key in known}
        if "token" in wanted:
            given["token"] = tokens.get(name.split(":")[0], "no-such-token")
        if "number" in wanted:
            given["number"] = 1
        found[name] = reverse(name, kwargs=given)
    return found


@pytest.fixture(scope="module")
def kept_answers() -> dict[str, Any]:
    return {}


@pytest.fixture
def answers(kept_answers: dict[str, Any], request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the answers of `get_answers`, which are asked for once."""
    if not kept_answers:
        kept_answers.update(get_answers(request.getfixturevalue("live_game")))
    return kept_answers


def get_answers(live_game: LiveGame) -> dict[str, Any]:
    """Return the answer to a GET of every page, or a POST where GET is not allowed, to a judge who also has a seat."""
    client = Client(raise_request_exception=False)
    client.force_login(live_game.judge)
    name, _, value = live_game.cookie(1).partition("=")
    client.cookies[name] = value
    answers = {}
    for page, address in addresses(live_game).items():
        if page in LIVE or page == "desk:log-out":
            continue
        answer = client.get(address)
        answers[page] = client.post(address) if answer.status_code == 405 else answer
    return answers


def test_every_page_is_asked_for(answers: dict[str, Any]) -> None:
    assert len(answers) > 50
    shown = [page for page, answer in answers.items() if answer.status_code == 200]
    assert {"desk:console", "desk:staff", "desk:seat-codes", "phone:play", "wall:show", "desk:archive"} <= set(shown)
    assert [page for page, answer in answers.items() if answer.status_code >= 500] == []


def test_every_page_has_the_headers(answers: dict[str, Any]) -> None:
    for page, answer in answers.items():
        policy = dict(part.split(" ", 1) for part in answer["Content-Security-Policy"].split("; "))
        assert {**policy, **CLOSED} == policy, page
        assert (policy["frame-ancestors"], policy["base-uri"]) == ("'none'", "'none'")
        assert "unsafe" not in answer["Content-Security-Policy"]
        assert "nonce" not in answer["Content-Security-Policy"]
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["Referrer-Policy"] == "same-origin"
        assert "camera=()" in answer["Permissions-Policy"]
        assert "screen-wake-lock=(self)" in answer["Permissions-Policy"]
        assert "Access-Control-Allow-Origin" not in answer


def test_what_has_game_data_is_stored_nowhere(answers: dict[str, Any]) -> None:
    for page, answer in answers.items():
        wanted = ("private, no-cache",) if page in MAY_BE_KEPT else ("no-store", "private, no-store")
        assert answer["Cache-Control"] in wanted, page
    for page in MAY_BE_KEPT:
        assert leaked(answers[page].content.decode().upper(), ("CORNO", "CORNOAT", "ACNOORT")) == [], page


def test_by_https_the_opener_is_cut_off_and_cookies_are_secure(live_game: LiveGame, settings: Settings) -> None:
    for name, value in https_settings(hsts_s=3600, for_the_world=False).items():
        setattr(settings, name, value)
    client = Client()
    client.force_login(live_game.judge)
    answer = client.get(f"/desk/{live_game.event.code}/", secure=True)
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Strict-Transport-Security"] == "max-age=3600"
    assert answer.cookies["csrftoken"]["secure"]
    joined = Client().post(f"/j/{live_game.event.code}/", {"name": "Nora"}, secure=True)
    assert joined.cookies["seat"]["secure"]
    plain = client.get(f"/desk/{live_game.event.code}/")
    assert (plain.status_code, plain["Location"]) == (301, f"https://testserver/desk/{live_game.event.code}/")


def test_by_plain_http_nothing_is_said_that_browsers_complain_about(live_game: LiveGame) -> None:
    answer = Client().get("/")
    assert "Cross-Origin-Opener-Policy" not in answer
    assert "Strict-Transport-Security" not in answer


class Inline(HTMLParser):
    """Collects content that a strict content security policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._in_script = tag == "script"
        if tag == "style" or (tag == "script" and "src" not in given):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            scripted = (value or "").strip().lower().startswith(("javascript:", "data:text"))
            if name == "style" or re.match(r"on\w|hx-on|hx-vars|hx-headers", name) or scripted:
                self.found.append(f"{tag} {name}")
            if name in ("src", "href", "action", "formaction") and re.match(r"(https?:)?//", value or ""):
                self.found.append(f"{tag} {name}={value}")

    def handle_data(self, data: str) -> None:
        if self._in_script and data.strip():
            self.found.append("script text")

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False


def inline_in(text: str) -> list[str]:
    parser = Inline()
    parser.feed(text)
    return parser.found


def test_the_pages_hold_no_inline_script_style_or_handler_and_nothing_of_another_site(answers: dict[str, Any]) -> None:
    looked_at = 0
    for page, answer in answers.items():
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            looked_at += 1
            own = answer.content.decode().replace("http://testserver", "")
            assert inline_in(own) == [], page
    assert looked_at > 25


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(configured.BASE_DIR)))
def test_a_template_holds_none_either(path: Path) -> None:
    assert inline_in(re.sub(r"{%.*?%}", "", path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "<script>x()</script>",
        '<p style="color:red">',
        "<style>p{}</style>",
        '<a onclick="x()">',
        '<a href="javascript:x()">',
        '<p hx-on:click="x()">',
        '<script src="https://elsewhere.example/x.js"></script>',
        '<img src="//elsewhere.example/x.png">',
    ],
)
def test_what_is_forbidden_would_be_found(text: str) -> None:
    assert inline_in(text) != []
