"""Two people type the slips in their browsers, the judge settles by a key, and then plays along himself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.colleagues import let_in
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, type_line
from tests.referee.live.live_server import ServerProcess

pytestmark = pytest.mark.endurance


def test_a_difference_is_listed_at_both_desks_settled_by_a_key_and_the_judge_plays_the_next_turn(
    own_server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), own_server)
    code, page = judge.new_event(), judge.page
    page.goto(f"{judge.base}/desk/{code}/players/")
    with page.expect_navigation():
        page.get_by_role("button", name="Let two people type each slip").click()
    ada = let_in(judge, code, "Ada", "typist", people)
    page.goto(f"{judge.base}/desk/{code}/")
    page.wait_for_selector("#console[data-ready]")
    expect(page.locator("#health-summary")).to_have_text("Everything works.")
    judge.next_step("drawn")
    judge.next_step("running")
    type_line(page, "2 8H PRIMO 18")
    expect(ada.locator("#typings")).to_contain_text("Type these slips a second time")
    expect(ada.locator("body")).not_to_contain_text("PRIMO")
    type_line(ada, "2 8H PRIMA 81")
    expect(page.locator("#typings")).to_contain_text("Table 2 was typed in two ways")
    expect(ada.locator("#typings")).to_contain_text("PRIMO")
    page.keyboard.press("Escape")
    for key in ("Alt+y", "1", "2"):
        page.keyboard.press(key)
    expect(page.locator("#typings")).to_contain_text("typed twice and agrees")
    judge.next_step("closed")
    expect(page.locator(".work")).to_contain_text("PRIMA")
    judge.next_step("placed")

    page.keyboard.press("Alt+k")
    page.keyboard.press("k")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(page.locator("#playing-judge")).to_contain_text("You play at table 3")
    judge.next_step("drawn")
    expect(page.locator("[data-rack]")).to_have_count(0)
    judge.next_step("running")
    page.keyboard.press("F4")
    expect(page.locator("#notices")).to_contain_text("Your slip is not in yet")
    type_line(ada, "3 8H PRIMO 18")
    page.keyboard.press("F4")
    expect(page.locator("#tops")).to_have_count(1)
