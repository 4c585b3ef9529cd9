"""Every page there is, in one short evening: nothing serious for axe-core, readable for who hears or enlarges it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.template.loader import render_to_string
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page, expect

from tests.e2e.axe import grave_faults
from tests.e2e.conftest import BrowserProfiles, run_manage
from tests.e2e.judge import OWN_POINTS, JudgePage, find_login_link, send_slip, take_seat
from tests.e2e.reading import find_reading_faults, heard_while_nothing_happens
from tests.e2e.test_three_desks import let_in
from tests.e2e.test_two_typists import types
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]

# What no reader ever sees as a page of its own.
ACTIONS = {
    "desk:earlier-evening-delete",
    "desk:member-unmerge",
    "desk:ranking-delete",
    "desk:ranking-move",
    "desk:season-delete",
    "desk:account-link",
    "desk:account-unlink",
    "desk:word-list-build",
    "desk:act",
    "desk:log-out",
    "desk:preview",  # looked at where it is posted
    "desk:prepared-bring",
    "desk:prepared-choose",
    "desk:prepared-envelope",
    "desk:prepared-play",
    "desk:prepared-practice",
    "desk:prepared-save",
    "desk:prepared-sheet",
    "desk:prepared-throw-away",
    "desk:practise-game",
    "desk:rehearsal-open",
    "desk:demo-stop",
    "desk:engine-build",
    "desk:tour-skip",
    "desk:publish-website",
    "desk:restore-start",
    "desk:upgrade-hide",
    "desk:staff-add",
    "desk:staff-link",
    "desk:staff-password",
    "desk:staff-revoke",
    "desk:staff-role",
    "desk:staff-unlink",
    "members:slip",
    "members:start",
    "phone:appeal",
    "phone:slip",
    "practice:begin",
    "practice:next",
    "practice:slip",
    "rehearsal:act",
    "desk:simultaneous-delete",
    "desk:simultaneous-invite",
    "desk:simultaneous-next",
    "desk:simultaneous-send",
}
FILES = {
    "desk:simultaneous-codes",
    "desk:simultaneous-package",
    "desk:simultaneous-return",
    "simultaneous:booklet",
    "simultaneous:package",
    "api:event_standings",
    "api:game_standings",
    "api:get_event",
    "api:get_game",
    "api:list_events",
    "api:list_seasons",
    "api:openapi",
    "api:ranking",
    "ca-certificate",
    "desk:archive",
    "desk:backup",
    "desk:club-logo",
    "desk:document",
    "desk:document-page",
    "desk:document-preview",
    "desk:logo",
    "desk:member-data-file",
    "desk:members-export",
    "desk:echo",
    "desk:event-files",
    "desk:federation-file",
    "desk:health",
    "desk:paper",
    "desk:person",
    "desk:results",
    "desk:season-file",
    "desk:spoken",
    "desk:standings-csv",
    "events:calendar",
    "events:feed",
    "phone:appeals",
    "phone:my_data",
    "phone:state",
    "rehearsal:conduct",
    "texts",
    "wall:calls",
    "wall:season",
    "wall:texts",
}
# Parts that a page fetches; they are looked at inside it.
PARTS = {
    "desk:readiness-phone",
    "desk:word-list-progress",
    "desk:engine-progress",
    "desk:appeals-open",
    "desk:arrivals-of-slips",
    "desk:clear-groups",
    "desk:group",
    "desk:main",
    "desk:peek",
    "desk:rehearsal-phones",
    "desk:typings",
    "desk:website-progress",
    "wall:charts",
}
PLAYERS = "\n".join(
    f"{table}, {name}, {club}, {series}"
    for table, name, club, series in (
        (1, "Anna Rossi", "Torino", "A"),
        (2, "Bruno Neri", "Ivrea", "A"),
        (3, "Carla Blu", "Torino", "B"),
        (4, "Zoë Fontana", "", ""),
    )
)


class Tour:
    """A browser that visits the pages, and the findings on them."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.faults: dict[str, list[str]] = {}

    def look(self, page: Page, name: str, state: str = "") -> None:
        """Note the faults of the page that is open, the one of this name in the URLconf."""
        is_new = name not in self.seen
        self.seen.add(name)
        if found := [*grave_faults(page, is_new=is_new), *find_reading_faults(page)]:
            self.faults[f"{name} {state}".strip()] = found

    def go(self, page: Page, name: str, address: str, state: str = "") -> None:
        page.goto(address)
        self.look(page, name, state)

    def has_no_faults(self) -> None:
        told = "\n".join(f"{name}\n  " + "\n  ".join(found) for name, found in self.faults.items())
        assert not self.faults, told


