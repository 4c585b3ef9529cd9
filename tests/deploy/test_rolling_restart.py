"""`deploy/rolling_restart` behind the front: nobody at the desk or on a phone notices more than a short reconnect."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from websockets.exceptions import ConnectionClosed

from tests.chaos import programs
from tests.chaos.conftest import opened
from tests.chaos.hall import ServerGroup
from tests.chaos.programs import ROOT
from tests.deploy.test_front import Front
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.live_game import install_words, slip
from tests.waiting import PATIENCE_S

ASK = (
    "import http.client as h; c = h.HTTPConnection('127.0.0.1', {}, timeout=4); c.request('GET', '/readyz'); "
    "a = c.getresponse(); print(a.read().decode()); exit(a.status != 200)"
)
SCRIPT = str(ROOT / "deploy" / "rolling_restart")
PHONES = 4
MOVE_S = 2.0
SLACK_S = 3.0
"""Time that a busy machine may take on top."""
JITTER_S = 0.8
"""Of reconnecting_socket.js after the code of a service that restarts."""
RESTART = """
set -eu
pid=$(cat "{folder}/$1.pid")
kill -TERM "$pid"
while kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
cd {root}
setsid {python} -m django serve --no-browser --host 127.0.0.1 --port "$1" >>"{folder}/$1.log" 2>&1 </dev/null &
echo $! >"{folder}/$1.pid"
"""


@pytest.fixture
def hall() -> Iterator[ServerGroup]:
    behind_a_front = {"HTTPS": "true", "FORWARDED_ALLOW_IPS": "127.0.0.1", "ALLOWED_HOSTS": "localhost"}
    with opened("postgres", **behind_a_front) as hall:
        install_words(hall.folder / "data" / "lexicons")
        for number, port in enumerate(hall.ports):
            hall.servers[number].stop()
            served = programs.server(f"serve-{port}", hall.folder, port, hall.variables, alone=True).start()
            assert served.process is not None
            (hall.folder / f"{port}.pid").write_text(str(served.process.pid))
            threading.Thread(target=served.process.wait, daemon=True).start()  # leaves no zombie
        try:
            yield hall
        finally:
            for port in hall.ports:
                os.kill(int((hall.folder / f"{port}.pid").read_text()), signal.SIGKILL)


class RestartedPhone(threading.Thread):
    """A phone that hands in one slip after the other, and reconnects as the page does."""

    def __init__(self, front: Front, cookie: str, number: int) -> None:
        super().__init__(daemon=True)
        self.front, self.cookie, self.number = front, cookie, number
        self.is_over = threading.Event()
        self.acknowledged: list[str] = []
        self.away_s: list[float] = []
        self.codes: list[int | None] = []

    def run(self) -> None:
        """Play until it is over and the last slip is acknowledged."""
        waiting: dict[str, Any] | None = slip(1)
        cut_at: float | None = None
        while not (self.is_over.is_set() and waiting is None):
            try:
                with ExitStack() as until:
                    socket = self.front.phone(self.cookie, until, f"K7Q.{self.number}")
                    assert json.loads(socket.recv(timeout=PATIENCE_S))["t"] == "hello"
                    if cut_at is not None:
                        self.away_s.append(time.monotonic() - cut_at)
                    while waiting is not None or not self.is_over.is_set():
                        waiting = waiting or slip(1, word="ORO" if len(self.acknowledged) % 2 else "CORNO")
                        socket.send(json.dumps(waiting))
                        message: dict[str, Any] = {"t": ""}
                        while message.get("id") != waiting["id"] or message["t"] not in ("ack", "refused"):
                            message = json.loads(socket.recv(timeout=PATIENCE_S))
                        if message["t"] == "refused":
                            time.sleep(message["retry_ms"] / 1000)
                            continue
                        self.acknowledged.append(waiting["id"])
                        waiting = None
                        time.sleep(1)
            except ConnectionClosed as end:
                cut_at = time.monotonic()
                self.codes.append(end.rcvd.code if end.rcvd else None)
                time.sleep(random.uniform(0, JITTER_S))  # noqa: S311 - no secret


class Judge(threading.Thread):
    """A desk that loads its page and pauses and resumes the clock, over the connections of a browser."""

    def __init__(self, front: Front, code: str, session: str) -> None:
        super().__init__(daemon=True)
        self.front, self.code, self.session = front, code, session
        self.is_over = threading.Event()
        self.answers: list[tuple[str, int]] = []

    def run(self) -> None:
        """Act until it is over."""
        place = f"localhost:{self.front.secure}"
        token = ""
        while not self.is_over.is_set():
            connection = HTTPSConnection("localhost", self.front.secure, timeout=PATIENCE_S, context=self.front.context)
            headers = {"Cookie": self.session, "Accept-Language": "en"}
            connection.request("GET", f"/desk/{self.code}/", headers=headers)
            answer = connection.getresponse()
            answer.read()
            self.answers.append(("page", answer.status))
            token = token or (answer.getheader("Set-Cookie") or "").partition(";")[0].partition("=")[2]
            for action in ("more-time", "main"):
                posted = {
                    **headers,
                    "Cookie": f"{self.session}; csrftoken={token}",
                    "Content-Type": "application/x-www-form-urlencoded",
                    "HX-Request": "true",
                    "X-CSRFToken": token,
                    "Origin": f"https://{place}",
                    "Referer": f"https://{place}/",
                }
                if action == "main":
                    connection.request("GET", f"/desk/{self.code}/main/", headers=headers)
                else:
                    connection.request("POST", f"/desk/{self.code}/do/{action}/", urlencode({"seconds": 1}), posted)
                answer = connection.getresponse()
                answer.read()
                self.answers.append((action, answer.status))
                time.sleep(0.05)
            connection.close()


@pytest.mark.services
@pytest.mark.endurance
def test_a_rolling_restart_costs_the_judge_no_error_and_the_phones_two_seconds(
    hall: ServerGroup, tmp_path: Path
) -> None:
    front = Front(tmp_path, hall.ports)
    actor = DatabaseProcess({**os.environ, **hall.variables})
    people: list[RestartedPhone | Judge] = []
    try:
        front.program.start()
        event = actor.do("event")
        cookies = [actor.do("cookie", 1 + number) for number in range(PHONES)]
        actor.do("draw", "CORNOAT")
        actor.do("announce")
        phones = [RestartedPhone(front, cookie, number) for number, cookie in enumerate(cookies)]
        judge = Judge(front, event["code"], event["desk"])
        people = [*phones, judge]
        for person in people:
            person.start()
        time.sleep(2)
        script = hall.folder / "restart.sh"
        script.write_text(RESTART.format(folder=hall.folder, root=ROOT, python=sys.executable))
        command = [SCRIPT, "--settle", "1", "--restart", f"sh {script} {{}}"]
        command += [
            "--ready",
            f'{sys.executable} -c "{ASK}"',
            *map(str, hall.ports),
        ]
        environment = {**os.environ, **hall.variables}
        began = time.monotonic()
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        restart_s = (time.monotonic() - began) / len(hall.ports)
        time.sleep(2)
        for person in people:
            person.is_over.set()
        for person in people:
            person.join(PATIENCE_S)
            assert not person.is_alive()
        assert {status for _what, status in judge.answers} == {200}, judge.answers
        assert sum(what == "more-time" for what, _status in judge.answers) > 5
        assert sum(len(phone.away_s) for phone in phones) >= PHONES
        assert {code for phone in phones for code in phone.codes} == {1012}
        # On a slow machine a process also restarts slowly; no phone waits for that.
        assert max(away for phone in phones for away in phone.away_s) < max(MOVE_S + SLACK_S, restart_s / 2)
        stored = actor.do("facts")["slips"]
        assert stored == sum(len(phone.acknowledged) for phone in phones)
    finally:
        for person in people:
            person.is_over.set()
        front.program.stop()
        actor.leave()


def test_the_containers_of_web_processes_are_made_anew_one_after_the_other(tmp_path: Path) -> None:
    docker = tmp_path / "docker"
    docker.write_text(
        f'#!/bin/sh\necho "$*" >>{tmp_path}/commands\n[ "$2" != ps ] || printf "front\\nweb-1\\nweb-2\\nworker\\n"\n'
    )
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = subprocess.run([SCRIPT, "--settle", "0"], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    commands = [line.partition(" -c ")[0] for line in (tmp_path / "commands").read_text().splitlines()]
    asked = [f"compose exec -T web-{number} python3" for number in (1, 2)]
    replaced = [f"compose up --detach --no-deps --force-recreate web-{number}" for number in (1, 2)]
    assert commands == ["compose ps --services", *asked, replaced[0], asked[0], replaced[1], asked[1]]


def test_a_single_process_is_not_restarted() -> None:
    command = [SCRIPT, "--restart", "false {}", "--ready", "true", "8001"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, "Start another one first" in ended.stderr) == (1, True)


def test_nothing_is_restarted_while_a_process_is_not_ready() -> None:
    command = [SCRIPT, "--restart", f"touch {uuid4()} {{}}", "--ready", "test {} = one"]
    ended = subprocess.run([*command, "one", "two"], capture_output=True, text=True, check=False)
    assert (ended.returncode, "two is not ready, so nothing was restarted" in ended.stderr) == (1, True)
