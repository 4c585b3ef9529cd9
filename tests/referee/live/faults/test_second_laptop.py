"""The judge's laptop fails during a turn, and another one continues from the backup stick."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.referee.live.desk_client import DeskClient
from tests.referee.live.install import Installation
from tests.referee.live.live_game import slip
from tests.referee.live.live_server import SocketClient
from tests.waiting import PATIENCE_S
from tournaments.backups.backup_file import BackupInfo, find_newest, read_backup
from tournaments.now import utc_now

pytestmark = [pytest.mark.sqlite_file, pytest.mark.endurance]


class GameOnOneServer:
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

    def phone(self, table: int) -> SocketClient:
        return self.served.phone(self.cookies[table])

    def begin_turn(self, rack: str) -> None:
        for action, fields in (("type-rack", {"rack": rack}), ("announce", {})):
            assert self.desk().act(action, **fields).status == 200

    def end_turn(self) -> None:
        for action in ("close", "place"):
            assert self.desk().act(action).status == 200

    def backup(self, seconds: float = PATIENCE_S, **wanted: object) -> BackupInfo:
        """The newest backup on the stick, once it is like this."""
        until = time.monotonic() + seconds
        while True:
            newest = find_newest(self.stick)
            about = read_backup(newest[0]) if newest else None
            if about is not None and all(getattr(about, name) == value for name, value in wanted.items()):
                return about
            assert time.monotonic() < until, f"no backup with {wanted}, the newest is {about}"
            time.sleep(0.1)

    def take_over(self) -> str:
        """Kill the first laptop, restore on the second, serve on the same port; gives what `restore` said."""
        self.served.stop(signal.SIGKILL)
        if self.pocket.exists():
            self.pocket.rename(self.stick)
        newest = find_newest(self.stick)
        assert newest is not None
        restored = self.second.run("restore", newest[0])
        assert restored.returncode == 0, restored.stderr
        self.served = self.second.serve(port=self.served.port).ready()
        return restored.stdout


@pytest.fixture
def live_game(tmp_path: Path) -> Iterator[GameOnOneServer]:
    with ExitStack() as stack:
        yield GameOnOneServer(tmp_path, stack)


def newest_seq(line: SocketClient) -> Any:
    line.drain()
    return max(int(text.partition('"seq":')[2].partition(",")[0]) for text in line.texts if '"t":"state"' in text)


def lost_mid_turn(live_game: GameOnOneServer, lines: list[SocketClient]) -> dict[str, Any]:
    """Turn 1 is on the board and turn 2 announced on the stick, which is pulled out; then the judge halts the clock
    and lets it go on, and phone 1 hands in a slip, which is acknowledged."""
    lines += [live_game.phone(1), live_game.phone(2)]
    live_game.begin_turn("CORNOAT")
    assert lines[0].hand_in(slip(1))["in_time"] is True
    live_game.end_turn()
    live_game.backup(turn=1, placed=True, slips=1)
    live_game.begin_turn("TREMARE")
    announced_at = utc_now()
    while live_game.backup(turn=2, placed=False, slips=1).made_at < announced_at:
        time.sleep(0.1)
    live_game.stick.rename(live_game.pocket)
    for action in ("pause", "resume") * 3:
        assert live_game.desk().act(action).status == 200
    handed_in = slip(2, word="MARE", ref="8D")
    assert lines[0].hand_in(handed_in)["in_time"] is True
    return handed_in


def test_phones_and_desk_go_on_at_the_second_laptop_and_nothing_is_lost(
    live_game: GameOnOneServer, lines: list[SocketClient]
) -> None:
    handed_in = lost_mid_turn(live_game, lines)
    seen = newest_seq(lines[0])
    story = live_game.take_over()
    assert f"Restored: Club night ({live_game.event['code']}), game 1, turn 2 under way, as of 2" in story
    made_at = read_backup(next(live_game.stick.glob("*turn02.zip"))).made_at
    first, second = back = [live_game.phone(1), live_game.phone(2)]
    lines += back
    greetings = [line.until("hello") for line in back]
    assert [(it["player"]["table"], it["turn"], it["slip"]) for it in greetings] == [(1, 2, None), (2, 2, None)]
    state = first.until("state")
    assert state["view"]["phase"] == "running"
    assert state["seq"] > seen, "the phones would take this for old news"

    desk = live_game.desk()
    page = desk.page("main/").text
    assert "Slips and decisions after that moment may be missing" in page
    assert f"{made_at.astimezone():%H:%M:%S}" in page
    assert "of the turn were lost" in page
    assert "Everything that was acknowledged is here" not in page
    assert desk.act("replay").status == 200
    longer = first.until("state")["view"]
    assert longer["phase"] == "running"
    assert longer["deadline"] > state["view"]["deadline"]
    assert "may be missing" not in desk.page("main/").text

    # What a page does when the greeting lacks its acknowledged slip (tests/js/queue.test.mjs).
    assert first.hand_in(handed_in)["in_time"] is True
    assert second.hand_in(slip(2, word="RE", ref="8D"))["in_time"] is True
    live_game.end_turn()
    live_game.second.environment = {**live_game.second.environment, "BACKUP_DIR": str(live_game.stick)}
    made = live_game.second.run("backup")
    assert made.returncode == 0, made.stderr
    assert live_game.backup(turn=2, placed=True).slips == 3


def test_a_backup_between_two_turns_is_told_without_talk_of_time(
    live_game: GameOnOneServer, lines: list[SocketClient]
) -> None:
    lines.append(live_game.phone(1))
    live_game.begin_turn("CORNOAT")
    live_game.end_turn()
    live_game.backup(turn=1, placed=True)
    assert "turn 1 on the board" in live_game.take_over()
    desk = live_game.desk()
    page = desk.page("main/").text
    assert "may be missing" in page
    assert "of the turn" not in page
    assert desk.act("go-on").status == 200
    assert "may be missing" not in desk.page("main/").text


def test_a_stick_that_is_pulled_out_is_told_and_the_backups_go_on_when_it_is_back(
    live_game: GameOnOneServer, lines: list[SocketClient]
) -> None:
    live_game.backup(turn=0)
    watch = live_game.served.socket(f"/ws/desk/{live_game.event['code']}/", live_game.event["desk"])
    lines.append(watch)
    watch.until("state")
    live_game.stick.rename(live_game.pocket)
    live_game.stick.mkdir()  # what an unmounted stick leaves behind
    live_game.begin_turn("CORNOAT")
    told = watch.alarm("backup_failed")
    assert told.startswith(f"The backup to {live_game.stick} failed")
    assert list(live_game.stick.iterdir()) == []
    assert live_game.desk().page("backup/").json["failed"] is True
    live_game.stick.rmdir()
    live_game.pocket.rename(live_game.stick)
    assert watch.alarm("backup_again") == f"The backups to {live_game.stick} go on."
    live_game.backup(turn=1)
    line = live_game.desk().page("backup/").json
    assert line == {"sentence": f"Backup less than a minute ago on {live_game.stick}", "failed": False}


def test_a_backup_is_not_put_back_under_a_running_server(live_game: GameOnOneServer) -> None:
    live_game.backup(turn=0)
    newest = find_newest(live_game.stick)
    assert newest is not None
    refused = live_game.first.run("restore", newest[0])
    assert refused.returncode == 2
    assert refused.stderr.strip() == (
        f"Multiplo is running on the folder {live_game.first.data}: stop it with Ctrl-C, then restore."
    )
    assert live_game.desk().page("main/").status == 200
    live_game.served.stop(signal.SIGKILL)
    assert live_game.first.run("restore", newest[0]).returncode == 0
