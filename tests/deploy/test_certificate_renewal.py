"""The front takes a renewed certificate into use without closing a socket: real nginx with the project's files."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

from referee.server.tls.authority import make_certificate
from tests.deploy.test_front import FRONT, Front
from tests.waiting import PATIENCE_S, until

pytestmark = pytest.mark.services


class RenewedFront(Front):
    """Front whose script looks at the certificate five times a second."""

    def __init__(self, folder: Path, port: int) -> None:
        super().__init__(folder, [port])
        self.folder = folder
        nginx = self.program.command[0]
        self.program.command = [str(FRONT / "start"), str(folder / "nginx.conf"), str(folder), "0.2"]
        self.program.environment = {"PATH": f"{Path(nginx).parent}:/usr/bin:/bin"}
        text = (folder / "nginx.conf").read_text()
        for name, here in (("server.pem", "front.crt"), ("server.key", "front.key")):
            text = text.replace(str(folder / "tls" / name), str(folder / here))
        text = text.replace("/srv/acme", str(folder / "acme"))
        # Folders of tests are private, and workers of a master that is root have another user.
        (folder / "nginx.conf").write_text(f"user root;\n{text}" if os.geteuid() == 0 else text)
        self.renew()

    def renew(self, names: tuple[str, ...] = ("front.crt", "front.key")) -> None:
        """Put a new certificate and its key in place, or one of the two."""
        (self.folder / "tls" / "server.pem").unlink()
        certificate, key = make_certificate(self.folder, ["localhost", "127.0.0.1"], now=datetime.now(UTC))
        for source, name in zip((certificate, key), ("front.crt", "front.key"), strict=True):
            if name in names:
                shutil.copy(source, self.folder / f"{name}.new")
                (self.folder / f"{name}.new").replace(self.folder / name)

    def serial_number(self) -> str:
        """Return the number of the certificate that a new connection gets."""
        with (
            socket.create_connection(("localhost", self.secure), timeout=PATIENCE_S) as plain,
            self.context.wrap_socket(plain, server_hostname="localhost") as secure,
        ):
            return str((secure.getpeercert() or {})["serialNumber"])

    def _answers(self) -> bool:
        try:
            self.serial_number()
        except (OSError, ssl.SSLError):
            return False
        return True


@pytest.fixture
def front(tmp_path: Path) -> Iterator[RenewedFront]:
    with serve(_echo, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        front = RenewedFront(tmp_path, server.socket.getsockname()[1])
        try:
            front.program.start()
            yield front
        finally:
            front.program.stop()
            server.shutdown()


def test_new_connections_get_the_new_certificate_and_open_sockets_stay(front: RenewedFront) -> None:
    before = front.serial_number()
    place = f"wss://localhost:{front.secure}/ws/phone/"
    with connect(place, ssl=front.phone_context, proxy=None) as phone:
        front.renew(("front.crt",))  # without its key
        until(lambda: "key values mismatch" in front.program.said())
        assert front.serial_number() == before
        front.renew()
        until(lambda: front.serial_number() != before)
        phone.send("here")
        assert phone.recv(timeout=PATIENCE_S) == "here"


def test_answers_for_the_renewal_are_served_without_tls(front: RenewedFront) -> None:
    challenge = front.folder / "acme" / ".well-known" / "acme-challenge" / "token"
    challenge.parent.mkdir(parents=True)
    challenge.write_text("proof")
    with closing(HTTPConnection("localhost", front.plain, timeout=PATIENCE_S)) as connection:
        connection.request("GET", "/.well-known/acme-challenge/token")
        assert connection.getresponse().read() == b"proof"


@pytest.mark.parametrize("path", ["/metrics", "/livez", "/readyz"])
def test_what_the_monitoring_asks_is_not_public(front: RenewedFront, path: str) -> None:
    assert front.get(path).status == 404


def _echo(connection: ServerConnection) -> None:
    for message in connection:
        connection.send(message)
