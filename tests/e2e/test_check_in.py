"""Check-in by its keys, two at once: letters, arrows, Enter; somebody who is not on the list."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
PLAYERS = "1, Anna Rossi, Torino\n2, Bruno Neri, Ivrea\n3, Carla Rossi, Torino\n9, Zoë Bo, Asti"


def opened(page: Page, address: str) -> Page:
    page.goto(f"{address}entry-desk/")
    page.wait_for_selector("#arrival-q:focus")
    return page


def test_who_has_come_is_marked_by_letters_arrows_and_enter(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event(PLAYERS)
    page = opened(judge.page, f"{judge.base}/desk/{code}/")
    line, said, rows = page.locator("#arrival-q"), page.locator("#arrival-message"), page.locator(".arrival")
    line.press_sequentially("rossi")
    expect(rows).to_have_count(2)
    line.press("ArrowDown")
    expect(page.locator(".arrival.chosen")).to_have_attribute("data-table", "3")
    line.press("Enter")
    expect(said).to_have_text("Carla Rossi is here, at table 3.")
    expect(line).to_have_value("")
    expect(line).to_be_focused()
    expect(page.locator(".arrival-count b")).to_have_text("1")
    line.press_sequentially("zoe")
    expect(rows).to_have_count(1)
    line.press("Enter")
    expect(said).to_have_text("Zoë Bo is here, at table 9.")
    line.press_sequentially("3")
    line.press("Enter")
    expect(said).to_have_text("3: this player is here already.")
    expect(line).to_have_value("3")


def test_a_slow_line_loses_no_letter_and_marks_the_right_players(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    """Two names of ten letters, one after the other: the second one is typed while the server still looks up the
    first."""
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event(PLAYERS)
    page = opened(judge.page, f"{judge.base}/desk/{code}/")
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    line = page.locator("#arrival-q")
    for name in ("anna rossi", "bruno neri"):
        page.keyboard.type(name, delay=150)
        assert line.input_value() == name
        page.keyboard.press("Enter")
    page.keyboard.type("zo", delay=150)
    expect(page.locator("#arrival-message")).to_have_text("Bruno Neri is here, at table 2.")
    expect(page.locator(".arrival-count b")).to_have_text("2")
    expect(line).to_have_value("zo")
    expect(page.locator(".arrival.here")).to_have_count(0)
    expect(page.locator(".arrival")).to_have_attribute("data-table", "9")


def test_two_entry_desks_and_somebody_who_is_not_on_the_list(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event(PLAYERS)
    page = opened(judge.page, f"{judge.base}/desk/{code}/")
    other = opened(judge.page.context.new_page(), f"{judge.base}/desk/{code}/")
    other.locator("#arrival-q").press_sequentially("anna")
    expect(other.locator(".arrival")).to_have_count(1)
    other.locator("#arrival-q").press("Enter")
    expect(other.locator("#arrival-message")).to_have_text("Anna Rossi is here, at table 1.")
    page.locator("#arrival-q").press("Escape")
    page.keyboard.press("Alt+n")
    page.keyboard.type("Elio Galli")
    page.keyboard.press("Enter")
    expect(page.locator("#arrival-message")).to_have_text("Elio Galli is here, at table 4.")
    expect(page.locator(".arrival-count b")).to_have_text("2")
