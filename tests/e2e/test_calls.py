"""The caller's page, the voice of desk and wall, and the search box, in a browser that writes down what is spoken."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
# A browser without a screen has no voices and no speech: what it would have been asked to say is kept.
VOICES = """
window.said = [];
speechSynthesis.getVoices = () => [{ lang: "LANG", localService: LOCAL, name: "test" }];
speechSynthesis.speak = (utterance) => window.said.push(utterance.text);
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""


def hears(page: Page, *, language: str = "en-GB", local: bool = True) -> None:
    page.add_init_script(VOICES.replace("LANG", language).replace("LOCAL", "true" if local else "false"))


def said(page: Page, sentence: str) -> None:
    page.wait_for_function("sentence => window.said.some((text) => text.includes(sentence))", arg=sentence)


def test_the_voice_calls_rack_and_move_on_desk_and_wall_and_never_before_the_hall_knows(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    hears(judge.page)
    judge.page.reload()
    judge.page.wait_for_selector("#console[data-ready]")
    wall, caller = people.at_wall(), judge.page.context.new_page()
    for page in (wall, caller):
        hears(page)
    wall.goto(judge.base + str(judge.page.get_by_role("link", name="Wall").get_attribute("href")))
    caller.goto(f"{judge.base}/desk/{code}/calls/")
    expect(caller.locator(".caller")).to_contain_text("Nothing to call now")
    for page in (judge.page, wall):
        page.wait_for_selector("#voice", state="attached")
        key = "h" if page is wall else "Alt+h"
        page.keyboard.press(key)
        page.keyboard.press(key)
        expect(page.locator("#voice")).to_contain_text("code words")
    judge.next_step("drawn")
    expect(caller.locator(".call-tiles li")).to_have_count(7)
    letters = caller.locator(".call-tiles b").all_inner_texts()
    assert judge.page.evaluate("said.length") == wall.evaluate("said.length") == 0
    judge.next_step("running")
    for page in (judge.page, wall):
        said(page, f"{next(face for face in letters if face != '?')} come ")
        said(page, "minutes")
    expect(caller.locator("#clock")).to_contain_text(":")
    judge.next_step("closed")
    said(wall, "Time is up")
    assert not any("points" in text for text in wall.evaluate("said"))
    judge.next_step("placed")
    for page in (judge.page, wall):
        said(page, "points")
    expect(caller.locator(".call-move .call-points")).to_contain_text("Total of all moves")


def test_a_device_without_a_voice_of_its_own_says_so(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    hears(judge.page, local=False)
    judge.page.reload()
    judge.page.wait_for_selector("#console[data-ready]")
    judge.page.keyboard.press("Alt+h")
    expect(judge.page.locator("#voice-line")).to_contain_text("This device has no voice of its own")


def test_the_search_box_answers_by_keyboard_alone(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event()
    judge.next_step("drawn")
    word = judge.moves()[0][0]
    page = judge.page
    page.keyboard.press("F3")
    page.keyboard.type("-")
    expect(page.locator(".moves .hit").first).to_contain_text(word)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".moves .hit").first).to_be_focused()
    expect(page.locator(".words-small-board .ghost").first).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#words-line")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(f"@{word.upper()}")
    expect(page.locator("#words-answer")).to_contain_text("With the rack")
    page.keyboard.press("Escape")
    expect(page.locator("#words")).to_be_hidden()
