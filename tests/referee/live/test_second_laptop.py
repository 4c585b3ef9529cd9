"""The judge's laptop dies in mid-turn, and another one goes on from the stick."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE_S
from tests.referee.live.desk_client import DeskClient
from tests.referee.live.evening import slip
from tests.referee.live.install import Installation
from tests.referee.live.serving import Line
from tournaments.backups import About, newest_in, read
from tournaments.now import utc_now


class Evening:
    """An event on the first laptop, with its stick."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.stick, self.pocket = folder / "stick", folder / "pocket"
        self.first = Installation(folder / "first", BACKUP_DIR=str(self.stick)).migrate()
        self.second = Installation(folder / "second")
        judge = self.first.judge()
        stack.callback(judge.leave)
        self.event: dict[str, str] = judge.do("event")
        self.cookies = {table: judge.do("cookie", table) for table in (1, 2)}
        self.served = self.first.serve()
        stack.callback(lambda: self.served.stop(signal.SIGKILL))
        self.served.ready()

    def desk(self) -> DeskClient:
        return DeskClient(self.served, self.event["code"], self.event["desk"])

    def phone(self, table: int) -> Line:
        return self.served.phone(self.cookies[table])

    def begin_turn(self, rack: str) -> None:
        for action, fields in (("type-rack", {"rack": rack}), ("announce", {})):
            assert self.desk().act(action, **fields).status == 200

    def end_turn(self) -> None:
        for action in ("close", "place"):
            assert self.desk().act(action).status == 200

    def backup(self, seconds: float = PATIENCE_S, **wanted: object) -> About:
        """The newest backup on the stick, once it is like this."""
        until = time.monotonic() + seconds
        while True:
            newest = newest_in(self.stick)
            about = read(newest[0]) if newest else None
            if about is not None and all(getattr(about, name) == value for name, value in wanted.items()):
                return about
            assert time.monotonic() < until, f"no backup with {wanted}, the newest is {about}"
            time.sleep(0.1)

    def take_over(self) -> str:
        """Kill the first laptop, restore on the second, serve on the same port; gives what `restore` said."""
        self.served.stop(signal.SIGKILL)
        if self.pocket.exists():
            self.pocket.rename(self.stick)
        newest = newest_in(self.stick)
        assert newest is not None
        restored = self.second.run("restore", newest[0])
        assert restored.returncode == 0, restored.stderr
        self.served = self.second.serve(port=self.served.port).ready()
        return restored.stdout


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as stack:
        yield Evening(tmp_path, stack)


def newest_seq(line: Line) -> Any:
    line.drain()
    return max(int(text.partition('"seq":')[2].partition(",")[0]) for text in line.texts if '"t":"state"' in text)


def lost_mid_turn(evening: Evening, lines: list[Line]) -> dict[str, Any]:
    """Turn 1 is on the board and turn 2 announced on the stick, which is pulled out; then the judge halts the clock
    and lets it go on, and phone 1 hands in a slip, which is acknowledged."""
    lines += [evening.phone(1), evening.phone(2)]
    evening.begin_turn("CORNOAT")
    assert lines[0].hand_in(slip(1))["in_time"] is True
    evening.end_turn()
    evening.backup(turn=1, placed=True, slips=1)
    evening.begin_turn("TREMARE")
    announced_at = utc_now()
    while evening.backup(turn=2, placed=False, slips=1).made_at < announced_at:
        time.sleep(0.1)
    evening.stick.rename(evening.pocket)
    for action in ("pause", "resume") * 3:
        assert evening.desk().act(action).status == 200
    handed_in = slip(2, word="MARE", ref="8D")
    assert lines[0].hand_in(handed_in)["in_time"] is True
    return handed_in


