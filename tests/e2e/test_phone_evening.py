"""One evening on a phone of 320 pixels: joining with a typo, a turn, a draft that was not sent, the card at the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.axe import grave_faults
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, fill_slip, send_slip, sits_down
from tests.e2e.reading import find_reading_faults
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
SMALL = 320
PLACES = """() => ['board', 'rack', 'ref', 'word', 'score', 'send']
    .map((id) => document.getElementById(id).getBoundingClientRect()).map((box) => [box.top, box.left, box.width])"""


def looks_well(page: Page) -> None:
    """Nothing serious for axe-core, and nothing cut with letters of twice the size."""
    assert [*grave_faults(page, is_new=True), *find_reading_faults(page)] == []


def on_screen(page: Page, name: str) -> None:
    expect(page.locator("#main")).to_have_attribute("data-screen", name)


@pytest.mark.usefixtures("complaints")
def test_an_evening_on_a_small_phone(server: ServerProcess, people: BrowserProfiles, complaints: list[str]) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    phone = joins_with_a_typo(judge, people, code)
    judge.page.goto(f"{judge.base}/desk/{code}/players/")
    assert judge.page.locator("tbody tr").count() == 3
    complaints.clear()  # the browser complains about the page that asks for the name again
    judge.page.goto(f"{judge.base}/desk/{code}/")
    judge.page.wait_for_selector("#console[data-ready]")
    plays_a_turn(judge, phone)
    forgets_to_send(judge, phone)
    comes_late_and_is_removed(judge, people, code)
    judge.page.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")
    on_screen(phone, "finished")
    expect(phone.locator("#card-place")).to_have_text("1")
    with phone.expect_download() as saved:  # plain HTTP has no Web Share
        phone.locator("#card-share").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    expect(phone.locator("body")).to_have_class("play gold")
    looks_well(phone)


def joins_with_a_typo(judge: JudgePage, people: BrowserProfiles, code: str) -> Page:
    phone = people.with_phone(width=SMALL)
    phone.goto(f"{judge.base}/j/{code}/")
    phone.locator("#search").fill("ROS")
    expect(phone.locator(".person:visible")).to_have_text(["Anna Rossi"])
    looks_well(phone)
    phone.locator("#search").fill("Ana Rosi")
    expect(phone.locator("#nobody")).to_be_visible()
    phone.get_by_role("link", name="not on the list").click()
    expect(phone.locator("#id_name")).to_have_value("Ana Rosi")
    phone.get_by_role("button", name="Join the game").click()
    expect(phone.get_by_role("heading", name="Are you Anna Rossi?")).to_be_visible()
    looks_well(phone)
    phone.get_by_role("button", name="Yes, I’m Anna Rossi").click()
    phone.wait_for_url("**/play/**")
    return phone


def plays_a_turn(judge: JudgePage, phone: Page) -> None:
    """Neither a pause nor the reminder moves anything; a slip that was sent can be changed."""
    judge.next_step("drawn")
    judge.next_step("running")
    on_screen(phone, "running")
    (best, ref, points), (second, second_ref, second_points) = judge.moves()[:2]
    fill_slip(phone, second, second_ref, second_points)
    before = phone.evaluate(PLACES)
    judge.page.keyboard.press("Escape")
    judge.page.keyboard.press("F8")
    on_screen(phone, "paused")
    judge.phase("paused")
    assert phone.evaluate(PLACES) == before
    judge.page.keyboard.press("F8")
    on_screen(phone, "running")
    looks_well(phone)
    phone.locator("#send").click()
    expect(phone.locator("#sent")).to_contain_text("The judge has it.")
    looks_well(phone)
    send_slip(phone, best, ref, points, version=2)
    judge.next_step("closed")
    judge.next_step("placed")
    expect(phone.locator("#solo")).to_be_visible()
    looks_well(phone)


def forgets_to_send(judge: JudgePage, phone: Page) -> None:
    """The draft stays visible after the close, and the judge can be asked to count it."""
    judge.next_step("drawn")
    judge.next_step("running")
    on_screen(phone, "running")
    word, ref, points = judge.moves()[0]
    fill_slip(phone, word, ref, points)
    judge.next_step("closed")
    on_screen(phone, "closed")
    expect(phone.locator("#unsent-move")).to_contain_text(word.upper())
    looks_well(phone)
    phone.wait_for_timeout(1500)  # the grace for slips under way is over
    phone.locator("#send-late").click()
    expect(phone.locator("#own-verdict")).to_contain_text("after time was up")
    expect(judge.page.locator(".group").filter(has_text=word.upper())).to_contain_text("after the time was up")
    judge.next_step("placed")
    on_screen(phone, "placed")


def comes_late_and_is_removed(judge: JudgePage, people: BrowserProfiles, code: str) -> None:
    judge.next_step("drawn")
    judge.next_step("running")
    late = people.with_phone(width=SMALL, dark=True)
    late.goto(f"{judge.base}/j/{code}/?new=1")
    late.locator("#id_name").fill("Nadia Serra")
    late.get_by_role("button", name="Join the game").click()
    late.wait_for_url("**/play/**")
    expect(late.locator("#notice-title")).to_have_text("You play from the next turn")
    expect(late.locator("#slip")).to_be_hidden()
    looks_well(late)
    sits_down(people.with_phone(width=SMALL), judge, code, 2)
    judge.next_step("closed")
    judge.next_step("placed")
    judge.page.goto(f"{judge.base}/desk/{code}/players/")
    row = judge.page.locator("tbody tr").filter(has_text="Nadia Serra")
    row.get_by_text("Change").click()
    row.get_by_role("button", name="Remove").click()
    judge.page.locator("#question[open] button").first.click()
    on_screen(late, "removed")
    expect(late.locator("#notice-title")).to_have_text("The judge has removed you from the list")
    judge.page.goto(f"{judge.base}/desk/{code}/")
    judge.page.wait_for_selector("#console[data-ready]")
