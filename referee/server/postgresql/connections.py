"""Connections to PostgreSQL that do not wait for a database that has stopped answering.

A suspended server or a broken network leaves a connection open without an answer, for which psycopg waits without end.
A probe (referee/live/monitoring/database_probe.py) asks the database every second. While it is answered, a slow
statement may take its time; when it is not, waiting statements fail, and new connections are not waited for. Without a
probe (commands, workers) nothing does.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen

RV = TypeVar("RV")
LONGEST_SILENCE_S = 2.5
"""Time without any answer to the probe after which the database counts as silent."""
SHORTEST_WAIT_S = 0.5
"""A statement sent to a silent database waits at least this long, as the database may be back."""
LONGEST_PROBE_S = 2.0
_AT_ONCE_S = 0.2
"""Time within which a database that can be reached again, or refuses connections, answers the probe."""


class DatabaseSilent(psycopg.OperationalError):
    """Error: the database has not answered in time. The connection is closed."""

    sqlstate = "57014"  # query_canceled


class Answers:
    """Time of the last answer to the probe (`time.monotonic`), and the kind of outage it has found."""

    def __init__(self) -> None:
        self.answered_at: float | None = None
        self.outage: str | None = None
        self._noted, self._wanted = threading.Condition(), threading.Event()

    @property
    def is_silent(self) -> bool:
        """True if a probe runs and has had no answer for `LONGEST_SILENCE_S`."""
        return self.answered_at is not None and monotonic() - self.answered_at > LONGEST_SILENCE_S

    def is_away(self) -> bool:
        """True if the probe has found that the database cannot be asked. It asks once more before, so that the first
        page after the outage gets a connection."""
        if self._is_away:
            with self._noted:
                self._wanted.set()
                self._noted.wait(_AT_ONCE_S)
        return self._is_away

    @property
    def _is_away(self) -> bool:
        return self.outage in ("no_connection", "restarting") or (self.outage == "no_answer" and self.is_silent)

    def wait_until_wanted(self, seconds: float) -> None:
        """Wait this long before the next probe, or until a page wants to know more."""
        self._wanted.wait(seconds)
        self._wanted.clear()

    def note(self, outage: str | None) -> None:
        """Store the result of a probe. The first one counts as answered, so that silence is measured from it."""
        if outage is None or self.answered_at is None:
            self.answered_at = monotonic()
        with self._noted:
            self.outage = outage
            self._noted.notify_all()

    def forget(self) -> None:
        """End the probing."""
        self.answered_at = self.outage = None
        self._wanted.set()


answers = Answers()


class _LimitedConnection(psycopg.Connection[Any]):
    """Connection whose statements fail, and which is closed, as soon as `_is_over(seconds waited)`."""

    def wait(self, gen: PQGen[RV], *args: Any, **options: Any) -> RV:
        """Wait for the answer of the server. Raises DatabaseSilent."""
        try:
            return super().wait(_limit(gen, self._is_over), *args, **options)
        except DatabaseSilent:
            self.close()
            raise

    @staticmethod
    def _is_over(waited_s: float) -> bool:
        raise NotImplementedError


class PooledConnection(_LimitedConnection):
    """Connection for pages and the live server."""

    @staticmethod
    def _is_over(waited_s: float) -> bool:
        return answers.is_silent and waited_s > SHORTEST_WAIT_S


class ProbeConnection(_LimitedConnection):
    """Connection of the probe."""

    @staticmethod
    def _is_over(waited_s: float) -> bool:
        return waited_s > LONGEST_PROBE_S


def _limit(gen: PQGen[RV], is_over: Callable[[float], bool]) -> PQGen[RV]:
    """Pass a generator of psycopg on, and raise DatabaseSilent if it is over while nothing has arrived."""
    began = monotonic()
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and is_over(monotonic() - began):
                raise DatabaseSilent("the database does not answer")
            wanted = gen.send(ready)
    except StopIteration as end:
        value: RV = end.value
        return value
