"""Times at which closes became visible to other connections of the database: the commit, not only the stored time."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

EVERY_S = 0.01
_CLOSED = """
    SELECT room.number, turn.number, {now} FROM tournaments_turnclock clock
    JOIN tournaments_room room ON room.id = clock.room_id JOIN tournaments_turn turn ON turn.id = clock.turn_id
    WHERE clock.closed_at IS NOT NULL
"""
Rows = list[tuple[int, int, float]]


class VisibleCloses:
    """`times` maps a room and a turn to when its close was first read, in seconds since 1970."""

    def __init__(self) -> None:
        self.times: dict[tuple[int, int], float] = {}
        self._ended = threading.Event()

    @contextmanager
    def watching(self, database: str) -> Iterator[VisibleCloses]:
        """Read the closes again and again while the block runs; `database` as in `RehearsalServers`."""
        thread = threading.Thread(target=self._watch, args=(database,), name="visible closes", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._ended.set()
            thread.join()

    def _watch(self, database: str) -> None:
        with _reading(database) as read:
            while not self._ended.wait(EVERY_S):
                for room, turn, now in read():
                    self.times.setdefault((room, turn), now)


@contextmanager
def _reading(database: str) -> Iterator[Callable[[], Rows]]:
    """Yield a function that reads all closes over a connection of its own."""
    if database.startswith("postgres"):
        import psycopg

        statement = _CLOSED.format(now="extract(epoch FROM clock_timestamp())::float8").encode()
        with psycopg.connect(database, autocommit=True) as connection:
            yield lambda: connection.execute(statement).fetchall()
        return

    def read() -> Rows:
        now = time.time()
        return [(room, turn, now) for room, turn, _now in file.execute(_CLOSED.format(now="0"))]

    with closing(sqlite3.connect(f"{Path(database).as_uri()}?mode=ro", uri=True, timeout=20)) as file:
        yield read
