"""The wall as a layer over the video of a stream: transparent, and it tells no more than the wall."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage
from tests.referee.live.live_server import ServerProcess

pytestmark = [pytest.mark.browser, pytest.mark.endurance]
VIDEO = (960, 500)
"""A point between the board and the cards."""


def picture(page: Page) -> Image.Image:
    return Image.open(BytesIO(page.screenshot(omit_background=True))).convert("RGBA")


def test_the_overlay_is_transparent_and_shows_board_clock_top_and_the_first_ten(
    server: ServerProcess, people: BrowserProfiles
) -> None:
    judge = JudgePage(people.at_desk(), server)
    judge.new_event("\n".join(f"Player {letter}" for letter in "ABCDEFGHIJKL"))
    overlay = people.at_wall()
    address = str(judge.page.get_by_role("link", name="Wall").get_attribute("href"))
    overlay.goto(f"{judge.base}{address}?overlay")
    expect(overlay.locator("#wall")).to_have_attribute("data-screen", "lobby")
    assert picture(overlay).getpixel(VIDEO) == (0, 0, 0, 0)
    assert overlay.locator(".lobby").is_hidden()
    judge.next_step("drawn")
    judge.next_step("running")
    word, ref, points = judge.moves()[0]
    judge.types(f"1 {ref} {word} {points}")
    expect(overlay.locator("#clock")).to_have_text(re.compile(r"\d+:\d\d"))
    assert word.upper() not in overlay.content().upper()
    assert overlay.locator("#top-move").is_hidden()
    judge.next_step("closed")
    judge.next_step("placed")
    expect(overlay.locator("#top-move")).to_be_visible()
    expect(overlay.locator("#top-word")).to_have_attribute("aria-label", re.compile(word, re.IGNORECASE))
    expect(overlay.locator("#ranking tr")).to_have_count(10)
    judge.next_step("drawn")
    judge.next_step("running")
    expect(overlay.locator("#ranking")).to_be_visible()
    shown = picture(overlay)
    assert shown.getpixel(VIDEO) == (0, 0, 0, 0)
    assert shown.getpixel((300, 700))[3] > 200  # type: ignore[index]
    last = overlay.locator(".side footer").bounding_box()
    assert last is not None
    assert last["y"] + last["height"] < 1080
