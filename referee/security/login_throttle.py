"""Limits on log-ins with a password: number of tries, lock-outs, log entries.

django-axes counts failures by user name and device together, so that nobody can lock out a colleague or everyone behind
one address. A limit on all log-ins comes first: checking a password is slow on purpose and must not delay the pages.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import math
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.http import HttpRequest
from django.utils.translation import ngettext

from referee.security import failure_throttle
from referee.security.token_bucket import Rate, Throttle, ip_prefix

_EVERYBODY = "everybody"
_of_network = Throttle(Rate(per_second=0.5, burst=20))
_of_all = Throttle(Rate(per_second=1, burst=40))
_log = logging.getLogger("multiplo.access")


def get_wait(address: str | None) -> float:
    """Return the seconds to wait before another password is checked; 0.0, and a try is counted, for none."""
    return _of_network.take(ip_prefix(address)) or _of_all.take(_EVERYBODY)


def wait_sentence(seconds: float) -> str:
    """Return the sentence shown to a user who has to wait."""
    whole = math.ceil(seconds)
    return ngettext(
        "Many log-ins were tried from this network: wait %(seconds)d second, or ask the director for a link.",
        "Many log-ins were tried from this network: wait %(seconds)d seconds, or ask the director for a link.",
        whole,
    ) % {"seconds": whole}


def locked_sentence() -> str:
    """Return the sentence shown on a device that has failed too often with this user name."""
    minutes = math.ceil(settings.AXES_COOLOFF_TIME.total_seconds() / 60)
    return ngettext(
        "This device has tried too often: wait %(minutes)d minute, or ask the director for a link or a new password.",
        "This device has tried too often: wait %(minutes)d minutes, or ask the director for a link or a new password.",
        minutes,
    ) % {"minutes": minutes}


def is_locked_out(request: HttpRequest) -> bool:
    """Return True if axes refused to check the password. The page says so, so that axes does not answer itself."""
    refused = bool(getattr(request, "axes_locked_out", False))
    request.axes_locked_out = False  # type: ignore[attr-defined]
    return refused


def device_of(request: HttpRequest) -> str:
    """Return a pseudonym in the form of an address (AXES_CLIENT_IP_CALLABLE), so that axes stores no address."""
    key = f"multiplo.device{settings.SECRET_KEY}".encode()
    digest = hmac.new(key, (failure_throttle.address_of(request) or "").encode(), hashlib.sha256).digest()
    return str(ipaddress.IPv6Address(b"\xfd" + digest[:15]))


def connect_signals() -> None:
    """Log failed log-ins."""
    user_login_failed.connect(_note, dispatch_uid="access log")


def note_bad_link(request: HttpRequest) -> None:
    """Count and log a login link that is unknown, expired or used."""
    failure_throttle.count_failed_request(request)
    _log.warning("invalid login link tried, from %s", ip_prefix(failure_throttle.address_of(request)))


def reset_attempts() -> None:
    """Forget all tries."""
    _of_network.forget()
    _of_all.forget()


def _note(sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_facts: Any) -> None:
    address = failure_throttle.address_of(request) if request is not None else None
    _log.warning("log-in failed: user name “%s”, from %s", str(credentials.get("username"))[:150], ip_prefix(address))
