"""The processes of a hall: one server on SQLite, or two on PostgreSQL and Redis with a Celery worker."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from subprocess import DEVNULL

from tests.chaos import programs, words
from tests.chaos.plan import CLOCKS
from tests.chaos.programs import ROOT, Program, free_port
from tests.chaos.slow_link import SlowLink
from tests.referee.live.actor import DatabaseProcess
from tests.referee.live.faults.small_disk import SmallDisk, mount_small_disk
from tests.referee.live.raw_phone import Address

SETTINGS = "tests.chaos.settings"
DISK = {"sqlite": "96m", "postgres": "512m"}
"""Size of the file system below the database of each store."""


class ServerGroup:
    """Opened in an empty folder; everything in it is its own, and nothing else is ever killed."""

    def __init__(self, store: str, folder: Path, **variables: str) -> None:
        self.store, self.folder = store, folder
        self.ports = [free_port() for _ in range(1 if store == "sqlite" else 2)]
        self.variables = {
            "DATA_DIR": str(folder / "data"),
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "SECRET_KEY": "of a hall that is killed again and again, and of no other",
            "PYTHONUNBUFFERED": "1",
            "LANG": "C.UTF-8",
            "DATABASE_URL": "",
            "REDIS_URL": "",
            **variables,
        }
        self.servers: list[Program] = []
        self.programs: dict[str, Program] = {}
        self.links = {"network": [SlowLink(port).open() for port in self.ports], "storage": []}
        self._disk: SmallDisk | None = None
        self._until_closed = ExitStack()
        self._locks: dict[str, asyncio.Lock] = {}
        self._recoveries: list[tuple[float, float]] = []

    def open(self) -> ServerGroup:
        """Start everything; raises `programs.Missing` where this machine lacks something."""
        self.folder.chmod(0o711)
        self._mount_disk()
        words.install(self.folder / "data" / "lexicons")
        if self.store == "postgres":
            self._start_services()
        # Compiled beforehand: the first search of a fresh checkout would take longer than any judge waits.
        for command in (["engine", "warm"], ["django", "migrate", "-v0"]):
            environment = {**os.environ, **self.variables}
            subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment, stdout=DEVNULL, check=True)
        alone = self.store == "sqlite"
        for number, port in enumerate(self.ports, start=1):
            server = programs.server(f"server-{number}", self.folder, port, self.variables, alone=alone)
            self.servers.append(server.start())
            self.programs[server.name] = server
        if not alone:
            self.programs["worker"] = programs.worker(self.folder, self.variables).start()
        return self

    def mend(self) -> None:
        """Everything runs, whatever a run before left behind."""
        self._locks.clear()
        for link in self._all_links():
            link.is_slow = False
        if self._disk is not None:
            self._disk.make_room()
        for program in self.programs.values():
            program.go_on()
            if programs.has_wrong_clock(program):
                program.kill()
                programs.set_clock(program, 0)
            program.start()

    def close(self) -> None:
        """End everything that was started."""
        for program in reversed(list(self.programs.values())):
            program.stop()
        for link in self._all_links():
            link.close()
        self._until_closed.close()

    @property
    def addresses(self) -> list[Address]:
        """Addresses at which phones and desk reach the servers."""
        return [("127.0.0.1", link.port) for link in self.links["network"]]

    def clerk(self) -> DatabaseProcess:
        """Somebody who looks into the database."""
        return DatabaseProcess({**os.environ, **self.variables}, module="tests.chaos.clerk")

    def complaints(self) -> list[str]:
        """The lines in the logs of the servers that begin a traceback's last word."""
        lines = [line for server in self.servers for line in server.said().splitlines()]
        return [line for line in lines if line and not line[0].isspace() and "Error" in line.split(":")[0]]

    async def kill(self, kind: str, number: int) -> bool:
        """Kill by kind; whether no server lives then. `number` chooses one of the servers. A full disk kills nobody."""
        if kind == "disk":
            await asyncio.to_thread(self._find_disk().fill)
            return False
        for link in self._links(kind, number):
            link.is_slow = True
        for name in self._names(kind, number):
            if kind == "backend":
                programs.kill_a_backend(self.programs[name])
            elif kind == "hung":
                self.programs[name].hang()
            else:
                self.programs[name].kill()
            if kind in CLOCKS:
                programs.set_clock(self.programs[name], CLOCKS[kind])
        return not any(server.is_alive for server in self.servers)

    async def revive(self, kind: str, number: int, away_s: float) -> None:
        """Start what was killed again after a while; PostgreSQL too may have ended on a full disk."""
        await asyncio.sleep(0.0 if kind == "backend" else away_s)
        for link in self._links(kind, number):
            link.is_slow = False
        if kind == "disk":
            self._find_disk().make_room()
        await asyncio.gather(*(self._start(name) for name in self._names(kind, number)))

    def recovered_after(self, died: float) -> float:
        """Start of the first server that answered since then, in seconds since 1970; now when none did."""
        lit = [pair for pair in self._recoveries if pair[1] > died]
        return min(lit, key=lambda pair: pair[1], default=(time.time(), 0.0))[0]

    async def _start(self, name: str) -> None:
        async with self._locks.setdefault(name, asyncio.Lock()):
            self.programs[name].go_on()
            program = await asyncio.to_thread(self.programs[name].start)
        if program in self.servers:
            self._recoveries.append((program.begun, time.time()))

    def _names(self, kind: str, number: int) -> Sequence[str]:
        if kind == "servers":
            return [server.name for server in self.servers]
        if kind in ("server", "writer", "hung", *CLOCKS):
            return [self.servers[number % len(self.servers)].name]
        if kind == "disk":
            return [name for name in self.programs if name == "postgres"]
        if kind in self.links:
            return []
        return ["postgres"] if kind == "backend" else [kind]

    def _links(self, kind: str, number: int) -> Sequence[SlowLink]:
        links = self.links.get(kind, [])
        return [links[number % len(links)]] if kind == "network" else links

    def _all_links(self) -> list[SlowLink]:
        return [link for links in self.links.values() for link in links]

    def _mount_disk(self) -> None:
        """A small file system for the database, where this user may mount one."""
        folder = self.folder / ("data" if self.store == "sqlite" else "postgres")
        if self._until_closed.enter_context(mount_small_disk(folder, DISK[self.store])):
            self._disk = SmallDisk(folder, 0, is_mounted=True)

    def _find_disk(self) -> SmallDisk:
        if self._disk is None:
            raise programs.MissingProgram("the user of this process may not mount a small file system")
        return self._disk

    def _start_services(self) -> None:
        ports = free_port(), free_port()
        for name, make, port in (("postgres", programs.postgres, ports[0]), ("redis", programs.redis, ports[1])):
            folder = self.folder / name
            folder.mkdir(exist_ok=True)
            self.programs[name] = make(folder, port)
            self.programs[name].start()
        self.links["storage"] = links = [SlowLink(port).open() for port in ports]
        self.variables["DATABASE_URL"] = f"postgresql://postgres@127.0.0.1:{links[0].port}/postgres"
        self.variables["REDIS_URL"] = f"redis://127.0.0.1:{links[1].port}/0"
