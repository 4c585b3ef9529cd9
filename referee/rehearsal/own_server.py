"""A server of the rehearsal's own, in a process and a folder of its own: nothing of the judge's is touched.

    OwnServer(folder) starts it; `python -m referee.rehearsal.own_server` is the process.

The process ends when its standard input does, so it outlives nobody, and at the latest after `LONGEST_LIFE_S`.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tournaments.models import Event

START_S = 120.0
END_S = 10.0
LONGEST_LIFE_S = 3600.0
_OF_THE_JUDGE = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SECRET_KEY_FILE", "ALLOWED_HOSTS", "PUBLIC_URL")


class DidNotStart(Exception):
    """The server's process ended before it was ready; `said` is what it left behind."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


class OwnServer:
    """Starts on a free port of the loopback with a fresh rehearsal. `url` is the rehearsal's address; `desk` and `wall`
    are the paths of two sockets, `session` is the judge's cookie for the first."""

    def __init__(self, folder: Path, core: int | None = None) -> None:
        _lend_word_lists(folder / "lexicons")
        variables = {name: value for name, value in os.environ.items() if name not in _OF_THE_JUDGE}
        self._log = (folder / "server.log").open("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "referee.rehearsal.own_server"],
            cwd=settings.BASE_DIR,
            env={**variables, "DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "referee.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            start_new_session=os.name != "nt",  # Ctrl-C is for the rehearsal, which then ends its server
            preexec_fn=None if core is None else lambda: os.sched_setaffinity(0, {core}),
        )
        try:
            told = json.loads(self._first_line())
        except DidNotStart:
            self.stop()
            raise
        self.url: str = told["url"]
        self.desk: str = told["desk"]
        self.wall: str = told["wall"]
        self.session: str = told["session"]

    def stop(self) -> None:
        """End the server, politely first."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()

    def _first_line(self) -> str:
        lines: queue.Queue[str] = queue.Queue()
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101  a pipe was asked for
        threading.Thread(target=lambda: lines.put(stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_S).strip()
        except queue.Empty:
            line = ""
        if not line:
            self._log.seek(0)
            raise DidNotStart(self._log.read().strip()[-2000:])
        return line


def _lend_word_lists(folder: Path) -> None:
    """The word lists of this installation, as links where the system knows them."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (settings.DATA_DIR / "lexicons").glob("*"):
        if not path.is_file():
            continue
        try:
            (folder / path.name).symlink_to(path.resolve())
        except OSError:
            shutil.copyfile(path, folder / path.name)


def main() -> None:
    """Make the rehearsal and serve until the standard input ends."""
    import django

    django.setup()
    from django.core.management import call_command

    from referee.rehearsal.conducting import address_of
    from referee.serving.server import HallServer, allow_many_sockets, configuration, listen
    from tournaments.now import utc_now
    from tournaments.services.access import first_judge
    from tournaments.services.rehearsing import open_rehearsal

    call_command("migrate", verbosity=0)
    judge = first_judge()
    game = open_rehearsal(by=judge, now=utc_now(), seed=os.urandom(32), language="en")
    allow_many_sockets()
    listener = listen("127.0.0.1", 0)
    place = f"http://127.0.0.1:{listener.getsockname()[1]}"

    told = json.dumps({"url": place + address_of(game.event), **_onlookers(judge, game.event)})

    def tell() -> None:
        sys.stdout.write(told + "\n")
        sys.stdout.flush()

    server = HallServer(configuration(), tell, lambda: None)
    threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
    threading.Timer(LONGEST_LIFE_S, os._exit, args=(1,)).start()
    server.run(sockets=[listener])
    os._exit(0)


def _onlookers(judge: User, event: Event) -> dict[str, str]:
    """How the desk and the wall of this throw-away event are opened."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(judge.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = judge.get_session_auth_hash()
    session.create()
    return {
        "desk": f"/ws/desk/{event.code}/",
        "wall": f"/ws/wall/{event.wall_token}/",
        "session": f"{settings.SESSION_COOKIE_NAME}={session.session_key}",
    }


def _end_with_input(server: object) -> None:
    sys.stdin.read()
    server.should_exit = True  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
