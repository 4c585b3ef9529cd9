"""The player's page itself: what it may hold, what it weighs, that it needs nothing from elsewhere."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client

from referee.phone.views import MODULES
from tests.referee.phone.seats import open_event, seat_player
from tournaments.models import Event, Turn

pytestmark = pytest.mark.django_db
STATIC = Path(__file__).resolve().parents[3] / "referee" / "static"
BUDGET_KB = 60


@pytest.fixture
def event() -> Event:
    return open_event()


@pytest.fixture
def phone(client: Client, event: Event) -> Client:
    """A browser that sits at table 17."""
    seat_player(event, 17, "Anna <Rossi>")
    client.post(f"/j/{event.code}/", {"table": "17"})
    return client


def scripts_from(entry: str) -> set[str]:
    """The modules that an entry module imports, directly or not, as names below the static folder."""
    found: set[str] = set()
    waiting = [STATIC / entry]
    while waiting:
        script = waiting.pop()
        for name in re.findall(r'from "(\.[^"]+)"', script.read_text(encoding="utf-8")):
            target = (script.parent / name).resolve()
            if (relative := target.relative_to(STATIC).as_posix()) not in found:
                found.add(relative)
                waiting.append(target)
    return found


def test_the_page_names_the_seat_and_escapes_the_name(phone: Client, event: Event) -> None:
    page = phone.get("/play/").content.decode()
    assert "Anna &lt;Rossi&gt;" in page
    assert 'data-socket="/ws/phone/"' in page
    assert f'data-room="{event.code}"' in page
    assert 'data-state="/play/state.json"' in page
    assert 'data-slip="/play/slip"' in page


def test_every_module_is_fetched_at_once_and_none_in_vain(phone: Client) -> None:
    assert set(MODULES) == scripts_from("phone/main.js")


def test_the_page_weighs_less_than_60_kb_over_the_air(phone: Client) -> None:
    asked = {"Accept-Encoding": "gzip", "Accept-Language": "it"}
    made = [phone.get(path, headers=asked) for path in ("/play/", "/texts.js")]
    assert [answer["Content-Encoding"] for answer in made] == ["gzip", "gzip"]
    files = ["common/tokens.css", "common/board.css", "phone/phone.css", "common/icon.svg", "phone/main.js", *MODULES]
    kept = [gzip.compress((STATIC / name).read_bytes(), 9) for name in files]
    assert sum(len(part) for part in [*(answer.content for answer in made), *kept]) < BUDGET_KB * 1000


def test_nothing_on_the_pages_breaks_the_content_security_policy(phone: Client, event: Event) -> None:
    for path in ("/", f"/j/{event.code}/", "/play/"):
        page = phone.get(path).content.decode()
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page), path
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page)), path
        addresses = re.findall(r'(?:src|href|action)="([^"]+)"', page)
        assert all(address.startswith("/") for address in addresses), path


def test_a_rack_that_is_drawn_and_not_announced_is_nowhere_on_the_page(phone: Client, event: Event) -> None:
    Turn.objects.create(
        game=event.games.get(),
        number=1,
        rack="QUZZHGF",
        board=["." * 15] * 15,
        top=77,
        tops=[{"word": "QUZHY", "ref": "8H", "score": 77, "why": ""}],
        drawn_at=event.created_at,
    )
    for path in ("/", f"/j/{event.code}/", "/play/"):
        page = phone.get(path).content.decode()
        for secret in ("QUZZHGF", "QUZHY", "planted-seed"):
            assert secret not in page


def test_the_pages_are_kept_by_this_phone_only(phone: Client, event: Event) -> None:
    for path in ("/", f"/j/{event.code}/", "/play/"):
        assert phone.get(path)["Cache-Control"] == "private, no-cache"


def test_no_page_changes_anything_when_it_is_only_looked_at(phone: Client, event: Event) -> None:
    before = event.games.get().seq
    for path in ("/", f"/j/{event.code}/", "/play/"):
        phone.get(path)
        phone.head(path)
    assert event.games.get().seq == before
    assert phone.post("/play/").status_code == 405


@pytest.mark.parametrize("players", [1, 3])
def test_the_table_costs_one_look_into_the_database_however_many_play(
    client: Client, event: Event, players: int, django_assert_num_queries: object
) -> None:
    for table in range(1, players + 1):
        seat_player(event, table, f"Player {table}")
    client.post(f"/j/{event.code}/", {"table": "1"})
    with django_assert_num_queries(1):  # type: ignore[operator]
        client.get("/play/")
