"""Clock of a PostgreSQL server, which all processes of an installation share."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.db import connection

from tournaments.now import Nanoseconds, steady_ns

READINGS = 3
LONGEST_TRIP_NS = 200_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def database_moment() -> datetime:
    """Return the present moment by the clock of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment


class DatabaseClock:
    """Time of the database, estimated from its last reading and the steady clock of this computer."""

    def __init__(
        self,
        moment: Callable[[], datetime] = database_moment,
        steady: Nanoseconds = steady_ns,
        wall: Nanoseconds = time.time_ns,
    ) -> None:
        self._moment, self._steady, self._wall = moment, steady, wall
        self._ahead_ns: int | None = None

    @property
    def is_known(self) -> bool:
        """True after the first reading."""
        return self._ahead_ns is not None

    def __call__(self) -> int:
        """Return the time in nanoseconds since 1970; the computer's before the first reading."""
        return self._wall() if self._ahead_ns is None else self._steady() + self._ahead_ns

    def computer_off_ms(self) -> int:
        """Return by how much the computer's clock is ahead of the database's, in milliseconds."""
        return round((self._wall() - self()) / 1_000_000)

    def read(self) -> None:
        """Read the clock and keep the reading with the shortest round trip, unless all were long."""
        trip_ns, ahead_ns = min(self._reading() for _ in range(READINGS))
        if trip_ns <= LONGEST_TRIP_NS or not self.is_known:
            self._ahead_ns = ahead_ns

    def _reading(self) -> tuple[int, int]:
        """Return the round trip and the lead of the database over the steady clock, in nanoseconds."""
        began = self._steady()
        moment = self._moment()
        ended = self._steady()
        since_epoch = (moment - _EPOCH) // timedelta(microseconds=1) * 1000
        return ended - began, since_epoch - (began + ended) // 2
