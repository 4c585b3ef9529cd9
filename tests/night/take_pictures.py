"""Takes the pictures of the README: `python -m tests.night.take_pictures LINK DATA`; LINK is what `serve` printed.

Plays a few turns on that server, so give it a data folder of its own.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from shutil import which
from types import SimpleNamespace
from typing import cast
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from tests.conftest import BROWSERS
from tests.night.conftest import FLAGS, People
from tests.night.judge import Judge, sends
from tests.referee.live.serving import Served

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
CROWD = (
    "1, Anna Rossi, Torino\n2, Bruno Neri, Ivrea\n3, Carla Blu, Torino\n4, Dario Verdi, Asti\n"
    "5, Elena Galli, Torino\n6, Fabio Moro, Alba\n7, Gina Fontana, Ivrea\n8, Ugo Serra, Asti"
)


def play_and_take(link: str, data: Path) -> None:
    """Four turns with slips of every kind; the pictures are taken in the fourth."""
    hall = cast(Served, SimpleNamespace(host=urlsplit(link).netloc, said=[link], data=data))
    with sync_playwright() as playwright:
        path = next(found for name in BROWSERS if (found := which(name)))
        people = People(playwright.chromium.launch(executable_path=path, args=FLAGS), [])
        judge = Judge(people.at_desk(), hall)
        code = judge.new_event(CROWD)
        wall = people.at_wall()
        wall.goto(judge.base + str(judge.page.get_by_role("link", name="Wall").get_attribute("href")))
        phone = people.with_phone()
        phone.goto(f"{judge.base}/j/{code}/")
        phone.locator("#id_table").fill("5")
        phone.get_by_role("button").first.click()
        chance = random.Random(4)  # noqa: S311  pictures, no draw
        for turn in range(4):
            judge.next_step("drawn")
            judge.next_step("running")
            moves = judge.moves()
            for table in (1, 2, 3, 4, 6, 7):
                word, ref, points = moves[min(len(moves) - 1, int(chance.expovariate(0.5)))]
                judge.types(f"{table} {ref} {word} {points + (table == 6) * 2}")
            judge.types(f"8 8H {judge.no_word()} 31")
            word, ref, points = moves[1]
            sends(phone, word, ref, points)
            if turn == 3:
                wall.screenshot(path=FOLDER / "wall.png")
                phone.screenshot(path=FOLDER / "phone.png")
            judge.next_step("closed")
            if turn == 3:
                judge.page.wait_for_timeout(500)
                judge.page.screenshot(path=FOLDER / "desk.png")
            judge.next_step("placed")
        people.leave()


if __name__ == "__main__":
    play_and_take(sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else "var"))
