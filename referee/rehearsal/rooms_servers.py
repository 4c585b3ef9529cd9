"""The servers of a rehearsal of rooms: one with a file of its own, or several that share a PostgreSQL and a Redis."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from referee.rehearsal.own_server import OwnServer


class SharingServer(OwnServer):
    """One of several processes of one hall."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        folder.mkdir()
        (folder / "lexicons").symlink_to((settings.DATA_DIR / "lexicons").resolve())
        self._log = (folder / "server.log").open("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "referee.rehearsal.own_server"],
            cwd=settings.BASE_DIR,
            env={**os.environ, **variables, "DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "referee.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self.url = self._first_line()


@contextmanager
def serving(folder: Path, servers: int, database: str, redis: str) -> Iterator[list[str]]:
    """Start them and give the addresses of one rehearsal at each; server and phones have a core each if there is one
    server."""
    if not database:
        with _alone(folder) as url:
            yield [url]
        return
    with ExitStack() as stack:
        shared = {
            "DATABASE_URL": stack.enter_context(_throw_away(database)),
            "REDIS_URL": redis,
            "SECRET_KEY": secrets.token_urlsafe(48),
        }
        urls = []
        for number in range(servers):
            server = SharingServer(folder / f"server-{number}", shared)
            stack.callback(server.stop)
            urls.append(server.url)
        path = urlsplit(urls[0]).path
        yield [f"http://{urlsplit(url).netloc}{path}" for url in urls]


@contextmanager
def _alone(folder: Path) -> Iterator[str]:
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    apart = len(cores) > 1
    server = OwnServer(folder, cores[0] if apart else None)
    if apart:
        os.sched_setaffinity(0, set(cores[1:]))
    try:
        yield server.url
    finally:
        server.stop()
        if apart:
            os.sched_setaffinity(0, set(cores))


@contextmanager
def _throw_away(url: str) -> Iterator[str]:
    """A database of a name of its own beside the one of this address, for as long as it is needed."""
    import psycopg

    name = f"rehearsal_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        try:
            yield urlsplit(url)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
