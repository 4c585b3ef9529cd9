"""Temporary server for a rehearsal, with its own process and data folder, so that the judge's data stay untouched.

`OwnServer(folder)` starts it; `python -m referee.rehearsal.own_server` is the process. The process ends with its
standard input, and at the latest after `LONGEST_LIFE_S`, so it cannot outlive its parent.
"""

from __future__ import annotations

import json
import os
import queue
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from referee.rehearsal.api_readers import ApiAccess

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tournaments.models import Event

START_S = 120.0
END_S = 10.0
LONGEST_LIFE_S = 3600.0
_JUDGE_VARIABLES = tuple(
    f"{name}{form}"
    for name in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "PUBLIC_URL", "EMAIL_URL")
    for form in ("", "_FILE")
)


class ServerNotStarted(Exception):
    """Error for a server process that ended before it was ready; `said` is its output."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


@contextmanager
def temporary_data_folder() -> Iterator[Path]:
    """Create a temporary folder in the data folder, so that its disk is the one that is measured."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rehearsal-", dir=settings.DATA_DIR) as folder:
        yield Path(folder)


class OwnServer:
    """Server on a free loopback port with a new rehearsal.

    `url` is the control address, `desk` and `wall` are the paths of two sockets, `session` is the judge's cookie for
    the first, `api` reads the event by the API. `variables` are added to its environment.
    """

    def __init__(self, folder: Path, core: int | None = None, variables: Mapping[str, str] | None = None) -> None:
        _link_word_lists(folder / "lexicons")
        inherited = {name: value for name, value in os.environ.items() if name not in _JUDGE_VARIABLES}
        self._log = (folder / "server.log").open("w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "referee.rehearsal.own_server"],
            cwd=settings.BASE_DIR,
            env=inherited
            | dict(variables or {})
            | {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "referee.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            encoding="utf-8",
            start_new_session=os.name != "nt",  # Ctrl-C is for the rehearsal, which then ends its server
            preexec_fn=None if core is None else lambda: os.sched_setaffinity(0, {core}),
        )
        try:
            addresses = json.loads(self._first_line())
        except ServerNotStarted:
            self.stop()
            raise
        self.url: str = addresses["url"]
        self.desk: str = addresses["desk"]
        self.wall: str = addresses["wall"]
        self.session: str = addresses["session"]
        self.api = ApiAccess(**addresses["api"])

    def stop(self) -> None:
        """Terminate the server, and kill it if it does not end."""
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
        assert stdout is not None  # noqa: S101  it is a pipe
        threading.Thread(target=lambda: lines.put(stdout.readline()), daemon=True).start()
        try:
            line = lines.get(timeout=START_S).strip()
        except queue.Empty:
            line = ""
        if not line:
            self._log.seek(0)
            raise ServerNotStarted(self._log.read().strip()[-2000:])
        return line


@contextmanager
def run_on_own_core(folder: Path) -> Iterator[OwnServer]:
    """Run a server on the first core and this process, which simulates the phones, on the others.

    Without several cores, or a system that can assign them, they share what there is.
    """
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    separate = len(cores) > 1
    server = OwnServer(folder, cores[0] if separate else None)
    if separate:
        os.sched_setaffinity(0, set(cores[1:]))
    try:
        yield server
    finally:
        server.stop()
        if separate:
            os.sched_setaffinity(0, set(cores))


def _link_word_lists(folder: Path) -> None:
    """Link the installed word lists into the folder, or copy them if the system has no links."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (settings.DATA_DIR / "lexicons").glob("*"):
        if not path.is_file():
            continue
        try:
            (folder / path.name).symlink_to(path.resolve())
        except OSError:
            shutil.copyfile(path, folder / path.name)


def main() -> None:
    """Create the rehearsal and serve until standard input ends."""
    import django

    django.setup()
    from django.core.management import call_command

    from referee.rehearsal.control import address_of
    from referee.server.uvicorn_overrides import NotifyingServer
    from referee.server.uvicorn_server import allow_many_sockets, configuration, listen
    from tournaments.events.services.rehearsals import open_rehearsal
    from tournaments.now import utc_now
    from tournaments.staff.services.login_links import first_judge

    call_command("migrate", verbosity=0)
    judge = first_judge()
    game = open_rehearsal(by=judge, now=utc_now(), seed=os.urandom(32), language="en")
    allow_many_sockets()
    listener = listen("127.0.0.1", 0)
    place = f"http://127.0.0.1:{listener.getsockname()[1]}"

    opened = {**_open_desk_and_wall(judge, game.event), "api": _open_api(judge, game.event)}
    addresses = json.dumps({"url": place + address_of(game.event), **opened})

    def announce() -> None:
        sys.stdout.write(addresses + "\n")
        sys.stdout.flush()

    server = NotifyingServer(configuration(), announce, lambda: None)
    threading.Thread(target=_end_with_input, args=(server,), daemon=True).start()
    threading.Timer(LONGEST_LIFE_S, os._exit, args=(1,)).start()
    server.run(sockets=[listener])
    os._exit(0)


def _open_desk_and_wall(judge: User, event: Event) -> dict[str, str]:
    """Return the paths and the cookie that open desk and wall display of this temporary event."""
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


def _open_api(judge: User, event: Event) -> dict[str, object]:
    """Create a token of this temporary installation."""
    from tournaments.now import utc_now
    from tournaments.publishing.services.api_tokens import create_token

    token = secrets.token_urlsafe(32)
    create_token(name="Rehearsal", token=token, by=judge, now=utc_now())
    return {"token": token, "event": event.pk}


def _end_with_input(server: object) -> None:
    sys.stdin.read()
    server.should_exit = True  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
