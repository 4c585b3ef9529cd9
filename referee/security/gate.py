"""Wrong codes, tokens and links: they are counted for each address, and the answers to many of them are delayed.

What is asked is always looked up, and a valid code is answered at once, whatever else comes from its address or its
network: many phones may share one address. Guessing is bounded by the number of codes (docs/security.md).
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Callable

from django.http import HttpRequest

from referee.security.throttle import Rate, Throttle, ip_prefix

WRONG = Rate(per_second=1, burst=60)
DELAY_S = 1.0
MOST_DELAYED = 1000  # answers at a time; beyond that they are sent at once, so that they do not fill the memory
_EVERYBODY = "everybody"
_wrong = Throttle(WRONG)
_alarms = Throttle(Rate(per_second=1 / 60, burst=1))
_delayed = 0


def failed(address: str | None, *, alarm: Callable[[], None] | None = None) -> float:
    """Count something wrong; the seconds by which its answer is to be delayed, 0.0 for the first ones.

    `alarm` tells the desks, at most once a minute, when they become many.
    """
    if _wrong.take(_sender(address)) == 0.0:
        return 0.0
    if _alarms.take(_EVERYBODY) == 0.0:
        (alarm or _tell_desks)()
    return DELAY_S


def failed_request(request: HttpRequest) -> None:
    """Count a request that names something wrong. `referee.pages` delays its answer."""
    request.delay_s = failed(address_of(request))  # type: ignore[attr-defined]


def delay_of(request: HttpRequest) -> float:
    """The seconds by which the answer to a request is to be delayed."""
    return float(getattr(request, "delay_s", 0.0))


async def delay(seconds: float) -> None:
    """Wait before a wrong answer is sent; no thread waits with it."""
    global _delayed
    if seconds == 0.0 or _delayed >= MOST_DELAYED:
        return
    _delayed += 1
    try:
        await asyncio.sleep(seconds)
    finally:
        _delayed -= 1


def address_of(request: HttpRequest) -> str | None:
    """Where a request comes from."""
    return request.META.get("REMOTE_ADDR")


def reopen() -> None:
    """Forget all failures."""
    for throttle in (_wrong, _alarms):
        throttle.forget()


def _sender(address: str | None) -> str:
    """One address, of IPv6 the network of one: whoever has one there has all of it."""
    try:
        version = ipaddress.ip_address(address or "").version
    except ValueError:
        return "unknown"
    return str(address) if version == 4 else ip_prefix(address)


def _tell_desks() -> None:
    from referee.live import relay

    relay.notify(relay.alarm("many_wrong_codes"))