def names_of_pages(patterns: list[URLPattern | URLResolver], space: str = "") -> Iterator[str]:
    """The names of all addresses of the program, as `reverse` wants them."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
            yield from names_of_pages(pattern.url_patterns, inner)
        else:
            yield f"{space}{pattern.name}"


def test_nothing_serious_is_found_on_any_page(
    own_server: ServerProcess, people: BrowserProfiles, complaints: list[str]
) -> None:
    tour = Tour()
    strangers(tour, own_server, people)
    complaints.clear()  # the browser complains about pages that refuse or do not exist
    judge = JudgePage(people.at_desk(), own_server)
    desk = judge.page
    tour.look(desk, "desk:events", "without events")
    tour.go(desk, "handbook:index", f"{judge.base}/help/")
    tour.go(desk, "handbook:page", f"{judge.base}/help/judge-slips/")
    organisers(tour, judge)
    website(tour, judge)
    seasons(tour, judge)
    desk.goto(f"{judge.base}/desk/")
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
    desk.goto(f"{room}/public-page/")
    desk.get_by_label("The page is on").check()
    desk.get_by_label("Players have pages of their own").check()
    desk.locator("#delay").fill("0")
    desk.get_by_role("button", name="Save").click()
    public = desk.locator("a.address").inner_text().split()[0]
    desk.goto(f"{room}/")
    desk.wait_for_selector("#console[data-ready]")
    a_turn(tour, judge, phone, wall)
    appealed(tour, judge, phone, code)
    second_turn(tour, judge, phone, wall)
    for name, path in PAGES_OF_AN_EVENT.items():
        tour.go(desk, name, f"{room}/{path}")
    read_by_all(tour, people.with_phone(), public)
    rest(tour, judge, code)
    desk.goto(f"{room}/")
    desk.wait_for_selector("#console[data-ready]")
    desk.get_by_role("button", name="End the game here").click()
    judge.confirm("finished")
    judge.phase("finished")
    tour.look(desk, "desk:console", "finished")
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
    tour.go(people.with_phone(), "public:player", str(phone.locator("a.address").get_attribute("href")))
    members(tour, judge)
    results_of_members(tour, judge, people.with_phone(), code)
    earlier_evenings(tour, judge)
    other_programs(tour, judge)
    desk.goto(f"{room}/")
    practised(tour, judge, people.with_phone())
    simultaneous_games(tour, judge, own_server, people.with_phone())
    tour.has_no_faults()
    assert set(names_of_pages(get_resolver().url_patterns)) == tour.seen | ACTIONS | FILES | PARTS


def test_nothing_serious_is_found_at_the_desks_of_colleagues(
    own_server: ServerProcess, people: BrowserProfiles, complaints: list[str]
) -> None:
    """A typist, two people who type each slip, and a judge who plays along."""
    tour, judge = Tour(), JudgePage(people.at_desk(), own_server)
    code, desk = judge.new_event(PLAYERS), judge.page
    desk.goto(f"{judge.base}/desk/{code}/players/")
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
    types(desk, "2 8H PRIMO 18")
    expect(ada.locator("#typings")).to_contain_text("Type these slips a second time")
    tour.look(ada, "desk:console", "of the second typist")
    types(ada, "2 8H PRIMA 81")
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
    tour.has_no_faults()


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


def plays_along(judge: JudgePage, table: str) -> None:
    for key in ("k", "k"):
        judge.page.keyboard.press(f"Alt+{key}")
    judge.page.keyboard.type(table)
    judge.page.keyboard.press("Enter")
    expect(judge.page.locator("#playing-judge")).to_contain_text(f"You play at table {table}")


def opens_the_dictionary(judge: JudgePage, room: str) -> None:
    desk = judge.page
    desk.goto(f"{room}/rules/")
    desk.locator("summary", has_text="Change single rules").click()
    desk.locator("[name=rule-open_dictionary]").select_option("True")
    desk.get_by_role("button", name="Save the rules").click()
    desk.goto(f"{room}/")
    desk.wait_for_selector("#console[data-ready]")


def strangers(tour: Tour, server: ServerProcess, people: BrowserProfiles) -> None:
    """Doors before anybody has come in."""
    page = people.with_phone()
    tour.go(page, "phone:join", f"http://{server.host}/")
    page.locator("#id_code").fill("nothing")
    page.keyboard.press("Enter")
    page.wait_for_selector("#code-error[role=alert]")
    tour.look(page, "phone:join", "wrong code")
    tour.go(page, "desk:locked", f"http://{server.host}/desk/locked/")
    tour.go(page, "enter", find_login_link(server))
    tour.go(page, "phone:join", f"http://{server.host}/nothing/here/", "not found")
    tour.go(page, "reach", f"http://{server.host}/reach/nothing/", "wrong token")
    # Only `serve --tls-ca` has the first of these pages, and the others are what one sees when something is broken.
    sentence = "The disk is full: make room, then try again."
    for template, context in (
        ("ca.html", {"fingerprint": "AB:CD:" * 15}),
        ("reach.html", {"is_other": True}),
        ("reach.html", {"is_other": False}),
        ("403_csrf.html", {}),
        ("500.html", {}),
        ("503.html", {"sentence": sentence}),
    ):
        answer_with(page, render_to_string(template, context))
        tour.go(page, "ca", f"http://{server.host}/ca/", template)
        page.unroute("**/ca/")


def answer_with(page: Page, text: str) -> None:
    page.route("**/ca/", lambda route: route.fulfill(body=text, content_type="text/html; charset=utf-8"))


def organisers(tour: Tour, judge: JudgePage) -> None:
    for name, path in (
        ("desk:new", "new/"),
        ("desk:account", "account/"),
        ("desk:check-archive", "archive/"),
        ("desk:restore", "restore/"),
        ("desk:readiness", "readiness/"),
        ("desk:rules-of-profile", "rules/?profile=it-box"),
        ("desk:word-lists", "word-lists/?q=casa"),
        ("desk:members-review", "members/review/"),
        ("desk:editions", "editions/"),
        ("desk:edition", "editions/it/"),
        ("desk:ratings", "ratings/"),
        ("desk:ratings-explained", "ratings/explained/"),
        ("desk:export-templates", "export-templates/"),
    ):
        tour.go(judge.page, name, f"{judge.base}/desk/{path}")
    judge.page.get_by_label("Name").fill("Federation")
    judge.page.get_by_role("button", name="Create the template").click()
    judge.page.wait_for_selector("#template")
    tour.look(judge.page, "desk:export-template")


def website(tour: Tour, judge: JudgePage) -> None:
    """The page of the club and the public list of events; `tests/referee/website` opens the website itself."""
    desk = judge.page
    tour.go(desk, "desk:club", f"{judge.base}/desk/club/")
    desk.get_by_label("List events in public").check()
    desk.get_by_role("button", name="Save the settings").click()
    tour.go(desk, "events:list", f"{judge.base}/events/")
    desk.goto(f"{judge.base}/desk/")


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


def earlier_evenings(tour: Tour, judge: JudgePage) -> None:
    desk = judge.page
    tour.go(desk, "desk:earlier-evenings", f"{judge.base}/desk/seasons/earlier/")
    rows = b"Nome;3/10/2019;10/10\nAnna Rossi;812;700\nBruno Verdi;790;\n"
    desk.locator("#earlier-files").set_input_files({"name": "2019.csv", "mimeType": "text/csv", "buffer": rows})
    desk.get_by_role("button", name="Check the files").click()
    desk.get_by_role("heading", name="2 evenings in the files").wait_for()
    tour.look(desk, "desk:earlier-evenings", "with evenings to check")


def other_programs(tour: Tour, judge: JudgePage) -> None:
    desk = judge.page
    tour.go(desk, "desk:api-tokens", f"{judge.base}/desk/club/api/")
    desk.get_by_label("Program that reads").fill("The site of the club")
    desk.get_by_role("button", name="Create the token").click()
    tour.look(desk, "desk:api-tokens", "with a new token")
    tour.go(desk, "desk:webhooks", f"{judge.base}/desk/club/webhooks/")


def seated(tour: Tour, judge: JudgePage, phone: Page, code: str) -> None:
    tour.go(phone, "phone:join_event", f"{judge.base}/j/{code}/")
    for state, query in (("name", "new=1"), ("table", "table=2")):
        tour.go(phone, "phone:join_event", f"{judge.base}/j/{code}/?{query}", state)
    phone.goto(f"{judge.base}/j/{code}/")
    take_seat(phone)
    phone.wait_for_selector("#main:not([data-screen=connecting])")
    tour.look(phone, "phone:play", "lobby")


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


def simultaneous_games(tour: Tour, judge: JudgePage, server: ServerProcess, reader: Page) -> None:
    """The hub and a club, while clubs may be playing and after the results are published."""
    desk, games = judge.page, f"{judge.base}/desk/simultaneous/"
    tour.go(desk, "desk:simultaneous-games", games, "without games")
    tour.go(desk, "desk:simultaneous-new", f"{games}new/", "without prepared games")
    tour.go(desk, "desk:simultaneous-open", f"{games}open/")
    run_manage(server.data, "shell", "-c", "from tests.e2e.simultaneous_clubs import play_at_clubs; play_at_clubs()")
    tour.go(desk, "desk:simultaneous-new", f"{games}new/", "with a prepared game")
    tour.go(desk, "desk:simultaneous-games", games)
    desk.get_by_role("link", name="Open of the regions").first.click()
    tour.look(desk, "desk:simultaneous-played")
    desk.goto(games)
    desk.locator("[aria-labelledby=organised-title] li a").click()
    tour.look(desk, "desk:simultaneous", "within the time window")
    hub, public = desk.url, str(desk.locator("a.copied").get_attribute("href"))
    tour.go(desk, "desk:simultaneous-club", f"{hub}club/1/", "within the time window")
    tour.go(reader, "simultaneous:show", public, "before the results")
    tour.go(reader, "simultaneous:return", f"{public}return/")
    publish(desk, hub)
    tour.look(desk, "desk:simultaneous", "published")
    tour.go(desk, "desk:simultaneous-club", f"{hub}club/1/")
    tour.go(desk, "desk:simultaneous-comments", f"{hub}comments/1/")
    for name, path in (("show", ""), ("clubs", "clubs/"), ("club", "clubs/1/")):
        tour.go(reader, f"simultaneous:{name}", public + path)


def publish(desk: Page, hub: str) -> None:
    """Set the times to the past."""
    desk.goto(hub)
    desk.locator("summary", has_text="Change the times").click()
    for name, at in (
        ("opens_at", "2020-01-01T20:00"),
        ("closes_at", "2020-01-02T20:00"),
        ("embargo_until", "2020-01-03T20:00"),
    ):
        desk.locator(f"[name={name}]").fill(at)
    desk.get_by_role("button", name="Change the times").click()
    desk.get_by_role("link", name="Open the booklet").wait_for()


def read_by_all(tour: Tour, reader: Page, public: str) -> None:
    tour.go(reader, "public:event", public)
    tour.go(reader, "public:standings", f"{public}standings/")
    tour.go(reader, "public:game", f"{public}game/1/")
    reader.locator("a[href*='/turn/']").first.click()
    tour.look(reader, "public:turn")
