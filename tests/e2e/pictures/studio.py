"""The server, the data and the browser of all pictures; nothing is left but the pictures."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import django
from playwright.sync_api import Page, sync_playwright

from tests.conftest import BROWSERS
from tests.e2e.conftest import FLAGS, BrowserProfiles
from tests.referee.live.live_server import ServerProcess

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[3]
HALL_ADDRESS = "http://192.168.1.20:8000"
"""Address on wall and cards: one that a club could have, not that of this computer."""
PAGE_SIZES = ((360, 740), (1280, 800))


class PageCamera:
    """Takes whole pages that are wanted, on a phone and at a desk, light and dark; names those that are too wide."""

    def __init__(self, folder: Path, wanted: set[str]) -> None:
        self.folder, self.wanted = folder, wanted

    def take(self, name: str, page: Page, address: str) -> None:
        if self.wanted and name not in self.wanted:
            return
        page.goto(address)
        for width, height in PAGE_SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
                page.screenshot(path=self.folder / f"{name}-{width}-{scheme}.png", full_page=True)
            beyond = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if beyond > 0:
                print(f"{name}: {beyond} px beyond the edge at {width}")


@contextmanager
def open_studio(
    make: Callable[[], T], complaints: list[str] | None = None
) -> Iterator[tuple[BrowserProfiles, ServerProcess, T]]:
    """Prepare data of their own with `make`, start a server on them, and open a browser.

    `complaints` gets what the pages report as errors.
    """
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # the browser runs in an event loop of this thread
    with tempfile.TemporaryDirectory(prefix="multiplo-pictures-") as folder:
        data = Path(folder)
        prepare_data_folder(data)
        from django.db import connections

        made = make()
        connections.close_all()
        served = ServerProcess(
            data=data, database=None, command=[sys.executable, "manage.py"], DJANGO_SETTINGS_MODULE="referee.settings"
        )
        try:
            served.ready()
            with sync_playwright() as playwright:
                path = next(found for name in BROWSERS if (found := shutil.which(name)))
                people = BrowserProfiles(
                    playwright.chromium.launch(executable_path=path, args=FLAGS),
                    complaints if complaints is not None else [],
                )
                yield people, served, made
                people.leave()
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
