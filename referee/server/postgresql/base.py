"""Django's backend for PostgreSQL: during a known outage a page gets no connection, at once."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

from referee.server.postgresql.connections import answers


class DatabaseWrapper(base.DatabaseWrapper):
    """Connection of a thread, taken from the pool."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Wait for a connection of the pool, which serves its callers in turn, unless the probe knows of an outage."""
        if answers.is_away():
            raise PoolTimeout("the database is away")
        return super().get_new_connection(conn_params)
