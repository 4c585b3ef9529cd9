"""A whole game: `manage.py serve` in a process of its own; the judge, phones and the wall in real browsers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, WebSocketRoute, expect, sync_playwright

from tests.conftest import missing
from tests.made_once import made_once
from tests.referee.live.live_server import ROOT, ServerProcess
from tests.waiting import PATIENCE_MS

EXPECTED = (
    *("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"),
    *("htmx:afterRequest", "htmx:sendError"),
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The program as a judge starts it, with the Italian list that set-up has built; each test makes an event in it."""
    with _served(tmp_path_factory.mktemp("server") / "data") as served:
        yield served


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server without any event, for a test that kills it or looks at everything in it."""
    with _served(tmp_path / "data") as served:
        yield served


@contextmanager
def _served(data: Path) -> Iterator[ServerProcess]:
    shutil.copytree(made_once("set-up", _set_up), data)
    server = ServerProcess(
        data=data,
        database=None,
        command=[sys.executable, "manage.py"],
        DJANGO_SETTINGS_MODULE="referee.settings",
        SECRET_KEY="",
    )
    try:
        yield server.ready()
    finally:
        server.stop()


def _set_up(data: Path) -> None:
    """Fill a data folder as `serve` does before its first start."""
    lists = Path(os.environ["DATA_DIR"]) / "lexicons"
    if not (lists / "it.npy").exists():
        missing("the Italian word list is not built (python3 manage.py setup)")
    (data / "lexicons").mkdir()
    for name in ("it.txt", "it.txt.json", "it.npy"):
        shutil.copy(lists / name, data / "lexicons")
    run_manage(data, "setup")


def run_manage(data: Path, *arguments: str) -> None:
    """Run a command of `manage.py` on a data folder; a server may be using it."""
    variables = {"DJANGO_SETTINGS_MODULE": "referee.settings", "SECRET_KEY": "", "DATA_DIR": str(data)}
    command = [sys.executable, "manage.py", *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


class OneBrowser:
    """The Chromium of this test process. It is closed before a test of another folder, which may be asynchronous."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._chromium: Browser | None = None

    def get(self, path: str) -> Browser:
        if self._chromium is None:
            playwright = self._open.enter_context(sync_playwright())
            self._chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
            self._open.callback(self._chromium.close)
        return self._chromium

    def close(self) -> None:
        self._open.close()
        self._chromium = None


ONE_BROWSER = OneBrowser()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser behind the last test of this folder."""
    try:
        yield
    finally:
        if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
            ONE_BROWSER.close()


@pytest.fixture
def browser(chromium_path: str) -> Browser:
    """One Chromium for all; each person has a profile of their own in it."""
    return ONE_BROWSER.get(chromium_path)


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """Complaints of the browsers' consoles; the list must be empty at the end of a test."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def people(browser: Browser, complaints: list[str]) -> Iterator[BrowserProfiles]:
    """Opens browsers for the people of a test, and closes them after it."""
    opened = BrowserProfiles(browser, complaints)
    yield opened
    opened.leave()


class BrowserProfiles:
    """Each call gives a page in a profile of its own: nobody shares cookies with anybody."""

    def __init__(self, browser: Browser, complaints: list[str]) -> None:
        self._browser, self._complaints = browser, complaints
        self._pages: list[Page] = []

    def at_desk(self) -> Page:
        page = self._page(viewport={"width": 1440, "height": 860})
        page.on("dialog", self._answer_browser)
        return page

    def _answer_browser(self, dialog: Dialog) -> None:
        """The desk asks in dialogs of its own; only a page with unsent text may ask through the browser."""
        if dialog.type != "beforeunload":
            self._complaints.append(f"the browser's own dialog: {dialog.message}")
        dialog.accept()

    def with_phone(self, *, width: int = 390, language: str = "en-GB", dark: bool = False) -> Page:
        return self._page(
            viewport={"width": width, "height": 800},
            is_mobile=True,
            has_touch=True,
            locale=language,
            color_scheme="dark" if dark else "light",
        )

    def at_wall(self) -> Page:
        return self._page(viewport={"width": 1920, "height": 1080})

    def leave(self) -> None:
        for page in self._pages:
            page.context.close()

    def _page(self, **options: object) -> Page:
        page = self._browser.new_context(**({"locale": "en-GB"} | options)).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: self._complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda said: self._note(page, said.type, said.text))
        self._pages.append(page)
        return page

    def _note(self, page: Page, kind: str, text: str) -> None:
        # A cut network and a killed server are the test's doing.
        if kind == "error" and not any(cause in text for cause in EXPECTED):
            self._complaints.append(f"{page.url}: {text}")


class Network:
    """The Wi-Fi of one phone: while it is cut neither sockets nor requests get through."""

    def __init__(self, page: Page) -> None:
        self._page, self._whole, self._sockets = page, True, list[WebSocketRoute]()
        page.route_web_socket("**/ws/**", self._opened)

    def cut(self) -> None:
        self._whole = False
        self._page.context.set_offline(True)
        for socket in self._sockets:
            socket.close()
        self._sockets.clear()

    def mend(self) -> None:
        self._whole = True
        self._page.context.set_offline(False)

    def _opened(self, socket: WebSocketRoute) -> None:
        if self._whole:
            socket.connect_to_server()
            self._sockets.append(socket)
        else:
            socket.close()
