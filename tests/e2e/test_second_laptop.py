"""The judge's laptop is dead for good; another one goes on from the stick, and the phones do not even notice."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import BrowserProfiles
from tests.e2e.judge import JudgePage, send_slip, sits_down
from tests.referee.live.live_server import ROOT, ServerProcess
from tests.waiting import PATIENCE_S
from tournaments.backups.backup_file import find_newest, read_backup

pytestmark = [pytest.mark.browser, pytest.mark.endurance]


def clock_start(data: Path) -> datetime:
    """The start of the newest clock, by which a backup with the running turn is recognised."""
    with closing(sqlite3.connect(data / "multiplo.sqlite3")) as base:
        (started,) = base.execute("SELECT max(started_at) FROM tournaments_turnclock").fetchone()
    return datetime.fromisoformat(started).replace(tzinfo=UTC)


def backup_after(stick: Path, moment: datetime) -> Path:
    """The newest backup, once there is one that was begun after this moment."""
    until = time.monotonic() + 3 * PATIENCE_S
    while time.monotonic() < until:
        newest = find_newest(stick)
        if newest is not None and read_backup(newest[0]).made_at > moment:
            return newest[0]
        time.sleep(0.1)
    raise AssertionError(f"no backup after {moment}")


def test_a_slip_that_was_on_the_dead_laptop_only_is_handed_in_again_by_the_phone(
    own_server: ServerProcess, people: BrowserProfiles, tmp_path: Path
) -> None:
    judge = JudgePage(people.at_desk(), own_server)
    code = judge.new_event()
    phone = sits_down(people.with_phone(), judge, code, 1)
    judge.next_step("drawn")
    judge.next_step("running")
    newest = backup_after(own_server.data / "backups", clock_start(own_server.data))
    bundle = Path(shutil.copy(newest, tmp_path / "stick.zip"))  # the next one of this turn, with the slip, replaces it
    word, ref, points = judge.moves()[0]
    send_slip(phone, word, ref, points)
    expect(phone.locator("#receipt")).to_contain_text("Slip 1 ")
    own_server.stop(signal.SIGKILL)
    assert read_backup(bundle).slips == 0, "the slip has to be lost, or this shows nothing"

    second = tmp_path / "second"
    shutil.copytree(own_server.data / "lexicons", second / "lexicons")
    command = [sys.executable, "manage.py", "restore", str(bundle), "--data", str(second)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    other = ServerProcess(
        data=second,
        database=None,
        port=own_server.port,
        command=[sys.executable, "manage.py"],
        DJANGO_SETTINGS_MODULE="referee.settings",
        SECRET_KEY="",
    )
    try:
        other.ready()
        expect(judge.page.locator(".outage")).to_contain_text("may be missing")
        expect(judge.page.locator("#slips-in")).to_have_text("1")
        expect(phone.locator("#receipt")).to_contain_text("Slip 1 ")
        expect(judge.page.locator("#backup")).to_contain_text("Backup")
        judge.page.get_by_role("button", name="full time").click()
        expect(judge.page.locator(".outage")).to_have_count(0)
        judge.next_step("closed")
        assert word in judge.page.locator("#console").inner_text()
    finally:
        other.stop()
