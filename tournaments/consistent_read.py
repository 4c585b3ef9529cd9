"""Reading from one state of the database, whatever others write meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_read() -> Iterator[None]:
    """One transaction whose queries all see the same state of the database; it refuses to write.

    Inside another transaction it does nothing, since that one may have written already.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _deferred_transaction():
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _deferred_transaction() -> Iterator[None]:
    """A transaction that takes no lock of writers. Its state is that of the first query."""
    connection.ensure_connection()
    mode = connection.transaction_mode  # type: ignore[attr-defined]
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            yield
    finally:
        connection.transaction_mode = mode  # type: ignore[attr-defined]
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = OFF")
