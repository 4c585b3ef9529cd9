"""Frames, slips and requests to a running server never cause a 500 or a traceback in its log."""

from __future__ import annotations

import http.client
import re
import socket
from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.fuzz.event import FuzzedEvent, make_event
from tests.fuzz.fuzzing import SECONDS, Fault, FuzzRun
from tests.fuzz.mutations import Mutator
from tests.referee.live.live_server import ServerProcess, SocketClient
from tests.waiting import PATIENCE_S

pytestmark = [
    pytest.mark.endurance,
    pytest.mark.timeout(SECONDS + 1_200),
    pytest.mark.django_db(transaction=True),
]
FRAMES_A_SOCKET = 12  # fewer than would be too many


def test_nothing_that_is_sent_to_a_server_ends_in_a_fault(served: ServerProcess) -> None:
    event, heard = make_event("running"), 0

    def step(_number: int, random: Mutator) -> None:
        """A late log record of the server is reported for the next step."""
        nonlocal heard
        random.choice((_send_frames, _send_frames, _send_slip, _send_bytes))(served, event, random)
        lines = served.said[heard:]
        heard += len(lines)
        if any("Traceback" in line for line in lines) or served.process.poll() is not None:
            raise Fault("the server says: " + "\n".join(lines)[:1_500])

    FuzzRun("live", 0.2).run(step)


def _send_frames(served: ServerProcess, event: FuzzedEvent, random: Mutator) -> None:
    """Send some frames over a socket of any kind."""
    path, cookie = random.choice(_sockets(event))
    if random.often(0.1):
        path = "/" + re.sub("[^!-~]|#", "", random.changed_text(path))  # what a client can ask for
    try:
        line = SocketClient(served.host, path, {"Origin": f"http://{served.host}", "Cookie": cookie})
    except (InvalidHandshake, ValueError, ConnectionError):
        return
    try:
        for _ in range(random.randrange(1, FRAMES_A_SOCKET)):
            line.send(_frame(random))
        line.drain(0.02)
    except ConnectionClosed:
        return
    finally:
        line.close()


def _send_slip(served: ServerProcess, event: FuzzedEvent, random: Mutator) -> None:
    """Send a slip, an appeal or a question by HTTP."""
    cookie = event.live_game.cookie(random.randrange(1, 5))
    headers = {"Cookie": cookie, "Origin": f"http://{served.host}", "Content-Type": "application/json"}
    path = random.choice(("/play/slip", "/play/slip", "/play/appeal", f"/play/state.json?v={random.randrange(3)}"))
    method = "GET" if "state" in path else "POST"
    body = None if method == "GET" else random.json_text(_message(random)).encode("utf-8", "surrogatepass")
    _demand_no_500(served.request(method, path, body, headers).status, path)


def _send_bytes(served: ServerProcess, event: FuzzedEvent, random: Mutator) -> None:
    """Send bytes that are barely HTTP."""
    head = f"POST /play/slip HTTP/1.1\r\nHost: {served.host}\r\nContent-Length: 2\r\n\r\n{{}}".encode()
    if random.often(0.3):
        cookie = event.live_game.cookie(1)
        head = f"GET /ws/phone/ HTTP/1.1\r\nHost: {served.host}\r\nCookie: {cookie}\r\n{_UPGRADE}\r\n".encode()
    if random.often(0.2):
        long = b"x" * random.choice((9_000, 33_000, 70_000))
        head = head.replace(b"\r\n\r\n", b"\r\nX: " + long + b"\r\n\r\n", 1)
    _demand_no_500(_status(served, random.changed_bytes(head)), repr(head[:200]))


_UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


def _sockets(event: FuzzedEvent) -> list[tuple[str, str]]:
    """Return path and cookie of each kind of socket."""
    live_game = event.live_game
    phones = [("/ws/phone/?v=1", live_game.cookie(table)) for table in (1, 2)]
    desks = [(f"/ws/desk/{code}/", live_game.desk_cookie()) for code in event.known["code"]]
    return [*phones, *desks, (f"/ws/wall/{live_game.event.wall_token}/", ""), ("/ws/phone/", "")]


def _message(random: Mutator) -> dict[str, Any]:
    """Return a valid message of docs/protocol.md."""
    client_id = str(UUID(int=random.getrandbits(128)))
    kinds: tuple[Mapping[str, Any], ...] = (
        {"t": "slip", "id": client_id, "turn": 1, "word": "CORNO", "ref": "8D", "score": 22, "sent": 1_795_250_226_980},
        {"t": "slip", "id": client_id, "turn": 1, "word": "orco", "ref": "", "direction": "across", "score": None},
        {"t": "ping", "c": 1234.5, "rtt": None},
        {"t": "me"},
        {"t": "look", "at": "0f8f"},
        {"id": client_id, "game": 1, "turn": 1, "sentence": "It is in the dictionary."},
    )
    return dict(random.choice(kinds))


def _frame(random: Mutator) -> str | bytes:
    if random.often(0.05):
        return random.randbytes(random.choice((0, 1, 100, 9_000, 40_000)))
    text = random.json_text(_message(random))
    return text.encode("utf-8", "replace").decode()[: random.choice((10, 8_000, 100_000))]


def _status(served: ServerProcess, request: bytes) -> int:
    """Return the status of the response to possibly invalid HTTP; 0 if the connection was closed."""
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE_S) as line:
        try:
            line.sendall(request)
            line.shutdown(socket.SHUT_WR)
            answer = line.recv(65_536)
        except TimeoutError:
            raise
        except OSError:  # also of `shutdown`, when the server was quicker
            return 0
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


def _demand_no_500(status: int, asked: str) -> None:
    if status >= http.client.INTERNAL_SERVER_ERROR:
        raise Fault(f"{status} for {asked}")
