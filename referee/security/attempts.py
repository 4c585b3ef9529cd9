"""Log-ins with a password: how many may be tried, what is kept of those that fail, what the log says.

django-axes counts failures by user name and device together, so that nobody can lock a colleague or a hall out. A pause
for everybody comes before it: checking a password is meant to be slow, and must not keep the pages waiting.
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

from referee.security import gate
from referee.security.throttle import Rate, Throttle, ip_prefix

_EVERYBODY = "everybody"
_of_network = Throttle(Rate(per_second=0.5, burst=20))
_of_all = Throttle(Rate(per_second=1, burst=40))
_log = logging.getLogger("multiplo.access")


def pause(address: str | None) -> float:
    """Seconds to wait before another password is looked at; 0.0 takes one try."""
    return _of_network.take(ip_prefix(address)) or _of_all.take(_EVERYBODY)


def wait_sentence(seconds: float) -> str:
    """What somebody reads who has to wait."""
    whole = math.ceil(seconds)
    return ngettext(
        "Many log-ins were tried from this network: wait %(seconds)d second, or ask the director for a link.",
        "Many log-ins were tried from this network: wait %(seconds)d seconds, or ask the director for a link.",
        whole,
    ) % {"seconds": whole}


def locked_sentence() -> str:
    """What somebody reads whose device has failed too often with this user name."""
    minutes = math.ceil(settings.AXES_COOLOFF_TIME.total_seconds() / 60)
    return ngettext(
        "This device has tried too often: wait %(minutes)d minute, or ask the director for a link or a new password.",
        "This device has tried too often: wait %(minutes)d minutes, or ask the director for a link or a new password.",
        minutes,
    ) % {"minutes": minutes}


def locked_out(request: HttpRequest) -> bool:
    """Whether axes refused to look at the password. The page tells it, so axes need not answer in its stead."""
    refused = bool(getattr(request, "axes_locked_out", False))
    request.axes_locked_out = False  # type: ignore[attr-defined]
    return refused


def device_of(request: HttpRequest) -> str:
    """For axes (AXES_CLIENT_IP_CALLABLE): a pseudonym in the form of an address, so that no address is stored."""
    key = f"multiplo.device{settings.SECRET_KEY}".encode()
    digest = hmac.new(key, (gate.address_of(request) or "").encode(), hashlib.sha256).digest()
    return str(ipaddress.IPv6Address(b"\xfd" + digest[:15]))


def listen() -> None:
    """Write log-ins that fail into the log."""
    user_login_failed.connect(_note, dispatch_uid="access log")


def note_bad_link(request: HttpRequest) -> None:
    """Count and log a link that lets nobody in: invented, too old, or used before."""
    gate.failed_request(request)
    _log.warning("a link that lets nobody in was tried, from %s", ip_prefix(gate.address_of(request)))


def reopen() -> None:
    """Forget who has tried."""
    _of_network.forget()
    _of_all.forget()


def _note(sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **_facts: Any) -> None:
    address = gate.address_of(request) if request is not None else None
    _log.warning("log-in failed: user name “%s”, from %s", str(credentials.get("username"))[:150], ip_prefix(address))
