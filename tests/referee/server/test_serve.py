"""`serve` as the person at the keyboard sees it."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.referee.live.live_game import install_words
from tests.referee.live.live_server import ROOT, ServerProcess
from tests.waiting import PATIENCE_S
from tournaments.models import Event, Player

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="multiplo-served-") as name:
        path = Path(name)
        install_words(path / "lexicons")
        yield path


@pytest.fixture
def server(folder: Path, transactional_db: None) -> Iterator[ServerProcess]:
    started = start(folder)
    yield started
    started.stop()


def start(folder: Path, *options: str) -> ServerProcess:
    served = ServerProcess(data=folder, database=str(connection.settings_dict["NAME"]), options=options)
    return served.ready()


def link_of(served: ServerProcess) -> str:
    [line] = [line for line in served.said if "/enter/" in line]
    return re.sub(r"^\s*http://[^/]+", "", line)


def test_it_lets_the_judge_in_once_answers_by_its_name_and_ends_by_ctrl_c(server: ServerProcess, folder: Path) -> None:
    """Although a phone is connected it ends soon and says where the data are."""
    form = f"csrfmiddlewaretoken={'c' * 32}".encode()
    headers = {"Cookie": f"csrftoken={'c' * 32}", "Content-Type": "application/x-www-form-urlencoded"}
    assert server.request("GET", link_of(server)).status == 200
    first, second = (server.request("POST", link_of(server), form, headers) for _ in range(2))
    assert (first.status, first.headers["location"]) == (302, "/desk/")
    assert (second.status, second.headers["location"]) == (302, "/desk/locked/")

    assert server.request("GET", "/").status == 200
    assert server.request("GET", "/healthz").text == "Multiplo\n"
    assert server.request("GET", "/", headers={"Host": "evil.example"}).status == 400

    line = server.socket("/ws/phone/")
    assert server.stop(signal.SIGINT) == 0
    line.close()
    assert any(str(folder) in said for said in server.said[-2:])
    assert "Traceback" not in server.text


def test_a_port_in_use_is_one_sentence_and_exit_code_2(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        served = ServerProcess(data=folder, database=str(connection.settings_dict["NAME"]), port=port)
        assert served.process.wait(timeout=PATIENCE_S) == 2
    served.stop()  # which reads all that it said
    assert len(served.said) == 1
    assert f"Port {port} is in use" in served.said[0]


@pytest.mark.endurance
def test_the_demo_is_made_once_and_has_eight_players(folder: Path) -> None:
    for _ in range(2):
        start(folder, "--demo").stop()
    assert Event.objects.count() == 1
    assert Player.objects.count() == 8


@pytest.mark.endurance
def test_a_polite_kill_ends_it(server: ServerProcess) -> None:
    assert server.request("GET", link_of(server)).status == 200
    assert server.stop(signal.SIGTERM) == 0
    assert "Goodbye" in server.text


@pytest.mark.endurance
def test_the_options_are_the_agreed_ones() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "django", "serve", "--help"],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "referee.settings", "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    ).stdout
    for option in ("--host", "--port", "--data", "--no-browser", "--demo", "--tls", "--tls-ca"):
        assert option in shown
