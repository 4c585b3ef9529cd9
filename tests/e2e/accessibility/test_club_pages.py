"""The pages of a club: seasons, members, earlier evenings and games to play alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.e2e.accessibility.addresses import CLUB
from tests.e2e.accessibility.tour import PLAYERS, Tour
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def test_the_pages_of_a_club(own_server: ServerProcess, people: BrowserProfiles) -> None:
    tour, judge = Tour(), JudgePage(people.at_desk(), own_server)
    seasons(tour, judge)
    code = judge.new_event(PLAYERS)
    plays_two_turns(judge)
    members(tour, judge)
    results_of_members(tour, judge, people.with_phone(), code)
    earlier_evenings(tour, judge)
    judge.page.goto(f"{judge.base}/desk/{code}/")
    practised(tour, judge, people.with_phone())
    tour.ends(CLUB)


def plays_two_turns(judge: JudgePage) -> None:
    """A whole game, in which the player at table 1 loses points."""
    for _turn in (1, 2):
        judge.next_step("drawn")
        judge.next_step("running")
        word, ref, points = judge.moves()[-1]
        judge.types(f"1 {ref} {word} {points}")
        judge.next_step("closed")
        judge.next_step("placed")
    judge.page.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")


def seasons(tour: Tour, judge: JudgePage) -> None:
    """The pages of a season without results."""
    desk = judge.page
    tour.go(desk, "desk:seasons", f"{judge.base}/desk/seasons/")
    desk.get_by_role("button", name="Create Season").click()
    tour.look(desk, "desk:season")
    for name, path in (
        ("desk:season-edit", "edit/"),
        ("desk:season-events", "events/"),
        ("desk:ranking-new", "rankings/new/"),
        ("desk:ranking-edit", "rankings/1/"),
        ("desk:season-new", "../new/"),
    ):
        tour.go(desk, name, f"{judge.base}/desk/seasons/1/{path}")
    desk.goto(f"{judge.base}/desk/seasons/1/rankings/1/")
    desk.get_by_label("Number of best events that count").fill("3")
    desk.get_by_role("button", name="See who moves").click()
    tour.look(desk, "desk:ranking-edit", "with the members who move")


def members(tour: Tour, judge: JudgePage) -> None:
    """The players of the finished event become members; a list brings two more, of whom one is there already."""
    desk, club = judge.page, f"{judge.base}/desk/members/"
    tour.go(desk, "desk:members", club, "without members")
    tour.go(desk, "desk:member-new", f"{club}new/")
    tour.go(desk, "desk:members-review", f"{club}review/", "with guests")
    for box in desk.locator("[name=person]").all():
        box.check()
    desk.get_by_role("button", name="Add the chosen as members").click()
    desk.get_by_text("Everybody is linked to a member").wait_for()
    tour.look(desk, "desk:members-review", "without guests")
    tour.go(desk, "desk:member-file", f"{club}file/")
    rows = b"Nome;Cosa\nAnna Rosi;Torino\nUgo Conti;Ivrea\n"
    desk.locator("#member-file").set_input_files({"name": "soci.csv", "mimeType": "text/csv", "buffer": rows})
    desk.get_by_role("button", name="Check the file").click()
    desk.get_by_text("1 column is not recognised").wait_for()
    tour.look(desk, "desk:member-file", "with a column to assign")
    desk.get_by_role("button", name="Add 2 members").click()
    desk.wait_for_url("**/members/")
    tour.look(desk, "desk:members")
    tour.go(desk, "desk:member-duplicates", f"{club}duplicates/")
    desk.goto(club)
    desk.get_by_role("link", name="Rossi Anna").click()
    tour.look(desk, "desk:member")
    member = desk.url.rstrip("/").rsplit("/", 1)[1]
    for name, path in (("desk:member-history", "history/"), ("desk:member-data", "data/")):
        tour.go(desk, name, f"{club}{member}/{path}")


def results_of_members(tour: Tour, judge: JudgePage, phone: Page, code: str) -> None:
    """A season with results, records, and a member's own page with a turn to play again."""
    desk = judge.page
    tour.go(desk, "desk:season", f"{judge.base}/desk/seasons/1/", "with results")
    desk.get_by_role("link", name="Anna Rossi").click()
    tour.look(desk, "desk:season-member")
    tour.go(desk, "desk:club-records", f"{judge.base}/desk/records/")
    tour.go(desk, "desk:results-to-players", f"{judge.base}/desk/{code}/results/players/")
    tour.go(desk, "desk:event-members", f"{judge.base}/desk/{code}/players/members/", "with members")
    tour.go(desk, "desk:new", f"{judge.base}/desk/new/", "with members")
    desk.goto(f"{judge.base}/desk/members/")
    member = str(desk.get_by_role("link", name="Rossi Anna").get_attribute("href"))
    desk.goto(f"{judge.base}{member}history/")
    tour.go(phone, "members:page", str(desk.locator("a.private-address").get_attribute("href")))
    phone.get_by_role("link", name="Play it again").first.click()
    tour.look(phone, "members:turn")
    phone.get_by_role("button", name="Start the clock").click()
    phone.locator("#id_word").wait_for()
    tour.look(phone, "members:turn", "running")
    phone.locator("#id_word").fill("ZZZZ")
    phone.locator("#id_ref").fill("8H")
    phone.get_by_role("button", name="Hand in").click()
    phone.get_by_role("button", name="Play it again").wait_for()
    tour.look(phone, "members:turn", "judged")


def earlier_evenings(tour: Tour, judge: JudgePage) -> None:
    desk = judge.page
    tour.go(desk, "desk:earlier-evenings", f"{judge.base}/desk/seasons/earlier/")
    rows = b"Nome;3/10/2019;10/10\nAnna Rossi;812;700\nBruno Verdi;790;\n"
    desk.locator("#earlier-files").set_input_files({"name": "2019.csv", "mimeType": "text/csv", "buffer": rows})
    desk.get_by_role("button", name="Check the files").click()
    desk.get_by_role("heading", name="2 evenings in the files").wait_for()
    tour.look(desk, "desk:earlier-evenings", "with evenings to check")


def practised(tour: Tour, judge: JudgePage, reader: Page) -> None:
    """The finished game as one plays it alone, and among those who played it."""
    desk, base = judge.page, judge.base
    desk.get_by_role("button", name="Create a link to play this game alone").click()
    address = desk.locator("#notices").inner_text().rsplit(" ", 1)[1]
    tour.go(reader, "practice:show", address)
    reader.get_by_role("button", name="Start").click()
    reader.get_by_role("button", name="First rack").click()
    tour.look(reader, "practice:show", "running")
    reader.locator("#id_word").fill("ZZZZ")
    reader.locator("#id_ref").fill("8H")
    reader.locator("#id_declared").fill("30")
    reader.get_by_role("button", name="Hand in").click()
    reader.get_by_role("button", name="Next rack").wait_for()
    tour.look(reader, "practice:show", "handed in")
    tour.go(desk, "desk:prepared", f"{base}/desk/prepared/")
    desk.locator("summary", has_text="Sealed contents").click()
    desk.get_by_role("link", name="Open the contents").click()
    tour.look(desk, "desk:prepared-inside")
    desk.goto(f"{base}/desk/")
    again = judge.new_event(PLAYERS)
    desk.goto(f"{base}/desk/prepared/")
    desk.get_by_label("Play it in this event").select_option(again)
    desk.get_by_role("button", name="Play", exact=True).click()
    tour.look(desk, "desk:console", "of a prepared game")
    tour.go(desk, "desk:field", f"{base}/desk/{again}/field/")
