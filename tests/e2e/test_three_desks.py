"""Two judges and a typist at one game: a turn is judged by keys alone, at both desks at once, and nothing twice."""

from __future__ import annotations

from itertools import permutations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.colleagues import let_in
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.held_requests import Held
from tests.e2e.judge import EDITION, JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def two_words_of_no_list(judge: JudgePage) -> list[str]:
    tries = ("".join(letters) for letters in permutations(judge.rack.replace("?", ""), 5))
    found = [word for word in dict.fromkeys(tries) if EDITION.parse_word(word) not in judge.lexicon]
    return found[:2]


def card(page: Page, word: str) -> Locator:
    return page.locator(".queue .group").filter(has=page.locator(f".word:text-is('{word}')"))


def test_two_judges_and_a_typist_judge_a_turn_by_keys(own_server: ServerProcess, people: BrowserProfiles) -> None:
    anna = JudgePage(people.at_desk(), own_server)
    code = anna.new_event()
    berto, typist = (let_in(anna, code, *who, people) for who in (("Berto", "judge"), ("Tina", "typist")))
    anna.page.goto(f"{anna.base}/desk/{code}/")
    anna.page.wait_for_selector("#console[data-ready]")
    anna.next_step("drawn")
    anna.next_step("running")
    first, second = two_words_of_no_list(anna)
    word, ref, points = anna.moves()[0]
    for line in (f"1 8H {first} 90", f"2 8H {second} 20", f"3 {ref} {word} {points}"):
        anna.types(line)
    anna.next_step("closed")
    berto.wait_for_selector("#console .main[data-phase=closed]")

    # Anna looks at the first one, with its board; Berto is told so.
    anna.page.keyboard.press("ArrowDown")
    looked_at = anna.page.locator(".queue .group:focus .word").inner_text()
    other = second if looked_at == first else first
    expect(anna.page.locator(".col-board .asked.new")).to_have_count(5)
    expect(card(berto, looked_at).locator(".presence")).to_contain_text("is looking at this")

    # While Berto writes, Anna decides; what he writes stays, and so does he.
    berto.keyboard.press("ArrowDown")
    berto.keyboard.press("ArrowDown")
    berto.keyboard.press("Alt+d")
    berto.keyboard.type("half a rea")
    anna.page.keyboard.press("Alt+a")
    expect(berto.locator(".seen .word").first).to_have_text(looked_at)
    expect(card(berto, other).locator(":focus")).to_have_value("half a rea")
    berto.keyboard.type("son")
    expect(card(berto, other).locator(":focus")).to_have_value("half a reason")
    expect(anna.page.locator(".queue .group:focus .word")).to_have_text(other)

    # News does not reach Berto; Anna decides, and he hears of it when he tries.
    berto.keyboard.press("Escape")
    berto.route("**/main/", lambda route: route.fulfill(status=204))
    anna.page.keyboard.press("Alt+a")
    expect(anna.page.locator(".queue-title").first).to_have_text("All 3 slips are judged")
    expect(card(berto, other)).to_be_focused()
    berto.keyboard.press("Alt+a")
    expect(berto.locator("#notices")).to_contain_text("accepted the verdict of the rules at ")
    expect(berto.locator(".queue-title").first).to_have_text("All 3 slips are judged")

    # A typist sees the line for slips and nothing of all this.
    expect(typist.locator("#entry-line")).to_be_visible()
    assert typist.locator("[data-question], [data-key=a], [data-key=c], .presence").count() == 0
    assert other not in typist.locator("#console").inner_text()

    anna.page.keyboard.press("Alt+c")
    anna.page.locator("#question button[value=yes]").press("Enter")
    expect(anna.page.locator("#clear-groups")).to_contain_text("Accepted by")
    anna.page.keyboard.press("F2")
    anna.phase("placed")


def test_an_answer_to_a_button_that_was_replaced_meanwhile_does_not_make_the_desk_deaf(
    own_server: ServerProcess, people: BrowserProfiles
) -> None:
    anna = JudgePage(people.at_desk(), own_server)
    code = anna.new_event()
    berto = let_in(anna, code, "Berto", "judge", people)
    anna.page.goto(f"{anna.base}/desk/{code}/")
    anna.page.wait_for_selector("#console[data-ready]")
    anna.next_step("drawn")
    anna.next_step("running")
    news, act = Held(anna.page, "**/main/"), Held(anna.page, "**/do/more-time/")
    berto.wait_for_selector("#console .main[data-phase=running]")
    berto.keyboard.press("F8")
    news.wait()
    anna.page.keyboard.press("F9")
    act.wait()
    news.let_go()
    anna.phase("paused")
    with anna.page.expect_response("**/do/more-time/"):
        act.let_go()
    berto.wait_for_selector("#console .main[data-phase=paused]")
    berto.keyboard.press("F8")
    anna.phase("running")
