"""What the first visit of a page transfers, with all its scripts and styles, as the browser counts it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
DESK, OTHER = 60_000, 100_000
PLAYERS = "\n".join(f"{table}, Player{table} Surname{table}, Torino" for table in range(1, 121))
PAGES = ("players/", "entry-desk/", "standings/", "documents/", "rules/", "rounds/", "staff/", "analysis/")


def test_the_desk_of_120_players_takes_60_kb_and_no_other_page_100(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event(players=PLAYERS)
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    for table in range(1, 6):
        judge.types(f"{table} {ref} {word} {points}")
    judge.next_step("closed")
    cookies: Any = judge.page.context.cookies()
    assert _transferred(people.at_desk(), cookies, f"{judge.base}/desk/{code}/") < DESK
    for page in PAGES:
        assert _transferred(people.at_desk(), cookies, f"{judge.base}/desk/{code}/{page}") < OTHER, page
    assert _transferred(people.with_phone(), [], f"{judge.base}/j/{code}/") < OTHER


def _transferred(page: Page, cookies: Any, address: str) -> float:
    """The bytes of all answers, with their headers, to a browser that has nothing stored."""
    page.context.add_cookies(cookies)
    network = page.context.new_cdp_session(page)
    lengths: list[float] = []
    network.on("Network.loadingFinished", lambda finished: lengths.append(finished["encodedDataLength"]))
    network.send("Network.enable")
    page.goto(address, wait_until="networkidle")
    return sum(lengths)
