"""The documentation site is built without a warning, and a browser that reads it asks no other host for anything."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.rules.profile import profile_codes
from tests.e2e.conftest import BrowserProfiles
from tests.referee.live.live_server import ROOT

pytestmark = pytest.mark.endurance
LOADED = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The address of a server of these files."""
    handler = functools.partial(SilentHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class SilentHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Resources(HTMLParser):
    """The addresses that a page loads: scripts, styles, pictures and frames, but not where its links lead."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what the browser loads for this element."""
        names = {"href"} if tag == "link" else {"src", "srcset", "data", "poster", "action"}
        self.found += [value for name, value in attrs if name in names and value]


def test_no_page_or_style_names_a_file_of_another_host(site: Path) -> None:
    pages, styles = sorted(site.rglob("*.html")), sorted(site.rglob("*.css"))
    assert len(pages) > 100
    assert len(styles) >= 2
    foreign = re.compile(r"(https?:)?//")
    texts = {path: path.read_text(encoding="utf-8") for path in (*pages, *styles)}
    loaded = {(path.name, name) for path in pages for name in Resources(texts[path]).found if foreign.match(name)}
    assert loaded == set()
    assert [path.name for path, text in texts.items() if LOADED.search(text)] == []


def test_a_browser_that_reads_and_searches_asks_no_other_host(people: BrowserProfiles, address: str) -> None:
    page = people.at_desk()
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    for path in ("index", "api", "formats", "handbook/en/checklists", "handbook/fr/rules-of-fisf"):
        page.goto(f"{address}/{path}.html", wait_until="networkidle")
    page.goto(f"{address}/handbook/it/hall-technique.html", wait_until="networkidle")
    assert page.locator("html").get_attribute("lang") == "it"
    page.locator("input[name=query]").click()
    page.keyboard.type("hotspot")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    assert len(asked) > 20
    assert [url for url in asked if not url.startswith((f"{address}/", "data:", "blob:"))] == []


def test_every_rule_set_is_a_page_in_each_language(site: Path) -> None:
    for language, clock in (("en", "Clock and end"), ("it", "Tempo e fine"), ("fr", "Chronomètre et fin")):
        for code in profile_codes():
            page = (site / f"handbook/{language}/rules-of-{code}.html").read_text(encoding="utf-8")
            assert clock in page, (language, code)
