"""A player appeals from his phone; the judge looks what would follow, accepts the word, and the phone shows it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, send_slip, sits_down
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
PICTURES = os.environ.get("PICTURES_OF_APPEALS", "")


def picture(page: Page, name: str) -> None:
    """Kept for whoever wants to look, where a folder is named."""
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def test_an_appeal_from_the_phone_is_upheld_at_the_desk(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    anna = sits_down(people.with_phone(width=360), judge, code)

    judge.next_step("drawn")
    best, ref, points = judge.moves()[0]
    wrong = judge.no_word()
    judge.next_step("running")
    send_slip(anna, wrong, "8H", 30)
    judge.types(f"2 {ref} {best} {points}")
    judge.next_step("closed")
    judge.next_step("placed")

    desk = judge.page
    desk.goto(f"{judge.base}/desk/{code}/appeals/")
    expect(desk.locator("#appeal-queue")).to_contain_text("No appeal is waiting.")
    expect(anna.locator("#appeal-limit")).to_contain_text("You may appeal until")
    picture(anna, "phone-may-appeal")
    anna.get_by_role("button", name="Appeal").click()
    anna.locator("#appeal-sentence").fill("It is in the new edition.")
    picture(anna, "phone-dialog")
    anna.get_by_role("button", name="Send the appeal").click()
    expect(anna.locator("#appeal-list")).to_contain_text("the judge has your appeal")

    expect(desk.locator(".appeal blockquote")).to_have_text("It is in the new edition.")
    assert desk.locator(".appeal .desk-board").inner_html()
    picture(desk, "desk-queue")
    accept = desk.locator(".appeal form").filter(has=desk.locator("[name=ruling]"))
    accept.get_by_label("Accept").fill("It is in the edition of this year.")
    accept.get_by_role("button").click()
    expect(desk.get_by_role("heading", name="Accept")).to_be_visible()
    picture(desk, "desk-what-if")
    desk.locator("[name=seen] + button.go").click()
    expect(desk.locator("#notices")).to_contain_text("is judged again")
    expect(anna.locator("#appeal-list")).to_contain_text("you are right. It is in the edition of this year.")
    expect(anna.locator("#appeal-list")).to_contain_text("Turn 1 was judged again: 0 →")
    picture(anna, "phone-upheld")

    desk.get_by_role("link", name="Judge a turn again").click()
    desk.get_by_role("navigation", name="Turns").get_by_role("link", name="1").click()
    picture(desk, "desk-again")
    desk.set_viewport_size({"width": 360, "height": 800})
    picture(desk, "desk-again-360")
    desk.locator(".answered a").first.click()
    expect(desk.get_by_role("heading", name="Turn 1 judged again")).to_be_visible()
    picture(desk, "desk-differences-360")
