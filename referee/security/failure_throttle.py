"""Count wrong codes, tokens and links for each address, and delay the answers once there are many.

Each code is looked up, and a valid code is answered at once regardless of failures from the same address or network,
since many phones may share one address. The number of possible codes bounds guessing (docs/security.md).
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable

from django.http import HttpRequest

from referee.security.token_bucket import Rate, Throttle, ip_prefix

FAILURE_RATE = Rate(per_second=1, burst=60)
DELAY_S = 1.0
MOST_DELAYED = 1000  # most answers delayed at a time; further ones are sent at once, to bound the memory.
_EVERYBODY = "everybody"
_failures = Throttle(FAILURE_RATE)
_alarms = Throttle(Rate(per_second=1 / 60, burst=1))
_delayed = 0


def count_failure(address: str | None, *, alarm: Callable[[], None] | None = None) -> float:
    """Count a failure and return the seconds by which to delay its answer, 0.0 for the first ones.

    `alarm` (by default a notice to the desks) is called at most once a minute when there are many failures.
    """
    if _failures.take(_sender(address)) == 0.0:
        return 0.0
    if _alarms.take(_EVERYBODY) == 0.0:
        (alarm or _tell_desks)()
    return DELAY_S


def count_failed_request(request: HttpRequest) -> None:
    """Count a request with a wrong code, token or link. `referee.server.page_threads` delays its answer."""
    request.delay_s = count_failure(address_of(request))  # type: ignore[attr-defined]


def delay_of(request: HttpRequest) -> float:
    """Return the seconds by which to delay the answer to a request."""
    return float(getattr(request, "delay_s", 0.0))


async def delay(seconds: float) -> None:
    """Wait before a wrong answer is sent, without occupying a thread."""
    global _delayed
    if seconds == 0.0 or _delayed >= MOST_DELAYED:
        return
    _delayed += 1
    try:
        await asyncio.sleep(seconds)
    finally:
        _delayed -= 1


def address_of(request: HttpRequest) -> str | None:
    """Return the address that a request comes from."""
    return request.META.get("REMOTE_ADDR")


def reset_failures() -> None:
    """Forget all failures."""
    for throttle in (_failures, _alarms):
        throttle.forget()


def _sender(address: str | None) -> str:
    """Return the key of a sender: an IPv4 address, or the network of an IPv6 address, which one client may own."""
    try:
        version = ipaddress.ip_address(address or "").version
    except ValueError:
        return "unknown"
    return str(address) if version == 4 else ip_prefix(address)


def _tell_desks() -> None:
    from referee.live.rooms import broadcast

    broadcast.notify(broadcast.send_alarm("many_wrong_codes"))
