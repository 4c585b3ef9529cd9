"""Signed HTTP request of a webhook. It never follows a redirect, and reads no more than the status of the answer."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import json
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from http import HTTPStatus

from tournaments.errors import Refused
from tournaments.models import WebhookDelivery
from tournaments.publishing.webhook_targets import Target, is_forbidden, read_target

TIMEOUT_S = 5.0


class Undelivered(Exception):
    """Failed try; `error` is the reason, as `explain_error` of the webhooks reads it."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


def send_delivery(delivery: WebhookDelivery, now: datetime) -> None:
    """Send a message once. Raises Undelivered unless the address answers with a status from 200 to 299."""
    body = json.dumps(delivery.body, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Multiplo",
        "Multiplo-Kind": delivery.kind,
        "Multiplo-Delivery": delivery.key,
        "Multiplo-Signature": sign(delivery.webhook.secret, body, int(now.timestamp())),
        "Connection": "close",
    }
    try:
        target = read_target(delivery.webhook.url)
    except Refused:
        raise Undelivered("forbidden") from None
    status = _post(target, body, headers)
    if 300 <= status < 400:
        raise Undelivered(f"redirect:{status}")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise Undelivered(f"status:{status}")


def sign(secret: str, body: bytes, timestamp: int) -> str:
    """Return the header that proves the sender: HMAC-SHA256 over `timestamp.body` with the secret as key."""
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


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


def _post(target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the request and return the status of the answer, all within the time limit."""
    address, until = _resolve(target), time.monotonic() + TIMEOUT_S
    try:
        line = socket.create_connection((address, target.port), timeout=TIMEOUT_S)
    except TimeoutError:
        raise Undelivered("timeout") from None
    except OSError:
        raise Undelivered("no_connection") from None
    with _Deadline(line, until - time.monotonic()) as deadline:
        try:
            return _exchange(deadline, target, body, headers)
        except ssl.SSLCertVerificationError:
            raise Undelivered("tls") from None
        except (OSError, http.client.HTTPException) as fault:
            is_late = deadline.is_over or isinstance(fault, TimeoutError)
            raise Undelivered("timeout" if is_late else "bad_answer") from None


def _exchange(deadline: _Deadline, target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    connection = http.client.HTTPConnection(target.host, target.port)
    if target.is_secure:
        connection = http.client.HTTPSConnection(target.host, target.port)
        secured = ssl.create_default_context().wrap_socket(
            deadline.line, server_hostname=target.host, do_handshake_on_connect=False
        )
        deadline.line = secured  # the plain socket is empty from here on
        secured.do_handshake()
    connection.sock = deadline.line
    connection.request("POST", target.path, body, dict(headers))
    return connection.getresponse().status


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
