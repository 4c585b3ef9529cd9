"""Django's backend for PostgreSQL: during a known outage a page gets no connection, at once."""

from __future__ import annotations

from time import monotonic
from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from referee.server.databases import LONGEST_WAIT_S
from referee.server.postgresql.connections import answers


class DatabaseWrapper(base.DatabaseWrapper):
    """Connection of a thread, taken from the pool."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Wait for a connection of the pool, until the probe finds an outage."""
        end = monotonic() + LONGEST_WAIT_S
        while True:
            if answers.is_away():
                raise PoolTimeout("the database is away")
            try:
                return super().get_new_connection(conn_params)
            except PoolTimeout:
                if monotonic() >= end:
                    raise
