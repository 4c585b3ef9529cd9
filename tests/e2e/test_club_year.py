"""A club at its desk and on a phone: members, two evenings, a season, a member's own page, and the website on disk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, send_slip
from tests.e2e.reading import find_reading_faults
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
DESK = {"width": 1280, "height": 800}
PHONE = 360
LIST = "Nome e cognome;Casa;Tessera\nAnna Rossi;Torino;IT1\nBruno Neri;Ivrea;IT2\nCarla Blu;Torino;IT3\n"
GUEST = "Gino Ospite"
Top = tuple[str, str, int]


def test_a_club_from_its_list_of_members_to_the_website_on_disk(
    own_server: ServerProcess, people: BrowserProfiles, tmp_path: Path
) -> None:
    judge = JudgePage(people.at_desk(), own_server)
    judge.page.set_viewport_size(DESK)  # type: ignore[arg-type]
    imports_the_members(judge.page, judge.base)
    code = opens_an_evening_with_ticked_members(judge)
    top = plays_two_turns(judge, people.with_phone(width=PHONE), code)
    the_guest_becomes_a_member(judge, code)
    the_season_leads_to_the_evening(judge)
    a_new_rule_is_previewed(judge)
    address = finds_the_private_page(judge)
    plays_the_lost_turn_again(people.with_phone(width=PHONE), address, top)
    opens_the_second_evening_with_the_list_of_the_first(judge)
    site = publishes_the_website(judge, tmp_path / "website")
    is_read_without_network(people.with_phone(width=PHONE), site)


def test_a_member_who_is_on_no_list_joins_by_phone_and_sends_a_slip(
    own_server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), own_server)
    imports_the_members(judge.page, judge.base)
    code = judge.new_event("1, Anna Rossi, Torino")
    judge.page.goto(f"{judge.base}/desk/{code}/players/")
    switch = judge.page.get_by_role("button", name="Let members join by phone", include_hidden=True)
    switch.evaluate("it => it.click()")
    expect(judge.page.get_by_text("Stop members joining by phone").first).to_be_attached()
    phone = people.with_phone(width=PHONE)
    phone.goto(f"{judge.base}/j/{code}/")
    expect(phone.locator(".person")).to_have_text(["Anna Rossi"])
    for typed, found in (("b", []), ("bru", ["Bruno Neri"])):
        phone.locator("#search").fill(typed)
        phone.locator("#search").press("Enter")
        phone.wait_for_url(f"**?q={typed}*")
        expect(phone.locator(".person")).to_have_text(found)
        assert find_reading_faults(phone) == []
    phone.get_by_role("button", name="Bruno Neri").click()
    phone.wait_for_url("**/play/**")
    judge.page.goto(f"{judge.base}/desk/{code}/")
    judge.page.wait_for_selector("#console[data-ready]")
    judge.next_step("drawn")
    judge.next_step("running")
    send_slip(phone, *judge.moves()[0])
    expect(judge.page.locator("#slips-in")).to_have_text("1")
    judge.page.goto(f"{judge.base}/desk/{code}/players/")
    row = judge.page.get_by_role("row").filter(has_text="Bruno Neri")
    row.locator("summary", has_text="Change").click()
    expect(row.get_by_text("Member: Bruno Neri")).to_be_visible()


def goes_to(page: Page, name: str) -> None:
    """By the navigation of the club."""
    page.get_by_role("navigation").get_by_role("link", name=name).first.click()


def imports_the_members(desk: Page, base: str) -> None:
    """The heading that nobody knows is assigned once."""
    desk.goto(f"{base}/desk/")
    goes_to(desk, "Members")
    desk.get_by_role("link", name="Import a file").first.click()
    desk.locator("#member-file").set_input_files({"name": "soci.csv", "mimeType": "text/csv", "buffer": LIST.encode()})
    desk.get_by_role("button", name="Check the file").click()
    expect(desk.get_by_text("1 column is not recognised")).to_be_visible()
    desk.get_by_label("Casa").select_option("club")
    desk.get_by_role("button", name="Check again").first.click()
    desk.get_by_role("button", name="Add 3 members").click()
    expect(desk.get_by_role("row", name="Rossi Anna")).to_contain_text("Torino")


def opens_an_evening_with_ticked_members(judge: JudgePage) -> str:
    desk = judge.page
    desk.goto(f"{judge.base}/desk/new/")
    desk.locator("#id_name").fill("First evening")
    desk.get_by_label("Players, one a line").fill(GUEST)
    desk.locator("[name=preset][value='it/it-box']").check()
    desk.get_by_text("From the members").click()
    desk.get_by_label("Search the members").fill("rossi")
    expect(desk.get_by_label("Blu Carla")).to_be_hidden()
    desk.get_by_label("Rossi Anna").check()
    desk.get_by_label("Search the members").fill("")
    desk.get_by_label("Blu Carla").check()
    return opens_the_desk(judge)


def opens_the_desk(judge: JudgePage) -> str:
    judge.page.locator("#new-event button.go").click()
    judge.phase("lobby")
    judge.page.wait_for_selector("#console[data-ready]")
    return judge.page.url.rstrip("/").rsplit("/", 1)[1]


def clicks_next(judge: JudgePage, phase: str) -> None:
    """The large button of the desk, and its question if it has one."""
    judge.page.locator("#console button[data-key=F2]").click()
    judge.confirm(phase)


def plays_two_turns(judge: JudgePage, phone: Page, code: str) -> Top:
    """Anna plays on her phone and loses points in the first turn; return its top."""
    phone.goto(f"{judge.base}/j/{code}/")
    phone.locator(".person", has_text="Anna Rossi").click()
    phone.wait_for_url("**/play/**")
    clicks_next(judge, "drawn")
    clicks_next(judge, "running")
    top, second = judge.moves()[:2]
    send_slip(phone, *second)
    finishes_the_turn(judge)
    clicks_next(judge, "drawn")
    clicks_next(judge, "running")
    send_slip(phone, *judge.moves()[0])
    finishes_the_turn(judge)
    judge.page.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")
    expect(phone.locator("#main")).to_have_attribute("data-screen", "finished")
    return top


def finishes_the_turn(judge: JudgePage) -> None:
    clicks_next(judge, "closed")
    clicks_next(judge, "placed")


def the_guest_becomes_a_member(judge: JudgePage, code: str) -> None:
    desk = judge.page
    desk.goto(f"{judge.base}/desk/{code}/players/")
    row = desk.get_by_role("row").filter(has_text=GUEST)
    row.locator("summary", has_text="Change").click()
    row.get_by_role("button", name=f"Make {GUEST} a member").click()
    expect(desk.get_by_text(f"{GUEST} is a member now")).to_be_visible()


def the_season_leads_to_the_evening(judge: JudgePage) -> None:
    desk = judge.page
    desk.goto(f"{judge.base}/desk/")
    goes_to(desk, "Season")
    desk.get_by_role("button", name=re.compile("^Create ")).click()
    rows = desk.locator("table.season tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("Anna Rossi")
    expect(rows.filter(has_text=GUEST)).to_have_count(1)
    rows.first.locator("td.n a").click()
    expect(desk.get_by_role("heading", level=1)).to_have_text("Anna Rossi")
    desk.get_by_role("link", name="First evening").click()
    expect(desk.get_by_role("heading", level=1)).to_contain_text("Standings")


def a_new_rule_is_previewed(judge: JudgePage) -> None:
    """Points by place become the sum of points; nothing is stored before the judge has seen who moves."""
    desk = judge.page
    desk.goto(f"{judge.base}/desk/seasons/")
    value = desk.locator("table.season tbody tr").first.locator("td.n a")
    before = value.inner_text()
    desk.locator("summary", has_text="How points are given").click()
    desk.get_by_role("link", name="Change this rule").click()
    desk.locator("summary", has_text="Usual rules for a club year").click()
    desk.get_by_role("link", name="Sum of points", exact=True).click()
    desk.get_by_role("button", name="See who moves").click()
    changes = desk.locator("#changes")
    expect(changes.get_by_role("heading", name="Who moves")).to_be_visible()
    expect(changes.get_by_role("row").filter(has_text="Anna Rossi")).to_contain_text(before)
    with desk.expect_navigation():
        desk.get_by_role("button", name="Save the ranking").click()
    desk.goto(f"{judge.base}/desk/seasons/")
    expect(value).not_to_have_text(before)


def finds_the_private_page(judge: JudgePage) -> str:
    """Anna agrees to be published; the address of her own page is on that of her results."""
    desk = judge.page
    goes_to(desk, "Members")
    desk.get_by_role("link", name="Rossi Anna").click()
    desk.locator("[name=may_be_published]").check()
    with desk.expect_navigation():
        desk.get_by_role("button", name="Save the member").click()
    goes_to(desk, "Members")
    expect(desk.get_by_role("row", name="Rossi Anna")).to_contain_text("agreed")
    desk.get_by_role("link", name="Rossi Anna").click()
    desk.get_by_role("link", name="Results").click()
    return str(desk.locator("a.private-address").get_attribute("href"))


def plays_the_lost_turn_again(phone: Page, address: str, top: Top) -> None:
    phone.goto(address)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Anna Rossi")
    assert find_reading_faults(phone) == []
    phone.locator("a", has_text="Play it again").first.click()
    phone.get_by_role("button", name="Start the clock").click()
    word, ref, points = top
    phone.get_by_label("Whole word").fill(word)
    phone.get_by_label("Place").fill(ref)
    phone.get_by_role("button", name="Hand in").click()
    expect(phone.locator(".verdict")).to_contain_text("You found the top.")
    expect(phone.locator(".verdict")).to_contain_text(f"{points} of {points} points")
    phone.get_by_role("link", name="Back to my page").click()
    expect(phone.locator(".turns").first).to_contain_text(re.compile("solved|again on"))


def opens_the_second_evening_with_the_list_of_the_first(judge: JudgePage) -> None:
    desk = judge.page
    desk.goto(f"{judge.base}/desk/new/")
    desk.locator("#id_name").fill("Second evening")
    desk.locator("[name=preset][value='it/it-box']").check()
    desk.get_by_text("From the members").click()
    desk.get_by_role("button", name="Take last week’s list").click()
    for name in ("Rossi Anna", "Blu Carla", "Ospite Gino"):
        expect(desk.get_by_label(name)).to_be_checked()
    expect(desk.get_by_label("Neri Bruno")).not_to_be_checked()
    expect(desk.locator("#id_name")).to_have_value("Second evening")
    code = opens_the_desk(judge)
    desk.goto(f"{judge.base}/desk/{code}/players/")
    for name in ("Anna Rossi", "Carla Blu", GUEST):
        expect(desk.locator("tbody").get_by_text(name).first).to_be_visible()


def publishes_the_website(judge: JudgePage, folder: Path) -> Path:
    desk = judge.page
    desk.goto(f"{judge.base}/desk/")
    goes_to(desk, "Club")
    desk.get_by_label("Name of the club").fill("Scrabble Torino")
    desk.get_by_label("Language of the website").select_option("en")
    desk.get_by_label("Publish all finished events").check()
    with desk.expect_navigation():
        desk.get_by_role("button", name="Save the settings").click()
    desk.get_by_label("Folder of the website").fill(str(folder))
    desk.get_by_role("button", name="Publish the website").click()
    expect(desk.locator("#website-status")).to_contain_text("The website has")
    return folder / "index.html"


def is_read_without_network(phone: Page, site: Path) -> None:
    phone.context.set_offline(True)
    phone.goto(site.as_uri())
    expect(phone.get_by_role("heading", level=1)).to_have_text("Scrabble Torino")
    phone.get_by_role("link", name=re.compile("First evening")).first.click()
    expect(phone.get_by_text("Anna Rossi").first).to_be_visible()
    assert "Carla Blu" not in phone.content(), "only members who agreed are named"
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE
