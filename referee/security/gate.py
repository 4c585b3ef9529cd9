"""Slows down whoever tries codes and seats at random, and lets the desks know.

A whole hall can sit behind one address, so nobody is locked out: a network that fails too often has to wait a little.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

from referee.security.throttle import Rate, Throttle, ip_prefix

_EVERYBODY = "everybody"
_failures = Throttle(Rate(per_second=1, burst=60))
_all_failures = Throttle(Rate(per_second=10, burst=600))
_alarms = Throttle(Rate(per_second=1 / 60, burst=1))


def delay(address: str | None) -> float:
    """Seconds that a sender has to wait before his code or seat is looked at; mostly 0.0."""
    return max(_failures.wait(ip_prefix(address)), _all_failures.wait(_EVERYBODY))


def failed(address: str | None, *, alarm: Callable[[], None] | None = None) -> None:
    """Count a wrong code or seat. `alarm` tells the desks, at most once a minute, when they become many."""
    waits = _failures.take(ip_prefix(address)), _all_failures.take(_EVERYBODY)
    if any(waits) and _alarms.take(_EVERYBODY) == 0.0:
        (alarm or _tell_desks)()


def address_of(request: HttpRequest) -> str | None:
    """Where a request comes from."""
    return request.META.get("REMOTE_ADDR")


def reopen() -> None:
    """Forget all failures."""
    for throttle in (_failures, _all_failures, _alarms):
        throttle.forget()


def _tell_desks() -> None:
    from referee.live import relay

    relay.notify(relay.alarm("many_wrong_codes"))
