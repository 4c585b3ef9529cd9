"""The desks of colleagues: typists, two people who type each slip, a judge who plays."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.accessibility.addresses import COLLEAGUES
from tests.e2e.accessibility.tour import PLAYERS, Tour
from tests.e2e.colleagues import let_in
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, type_line
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def test_the_desks_of_colleagues(own_server: ServerProcess, people: BrowserProfiles, complaints: list[str]) -> None:
    """A typist, two people who type each slip, and a judge who plays along."""
    tour, judge = Tour(), JudgePage(people.at_desk(), own_server)
    code, desk = judge.new_event(PLAYERS), judge.page
    desk.goto(f"{judge.base}/desk/{code}/players/")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Let two people type each slip").click()
    ada = let_in(judge, code, "Ada", "typist", people)
    tour.go(ada, "desk:appeals", f"{judge.base}/desk/{code}/appeals/", "of a typist")
    tour.go(ada, "desk:staff", f"{judge.base}/desk/{code}/staff/", "refused")
    complaints.clear()  # the browser complains about a page that refuses
    for page in (desk, ada):
        page.goto(f"{judge.base}/desk/{code}/")
        page.wait_for_selector("#console[data-ready]")
    tour.look(ada, "desk:console", "of a typist, lobby")
    judge.next_step("drawn")
    tour.look(ada, "desk:console", "of a typist, drawn")
    judge.next_step("running")
    type_line(desk, "2 8H PRIMO 18")
    expect(ada.locator("#typings")).to_contain_text("Type these slips a second time")
    tour.look(ada, "desk:console", "of the second typist")
    type_line(ada, "2 8H PRIMA 81")
    for page, whose in ((desk, "of the judge"), (ada, "of a typist")):
        expect(page.locator("#typings")).to_contain_text("PRIMO")
        tour.look(page, "desk:console", f"{whose}, one slip typed in two ways")
    desk.locator("#typings").get_by_role("button", name="Choose this reading").first.click()
    expect(desk.locator("#typings")).to_contain_text("typed twice and agrees")
    judge.next_step("closed")
    tour.look(ada, "desk:console", "of a typist, closed")
    judge.next_step("placed")
    plays_along(judge, "3")
    judge.next_step("drawn")
    tour.look(desk, "desk:console", "of a judge who plays, drawn")
    judge.next_step("running")
    tour.look(desk, "desk:console", "of a judge who plays, running")
    tour.ends(COLLEAGUES)


def plays_along(judge: JudgePage, table: str) -> None:
    for key in ("k", "k"):
        judge.page.keyboard.press(f"Alt+{key}")
    judge.page.keyboard.type(table)
    judge.page.keyboard.press("Enter")
    expect(judge.page.locator("#playing-judge")).to_contain_text(f"You play at table {table}")
