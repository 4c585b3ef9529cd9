"""Errors are reported to a Sentry-compatible service of the test, without racks, slips, names and tokens."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path

from referee.security.request_ids import set_room
from referee.urls import urlpatterns as program_urls
from tests.referee.live.install import Installation

RACK, NAME, TOKEN = "CORNOAT", "Annamaria", "q8XrN3vLbT0kYfWzPj5hMdSg"
CODE = """
from django.test import Client, override_settings
import sentry_sdk
with override_settings(ROOT_URLCONF="tests.referee.server.test_error_reports"):
    headers = {"Authorization": "Bearer %(token)s"}
    client = Client(SERVER_NAME="localhost", raise_request_exception=False, headers=headers)
    client.cookies["sessionid"] = "%(token)s"
    assert client.post("/wall/%(token)s/?key=%(token)s", {"word": "%(rack)s"}).status_code == 500
sentry_sdk.flush(30)
"""


def fail(request: HttpRequest, token: str) -> HttpResponse:
    rack, name = RACK, NAME
    set_room(3, 7)
    raise LookupError(f"the page /wall/{token}/ failed\nDETAIL: the row has ({name}, {rack})")


urlpatterns = [path("wall/<str:token>/", fail), *program_urls]


@pytest.fixture
def service() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a service that takes reports, and what it was sent."""
    received: list[bytes] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            decompress = {"gzip": gzip.decompress, "br": brotli.decompress}
            received.append(decompress.get(self.headers.get("Content-Encoding", ""), bytes)(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://key@127.0.0.1:{server.server_port}/1", received
    server.shutdown()
    server.server_close()


def test_an_error_of_a_page_is_reported_without_secrets(service: tuple[str, list[bytes]], tmp_path: Path) -> None:
    dsn, received = service
    installation = Installation(tmp_path / "data", SENTRY_DSN=dsn).migrate()
    ended = installation.run("shell", "-c", CODE % {"token": TOKEN, "rack": RACK})
    assert ended.returncode == 0, ended.stderr
    text = b"\n".join(received).decode()
    events: list[Any] = [json.loads(line) for line in text.splitlines() if '"exception"' in line]
    [error] = [event["exception"]["values"][-1] for event in events]
    assert (error["type"], error["value"]) == ("LookupError", "the page /wall/…/ failed")
    assert "request" not in events[0]
    assert events[0]["tags"]["room"] == "3/7"
    for secret in (RACK, NAME, TOKEN):
        assert secret not in text
        assert secret not in ended.stderr


def test_without_an_address_nothing_is_loaded(tmp_path: Path) -> None:
    installation = Installation(tmp_path / "data").migrate()
    ended = installation.run("shell", "-c", "import sys; print('sentry_sdk' in sys.modules)")
    assert "False" in ended.stdout
