"""Pages that nobody touches: the public page brings itself up to date, and the wall takes turns with its charts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
HALF_A_MINUTE = 36_000


def open_to_everybody(judge: JudgePage, code: str) -> str:
    """The address of the public page, not behind the hall."""
    desk = judge.page
    desk.goto(f"{judge.base}/desk/{code}/public-page/")
    desk.get_by_label("The page is on").check()
    desk.locator("#delay").fill("0")
    desk.get_by_role("button", name="Save").click()
    address = desk.locator("a.address").inner_text().split()[0]
    back_to_the_desk(judge, code)
    return address


def back_to_the_desk(judge: JudgePage, code: str) -> None:
    judge.page.goto(f"{judge.base}/desk/{code}/")
    judge.page.wait_for_selector("#console[data-ready]")


def play_a_turn(judge: JudgePage) -> str:
    """A whole turn with one slip; the word that was laid."""
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    judge.types(f"1 {ref} {word} {points}")
    judge.next_step("closed")
    judge.next_step("placed")
    return word.upper()


def later(page: Page, ms: int) -> None:
    page.clock.fast_forward(ms)
    page.wait_for_timeout(300)


def test_the_public_page_shows_the_next_turn_without_being_loaded_anew(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    address = open_to_everybody(judge, code)
    play_a_turn(judge)
    reader = people.with_phone()
    reader.clock.install()
    reader.goto(address)
    expect(reader.locator("#main h2").first).to_contain_text("After turn 1")
    reader.evaluate("() => { window.sameDocument = true; }")
    table = reader.locator("figure details").first
    table.locator("summary").click()
    play_a_turn(judge)
    for _look in range(3):
        later(reader, HALF_A_MINUTE)
    expect(reader.locator("#main h2").first).to_contain_text("After turn 2")
    assert reader.evaluate("() => window.sameDocument")
    assert reader.locator("figure details[open]").count() == 1


def test_the_wall_turns_between_the_ranking_and_the_charts_until_the_next_rack(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    wall = people.at_wall()
    wall.clock.install()
    wall.goto(judge.base + str(judge.page.get_by_role("link", name="Wall").get_attribute("href")) + "?charts=1")
    word = play_a_turn(judge)
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "placed")
    expect(wall.locator("#charts")).to_contain_text(word, ignore_case=True)  # the letter of a blank is small
    expect(wall.locator("#charts")).to_be_hidden()
    later(wall, 9_100)
    expect(wall.locator("#charts")).to_be_visible()
    later(wall, 9_100)
    expect(wall.locator("#charts")).to_be_hidden()
    later(wall, 9_100)
    judge.next_step("drawn")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "drawn")
    expect(wall.locator("#charts")).to_be_hidden()
