"""Checks before a process starts. Each fault is a sentence with its remedy, and all are reported together.

Web processes, Celery workers and commands that use stored data end with exit code 2 if one of their checks finds a
fault. The environment variables are checked before, when the settings are read (referee/environment).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.http.request import validate_host
from django.utils import translation
from django.utils.translation import gettext as _

from referee.readiness.storage import find_write_fault
from referee.server.services import find_database_fault, find_redis_fault, find_worker_fault, shorten
from referee.server.terminal_language import get_terminal_language
from referee.server.upgrades import read_data_state, require_not_newer, require_upgraded
from referee.setup.faults import DATA_NOT_WRITABLE
from tournaments.errors import Refused
from tournaments.installation.services import claim_installation, is_other_key

FAULT = 2
"""Exit code of a process that does not start."""
LONGEST_S = 5.0
"""Time after which a service that has not answered counts as unreachable."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check. `subject` is the variable or thing it is about; `find_fault` returns a sentence, or an empty text."""

    subject: str
    find_fault: Callable[[], str]


def has_services() -> bool:
    """Return True if this process uses PostgreSQL or Redis."""
    return not settings.EMBEDDED or connection.vendor != "sqlite"


@cache
def require_start(*, serves_pages: bool) -> None:
    """End this process with all sentences if something is wrong. Calls after the first one do nothing."""
    _end_with(find_faults(_list_start_checks(serves_pages=serves_pages)))


def require_data() -> None:
    """End this process, which runs a command, with a sentence if the database cannot be used."""
    _end_with(find_faults([Check("DATABASE_URL", find_data_fault)]))


def require_database() -> None:
    """End this process with a sentence if PostgreSQL cannot be used: for `migrate`."""
    if connection.vendor == "postgresql":
        _end_with(find_faults([Check("DATABASE_URL", find_database_fault)]))


def list_service_checks() -> list[Check]:
    """Return the checks of a whole installation: those of a web process, and a worker that answers."""
    worker = [] if settings.EMBEDDED else [Check("celery", find_worker_fault)]
    return [*_list_start_checks(serves_pages=True), *worker]


def find_faults(checks: Sequence[Check], longest_s: float = LONGEST_S) -> list[str]:
    """Run checks side by side; return the sentences on faults in the order of the checks."""
    found: dict[str, str] = {}

    def run(check: Check) -> None:
        with translation.override(get_terminal_language()):
            try:
                found[check.subject] = check.find_fault()
            except Exception as error:  # of a driver, for a cause that has no sentence
                found[check.subject] = f"{check.subject}: {type(error).__name__}: {shorten(str(error))}"
            finally:
                _close_database()

    # Daemon threads: one that waits for a name server does not hold up the end of the process.
    threads = {check.subject: threading.Thread(target=run, args=(check,), daemon=True) for check in checks}
    until = time.monotonic() + longest_s
    for thread in threads.values():
        thread.start()
    for subject, thread in threads.items():
        thread.join(max(0.0, until - time.monotonic()))
        found.setdefault(subject, _late_sentence(subject, longest_s))
    return [sentence for check in checks if (sentence := found[check.subject])]


def _list_start_checks(*, serves_pages: bool) -> list[Check]:
    return [
        Check("DATA_DIR", find_folder_fault),
        Check("DATABASE_URL", find_started_data_fault),
        *([] if settings.EMBEDDED else [Check("REDIS_URL", find_redis_fault)]),
        *([Check("ALLOWED_HOSTS", find_host_fault)] if serves_pages else []),
    ]


def find_folder_fault() -> str:
    """Require a data folder that can be written to."""
    reason = find_write_fault(Path(settings.DATA_DIR))
    return DATA_NOT_WRITABLE.format(folder=settings.DATA_DIR, reason=reason) if reason else ""


def find_data_fault() -> str:
    """Require a reachable database with the tables of this program and no other secret key."""
    if connection.vendor == "postgresql" and (fault := find_database_fault() or _find_table_fault()):
        return fault
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        return ""  # reading it would make it
    return describe_other_key() if is_other_key(key=settings.SECRET_KEY) else ""


def find_started_data_fault() -> str:
    """Require the same, and record the secret key in a database that has none yet."""
    if not settings.HAS_SECRET_KEY:
        return _(
            "SECRET_KEY is not set: write 50 random characters or more, the same in all processes of the installation."
        )
    if fault := find_data_fault():
        return fault
    return "" if claim_installation(key=settings.SECRET_KEY) else describe_other_key()


def _find_table_fault() -> str:
    state = read_data_state(connection)
    try:
        require_not_newer(state)
        require_upgraded(state)
    except Refused as refusal:
        return refusal.sentence
    return ""


def describe_other_key() -> str:
    """Return the sentence on a database of another key, with the way to the right one."""
    said = {"folder": settings.DATA_DIR, "command": settings.COMMAND}
    file = Path(settings.DATA_DIR) / "secret_key"
    if settings.SECRET_KEY_FROM_ENVIRONMENT:
        if file.is_file() and not is_other_key(key=file.read_text().strip()):
            return (
                _(
                    "The database belongs to the key in %(folder)s/secret_key, and SECRET_KEY is another one: remove "
                    "SECRET_KEY from the environment."
                )
                % said
            )
        return (
            _(
                "The database belongs to another SECRET_KEY: set the one of the other processes or, if it is lost, "
                "run: %(command)s change_key"
            )
            % said
        )
    return (
        _(
            "The database belongs to another secret key: copy the file secret_key from where the database comes into "
            "%(folder)s or, if it is lost, run: %(command)s change_key"
        )
        % said
    )


def find_host_fault() -> str:
    """Require that the host of PUBLIC_URL is allowed, unless a front changes it; a laptop allows its own names."""
    public = urlsplit(settings.PUBLIC_URL)
    host = public.hostname or ""
    is_changed_by_front = f"{public.scheme}://{public.netloc}" in settings.CSRF_TRUSTED_ORIGINS
    if not host or not has_services() or is_changed_by_front or validate_host(host, settings.ALLOWED_HOSTS):
        return ""
    return _("ALLOWED_HOSTS does not contain %(host)s, the host of PUBLIC_URL: add it.") % {"host": host}


def _close_database() -> None:
    """Close the connection of this thread, if it has one, and its pool: a worker forks afterwards."""
    if connection.connection is None:
        return
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's wrapper


def _late_sentence(subject: str, longest_s: float) -> str:
    return _(
        "%(subject)s: there is no answer within %(seconds)s seconds: start the service, or correct the address."
    ) % {
        "subject": subject,
        "seconds": f"{longest_s:g}",
    }


def _end_with(faults: Sequence[str]) -> None:
    if faults:
        sys.stderr.write("\n".join(faults) + "\n")
        sys.stderr.flush()
        sys.exit(FAULT)
