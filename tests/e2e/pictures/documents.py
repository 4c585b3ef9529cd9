"""Takes every picture of the README and of docs/judge.md: `python -m tests.e2e.take_pictures [NAME ...]`.

It starts a server of its own on data of its own, which tests/e2e/picture_event.py makes: players, racks and slips
are the same in every run, the time of day is not. `PICTURES` names them all; a name as an argument takes only that one.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import django
from PIL import Image
from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.conftest import BROWSERS
from tests.e2e.conftest import FLAGS, BrowserProfiles
from tests.e2e.judge import JudgePage, fill_slip, take_seat
from tests.referee.live.live_server import ServerProcess

if TYPE_CHECKING:
    from tests.e2e.picture_event import ScreenshotData

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
LARGEST, COLOURS = 150_000, 128
WRITTEN = {"player-sheets": 0.55, "certificates": 1.0, "table-cards": 1.0}
"""Printed sheets, and the part of each page that is not empty."""
HALL_ADDRESS = "http://192.168.1.20:8000"
"""Address on wall and cards: one that a club could have, not that of this computer."""


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
        self.wall, self.phone = people.at_wall(), self._joined(live_game.table)
        self.wall.goto(f"{self.judge.base}/wall/the-wall-of-{live_game.code.lower()}/")

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
    desk = studio.goes_to("entry-desk/")
    desk.locator("#arrival-q").press_sequentially("ri")
    expect(desk.locator(".arrival").first).to_be_visible()
    studio.keep("entry-desk", desk, height=740)
    studio.keep("table-plan", studio.goes_to("tables/"), height=620)
    studio.keep("analysis", studio.goes_to("analysis/?game=1"), height=1120)
    studio.keep("analysis-dark", desk, dark=True, height=1120)
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
    studio.keep("group", desk.locator(".queue .group").first)
    desk.keyboard.press("F3")
    word = studio.live_game.own[0].upper()
    desk.locator("#words-line").fill(word)
    expect(desk.locator("#words-answer")).to_contain_text(word)
    studio.keep("words", desk.locator("#words"))
    desk.keyboard.press("Escape")
    studio.judge.next_step("placed")
    expect(studio.phone.locator("body")).to_contain_text("The move is valid and worth")
    studio.keep("phone-dark", studio.phone, dark=True)


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
        *("entry-desk", "table-plan", "analysis", "analysis-dark", "appeal", "what-if", "documents", "public-page"),
    ),
    running_turn: ("calls", "line", "keys", "wall", "phone"),
    closed_turn: ("desk", "desk-dark", "group", "words", "phone-dark"),
    typed_twice: ("typings",),
    sheets: tuple(WRITTEN),
}
PICTURES = frozenset(name for names in SCENES.values() for name in names)


def main(wanted: set[str]) -> None:
    """Make the evening, start the server, take the pictures, and leave nothing but these."""
    if unknown := wanted - PICTURES:
        sys.exit(f"There is no picture {', '.join(sorted(unknown))}; there are {', '.join(sorted(PICTURES))}.")
    with tempfile.TemporaryDirectory(prefix="multiplo-pictures-") as folder:
        data = Path(folder)
        live_game = _live_game_in(data)
        served = ServerProcess(
            data=data, database=None, command=[sys.executable, "manage.py"], DJANGO_SETTINGS_MODULE="referee.settings"
        )
        try:
            _take(served.ready(), live_game, wanted)
        finally:
            served.stop()


def prepare_data_folder(data: Path) -> None:
    """Set Django up with this data folder: the Italian word list and an empty database."""
    lists = ROOT / "var" / "lexicons"
    if not (lists / "it.npy").exists():
        sys.exit("The Italian word list is not built: python3 manage.py setup")
    (data / "lexicons").mkdir()
    for name in ("it.txt", "it.txt.json", "it.npy"):
        shutil.copy(lists / name, data / "lexicons")
    os.environ.update(DATA_DIR=str(data), DJANGO_SETTINGS_MODULE="referee.settings", PUBLIC_URL=HALL_ADDRESS)
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def _live_game_in(data: Path) -> ScreenshotData:
    prepare_data_folder(data)
    from django.db import connections

    from tests.e2e.picture_event import make_screenshot_data

    live_game = make_screenshot_data()
    connections.close_all()
    return live_game


def _take(served: ServerProcess, live_game: ScreenshotData, wanted: set[str]) -> None:
    with sync_playwright() as playwright:
        path = next(found for name in BROWSERS if (found := shutil.which(name)))
        people = BrowserProfiles(playwright.chromium.launch(executable_path=path, args=FLAGS), [])
        studio = Studio(people, served, live_game, wanted)
        for scene in SCENES:
            scene(studio)
        people.leave()


if __name__ == "__main__":
    main(set(sys.argv[1:]) or set(PICTURES))
