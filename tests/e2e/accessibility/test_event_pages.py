"""The pages of an event: the desk, the wall, a phone and the public pages, from the lobby to the end."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.accessibility.addresses import EVENT
from tests.e2e.accessibility.tour import PLAYERS, Tour
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import OWN_POINTS, JudgePage, send_slip, take_seat
from tests.e2e.reading import heard_while_nothing_happens
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]

PAGES_OF_AN_EVENT = {
    "desk:players": "players/",
    "desk:propose-series": "series/",
    "desk:propose-handicap": "handicap/",
    "desk:federation-files": "federation-files/",
    "desk:player-file": "players/file/",
    "desk:event-members": "players/members/",
    "desk:arrivals": "entry-desk/",
    "desk:table-plan": "tables/",
    "desk:rounds": "rounds/",
    "desk:seat-codes": "seat-codes/",
    "desk:staff": "staff/",
    "desk:standings": "standings/",
    "desk:analysis": "analysis/",
    "desk:public-page": "public-page/",
    "desk:log": "log/",
    "desk:appeals": "appeals/",
    "desk:again": "again/?game=1&turn=1",
    "desk:words": "words/?q=CASA",
    "desk:calls": "calls/",
    "desk:rules": "rules/",
    "desk:privacy": "privacy/",
    "desk:documents": "documents/",
    "desk:letterhead": "documents/letterhead/",
    "desk:rooms": "rooms/",
    "desk:verify": "verify/",
}


def test_the_pages_of_an_event(own_server: ServerProcess, people: BrowserProfiles) -> None:
    tour, judge = Tour(), JudgePage(people.at_desk(), own_server)
    desk = judge.page
    code = judge.new_event(PLAYERS)
    room = f"{judge.base}/desk/{code}"
    opens_the_dictionary(judge, room)
    tour.look(desk, "desk:console", "lobby")
    wall = people.at_wall()
    wall.goto(judge.base + str(desk.get_by_role("link", name="Wall").get_attribute("href")))
    expect(wall.locator("#players")).to_have_text("4")
    tour.look(wall, "wall:show", "lobby")
    phone = people.with_phone()
    seated(tour, judge, phone, code)
    public = opens_public_pages(judge, room)
    a_turn(tour, judge, phone, wall)
    appealed(tour, judge, phone, code)
    second_turn(tour, judge, phone, wall)
    for name, path in PAGES_OF_AN_EVENT.items():
        tour.go(desk, name, f"{room}/{path}")
    read_by_all(tour, people.with_phone(), public)
    desk.goto(f"{room}/")
    desk.wait_for_selector("#console[data-ready]")
    ended(tour, judge, phone, wall)
    tour.go(people.with_phone(), "public:player", str(phone.locator("a.address").get_attribute("href")))
    rest(tour, judge, code)
    tour.ends(EVENT)


def opens_the_dictionary(judge: JudgePage, room: str) -> None:
    desk = judge.page
    desk.goto(f"{room}/rules/")
    desk.locator("summary", has_text="Change single rules").click()
    desk.locator("[name=rule-open_dictionary]").select_option("True")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Save the rules").click()
    desk.goto(f"{room}/")
    desk.wait_for_selector("#console[data-ready]")


def seated(tour: Tour, judge: JudgePage, phone: Page, code: str) -> None:
    tour.go(phone, "phone:join_event", f"{judge.base}/j/{code}/")
    for state, query in (("name", "new=1"), ("table", "table=2")):
        tour.go(phone, "phone:join_event", f"{judge.base}/j/{code}/?{query}", state)
    phone.goto(f"{judge.base}/j/{code}/")
    take_seat(phone)
    phone.wait_for_selector("#main:not([data-screen=connecting])")
    tour.look(phone, "phone:play", "lobby")


def opens_public_pages(judge: JudgePage, room: str) -> str:
    """Return the address of the event's public page."""
    desk = judge.page
    desk.goto(f"{room}/public-page/")
    desk.get_by_label("The page is on").check()
    desk.get_by_label("Players have pages of their own").check()
    desk.locator("#delay").fill("0")
    desk.get_by_role("button", name="Save").click()
    public = desk.locator("a.address").inner_text().split()[0]
    desk.goto(f"{room}/")
    desk.wait_for_selector("#console[data-ready]")
    return public


def a_turn(tour: Tour, judge: JudgePage, phone: Page, wall: Page) -> None:
    """Drawn, running, closed with questions, placed: each looked at on desk, phone and wall."""
    desk = judge.page
    judge.next_step("drawn")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "drawn")
    for page, name in ((desk, "desk:console"), (wall, "wall:show"), (phone, "phone:play")):
        tour.look(page, name, "drawn")
    judge.next_step("running")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "running")
    expect(phone.locator("#slip")).to_be_visible()
    for page, name in ((desk, "desk:console"), (wall, "wall:show"), (phone, "phone:play")):
        tour.look(page, name, "running")
    assert heard_while_nothing_happens(desk, wall, phone) == []
    wrong = judge.no_word()
    (best, ref, points), *_ = judge.moves()
    desk.keyboard.press("F3")
    desk.locator("#words-line").fill("CASA")
    expect(desk.locator("#words-answer")).to_contain_text("CASA")
    tour.look(desk, "desk:words", "dialog")
    desk.keyboard.press("Escape")
    send_slip(phone, wrong, "8H", 30)
    judge.types(f"2 {ref} {best} {points + 3}")
    judge.types(f"3 {ref} {best} {points}")
    tour.look(phone, "phone:play", "sent")
    judge.next_step("closed")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "closed")
    question = desk.locator(".queue .question").first
    question.locator("summary").click()
    desk.wait_for_selector(".col-board .asked")
    for page, name in ((desk, "desk:console"), (wall, "wall:show"), (phone, "phone:play")):
        tour.look(page, name, "closed")
    question.get_by_label("Accept").fill("It is in the new edition.")
    question.get_by_role("button", name="Accept the word").click()
    desk.wait_for_selector("#preview h2")
    tour.look(desk, "desk:preview", "what would follow")
    desk.keyboard.press("Escape")
    judge.next_step("placed")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "placed")
    expect(phone.locator(OWN_POINTS)).to_be_visible()
    for page, name in ((desk, "desk:console"), (wall, "wall:show"), (phone, "phone:play")):
        tour.look(page, name, "placed")


