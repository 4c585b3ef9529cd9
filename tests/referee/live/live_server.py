"""A real server in a process of its own, and the clients that talk to it over real sockets."""

from __future__ import annotations

import http.client
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
START_S = 300.0


class ServerProcess:
    """`manage.py serve` on a free port of the loopback, with the settings and the database of the test."""

    def __init__(
        self,
        *,
        data: Path,
        database: str | None,
        port: int = 0,
        command: Sequence[str] = (sys.executable, "-m", "django"),
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        **variables: str,
    ) -> None:
        self.data, self._command = data, [*command, "serve", "--no-browser", *options]
        self._variables = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.referee.live.served",
            "DATA_DIR": str(data),
            "SECRET_KEY": settings.SECRET_KEY,
            "PYTHONUNBUFFERED": "1",
            "LANG": "C.UTF-8",
            **({"SERVED_DATABASE": database} if database else {}),
            **(environment or {}),
            **variables,
        }
        self.said: list[str] = []
        self.port = port
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*self._command, "--host", "127.0.0.1", "--port", str(self.port)],
            cwd=ROOT,
            env=self._variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self._listener = threading.Thread(target=self._listen, args=(process, self._lines), daemon=True)
        self._listener.start()
        return process

    def _listen(self, process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.said.append(line.rstrip())
            lines.put(line)
        lines.put(None)
        process.stdout.close()

    def ready(self) -> ServerProcess:
        """Wait until it has printed the judge's link, or how to get one, which is the last line of the welcome."""
        until = time.monotonic() + START_S
        while True:
            line = self._lines.get(timeout=max(0.01, until - time.monotonic()))
            assert line is not None, "the server ended: " + "\n".join(self.said)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
            if "/enter/" in line or "judge-link" in line:
                return self

    @property
    def text(self) -> str:
        """All that it has said until now."""
        return "\n".join(self.said)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def stop(self, number: int = signal.SIGINT) -> int:
        """End it politely, or with SIGKILL, and read what it said at its end; gives the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self._listener.join(timeout=PATIENCE_S)
        return code

    def again(self) -> ServerProcess:
        """A second start on the same port and data."""
        self._lines = queue.Queue()
        self.process = self._start()
        return self.ready()

    def socket(self, path: str, cookie: str = "", **headers: str) -> SocketClient:
        """A socket to a path of the server."""
        return SocketClient(self.host, path, {"Origin": f"http://{self.host}", "Cookie": cookie, **headers})

    def phone(self, cookie: str, **headers: str) -> SocketClient:
        return self.socket("/ws/phone/", cookie, **headers)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> HttpAnswer:
        """An HTTP request over a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            return HttpAnswer(response.status, headers, response.read().decode())
        finally:
            connection.close()


@dataclass(frozen=True)
class HttpAnswer:
    """The names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class SocketClient:
    """A WebSocket that keeps every text that ever came over it."""

    def __init__(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        self.texts: list[str] = []
        origin = headers.get("Origin")
        rest = {name: value for name, value in headers.items() if name != "Origin" and value}
        connecting = connect(
            f"ws://{host}{path}",
            origin=origin,  # type: ignore[arg-type]
            additional_headers=rest,
            open_timeout=PATIENCE_S,
            close_timeout=2,
            compression=None,
            proxy=None,
        )
        self._until_closed = ExitStack()
        self.socket: ClientConnection = self._until_closed.enter_context(connecting)

    def receive(self, seconds: float = PATIENCE_S) -> dict[str, Any]:
        """The next message; `{"close": code}` for the end."""
        try:
            text = self.socket.recv(timeout=seconds)
        except ConnectionClosed as end:
            return {"close": end.rcvd.code if end.rcvd else None}
        assert isinstance(text, str)
        self.texts.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def until(self, kind: str, seconds: float = PATIENCE_S, **fields: Any) -> dict[str, Any]:
        """The next message of a kind with these fields; others are passed over but kept."""
        end = time.monotonic() + seconds
        while True:
            message = self.receive(max(0.01, end - time.monotonic()))
            if message.get("t") == kind and all(message.get(name) == value for name, value in fields.items()):
                return message
            assert "close" not in message, f"closed with {message['close']} while waiting for {kind}"

    def phase(self, phase: str, seconds: float = PATIENCE_S) -> dict[str, Any]:
        """The view of the next state in a phase."""
        end = time.monotonic() + seconds
        while True:
            view = self.until("state", max(0.01, end - time.monotonic()))["view"]
            if view["phase"] == phase:
                return dict(view)

    def alarm(self, kind: str, seconds: float = PATIENCE_S) -> str:
        """The sentence of the next alarm of a kind, at a desk."""
        end = time.monotonic() + seconds
        while True:
            message = self.until("alarm", max(0.01, end - time.monotonic()))
            if message["kind"] == kind:
                return str(message["text"])

    def end(self, seconds: float = PATIENCE_S) -> int | None:
        """The code with which the server ends the line."""
        end = time.monotonic() + seconds
        while True:
            message = self.receive(max(0.01, end - time.monotonic()))
            if "close" in message:
                return message["close"]  # type: ignore[no-any-return]

    def drain(self, seconds: float = 0.3) -> None:
        """Read whatever comes until nothing comes for a while."""
        try:
            while "close" not in self.receive(seconds):
                pass
        except TimeoutError:
            return

    def send(self, message: object) -> None:
        """Send an object as JSON, or a text or bytes as they are."""
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def hand_in(self, slip: Mapping[str, Any], seconds: float = PATIENCE_S) -> dict[str, Any]:
        """Send a slip and wait for what the server says to it."""
        self.send(slip)
        while True:
            message = self.receive(seconds)
            if message.get("t") in ("ack", "refused") and message.get("id") in (slip.get("id"), None):
                return message
            assert "close" not in message, f"closed with {message['close']}"

    def close(self) -> None:
        """Hang up; also when the line has ended already."""
        self._until_closed.close()
