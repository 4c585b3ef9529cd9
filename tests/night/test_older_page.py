"""A phone page that is older than the program loads itself anew, but never over something that is being written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.night.conftest import People
from tests.night.judge import Judge, writes
from tests.referee.live.serving import Served

pytestmark = pytest.mark.browser
PRESENT = 'body[data-version="1"]'
AS_YESTERDAY = """
if (location.pathname === "/play/") {
  const loads = Number(sessionStorage.getItem("loads") || 0) + 1;
  sessionStorage.setItem("loads", loads);
  if (loads <= TIMES)
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      document.body.dataset.version = "0";
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
}
"""


class OldPages:
    """The page of the table as the program of yesterday made it, the next so many times that it is loaded."""

    def __init__(self, phone: Page, times: int) -> None:
        self._phone = phone
        phone.add_init_script(AS_YESTERDAY.replace("TIMES", str(times)))

    @property
    def loaded(self) -> int:
        """How often."""
        return int(self._phone.evaluate("sessionStorage.getItem('loads')"))


def sits_down(phone: Page, judge: Judge, code: str) -> None:
    phone.goto(f"{judge.base}/j/{code}/")
    phone.locator("#id_table").fill("1")
    phone.get_by_role("button").first.click()
    phone.wait_for_url("**/play/**")


def test_an_old_page_loads_itself_anew_at_once_when_nothing_is_written(hall: Served, people: People) -> None:
    judge = Judge(people.at_desk(), hall)
    code = judge.new_event()
    phone = people.with_phone()
    pages = OldPages(phone, times=1)
    sits_down(phone, judge, code)
    phone.wait_for_selector(PRESENT)
    expect(phone.locator("#main")).to_have_attribute("data-screen", "lobby")
    expect(phone.locator("#banner")).to_be_hidden()
    assert pages.loaded == 2


def test_a_page_that_stays_old_says_so_and_does_not_load_for_ever(hall: Served, people: People) -> None:
    judge = Judge(people.at_desk(), hall)
    code = judge.new_event()
    phone = people.with_phone()
    pages = OldPages(phone, times=99)
    sits_down(phone, judge, code)
    expect(phone.locator("#banner")).to_contain_text("older than the program")
    phone.wait_for_timeout(1500)
    assert pages.loaded == 2


def test_an_old_page_waits_until_what_is_written_is_handed_in(hall: Served, people: People) -> None:
    judge = Judge(people.at_desk(), hall)
    code = judge.new_event()
    phone = people.with_phone()
    sits_down(phone, judge, code)
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    writes(phone, word, ref, points)
    pages = OldPages(phone, times=1)
    phone.reload()
    expect(phone.locator("#banner")).to_contain_text("older than the program")
    expect(phone.locator("#score")).to_have_value(str(points))
    phone.wait_for_timeout(1000)
    assert pages.loaded == 1
    phone.locator("#send").click()
    phone.wait_for_selector(PRESENT)
    expect(phone.locator("#receipt")).to_contain_text("Slip 1 ")
    expect(phone.locator("#score")).to_have_value(str(points))
    assert pages.loaded == 2
