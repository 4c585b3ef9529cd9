"""Programs at the other end: an HTTP server that is told of turns, and a mail server."""

from __future__ import annotations

import importlib.util
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

CLIENT = Path(__file__).resolve().parents[3] / "docs" / "api_client.py"


def load_example_client() -> ModuleType:
    """The example client, which knows nothing of this program."""
    spec = importlib.util.spec_from_file_location("api_client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass
class Received:
    """A request: its path, headers and body."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """An HTTP server on the loopback. `statuses` are its next answers, then 200; `hangs` keeps it from answering."""

    port: int = 0
    scheme: str = "http"
    statuses: list[int] = field(default_factory=list)
    requests: list[Received] = field(default_factory=list)
    hangs: bool = False
    released: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/told?by=multiplo"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.requests.append(Received(handler.path, dict(handler.headers.items()), body))
        if self.hangs:
            self.released.wait(60)
            return
        status = self.statuses.pop(0) if self.statuses else 200
        handler.send_response(status)
        if 300 <= status < 400:
            handler.send_header("Location", f"http://127.0.0.1:{self.port}/elsewhere")
        handler.end_headers()


@contextmanager
def receiving(certificate: tuple[Path, Path] | None = None) -> Iterator[Receiver]:
    """Start a receiver; with a certificate and its key, one that is reached by https."""
    receiver = Receiver(scheme="http" if certificate is None else "https")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver.answer(self)

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.port = server.server_address[1]
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield receiver
        finally:
            receiver.released.set()
            server.shutdown()


@dataclass
class MailServer:
    """A mail server without encryption (RFC 5321, as much as is needed). It refuses the addresses in `refuses`."""

    port: int = 0
    refuses: set[str] = field(default_factory=set)
    mails: list[tuple[str, str]] = field(default_factory=list)

    def serve(self, handler: socketserver.StreamRequestHandler) -> None:
        receiver = ""
        handler.wfile.write(b"220 sink\r\n")
        while line := handler.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "RCPT":
                receiver = line.partition("<")[2].partition(">")[0]
                handler.wfile.write(b"550 no such user\r\n" if receiver in self.refuses else b"250 ok\r\n")
            elif verb == "DATA":
                handler.wfile.write(b"354 go on\r\n")
                lines = iter(handler.rfile.readline, b".\r\n")
                self.mails.append((receiver, b"".join(lines).decode()))
                handler.wfile.write(b"250 taken\r\n")
            elif verb == "QUIT":
                handler.wfile.write(b"221 bye\r\n")
                return
            else:
                handler.wfile.write(b"250 ok\r\n")


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Start a mail server."""
    sink = MailServer()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            sink.serve(self)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        sink.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield sink
        finally:
            server.shutdown()
