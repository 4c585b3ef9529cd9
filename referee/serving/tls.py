"""The server's end of https. Whoever comes with plain http to the same port is told so, instead of being hung up on."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

PLAIN_HTTP = "HTTP_REQUEST"  # how OpenSSL names what it found instead of a greeting


class _Teller(ssl.SSLObject):
    """One connection; answers a plain request in plain text before the handshake ends in failure."""

    outgoing: ssl.MemoryBIO
    answer: bytes

    def do_handshake(self) -> None:
        """As usual; a plain request gets the answer, and then waits for the other end to hang up."""
        try:
            super().do_handshake()
        except ssl.SSLError as error:
            if error.reason != PLAIN_HTTP:
                raise
            self.outgoing.write(self.answer)
            raise ssl.SSLWantReadError from None  # the answer is sent when more is waited for


class TellingContext(ssl.SSLContext):
    """A context whose connections answer plain http with `answer`."""

    answer: bytes = b""

    def wrap_bio(self, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        """A connection of asyncio or uvloop."""
        connection = super().wrap_bio(incoming, outgoing, *args, **kwargs)
        assert isinstance(connection, _Teller)  # noqa: S101  made by sslobject_class
        connection.outgoing, connection.answer = outgoing, self.answer
        return connection


def server_context(certificate: Path, key: Path, address: str) -> TellingContext:
    """TLS 1.2 and later with this certificate; `address` is where https is, for whoever comes without."""
    context = TellingContext(ssl.PROTOCOL_TLS_SERVER)
    context.sslobject_class = _Teller
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key)
    context.answer = _answer(address)
    return context


def _answer(address: str) -> bytes:
    body = f"This server speaks https only: open {address}\n".encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain; charset=utf-8\r\n"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
