"""Access to the ledger's table without its triggers, for tests only.

The program has no such function. Tests that commit empty every table afterwards, and some forge entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test import TransactionTestCase

from tournaments.ledger.append_only import TABLE, protect_if_there

_DROPS = {
    "sqlite": [f"DROP TRIGGER IF EXISTS ledger_takes_no_{act}" for act in ("update", "delete", "replace")],
    "postgresql": [f"DROP TRIGGER IF EXISTS ledger_is_append_only ON {TABLE}"],
}


@contextmanager
def unprotected() -> Iterator[None]:
    """Allow changes of the ledger within the block."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # no trigger is changed while checks are pending
        for statement in _DROPS[connection.vendor]:
            cursor.execute(statement)
    try:
        yield
    finally:
        protect_if_there(connection)


class EmptiedAfterwards:
    """Replacement of Django's method that empties the tables after a test that commits."""

    def __init__(self) -> None:
        self._plain = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def __call__(self, case: TransactionTestCase) -> None:
        with unprotected():
            self._plain(case)
