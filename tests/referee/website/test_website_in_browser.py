"""The website opened from the disk in Chromium, without network and without JavaScript: every link is clicked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from referee.website.publish import publish
from tests.referee.website.small_club import make_small_club
from tests.referee.website.test_website import NOW
from tests.waiting import PATIENCE_MS

pytestmark = [pytest.mark.django_db, pytest.mark.browser, pytest.mark.endurance]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
NARROW = 360


def test_every_page_is_reached_by_clicking_and_fits_a_phone(chromium_path: str, tmp_path: Path) -> None:
    make_small_club()
    publish(tmp_path, NOW)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
        context = chromium.new_context(
            offline=True, java_script_enabled=False, viewport={"width": NARROW, "height": 800}
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        failed: list[str] = []
        page.on("requestfailed", lambda request: failed.append(request.url))
        seen, waiting = set[Path](), [tmp_path / "index.html"]
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                waiting += click_every_link(page, here)
        chromium.close()
    assert seen == set(tmp_path.rglob("*.html"))
    assert failed == []


def click_every_link(page: Page, here: Path) -> list[Path]:
    """Open a page and click each of its links to other pages; return where they led to."""
    page.goto(here.as_uri())
    links = page.locator("a[href*='.html']")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, here
    found = []
    for at in range(links.count()):
        expected = (here.parent / urlsplit(links.nth(at).get_attribute("href") or "").path).resolve()
        links.nth(at).click()
        expect(page).to_have_url(expected.as_uri())
        expect(page.locator("h1")).to_be_visible()
        found.append(Path(unquote(urlsplit(page.url).path)))
        page.goto(here.as_uri())
    return found
