"""Probe of PostgreSQL: a statement on a connection of its own, which tells the cause of an outage.

It asks every second, and during an outage whenever a page wants a connection.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import psycopg
from django.db import connection

from referee.server.database_outage import outage_kind
from referee.server.postgresql.connections import LONGEST_PROBE_S, DatabaseSilent, ProbeConnection, answers

ASK_EVERY_S = 1.0


class DatabaseProbe:
    """Thread of the probe. `report` is called in it with the kind of an outage, or with None after each answer."""

    def __init__(self, report: Callable[[str | None], None]) -> None:
        self._report = report
        self._stopped = threading.Event()
        self._connection: ProbeConnection | None = None

    def start(self) -> None:
        """Start asking."""
        threading.Thread(target=self._run, name="multiplo-probe", daemon=True).start()

    def stop(self) -> None:
        """Stop asking."""
        self._stopped.set()
        answers.forget()

    def _run(self) -> None:
        while not self._stopped.is_set():
            outage = self._find_outage()
            if self._stopped.is_set():
                break
            answers.note(outage)
            self._report(outage)
            answers.wait_until_wanted(ASK_EVERY_S)
        self._close()

    def _find_outage(self) -> str | None:
        """Ask the database; if the connection has broken, ask again with a new one, as after a restart."""
        try:
            try:
                self._ask()
            except DatabaseSilent:
                raise
            except psycopg.Error:
                self._close()
                self._ask()
        except psycopg.Error as error:
            self._close()
            return outage_kind(error)
        return None

    def _ask(self) -> None:
        if self._connection is None:
            # The settings of Django's connections: other options could work where those fail.
            options = {**connection.get_connection_params(), "connect_timeout": round(LONGEST_PROBE_S)}
            self._connection = ProbeConnection.connect(**options, autocommit=True)
        self._connection.execute("SELECT 1")

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
