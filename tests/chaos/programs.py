"""The processes of a run: each has a folder and a log of its own, can be killed with -9 and started again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO, Any

import psycopg

from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
START_S = 300.0
POSTGRES_USER = "postgres"
_SMALL_JOURNAL = ("max_wal_size=64MB", "min_wal_size=32MB")  # its disk is small


class MissingProgram(Exception):
    """A program that a run needs is not installed."""


class ProgramNotStarted(Exception):
    """A process of a run does not answer; what it said."""


@dataclass
class Program:
    """One process. `answers` tells whether it does its work; `user` is who it runs as where this process is root.

    `begun` = when its newest life began, in seconds since 1970.
    """

    name: str
    command: Sequence[str]
    folder: Path
    answers: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=dict)
    user: str | None = None
    process: subprocess.Popen[bytes] | None = None
    begun: float = 0.0

    def start(self) -> Program:
        """Start it and wait until it answers. What still holds its place (a port, a lock) is waited for, too."""
        until = time.monotonic() + START_S
        while not self.answers():
            if not self.is_alive:
                self.begun, self.process = time.time(), self._spawn()
            if time.monotonic() > until:
                raise ProgramNotStarted(f"{self.name} does not answer:\n{self.said()[-3000:]}")
            time.sleep(0.02)
        return self

    def kill(self) -> None:
        """As a pulled plug."""
        if self.process is not None and self.is_alive:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(timeout=PATIENCE_S)

    def hang(self) -> None:
        """As a computer that does nothing more for a while, until `go_on`."""
        if self.process is not None and self.is_alive:
            self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """End a `hang`."""
        if self.process is not None and self.is_alive:
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Politely, else not."""
        if self.process is None or not self.is_alive:
            return
        self.go_on()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()

    @property
    def is_alive(self) -> bool:
        """True if its process runs."""
        return self.process is not None and self.process.poll() is None

    @property
    def log(self) -> Path:
        """Path of its log file."""
        return self.folder / f"{self.name}.log"

    def said(self) -> str:
        """All of it, over all its lives."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def _spawn(self) -> subprocess.Popen[bytes]:
        as_user: dict[str, Any] = {}
        if self.user is not None and os.geteuid() == 0:
            as_user = {"user": self.user, "group": self.user, "extra_groups": []}
        with self._log_file() as log:
            return subprocess.Popen(
                list(self.command),
                cwd=self.folder if as_user else ROOT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                **as_user,
            )

    def _log_file(self) -> IO[bytes]:
        return self.log.open("ab")


def free_port() -> int:
    """One that nobody listens on at this moment."""
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def server(name: str, folder: Path, port: int, environment: Mapping[str, str], *, alone: bool) -> Program:
    """A server of the hall: `manage.py serve` when it is `alone`, else one of several, as uvicorn starts them."""
    here = ["--host", "127.0.0.1", "--port", str(port)]
    serve = [sys.executable, "-m", "django", "serve", "--no-browser", *here]
    several = [sys.executable, "-m", "uvicorn", "referee.asgi:application", *here, "--log-level", "warning"]
    sockets = ["--ws", "websockets-sansio", "--ws-per-message-deflate", "false", "--timeout-graceful-shutdown", "1"]
    command = serve if alone else [*several, *sockets]
    return Program(name, command, folder, lambda: _is_healthy(port), environment)


def worker(folder: Path, environment: Mapping[str, str]) -> Program:
    """A Celery worker in one process. It is there when it has said so as often as it was started."""
    command = [sys.executable, "-m", "celery", "-A", "referee.celery", "worker", "--pool", "solo", "--loglevel", "INFO"]
    program = Program("worker", command, folder, lambda: False, environment)

    def is_ready() -> bool:
        return program.is_alive and " ready." in program.said().rpartition("[config]")[2]

    program.answers = is_ready
    return program


def set_clock(program: Program, seconds: int) -> None:
    """Have the clock of its computer be ahead by so many seconds from its next start on; 0: let it be right."""
    file = program.folder / f"{program.name}.clock"
    file.write_text(str(seconds))
    right = {name: value for name, value in program.environment.items() if name != "SERVED_CLOCK"}
    program.environment = {**right, "SERVED_CLOCK": str(file)} if seconds else right


def has_wrong_clock(program: Program) -> bool:
    """True if `set_clock` has made it wrong."""
    return "SERVED_CLOCK" in program.environment


def redis(folder: Path, port: int) -> Program:
    """A Redis of our own that writes everything down at once, as one does whose queue may not lose a sheet."""
    binary = shutil.which("redis-server")
    if binary is None:
        raise MissingProgram("redis-server is not installed (package redis-server)")
    kept = ["--dir", str(folder), "--save", "", "--appendonly", "yes", "--appendfsync", "always"]
    command = [binary, "--bind", "127.0.0.1", "--port", str(port), *kept]
    return Program("redis", command, folder, lambda: _pings(port))


def postgres(folder: Path, port: int) -> Program:
    """A PostgreSQL of our own with its data in `folder/data`, new or restored; it refuses to run as root."""
    binaries = postgres_binaries()
    data = folder / "data"
    user = POSTGRES_USER if os.geteuid() == 0 else None
    if user is not None:
        shutil.chown(folder, user, user)
    made = Program("initdb", [str(binaries / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust"], folder, bool)
    made.user = user
    if not data.exists() and made._spawn().wait(timeout=START_S):
        raise ProgramNotStarted(f"initdb failed:\n{made.said()}")
    options = ["listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", f"port={port}", *_SMALL_JOURNAL]
    command = [str(binaries / "postgres"), "-D", str(data), *(part for option in options for part in ("-c", option))]
    return Program("postgres", command, folder, lambda: _takes_statements(port), user=user)


def kill_a_backend(program: Program) -> None:
    """Kill one of PostgreSQL's processes that serve a client: it then restarts all of them and recovers."""
    assert program.process is not None
    children = Path(f"/proc/{program.process.pid}/task/{program.process.pid}/children").read_text().split()
    serving = [pid for pid in children if b"127.0.0.1(" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    for pid in serving[-1:]:
        os.kill(int(pid), signal.SIGKILL)


def postgres_binaries() -> Path:
    """Folder of the programs of the newest PostgreSQL. Raises MissingProgram."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if not found and (onpath := shutil.which("initdb")):
        found = [Path(onpath)]
    if not found:
        raise MissingProgram("the PostgreSQL server is not installed (package postgresql)")
    return found[-1].parent


def _is_healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read().startswith(b"Multiplo")
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def _pings(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as line:
            line.sendall(b"PING\r\n")
            return line.recv(64).startswith(b"+PONG")
    except OSError:
        return False


def _takes_statements(port: int) -> bool:
    try:
        with psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres", connect_timeout=2) as connection:
            connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True
