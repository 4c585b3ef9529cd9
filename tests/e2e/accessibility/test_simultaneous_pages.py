"""The pages of a simultaneous game, at the hub and at a club."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.e2e.accessibility.addresses import SIMULTANEOUS
from tests.e2e.accessibility.tour import Tour
from tests.e2e.conftest import BrowserProfiles, run_manage
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def test_the_pages_of_a_simultaneous_game(own_server: ServerProcess, people: BrowserProfiles) -> None:
    """The hub and a club, while clubs may be playing and after the results are published."""
    tour, judge, reader = Tour(), JudgePage(people.at_desk(), own_server), people.with_phone()
    desk, games = judge.page, f"{judge.base}/desk/simultaneous/"
    tour.go(desk, "desk:simultaneous-games", games, "without games")
    tour.go(desk, "desk:simultaneous-new", f"{games}new/", "without prepared games")
    tour.go(desk, "desk:simultaneous-open", f"{games}open/")
    play = "from tests.e2e.simultaneous_clubs import play_at_clubs; play_at_clubs()"
    run_manage(own_server.data, "shell", "-c", play)
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
    tour.ends(SIMULTANEOUS)


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
