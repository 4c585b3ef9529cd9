"""The front of `deploy/front`: real TLS before two real server processes on PostgreSQL and Redis."""

from __future__ import annotations

import json
import os
import shutil
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from referee.live.sockets.connections import SERVICE_RESTART
from referee.server.tls.authority import certificate_of_ca, make_certificate
from tests.chaos.conftest import opened
from tests.chaos.hall import ServerGroup
from tests.chaos.programs import ROOT, Program, free_port
from tests.conftest import missing
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.live_game import install_words, slip
from tests.waiting import PATIENCE_S, until

pytestmark = [pytest.mark.services, pytest.mark.endurance]
FRONT = ROOT / "deploy" / "front"
PHONES = 4
ABNORMAL = 1006


class Front:
    """nginx with the project's own files; only ports, certificates and the addresses behind it are the test's.

    Answers name the process that gave them (`X-Upstream`).
    """

    def __init__(self, folder: Path, behind: list[int]) -> None:
        self.plain, self.secure = free_port(), free_port()
        certificate, key = make_certificate(folder, ["localhost", "127.0.0.1"], now=datetime.now(UTC))
        self.context = ssl.create_default_context(cafile=str(certificate_of_ca(folder)))
        # The synchronous client of websockets reads in one thread and writes in another, and Python 3.11 does not lock
        # the TLS connection between them: if a ticket of TLS 1.3 arrives meanwhile, the request may be lost.
        self.phone_context = ssl.create_default_context(cafile=str(certificate_of_ca(folder)))
        self.phone_context.maximum_version = ssl.TLSVersion.TLSv1_2
        text = (FRONT / "nginx.conf").read_text()
        for here, there in (
            ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.secure} ssl;"),
            ("/etc/nginx/certificates/front.crt", str(certificate)),
            ("/etc/nginx/certificates/front.key", str(key)),
            ("/tmp/multiplo-front", str(folder / "front")),  # noqa: S108 - what the file of the front says
            ("proxy_pass http://multiplo;", "proxy_pass http://multiplo; add_header X-Upstream $upstream_addr always;"),
        ):
            assert here in text
            text = text.replace(here, there)
        (folder / "nginx.conf").write_text(text)
        shutil.copy(FRONT / "routes.conf", folder)
        (folder / "upstream.conf").write_text(_at_ports((FRONT / "upstream.conf").read_text(), behind))
        nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if nginx is None:
            missing("nginx is not installed (package nginx-light)")
        command = [nginx, "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
        self.program = Program("front", command, folder, self._answers)

    def get(self, path: str, **headers: str) -> HTTPResponse:
        """A page over https."""
        with closing(HTTPSConnection("localhost", self.secure, timeout=PATIENCE_S, context=self.context)) as connection:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            return answer

    def process_of(self, room: str) -> int:
        """The port of the process that serves a room now."""
        return _port(self.get(f"/healthz?room={room}").getheader("X-Upstream"))

    def rooms_of(self, port: int) -> Iterator[str]:
        """Names of rooms that this process serves now."""
        return (room for room in map(str, count()) if self.process_of(room) == port)

    def phone(self, cookie: str, stack: ExitStack, room: str) -> ClientConnection:
        """A phone's socket over TLS, open until the stack is left."""
        place = f"localhost:{self.secure}"
        connecting = connect(
            f"wss://{place}/ws/phone/?v=1&room={room}",
            origin=Origin(f"https://{place}"),
            additional_headers={"Cookie": cookie},
            ssl=self.phone_context,
            compression=None,
            proxy=None,
            open_timeout=PATIENCE_S,
        )
        return stack.enter_context(connecting)

    def _answers(self) -> bool:
        try:
            self.get("/healthz")
        except OSError:
            return False
        return True


@pytest.fixture(scope="module")
def hall() -> Iterator[ServerGroup]:
    behind_a_front = {"HTTPS": "true", "FORWARDED_ALLOW_IPS": "127.0.0.1", "ALLOWED_HOSTS": "localhost"}
    with opened("postgres", **behind_a_front) as hall:
        install_words(hall.folder / "data" / "lexicons")
        yield hall


@pytest.fixture(scope="module")
def front(hall: ServerGroup, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    front = Front(tmp_path_factory.mktemp("front"), hall.ports)
    try:
        front.program.start()
        yield front
    finally:
        front.program.stop()


@pytest.fixture
def actor(hall: ServerGroup) -> Iterator[DatabaseProcess]:
    judge = DatabaseProcess({**os.environ, **hall.variables})
    yield judge
    judge.leave()


def test_whoever_comes_without_tls_is_sent_to_the_same_page_with_it(front: Front) -> None:
    with closing(HTTPConnection("localhost", front.plain, timeout=PATIENCE_S)) as connection:
        connection.request("GET", "/join/?x=1", headers={"Host": "game.example.org"})
        answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, "https://game.example.org/join/?x=1")


def test_pages_know_that_they_are_reached_by_https(front: Front, actor: DatabaseProcess) -> None:
    answer = front.get(f"/j/{actor.do('event')['code']}/")
    assert answer.status == 200
    assert "max-age=" in (answer.getheader("Strict-Transport-Security") or "")
    cookies = answer.headers.get_all("Set-Cookie") or []
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)


