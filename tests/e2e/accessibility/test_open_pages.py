"""The pages of an installation without events: doors, settings, help."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page

from tests.e2e.accessibility.addresses import BEFORE_ANY_EVENT
from tests.e2e.accessibility.tour import Tour
from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, find_login_link
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def test_the_pages_before_any_event(own_server: ServerProcess, people: BrowserProfiles, complaints: list[str]) -> None:
    tour = Tour()
    strangers(tour, own_server, people)
    complaints.clear()  # the browser complains about pages that refuse or do not exist
    judge = JudgePage(people.at_desk(), own_server)
    tour.look(judge.page, "desk:events", "without events")
    tour.go(judge.page, "handbook:index", f"{judge.base}/help/")
    tour.go(judge.page, "handbook:page", f"{judge.base}/help/judge-slips/")
    organisers(tour, judge)
    website(tour, judge)
    other_programs(tour, judge)
    tour.ends(BEFORE_ANY_EVENT)


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
    with desk.expect_navigation():
        desk.get_by_role("button", name="Save the settings").click()
    tour.go(desk, "events:list", f"{judge.base}/events/")


def other_programs(tour: Tour, judge: JudgePage) -> None:
    desk = judge.page
    tour.go(desk, "desk:api-tokens", f"{judge.base}/desk/club/api/")
    desk.get_by_label("Program that reads").fill("The site of the club")
    desk.get_by_role("button", name="Create the token").click()
    tour.look(desk, "desk:api-tokens", "with a new token")
    tour.go(desk, "desk:webhooks", f"{judge.base}/desk/club/webhooks/")