def test_the_phones_come_back_to_the_second_laptop_and_nothing_is_lost(evening: Evening, lines: list[Line]) -> None:
    handed_in = lost_mid_turn(evening, lines)
    seen = newest_seq(lines[0])
    story = evening.take_over()
    assert f"Restored: Club night ({evening.event['code']}), game 1, turn 2 under way, as of 2" in story
    first, second = back = [evening.phone(1), evening.phone(2)]
    lines += back
    greetings = [line.until("hello") for line in back]
    assert [(it["player"]["table"], it["turn"], it["slip"]) for it in greetings] == [(1, 2, None), (2, 2, None)]
    state = first.until("state")
    assert state["view"]["phase"] == "running"
    assert state["seq"] > seen, "the phones would take this for old news"
    # What a page does when the greeting lacks its acknowledged slip (tests/js/queue.test.mjs).
    assert first.hand_in(handed_in)["in_time"] is True
    assert second.hand_in(slip(2, word="RE", ref="8D"))["in_time"] is True
    evening.end_turn()
    evening.second.environment = {**evening.second.environment, "BACKUP_DIR": str(evening.stick)}
    made = evening.second.run("backup")
    assert made.returncode == 0, made.stderr
    assert evening.backup(turn=2, placed=True).slips == 3


def test_the_desk_says_from_when_the_backup_is_and_offers_the_time(evening: Evening, lines: list[Line]) -> None:
    lost_mid_turn(evening, lines)
    evening.take_over()
    made_at = read(next(evening.stick.glob("*turn02.zip"))).made_at
    desk, phone = evening.desk(), evening.phone(2)
    lines.append(phone)
    deadline = phone.phase("running")["deadline"]
    page = desk.page("main/").text
    assert "Slips and decisions after that moment may be missing" in page
    assert f"{made_at.astimezone():%H:%M:%S}" in page
    assert "of the turn were lost" in page
    assert "Everything that was acknowledged is here" not in page
    assert desk.act("replay").status == 200
    longer = phone.until("state")["view"]
    assert longer["phase"] == "running"
    assert longer["deadline"] > deadline
    assert "may be missing" not in desk.page("main/").text


def test_a_backup_between_two_turns_is_told_without_talk_of_time(evening: Evening, lines: list[Line]) -> None:
    lines.append(evening.phone(1))
    evening.begin_turn("CORNOAT")
    evening.end_turn()
    evening.backup(turn=1, placed=True)
    assert "turn 1 on the board" in evening.take_over()
    desk = evening.desk()
    page = desk.page("main/").text
    assert "may be missing" in page
    assert "of the turn" not in page
    assert desk.act("go-on").status == 200
    assert "may be missing" not in desk.page("main/").text


def test_a_stick_that_is_pulled_out_is_told_and_the_backups_go_on_when_it_is_back(
    evening: Evening, lines: list[Line]
) -> None:
    evening.backup(turn=0)
    watch = evening.served.socket(f"/ws/desk/{evening.event['code']}/", evening.event["desk"])
    lines.append(watch)
    watch.until("state")
    evening.stick.rename(evening.pocket)
    evening.stick.mkdir()  # what an unmounted stick leaves behind
    evening.begin_turn("CORNOAT")
    told = watch.alarm("backup_failed", 20)
    assert told.startswith(f"The backup to {evening.stick} failed")
    assert list(evening.stick.iterdir()) == []
    assert evening.desk().page("backup/").json["failed"] is True
    evening.stick.rmdir()
    evening.pocket.rename(evening.stick)
    assert watch.alarm("backup_again", 30) == f"The backups to {evening.stick} go on."
    evening.backup(turn=1)
    line = evening.desk().page("backup/").json
    assert line == {"sentence": f"Backup less than a minute ago on {evening.stick}", "failed": False}


def test_a_backup_is_not_put_back_under_a_running_server(evening: Evening) -> None:
    evening.backup(turn=0)
    newest = newest_in(evening.stick)
    assert newest is not None
    refused = evening.first.run("restore", newest[0])
    assert refused.returncode == 2
    assert refused.stderr.strip() == (
        f"Multiplo is running on the folder {evening.first.data}: stop it with Ctrl-C, then restore."
    )
    assert evening.desk().page("main/").status == 200
    evening.served.stop(signal.SIGKILL)
    assert evening.first.run("restore", newest[0]).returncode == 0
