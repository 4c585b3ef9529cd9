"""Pictures of the README and the handbook, of an event that `picture_event.py` makes.

Players, racks and slips are the same in every run, the time of day is not. `PICTURES` names them all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, fill_slip, take_seat
from tests.e2e.pictures.studio import ROOT, open_studio
from tests.referee.live.live_server import ServerProcess

if TYPE_CHECKING:
    from tests.e2e.pictures.picture_event import ScreenshotData

FOLDER = ROOT / "docs" / "pictures"
LARGEST, COLOURS = 150_000, 128
WRITTEN = {"player-sheets": 0.55, "certificates": 1.0, "table-cards": 1.0}
"""Printed sheets, and the part of each page that is not empty."""


class Studio:
    """The evening in browsers. A picture is taken of a page as it is then, or of a part of it."""

    def __init__(
        self, people: BrowserProfiles, served: ServerProcess, live_game: ScreenshotData, wanted: set[str]
    ) -> None:
        self.people, self.live_game, self.wanted = people, live_game, wanted
        self.judge = JudgePage(people.at_desk(), served)
        self.desk, self.base = self.judge.page, f"{self.judge.base}/desk/{live_game.code}/"
        self.desk.set_viewport_size({"width": 1280, "height": 800})
        self.desk.goto(self.base)
        self.desk.wait_for_selector("#console[data-ready]")
        self._newcomer()
        self.wall, self.phone = people.at_wall(), self._joined(live_game.table)
        self.wall.goto(f"{self.judge.base}/wall/the-wall-of-{live_game.code.lower()}/")

    def _newcomer(self) -> None:
        phone = self.people.with_phone()
        phone.goto(f"{self.judge.base}/j/{self.live_game.code}/")
        phone.locator("#search").fill("ro")
        self.keep("join", phone)

    def _joined(self, table: int) -> Page:
        phone = self.people.with_phone()
        phone.goto(f"{self.judge.base}/j/{self.live_game.code}/")
        take_seat(phone, table)
        return phone

    def keep(self, name: str, what: Page | Locator, *, dark: bool = False, width: int = 0, height: int = 0) -> None:
        """Take a picture, if it is wanted; `width` and `height` of the window where they are to be others."""
        if name in self.wanted:
            page = what if isinstance(what, Page) else what.page
            size = page.viewport_size
            assert size is not None
            page.set_viewport_size({"width": width or size["width"], "height": height or size["height"]})
            page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
            page.wait_for_timeout(400)
            store(name, what.screenshot(animations="disabled"))
            page.emulate_media(color_scheme=None)
            page.set_viewport_size(size)

    def goes_to(self, address: str) -> Page:
        """A page of the event at the desk."""
        self.desk.goto(self.base + address)
        return self.desk


def store(name: str, content: bytes, upper: float = 1) -> None:
    """Put a picture, or its upper part, into the folder, with as few colours as it can do with."""
    whole = Image.open(BytesIO(content)).convert("RGB")
    part = whole.crop((0, 0, whole.width, int(whole.height * upper)))
    picture = part.quantize(COLOURS, dither=Image.Dither.NONE)
    written = BytesIO()
    picture.save(written, "PNG", optimize=True)
    assert written.tell() <= LARGEST, f"{name} has {written.tell()} bytes"
    (FOLDER / f"{name}.png").write_bytes(written.getvalue())


def pages_between_turns(studio: Studio) -> None:
    """Page before the next turn is announced."""
    studio.desk.goto(f"{studio.judge.base}/desk/new/")
    studio.keep("new-event", studio.desk)
    desk = studio.goes_to("entry-desk/")
    desk.locator("#arrival-q").press_sequentially("ri")
    expect(desk.locator(".arrival").first).to_be_visible()
    studio.keep("entry-desk", desk, height=740)
    studio.keep("table-plan", studio.goes_to("tables/"), height=620)
    studio.keep("analysis", studio.goes_to("analysis/?game=1"), height=1120)
    appeal(studio)
    documents(studio)
    reader = studio.people.with_phone()
    reader.goto(f"{studio.judge.base}/p/{studio.live_game.public}/")
    studio.keep("public-page", reader)


def appeal(studio: Studio) -> None:
    """An appeal, and what would follow."""
    desk = studio.goes_to("appeals/")
    accept = desk.locator(".appeal form").filter(has=desk.locator("[name=ruling]"))
    accept.get_by_label("Accept").fill("It is in print.")
    studio.keep("appeal", desk.locator(".appeal").first)
    accept.get_by_role("button").click()
    expect(desk.get_by_role("heading", name="Accept")).to_be_visible()
    studio.keep("what-if", desk.locator("main"), width=700, height=600)


def documents(studio: Studio) -> None:
    """The list of what can be printed, with something made that shows its pages."""
    desk = studio.goes_to("documents/")
    desk.locator(".offers form button").first.click()
    expect(desk.locator("#documents img").first).to_be_visible()
    studio.keep("documents", desk)


def running_turn(studio: Studio) -> None:
    """The clock runs: line, keys, wall, phones, calls, search box."""
    desk = studio.goes_to("")
    desk.wait_for_selector("#console[data-ready]")
    studio.judge.next_step("running")
    caller = desk.context.new_page()
    caller.goto(studio.base + "calls/")
    studio.keep("calls", caller, height=700)
    said, (first, *others) = studio.live_game.pile
    for line in (*studio.live_game.lines, f"{first} {said}"):
        studio.judge.types(line)
    desk.locator("#entry-line").fill("+".join(others) + "+")
    expect(desk.locator("#entry-echo.good")).to_contain_text("Tables")
    studio.keep("line", desk.locator("#entry"))
    desk.locator("#entry-line").press("Enter")
    expect(desk.locator("#entry-line")).to_have_value("")
    desk.keyboard.press("Escape")
    desk.keyboard.press("?")
    studio.keep("keys", desk, height=1000)
    desk.keyboard.press("Escape")
    studio.keep("turn", desk)
    studio.keep("wall", studio.wall)
    fill_slip(studio.phone, *studio.live_game.own)
    studio.keep("phone", studio.phone)
    studio.phone.locator("#send").click()
    expect(studio.phone.locator("#receipt")).to_contain_text("Slip 1 ")


def closed_turn(studio: Studio) -> None:
    """The queue of the judge."""
    desk = studio.desk
    studio.judge.next_step("closed")
    desk.keyboard.press("ArrowDown")
    expect(desk.locator(".col-board .asked").first).to_be_visible()
    studio.keep("desk", desk)
    studio.keep("desk-dark", desk, dark=True)
    desk.keyboard.press("F3")
    word = studio.live_game.own[0].upper()
    desk.locator("#words-line").fill(word)
    expect(desk.locator("#words-answer")).to_contain_text(word)
    studio.keep("words", desk.locator("#words"))
    desk.keyboard.press("Escape")
    studio.judge.next_step("placed")
    expect(studio.phone.locator("body")).to_contain_text("The move is valid and worth")
    studio.keep("phone-result", studio.phone)
    expect(studio.wall.locator("#top-word")).to_be_visible()
    studio.keep("wall-placed", studio.wall)


def end_of_game(studio: Studio) -> None:
    """The podium at the desk."""
    studio.desk.get_by_role("button", name="End the game here").click()
    studio.desk.locator("#question button").first.click()
    studio.judge.phase("finished")
    studio.keep("end", studio.desk)


def typed_twice(studio: Studio) -> None:
    """Another event, in which two people type each slip."""
    studio.desk.goto(f"{studio.judge.base}/desk/{studio.live_game.twice}/")
    expect(studio.desk.locator("#typings")).to_contain_text("typed in two ways")
    studio.keep("typings", studio.desk.locator("#typings"), height=1400)


def sheets(studio: Studio) -> None:
    """First pages of printed documents."""
    for name, picture in studio.live_game.sheets.items():
        if name in studio.wanted:
            store(name, picture, upper=WRITTEN[name])


SCENES: dict[Callable[[Studio], None], tuple[str, ...]] = {
    pages_between_turns: (
        *("join", "new-event", "entry-desk", "table-plan", "analysis", "appeal", "what-if", "documents", "public-page"),
    ),
    running_turn: ("calls", "line", "keys", "turn", "wall", "phone"),
    closed_turn: ("desk", "desk-dark", "words", "phone-result", "wall-placed"),
    end_of_game: ("end",),
    typed_twice: ("typings",),
    sheets: tuple(WRITTEN),
}
PICTURES = frozenset(name for names in SCENES.values() for name in names)


def take_pictures(wanted: set[str]) -> None:
    """Take these pictures."""
    if unknown := wanted - PICTURES:
        sys.exit(f"There is no picture {', '.join(sorted(unknown))}; there are {', '.join(sorted(PICTURES))}.")
    with open_studio(_make_live_game) as (people, served, live_game):
        studio = Studio(people, served, live_game, wanted)
        for scene in SCENES:
            scene(studio)


def _make_live_game() -> ScreenshotData:
    from tests.e2e.pictures.picture_event import make_screenshot_data

    return make_screenshot_data()