def appealed(tour: Tour, judge: JudgePage, phone: Page, code: str) -> None:
    # By key: a click waits for frames, which a page behind others may not get.
    phone.get_by_role("button", name="Appeal").press("Enter")
    tour.look(phone, "phone:play", "appealing")
    phone.get_by_role("button", name="Send the appeal").press("Enter")
    expect(phone.locator("#appeal-list")).to_contain_text("the judge has your appeal")
    desk = judge.page
    tour.go(desk, "desk:appeals", f"{judge.base}/desk/{code}/appeals/", "one open")
    accept = desk.locator(".appeal form").filter(has=desk.locator("[name=ruling]"))
    accept.get_by_label("Accept").fill("It is in the edition of this year.")
    accept.get_by_role("button").click()
    desk.locator("[name=seen] + button.go").wait_for()
    tour.look(desk, "desk:preview", "a page of its own")
    desk.locator("[name=seen] + button.go").click()
    expect(desk.locator("#notices")).to_contain_text("is judged again")
    desk.goto(f"{judge.base}/desk/{code}/again/?game=1&turn=1")
    desk.locator(".answered a").first.click()
    tour.look(desk, "desk:differences")
    desk.goto(f"{judge.base}/desk/{code}/")
    desk.wait_for_selector("#console[data-ready]")


def second_turn(tour: Tour, judge: JudgePage, phone: Page, wall: Page) -> None:
    judge.next_step("drawn")
    judge.next_step("running")
    judge.page.keyboard.press("Escape")
    judge.page.keyboard.press("F8")
    judge.phase("paused")
    for page, name in ((judge.page, "desk:console"), (wall, "wall:show"), (phone, "phone:play")):
        tour.look(page, name, "paused")
    judge.page.keyboard.press("F8")
    judge.phase("running")
    judge.next_step("closed")
    judge.next_step("placed")


def ended(tour: Tour, judge: JudgePage, phone: Page, wall: Page) -> None:
    judge.page.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")
    tour.look(judge.page, "desk:console", "finished")
    expect(wall.locator("#wall")).to_have_attribute("data-screen", "finished")
    tour.look(wall, "wall:show", "finished")
    expect(phone.locator("#main")).to_have_attribute("data-screen", "finished")
    tour.look(phone, "phone:play", "finished")
    expect(phone.get_by_role("link", name="Look up a word in the dictionary")).to_be_visible()
    tour.go(phone, "phone:dictionary", f"{judge.base}/play/dictionary/?q=CASA")
    expect(phone.locator("[role=status]")).to_have_text(re.compile("CASA is valid"))
    tour.go(phone, "phone:card", f"{judge.base}/play/card/")
    expect(phone).to_have_url(re.compile("/play/card/$"))
    tour.go(phone, "phone:my_sheet", f"{judge.base}/play/my-sheet/")


def read_by_all(tour: Tour, reader: Page, public: str) -> None:
    tour.go(reader, "public:event", public)
    tour.go(reader, "public:standings", f"{public}standings/")
    tour.go(reader, "public:game", f"{public}game/1/")
    reader.locator("a[href*='/turn/']").first.click()
    tour.look(reader, "public:turn")


def rest(tour: Tour, judge: JudgePage, code: str) -> None:
    """Pages that something has to be made for: a sheet, a rehearsal, a second room."""
    desk, base = judge.page, judge.base
    desk.goto(f"{base}/desk/{code}/documents/")
    desk.get_by_role("button", name="Create: Standings", exact=True).click()
    desk.locator(".document-thumb").first.wait_for()
    tour.look(desk, "desk:documents", "made")
    desk.locator(".document-thumb").first.click()
    tour.look(desk, "desk:document-look")
    desk.goto(f"{base}/desk/{code}/players/")
    desk.locator("summary", has_text="Add a room").click()
    desk.locator("form[action$='add-room/']").get_by_label("Name").fill("Upstairs")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Add", exact=True).last.click()
    tour.look(desk, "desk:rooms", "two")
    desk.goto(f"{base}/desk/")
    tour.look(desk, "desk:events")
    desk.get_by_role("button", name="Try a demo game").click()
    desk.get_by_role("button", name="Stop the demo").click()
    desk.get_by_text("Nothing counts in this event").wait_for()
    tour.look(desk, "desk:console", "demo")
    desk.goto(f"{desk.url}rehearsal/")
    tour.look(desk, "desk:rehearsal")
