"""A phone page that is out of date loads itself anew, but never over something that is being written."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, fill_slip, sits_down
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
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
        """Number of times."""
        return int(self._phone.evaluate("sessionStorage.getItem('loads')"))


def test_an_old_page_loads_itself_anew_at_once_when_nothing_is_written(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    phone = people.with_phone()
    pages = OldPages(phone, times=1)
    sits_down(phone, judge, code)
    phone.wait_for_selector(PRESENT)
    expect(phone.locator("#main")).to_have_attribute("data-screen", "lobby")
    expect(phone.locator("#banner")).to_be_hidden()
    assert pages.loaded == 2


def test_a_page_that_stays_old_says_so_and_does_not_load_for_ever(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    phone = people.with_phone()
    pages = OldPages(phone, times=99)
    sits_down(phone, judge, code)
    expect(phone.locator("#banner")).to_contain_text("out of date")
    phone.wait_for_timeout(1500)
    assert pages.loaded == 2


def test_an_old_page_waits_until_what_is_written_is_handed_in(server: ServerProcess, people: BrowserProfiles) -> None:
    judge = JudgePage(people.at_desk(), server)
    code = judge.new_event()
    phone = people.with_phone()
    sits_down(phone, judge, code)
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    fill_slip(phone, word, ref, points)
    pages = OldPages(phone, times=1)
    phone.reload()
    expect(phone.locator("#banner")).to_contain_text("out of date")
    expect(phone.locator("#score")).to_have_value(str(points))
    phone.wait_for_timeout(1000)
    assert pages.loaded == 1
    phone.locator("#send").click()
    phone.wait_for_selector(PRESENT)
    expect(phone.locator("#receipt")).to_contain_text("Slip 1 ")
    expect(phone.locator("#score")).to_have_value(str(points))
    assert pages.loaded == 2
