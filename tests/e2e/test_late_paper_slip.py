"""A paper slip that is typed after the close: the desk asks once in a turn whether it was in time."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.held_requests import Held
from tests.e2e.judge import JudgePage, send_line
from tests.referee.live.live_server import ServerProcess

pytestmark = pytest.mark.browser


@pytest.mark.endurance
def test_a_slip_typed_after_the_close_is_asked_about_once(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    judge.next_step("closed")
    page, question = judge.page, judge.page.locator("#question")
    judge.types(f"1 {ref} {word} {points}")
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(page.locator("#entry-line")).to_have_value(f"1 {ref} {word} {points}")  # nothing typed is lost
    page.keyboard.press("Enter")
    expect(question.locator("button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#slips-in")).to_have_text("1")
    expect(page.locator("#entry-line")).to_be_focused()
    judge.types(f"2 {ref} {word} {points}")
    expect(page.locator("#slips-in")).to_have_text("2")
    expect(question).to_be_hidden()


@pytest.mark.endurance
def test_a_slip_typed_before_the_close_and_sent_after_it_is_stored_unasked(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    held = Held(judge.page, "**/paper/")
    send_line(judge.page, f"1 {ref} {word} {points}")
    held.wait()
    judge.next_step("closed")
    held.let_go()
    expect(judge.page.locator("#slips-in")).to_have_text("1")
    expect(judge.page.locator("#question")).to_be_hidden()
