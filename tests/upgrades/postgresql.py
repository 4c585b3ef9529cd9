"""The rows of an SQLite file in a database of PostgreSQL, its dump, and databases for a moment."""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

SERVER = os.environ.get("TEST_DATABASE_URL", "postgresql://postgres@127.0.0.1:5432/postgres")


@contextmanager
def temporary_database(server_url: str) -> Iterator[str]:
    """Create a database on the server, yield its address, and drop it."""
    name = f"multiplo_upgrade_{os.getpid()}_{secrets.token_hex(3)}"
    with psycopg.connect(server_url, autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def copy_rows(database: Path, url: str) -> None:
    """Copy the rows of all tables but those that `migrate` fills, and set the sequences after them."""
    with closing(sqlite3.connect(database)) as source, psycopg.connect(url) as target:
        query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        tables = sorted({name for (name,) in target.execute(query)} - {"django_migrations"})
        for table in tables:
            target.execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER ALL").format(sql.Identifier(table)))
        for table in tables:
            _copy_table(source, target, table)
        for table in tables:
            target.execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER ALL").format(sql.Identifier(table)))
        target.execute("ALTER TABLE tournaments_ledgerentry ENABLE ALWAYS TRIGGER ledger_is_append_only")


def _copy_table(source: sqlite3.Connection, target: psycopg.Connection, table: str) -> None:
    query = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
    types: dict[str, str] = dict(target.execute(query, [table]).fetchall())
    rows = source.execute(f'SELECT * FROM "{table}"')  # noqa: S608  a name of the catalogue
    columns = [column[0] for column in rows.description]
    if table in ("auth_permission", "django_content_type"):
        target.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.SQL(", ").join(sql.Placeholder() * len(columns)),
    )
    for row in rows:
        values = [bool(v) if types[c] == "boolean" and v is not None else v for c, v in zip(columns, row, strict=True)]
        target.execute(statement, values)
    if "id" in columns and types["id"] in ("bigint", "integer"):
        target.execute(
            sql.SQL("SELECT setval(pg_get_serial_sequence({}, 'id'), max(id)) FROM {} HAVING count(*) > 0").format(
                sql.Literal(table), sql.Identifier(table)
            )
        )


def dump(url: str) -> str:
    """The database as SQL that any connection can execute."""
    command = ["pg_dump", "--no-owner", "--no-privileges", "--column-inserts", "--rows-per-insert=100", url]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Lines for the program psql, settings of newer servers, and comments.
    return re.sub(r"^(?:\\|SET transaction_timeout|--).*\n", "", text, flags=re.MULTILINE)


def load(text: str, url: str) -> None:
    """Execute a dump in an empty database."""
    with psycopg.connect(url, autocommit=True) as target:
        target.execute(text)
