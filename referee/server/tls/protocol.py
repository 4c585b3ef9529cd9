"""TLS context of the server, with an answer to plain http requests on the same port."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

PLAIN_HTTP = "HTTP_REQUEST"  # OpenSSL's reason for a plain http request


class _PlainHttpAnswerer(ssl.SSLObject):
    """One TLS connection; answers a plain http request before the handshake fails."""

    outgoing: ssl.MemoryBIO
    answer: bytes

    def do_handshake(self) -> None:
        """Do the handshake; a plain http request gets the answer and waits for the client to close."""
        try:
            super().do_handshake()
        except ssl.SSLError as error:
            if error.reason != PLAIN_HTTP:
                raise
            self.outgoing.write(self.answer)
            raise ssl.SSLWantReadError from None  # makes the event loop send the answer


class PlainHttpContext(ssl.SSLContext):
    """TLS context whose connections answer plain http with `answer`."""

    answer: bytes = b""

    def wrap_bio(self, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        """Wrap a connection of asyncio or uvloop."""
        connection = super().wrap_bio(incoming, outgoing, *args, **kwargs)
        assert isinstance(connection, _PlainHttpAnswerer)  # noqa: S101  made by sslobject_class
        connection.outgoing, connection.answer = outgoing, self.answer
        return connection


def server_context(certificate: Path, key: Path, address: str) -> PlainHttpContext:
    """Return a context for TLS 1.2 and later; `address` is the https address named in the answer to plain http."""
    context = PlainHttpContext(ssl.PROTOCOL_TLS_SERVER)
    context.sslobject_class = _PlainHttpAnswerer
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