def test_phones_of_a_process_that_dies_go_on_at_the_other(
    front: Front, hall: ServerGroup, actor: DatabaseProcess
) -> None:
    rooms = [next(front.rooms_of(port)) for port in hall.ports]
    cookies = [actor.do("cookie", 1 + number) for number in range(PHONES)]
    actor.do("draw", "CORNOAT")
    with ExitStack() as until_the_end:
        phones = [front.phone(cookie, until_the_end, rooms[number % 2]) for number, cookie in enumerate(cookies)]
        actor.do("announce")
        hall.servers[0].kill()
        cut = [number for number in range(PHONES) if number % 2 == 0]
        until(lambda: all(_is_cut(phones[number]) for number in cut))
        assert not any(_is_cut(phone) for phone in phones[1::2])
        for number in cut:
            phones[number] = front.phone(cookies[number], until_the_end, rooms[0])
        for phone in phones:
            sent = slip(1)
            phone.send(json.dumps(sent))
            assert _answer(phone, sent["id"])["t"] == "ack"
    assert actor.do("facts")["slips"] == len(phones)
    actor.do("close")
    actor.do("place")


def test_the_phones_of_a_room_meet_one_process_which_gets_them_back_after_its_restart(
    front: Front, hall: ServerGroup, actor: DatabaseProcess
) -> None:
    """Two phones of each of two rooms, which move between two processes while no turn is played."""
    for server in hall.servers:
        server.start()
    away, stays = hall.ports
    until(lambda: len({front.process_of(str(number)) for number in range(20)}) == 2)
    home = {next(front.rooms_of(port)): port for port in hall.ports}
    with ExitStack() as until_the_end:
        phones = [
            PersistentPhone(front, actor.do("cookie", 1 + number), room, until_the_end)
            for number, room in enumerate([*home, *home])
        ]
        assert [phone.process for phone in phones] == [away, stays, away, stays]
        hall.servers[0].kill()
        until(lambda: all(phone.look() == stays for phone in phones))
        hall.servers[0].start()
        until(lambda: all(phone.look() == home[phone.room] for phone in phones))
    # A front that still counts the process as absent sends a phone to the other one, which moves it once more.
    once, twice = [ABNORMAL, SERVICE_RESTART], [ABNORMAL, SERVICE_RESTART, SERVICE_RESTART]
    assert [phone.process for phone in phones] == [away, stays, away, stays]
    assert all(phone.codes in (once, twice) for phone in phones[::2])


def test_an_address_or_protocol_that_a_phone_claims_is_not_passed_on(tmp_path: Path) -> None:
    heard: dict[str, str] = {}

    class Behind(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.update({name.lower(): value for name, value in self.headers.items()})
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Behind)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    front = Front(tmp_path, [server.server_port])
    try:
        front.program.start()
        claimed = {"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Proto": "http", "Host": "game.example.org"}
        assert front.get("/", **claimed).status == 200
    finally:
        front.program.stop()
        server.shutdown()
        server.server_close()
    assert heard["x-forwarded-for"] == "127.0.0.1"
    assert heard["x-forwarded-proto"] == "https"
    assert heard["host"] == "game.example.org"


class PersistentPhone:
    """Phone that connects again whenever its socket is closed. `process`: the port that serves it."""

    def __init__(self, front: Front, cookie: str, room: str, stack: ExitStack) -> None:
        self.front, self.cookie, self.room, self.stack = front, cookie, room, stack
        self.codes: list[int] = []
        self._connect()

    def look(self) -> int:
        """Read what has come, connect again where needed, and return the process."""
        try:
            while True:
                self.socket.recv(timeout=0)
        except TimeoutError:
            pass
        except ConnectionClosed:
            self.codes.append(self.socket.close_code or ABNORMAL)
            self._connect()
        return self.process

    def _connect(self) -> None:
        self.socket = self.front.phone(self.cookie, self.stack, self.room)
        response = self.socket.response
        assert response is not None
        self.process = _port(response.headers["X-Upstream"])


def _at_ports(upstream: str, behind: list[int]) -> str:
    """Return the project's upstream with processes at these ports of this machine, which need no name server."""
    lines = [line for line in upstream.splitlines() if line.split()[:1] not in (["server"], ["resolver"])]
    at = next(number for number, line in enumerate(lines) if "hash $route consistent;" in line)
    lines[at + 1 : at + 1] = [f"    server 127.0.0.1:{port} max_fails=0;" for port in behind]
    return "\n".join(lines)


def _port(address: str | None) -> int:
    """The port of the last of the processes that nginx has asked."""
    return int((address or "").rpartition(":")[2])


def _is_cut(phone: ClientConnection) -> bool:
    """Return True if the server of this phone died; read its messages otherwise."""
    try:
        while True:
            phone.recv(timeout=0)
    except TimeoutError:
        return False
    except ConnectionClosed:
        return True


def _answer(phone: ClientConnection, slip_id: str) -> dict[str, object]:
    while True:
        message: dict[str, object] = json.loads(phone.recv(timeout=PATIENCE_S))
        if message["t"] in ("ack", "refused") and message["id"] == slip_id:
            return message
