"""A backup is restored at the desk: the server starts again on the same port with the state of the backup."""

from __future__ import annotations

import re
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.referee.live.desk_client import DeskClient
from tests.referee.live.install import Installation
from tests.referee.live.live_game import slip
from tests.referee.live.live_server import HttpAnswer, ServerProcess
from tests.waiting import until
from tournaments.backups.backup_file import describe_database, find_newest, read_backup
from tournaments.now import utc_now

pytestmark = pytest.mark.sqlite_file

BOUNDARY = "a-boundary-that-is-in-no-backup"


class Laptop:
    """A laptop with an event, its server and its backups."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.stick = folder / "stick"
        self.install = Installation(folder / "data", BACKUP_DIR=str(self.stick)).migrate()
        judge = self.install.judge()
        self.event: dict[str, str] = judge.do("event")
        self.cookie = judge.do("cookie", 1)
        judge.leave()
        self.served: ServerProcess = self.install.serve()
        stack.callback(lambda: self.served.stop(signal.SIGKILL))
        self.served.ready()
        [link] = re.findall(r"http://[^/]+(/enter/\S+)", self.served.text)
        self.owner = self.log_in(link)

    def desk(self) -> DeskClient:
        return DeskClient(self.served, self.event["code"], self.event["desk"])

    def log_in(self, link: str) -> str:
        """Press the button behind a login link; return the session."""
        form = f"csrfmiddlewaretoken={'c' * 32}".encode()
        own = {"Cookie": f"csrftoken={'c' * 32}", "Content-Type": "application/x-www-form-urlencoded"}
        entered = self.served.request("POST", link, form, own)
        assert (entered.status, entered.headers["location"]) == (302, "/desk/")
        return str(re.findall(r"sessionid=[^;]+", entered.headers["set-cookie"])[0])

    def play(self, rack: str, number: int) -> None:
        """Play a turn in which phone 1 sends a slip that is acknowledged."""
        line = self.served.phone(self.cookie)
        for action, fields in (("type-rack", {"rack": rack}), ("announce", {})):
            assert self.desk().act(action, **fields).status == 200
        assert line.hand_in(slip(number))["in_time"] is True
        for action in ("close", "place"):
            assert self.desk().act(action).status == 200
        line.close()

    def backup(self, turn: int) -> Path:
        """A copy of the newest backup, once this turn is on the board in it."""

        def newest() -> Path | None:
            found = find_newest(self.stick)
            about = read_backup(found[0]) if found else None
            return found[0] if found and about and (about.turn, about.placed) == (turn, True) else None

        while (found := newest()) is None:  # the pause before it grows with the time that the last one took
            time.sleep(0.1)
        return Path(shutil.copy(found, self.stick.parent / "kept.zip"))

    def ask(self, path: str, body: bytes | None = None, kind: str = "application/x-www-form-urlencoded") -> HttpAnswer:
        """A page of no event as the account that starts the program, or a form of it."""
        headers: Mapping[str, str] = {"Cookie": f"{self.owner}; csrftoken={'c' * 32}", "Accept-Language": "en"}
        if body is None:
            return self.served.request("GET", path, None, headers)
        named = {**headers, "Content-Type": kind, "X-CSRFToken": "c" * 32, "Origin": f"http://{self.served.host}"}
        return self.served.request("POST", path, body, named)

    def upload(self, name: str, content: bytes) -> HttpAnswer:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
        return self.ask("/desk/restore/", body, f"multipart/form-data; boundary={BOUNDARY}")

    def is_healthy(self) -> bool:
        try:
            return self.served.request("GET", "/healthz").status == 200
        except OSError:
            return False

    def kept_databases(self) -> list[Path]:
        return [
            path
            for path in self.install.data.glob("multiplo.sqlite3.before-*")
            if path.name[-4:] not in ("-wal", "-shm")
        ]


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Laptop]:
    with ExitStack() as stack:
        yield Laptop(tmp_path, stack)


def seal_in(page: HttpAnswer) -> str:
    assert page.status == 200, page.text
    found = re.search(r'name="seal" value="([0-9a-f]{64})"', page.text)
    assert found, page.text
    return found[1]


def restart(laptop: Laptop, seal: str) -> str:
    """Confirm, wait until the new server answers, and return the link that the waiting page opens."""
    process = laptop.served.process
    answer = laptop.ask("/desk/restore/start/", urlencode({"seal": seal}).encode())
    assert answer.status == 200, answer.text
    assert "Multiplo starts again" in answer.text
    link = re.search(r'id="go-on"[^>]*href="([^"]+)"', answer.text)
    assert link is not None
    assert not laptop.is_healthy(), "the old server must not be taken for the new one"
    until(laptop.is_healthy, "the new server")
    assert process.poll() is None, "the process stays the same, for whoever supervises it"
    return link[1]


@pytest.mark.endurance
def test_the_server_comes_back_with_the_state_of_the_backup_and_lets_the_judge_in(laptop: Laptop) -> None:
    laptop.play("CORNOAT", 1)
    kept = laptop.backup(1)
    laptop.play("TREMARE", 2)
    port = laptop.served.port
    shown = laptop.upload("kept.zip", kept.read_bytes())
    assert "game 1, turn 1, 1 slip" in shown.text
    assert "game 1, turn 2, 2 slips" in unescape(shown.text)
    assert describe_database(laptop.install.data / "multiplo.sqlite3", utc_now()).turn == 2
    link = restart(laptop, seal_in(shown))

    assert laptop.served.port == port
    assert describe_database(laptop.install.data / "multiplo.sqlite3", utc_now()).turn == 1
    [replaced] = laptop.kept_databases()
    assert describe_database(replaced, utc_now()).slips == 2, "what was acknowledged stays in the replaced database"
    laptop.owner = laptop.log_in(link)
    assert "Club night" in laptop.ask("/desk/restore/").text
    page = laptop.desk().page("main/")
    assert page.status == 200
    assert "Slips and decisions after that moment may be missing" in page.text
    assert not list(laptop.install.data.glob("restor*"))
    laptop.play("TREMARE", 2)


@pytest.mark.endurance
def test_a_listed_backup_is_offered_and_what_is_none_changes_nothing(laptop: Laptop) -> None:
    laptop.play("CORNOAT", 1)
    kept = laptop.backup(1)
    page = laptop.ask("/desk/restore/")
    assert "game 1, turn 1, 1 slip" in page.text
    [name] = set(re.findall(r'name="listed" value="([^"]*turn01[^"]*)"', page.text))
    seal = seal_in(laptop.ask("/desk/restore/", urlencode({"listed": name}).encode()))
    database = (laptop.install.data / "multiplo.sqlite3").stat().st_ino
    torn = kept.read_bytes()[:-2000] + bytes(1000) + kept.read_bytes()[-1000:]
    for wrong, said in (
        (laptop.upload("list.zip", b"a shopping list"), "list.zip cannot be read as a backup"),
        (laptop.upload("torn.zip", torn), "torn.zip"),
        (laptop.ask("/desk/restore/", urlencode({"listed": "../secret_key"}).encode()), "no longer in the folder"),
        (laptop.ask("/desk/restore/", b""), "Choose a file first."),
        (laptop.ask("/desk/restore/start/", urlencode({"seal": "0" * 64}).encode()), "Another backup was chosen"),
    ):
        assert wrong.status == 422
        assert said in unescape(wrong.text)
        assert str(laptop.install.data) not in wrong.text
    assert laptop.desk().act("type-rack", rack="TREMARE").status == laptop.desk().act("announce").status == 200
    running = laptop.ask("/desk/restore/start/", urlencode({"seal": seal}).encode())
    assert (running.status, "The clock of turn 2 of “Club night” is running" in running.text) == (422, True)
    time.sleep(1)
    assert laptop.is_healthy()
    assert (laptop.install.data / "multiplo.sqlite3").stat().st_ino == database
    assert laptop.kept_databases() == []
