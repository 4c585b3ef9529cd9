"""One-time address by which a phone confirms that it reaches this computer.

It is kept in memory only. Whoever opens it learns nothing but that Multiplo runs here.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

VALID_FOR = timedelta(hours=1)
AGAIN_WITHIN = timedelta(minutes=10)
"""Time in which the phone that confirmed may open the address again: browsers load a page twice for a preview."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The moment at which a device other than this computer opened the address."""

    at: datetime


class ReachTest:
    """The address of this process that waits for a phone, and the confirmation."""

    def __init__(self, make_token: Callable[[], str] = lambda: secrets.token_urlsafe(16)) -> None:
        self._make_token = make_token
        self._lock = threading.Lock()
        self.start_again()

    def start_again(self) -> None:
        """Close the address and forget the confirmation, for another phone or a new address of this computer."""
        with self._lock:
            self._token, self._made_at, self._used_by = "", datetime.min.replace(tzinfo=UTC), ""
            self.confirmation: Confirmation | None = None

    def get_token(self, now: datetime) -> str:
        """Return the token that waits for a phone; it is replaced after an hour."""
        with self._lock:
            if self.confirmation is None and (not self._token or now - self._made_at > VALID_FOR):
                self._token, self._made_at = self._make_token(), now
            return self._token

    def is_open(self, token: str, now: datetime, device: str) -> bool:
        """Tell if a token waits for a phone, or was used by this device a moment ago."""
        with self._lock:
            if not self._token or not hmac.compare_digest(token.encode(), self._token.encode()):
                return False
            if self.confirmation is None:
                return now - self._made_at <= VALID_FOR
            return device == self._used_by and now - self.confirmation.at <= AGAIN_WITHIN

    def confirm(self, now: datetime, device: str) -> None:
        """Store that a device has opened the address, which is used up."""
        with self._lock:
            if self.confirmation is None:
                self._used_by, self.confirmation = device, Confirmation(now)


reach_test = ReachTest()
