"""What the tests alone may do with the ledger's table: take its triggers away for a moment.

The program has no such road. Tests that commit empty every table afterwards, and some play a forger.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test import TransactionTestCase

from tournaments.append_only import TABLE, protect_if_there

_DROPS = {
    "sqlite": [f"DROP TRIGGER IF EXISTS ledger_takes_no_{act}" for act in ("update", "delete", "replace")],
    "postgresql": [f"DROP TRIGGER IF EXISTS ledger_is_append_only ON {TABLE}"],
}


@contextmanager
def unprotected() -> Iterator[None]:
    """The ledger can be changed in here."""
    with connection.cursor() as cursor:
        for statement in _DROPS[connection.vendor]:
            cursor.execute(statement)
    try:
        yield
    finally:
        protect_if_there(connection)


class EmptiedAfterwards:
    """Stands in for the method of Django's that empties the tables after a test that commits."""

    def __init__(self) -> None:
        self._plain = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    def __call__(self, case: TransactionTestCase) -> None:
        with unprotected():
            self._plain(case)
