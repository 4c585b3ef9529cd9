"""Servers for the load test of rooms: one with SQLite, or several that share a PostgreSQL and a Redis."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from referee.rehearsal.own_server import OwnServer, run_on_own_core
from tournaments.backups.replacement import DATABASE


@dataclass(frozen=True, slots=True)
class RehearsalServers:
    """Address of the rehearsal at each server, and their database: a PostgreSQL URL or the path of an SQLite file."""

    urls: list[str]
    database: str


@contextmanager
def run_servers(folder: Path, servers: int, database: str, redis: str) -> Iterator[RehearsalServers]:
    """Start the servers.

    A single server and the phones use separate cores.
    """
    if not database:
        with run_on_own_core(folder) as server:
            yield RehearsalServers([server.url], str(folder / DATABASE))
        return
    with ExitStack() as stack:
        shared = {
            "DATABASE_URL": stack.enter_context(_temporary_database(database)),
            "REDIS_URL": redis,
            "SECRET_KEY": secrets.token_urlsafe(48),
        }
        urls = []
        for number in range(servers):
            server = OwnServer(folder / f"server-{number}", variables=shared)
            stack.callback(server.stop)
            urls.append(server.url)
        path = urlsplit(urls[0]).path
        yield RehearsalServers([f"http://{urlsplit(url).netloc}{path}" for url in urls], shared["DATABASE_URL"])


@contextmanager
def _temporary_database(url: str) -> Iterator[str]:
    """Create a temporary database on the server of this address."""
    import psycopg

    name = f"rehearsal_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
