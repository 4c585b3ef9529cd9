"""Bytes that the first visit of a page transfers, with all its scripts and styles, as the browser counts them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
DESK, OTHER = 60_000, 100_000
PLAYERS = "\n".join(f"{table}, Player{table} Surname{table}, Torino" for table in range(1, 121))
MEMBERS = "".join(f"Surname{n};Player{n};Torino;IT{n}\n" for n in range(1, 2_001))
PAGES = ("players/", "entry-desk/", "standings/", "documents/", "rules/", "rounds/", "staff/", "analysis/")
PAGES_OF_A_CLUB = (
    *("new/", "", "members/", "members/new/", "members/file/", "members/review/", "members/duplicates/", "members/1/"),
    *("seasons/", "seasons/1/edit/", "seasons/1/events/", "seasons/1/rankings/1/", "seasons/earlier/", "records/"),
    *("ratings/", "club/", "club/api/", "club/webhooks/"),
)


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


def test_no_page_of_a_club_of_2000_members_takes_100_kb(own_server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), own_server)
    desk = judge.page
    imports_members(desk, judge.base)
    code = judge.new_event(players=PLAYERS)
    for phase in ("drawn", "running", "closed", "placed"):
        judge.next_step(phase)
    desk.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")
    cookies: Any = desk.context.cookies()
    desk.goto(f"{judge.base}/desk/seasons/")
    desk.get_by_role("button", name=re.compile("^Create ")).click()
    desk.locator("table.season tbody th a").first.click()
    behind = desk.url
    desk.get_by_role("link", name="Results").click()
    history, private = desk.url, str(desk.locator("a.private-address").get_attribute("href"))
    event = f"{judge.base}/desk/{code}/"
    of_event = (f"{event}{page}" for page in ("players/", "players/members/", "results/players/", "standings/"))
    of_club = (f"{judge.base}/desk/{page}" for page in PAGES_OF_A_CLUB)
    for address in (behind, history, *of_event, *of_club):
        assert _transferred(people.at_desk(), cookies, address) < OTHER, address
    desk.goto(f"{event}players/members/")
    desk.get_by_label("Search the members").fill("player1999")
    desk.get_by_label("Search the members").press("Enter")
    expect(desk.get_by_label("Surname1999 Player1999")).to_be_visible()
    for address in (private, f"{judge.base}/j/{code}/"):
        assert _transferred(people.with_phone(), [], address) < OTHER, address


def imports_members(desk: Page, base: str) -> None:
    """Import 2,000 members, among them the 120 players."""
    desk.goto(f"{base}/desk/members/file/")
    rows = f"Cognome;Nome;Club;Tessera\n{MEMBERS}".encode()
    desk.locator("#member-file").set_input_files({"name": "soci.csv", "mimeType": "text/csv", "buffer": rows})
    desk.get_by_role("button", name="Check the file").click()
    desk.get_by_role("button", name="Add 2000 members").click()
    desk.get_by_role("heading", name="Members", exact=True).wait_for()


def _transferred(page: Page, cookies: Any, address: str) -> float:
    """The bytes of the answers, with their headers, to a browser that has nothing stored; each address counts once."""
    page.context.add_cookies(cookies)
    network = page.context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    lengths: dict[str, float] = {}

    def begins(request: Any) -> None:
        addresses[request["requestId"]] = request["request"]["url"]

    def ends(finished: Any) -> None:
        lengths.setdefault(addresses.get(finished["requestId"], ""), finished["encodedDataLength"])

    network.on("Network.requestWillBeSent", begins)
    network.on("Network.loadingFinished", ends)
    network.send("Network.enable")
    page.goto(address, wait_until="networkidle")
    print(sorted(((size, url) for url, size in lengths.items()), reverse=True))
    return sum(lengths.values())
