"""HTTP request to an address that a user named. It never follows a redirect and never reaches forbidden addresses."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from tournaments.publishing.webhook_targets import Target, is_forbidden


class Undelivered(Exception):
    """Failed try; `error` is the reason, as `explain_error` of the webhooks reads it."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


@dataclass(frozen=True, slots=True)
class Answer:
    """Status and body of an answer."""

    status: int
    body: bytes


class _Deadline:
    """Time limit of a whole connection; the limit of a socket holds for each single byte only."""

    def __init__(self, line: socket.socket, seconds: float) -> None:
        self.line = line
        self.is_over = False
        self._timer = threading.Timer(max(0.0, seconds), self._end)
        self._timer.daemon = True

    def __enter__(self) -> _Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()
        self.line.close()

    def _end(self) -> None:
        self.is_over = True
        with suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)


def send_request(
    method: str, target: Target, body: bytes, headers: Mapping[str, str], *, timeout_s: float, longest: int = 0
) -> Answer:
    """Send a request and return the answer with at most `longest` bytes of its body, all within the time limit."""
    address, until = _resolve(target), time.monotonic() + timeout_s
    try:
        line = socket.create_connection((address, target.port), timeout=timeout_s)
    except TimeoutError:
        raise Undelivered("timeout") from None
    except OSError:
        raise Undelivered("no_connection") from None
    with _Deadline(line, until - time.monotonic()) as deadline:
        try:
            return _exchange(deadline, target, method, body, headers, longest)
        except ssl.SSLCertVerificationError:
            raise Undelivered("tls") from None
        except (OSError, http.client.HTTPException) as fault:
            is_late = deadline.is_over or isinstance(fault, TimeoutError)
            raise Undelivered("timeout" if is_late else "bad_answer") from None


def _exchange(
    deadline: _Deadline, target: Target, method: str, body: bytes, headers: Mapping[str, str], longest: int
) -> Answer:
    connection = http.client.HTTPConnection(target.host, target.port)
    if target.is_secure:
        connection = http.client.HTTPSConnection(target.host, target.port)
        secured = ssl.create_default_context().wrap_socket(
            deadline.line, server_hostname=target.host, do_handshake_on_connect=False
        )
        deadline.line = secured  # the plain socket is empty from here on
        secured.do_handshake()
    connection.sock = deadline.line
    connection.request(method, target.path, body, dict(headers))
    response = connection.getresponse()
    return Answer(response.status, response.read(longest) if longest else b"")


def _resolve(target: Target) -> str:
    """Return the first address of the name. All are checked here, and one of them is used, so that a name that changes
    its address between check and connection leads nowhere else."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Undelivered("unknown_host") from None
    addresses = [str(each[4][0]) for each in found]
    if any(is_forbidden(ipaddress.ip_address(address.partition("%")[0])) for address in addresses):
        raise Undelivered("forbidden")
    return addresses[0]
