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
from collections.abc import Mapping
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


def _post(target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the request and return the status of the answer, all within the time limit."""
    address = _resolve(target)
    try:
        line = socket.create_connection((address, target.port), timeout=TIMEOUT_S)
    except TimeoutError:
        raise Undelivered("timeout") from None
    except OSError:
        raise Undelivered("no_connection") from None
    too_late = threading.Event()

    def end() -> None:
        too_late.set()
        _shut(line)

    timer = threading.Timer(TIMEOUT_S, end)
    timer.daemon = True
    timer.start()
    try:
        return _exchange(line, target, body, headers)
    except ssl.SSLCertVerificationError:
        raise Undelivered("tls") from None
    except (OSError, http.client.HTTPException) as fault:
        is_late = too_late.is_set() or isinstance(fault, TimeoutError)
        raise Undelivered("timeout" if is_late else "bad_answer") from None
    finally:
        timer.cancel()
        line.close()


def _exchange(line: socket.socket, target: Target, body: bytes, headers: Mapping[str, str]) -> int:
    kind = http.client.HTTPSConnection if target.is_secure else http.client.HTTPConnection
    connection = kind(target.host, target.port)
    if target.is_secure:
        connection.sock = ssl.create_default_context().wrap_socket(line, server_hostname=target.host)
    else:
        connection.sock = line
    try:
        connection.request("POST", target.path, body, dict(headers))
        return connection.getresponse().status
    finally:
        connection.close()


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


def _shut(line: socket.socket) -> None:
    try:
        line.shutdown(socket.SHUT_RDWR)
    except OSError:
        line.close()
