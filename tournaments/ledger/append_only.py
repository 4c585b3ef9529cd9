"""Append-only table of the ledger: database triggers refuse changes and deletions of rows.

Triggers apply to all SQL access, including this program. An owner of the database can remove them, but the printed and
displayed hashes of the chain then reveal any change (`engine.archive.ledger`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "tournaments_ledgerentry"
REFUSAL = "the ledger is append only"

# INSERT OR REPLACE deletes a row without running the triggers on DELETE.
_SQLITE = (
    f"""CREATE TRIGGER IF NOT EXISTS ledger_takes_no_update BEFORE UPDATE ON {TABLE}
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END""",
    f"""CREATE TRIGGER IF NOT EXISTS ledger_takes_no_delete BEFORE DELETE ON {TABLE}
    BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END""",
    """CREATE TRIGGER IF NOT EXISTS ledger_takes_no_replace BEFORE INSERT ON tournaments_ledgerentry
    WHEN EXISTS (SELECT 1 FROM tournaments_ledgerentry WHERE id = NEW.id)
      OR EXISTS (
        SELECT 1 FROM tournaments_ledgerentry WHERE game_id = NEW.game_id AND room_id IS NEW.room_id AND n = NEW.n)
    BEGIN SELECT RAISE(ABORT, 'the ledger is append only'); END""",
)
# ENABLE ALWAYS: plain triggers do not run in sessions with session_replication_role = replica.
_POSTGRESQL = (
    f"""CREATE OR REPLACE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    f"""CREATE OR REPLACE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {TABLE}
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()""",
    f"ALTER TABLE {TABLE} ENABLE ALWAYS TRIGGER ledger_is_append_only",
)
_STATEMENTS: Mapping[str, Sequence[str]] = {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}


def protect(connection: BaseDatabaseWrapper) -> None:
    """Create missing triggers in this database. `KeyError` for a database vendor without tested triggers."""
    with connection.cursor() as cursor:
        for statement in _STATEMENTS[connection.vendor]:
            cursor.execute(statement)


def protect_if_there(connection: BaseDatabaseWrapper) -> None:
    """Create the triggers after each `migrate`: SQLite drops triggers when a migration rebuilds the table."""
    if TABLE in connection.introspection.table_names():
        protect(connection)
