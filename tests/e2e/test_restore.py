"""A backup is restored in a browser: the desk's own dialog asks, and the page waits for the server to start again."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import BrowserProfiles
from tests.referee.live.install import Installation
from tests.referee.live.live_server import ServerProcess
from tests.waiting import until
from tournaments.backups.backup_file import find_newest, read_backup

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[ServerProcess]:
    installation = Installation(tmp_path / "data", BACKUP_DIR=str(tmp_path / "stick")).migrate()
    served = installation.serve().ready()
    yield served
    served.stop(signal.SIGKILL)


def picture(page: Page, name: str) -> None:
    """Save what the page shows, if PICTURES names a folder."""
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=Path(folder) / f"restore-{name}.png")


def log_in(page: Page, served: ServerProcess) -> None:
    [link] = re.findall(r"http://\S+/enter/\S+", served.text)
    page.goto(link)
    page.get_by_role("button", name="Open the desk").click()


def test_the_page_comes_back_with_the_old_state_after_the_desks_own_question(
    laptop: ServerProcess, people: BrowserProfiles, complaints: list[str], tmp_path: Path
) -> None:
    page = people.at_desk()
    log_in(page, laptop)
    expect(page.get_by_role("link", name="Restore a backup")).to_be_visible()
    picture(page, "start")
    until(lambda: find_newest(tmp_path / "stick") is not None, "the backup")
    newest = find_newest(tmp_path / "stick")
    assert newest is not None
    assert read_backup(newest[0]).event == ""
    kept = shutil.copy(newest[0], tmp_path / "kept.zip")

    page.get_by_role("link", name="Start a club night").click()
    page.locator("#id_name").fill("Serata del martedì")
    page.get_by_label("Players, one a line").fill("Anna Rossi\nBruno Neri")
    page.locator("[name=preset][value^='it/']").first.check()
    page.get_by_role("button", name="Open the desk").click()
    page.wait_for_selector("#console[data-ready]")
    picture(page, "desk")
    page.goto(f"http://{laptop.host}/desk/restore/")
    picture(page, "choose")
    page.locator("#file").set_input_files(str(kept))
    page.get_by_role("button", name="Show this backup").click()
    picture(page, "shown")
    page.get_by_role("button", name="Restore the backup").click()
    question = page.locator("#question[open]")
    expect(question).to_contain_text("Restore this backup?")
    expect(question).to_contain_text("Here now: Serata del martedì")
    expect(question.get_by_role("button", name="Leave everything as it is")).to_be_focused()
    picture(page, "question")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="In this backup")).to_be_visible()
    page.get_by_role("button", name="Restore the backup").click()
    question.get_by_role("button", name="Restore the backup").click()
    expect(page.get_by_role("heading", name="Multiplo starts again")).to_be_visible()
    picture(page, "waiting")
    page.get_by_role("button", name="Open the desk").click()
    expect(page.get_by_role("link", name="Start a club night")).to_be_visible()
    expect(page.get_by_text("Serata del martedì")).to_have_count(0)
    # What the waiting page is answered while the old server still ends.
    complaints[:] = [complaint for complaint in complaints if "status of 503" not in complaint]
