"""Signed HTTP request of a webhook. It never follows a redirect, and reads no more than the status of the answer."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import datetime
from http import HTTPStatus

from referee.outgoing.http_request import Undelivered, send_request
from tournaments.errors import Refused
from tournaments.models import WebhookDelivery
from tournaments.publishing.webhook_targets import read_target

TIMEOUT_S = 5.0


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
    status = send_request("POST", target, body, headers, timeout_s=TIMEOUT_S).status
    if 300 <= status < 400:
        raise Undelivered(f"redirect:{status}")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise Undelivered(f"status:{status}")


def sign(secret: str, body: bytes, timestamp: int) -> str:
    """Return the header that proves the sender: HMAC-SHA256 over `timestamp.body` with the secret as key."""
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"
