"""Word lists that are built on request: one at a time, with progress that every process can read.

The state of the last build is a file in the data folder, so that the page, the worker and a restarted server read the
same. A build that has reported nothing for a while has died with its process.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from engine.lexicon.sources import LANGUAGES, UNAVAILABLE
from tournaments import signals
from tournaments.errors import Refused
from tournaments.lexicons.build_list import build_list
from tournaments.lexicons.names import language_name
from tournaments.lexicons.programs import is_disk_full, run_program
from tournaments.now import utc_now

STALE_S = 90
"""Seconds without a report after which a build counts as lost with its worker or queue."""
SHOWN_S = 3600
"""Seconds for which the end of a build is shown."""
BUILDING = 90
"""Percent of the progress at which the list is built; making it searchable is the rest."""
_LOCK_S, _WAIT_S = 10, 0.05
_LONGEST_DETAIL = 500
logger = logging.getLogger(__name__)


class BuildState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class BuildFailure(StrEnum):
    """Reasons of a failed build: the packages could not be fetched, the process ended, or anything else."""

    UNAVAILABLE = "unavailable"
    STOPPED = "stopped"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ListBuild:
    """The last requested build. `percent` is from 0 to 100; `detail` is the complaint of the builder, in English."""

    token: str
    language: str
    state: BuildState
    changed_at: float
    percent: int = 0
    failure: BuildFailure | None = None
    detail: str = ""

    @property
    def is_under_way(self) -> bool:
        """True if the build waits or runs."""
        return self.state in (BuildState.QUEUED, BuildState.RUNNING)

    @property
    def is_done(self) -> bool:
        """True if the list was built."""
        return self.state is BuildState.DONE

    @property
    def has_failed(self) -> bool:
        """True if the build ended without a list."""
        return self.state is BuildState.FAILED

    @property
    def sentence(self) -> str:
        """The state in one sentence, with the remedy after a failure."""
        return _sentence(self) % {"language": language_name(self.language)}


def get_build(now: datetime) -> ListBuild | None:
    """The build under way, or the one that ended in the last minutes; None without one.

    A build that has died is returned as failed.
    """
    build = _read()
    if build is None:
        return None
    silent_s = now.timestamp() - build.changed_at
    if build.is_under_way and silent_s > STALE_S:
        build = replace(build, state=BuildState.FAILED, failure=BuildFailure.STOPPED)
    return build if build.is_under_way or silent_s < SHOWN_S else None


def request_build(*, language: str, now: datetime) -> ListBuild:
    """Queue the build of a language's list; the one under way is returned if it is of this language."""
    if language not in LANGUAGES:
        raise Refused(_("No word list can be built for this language: import a list of your own."))
    with _locked():
        under_way = get_build(now)
        if under_way is not None and under_way.is_under_way:
            if under_way.language == language:
                return under_way
            text = _("Another word list is being built (%(language)s): wait until it is ready, then build the next.")
            raise Refused(text % {"language": language_name(under_way.language)})
        build = ListBuild(secrets.token_hex(8), language, BuildState.QUEUED, now.timestamp())
        _write(build)
    signals.send_list_build_requested(build.token)
    return build


def run_build(token: str) -> None:
    """Run the build with this token, unless another worker runs it or it is not wanted any more."""
    with _locked():
        build, now = _read(), utc_now().timestamp()
        if build is None or build.token != token or not build.is_under_way:
            return
        if build.state is BuildState.RUNNING and now - build.changed_at <= STALE_S:
            return
        _write(replace(build, state=BuildState.RUNNING, changed_at=now))
    job = _Job(token)
    try:
        build_list(build.language, job.run)
    except Exception as error:
        logger.log(logging.WARNING if isinstance(error, Refused) else logging.ERROR, "word list not built: %r", error)
        unavailable = isinstance(error, Refused) and job.code == UNAVAILABLE
        failure = BuildFailure.UNAVAILABLE if unavailable else BuildFailure.OTHER
        _update(token, state=BuildState.FAILED, failure=failure, detail=job.complaint[:_LONGEST_DETAIL])
    else:
        _update(token, state=BuildState.DONE, percent=100)


def fail_unfinished() -> None:
    """Mark an unfinished build as stopped, after a restart of the only process."""
    build = _read()
    if build is not None and build.is_under_way:
        _update(build.token, state=BuildState.FAILED, failure=BuildFailure.STOPPED)


class _Job:
    """The programs of one build. `code` and `complaint`: exit code and last lines of the last one."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._begins, self._ends = 0, BUILDING
        self.code = 0
        self.complaint = ""

    def run(self, command: list[str]) -> bool:
        """Run a program, and store its progress until it ends; True if it succeeded."""
        if "engine.lexicon.sources" in command:
            command = [*command, "--json-progress"]
        ended = run_program(command, self._report)
        self.code, self.complaint = ended.code, ended.complaint
        self._begins, self._ends = self._ends, 100
        return self.code == 0

    def _report(self, share: float) -> None:
        _update(self._token, percent=int(self._begins + share * (self._ends - self._begins)))


def _sentence(build: ListBuild) -> str:
    if build.state is BuildState.DONE:
        return _("The word list is ready: %(language)s.")
    if build.state is BuildState.QUEUED:
        return _("The build of the word list is queued: %(language)s.")
    if build.state is BuildState.RUNNING:
        return _("The word list is being built: %(language)s. You can leave this page.")
    if build.failure is BuildFailure.UNAVAILABLE:
        return _(
            "The word list was not built (%(language)s): its packages could not be downloaded. Connect this computer "
            "to the internet and build it again, or import a list of your own."
        )
    if is_disk_full(build.detail):
        return _("The word list was not built (%(language)s) because the disk is full: free about 400 MB, try again.")
    if build.failure is BuildFailure.STOPPED:
        return _("The program ended before the word list was ready (%(language)s): build it again.")
    return _("The word list was not built (%(language)s). Build it again, or import a list of your own.")


def _file() -> Path:
    return Path(settings.DATA_DIR) / "list-build.json"


def _read() -> ListBuild | None:
    try:
        facts = json.loads(_file().read_text(encoding="utf-8"))
        state, failure = BuildState(facts.pop("state")), facts.pop("failure")
        return ListBuild(state=state, failure=BuildFailure(failure) if failure else None, **facts)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _write(build: ListBuild) -> None:
    fresh = _file().with_name(f".list-build.{os.getpid()}.new")
    fresh.write_text(json.dumps(asdict(build)), encoding="utf-8")
    fresh.replace(_file())


def _update(token: str, **facts: object) -> None:
    """Change the build with this token; a later request for another build has replaced it otherwise."""
    build = _read()
    if build is not None and build.token == token:
        _write(replace(build, changed_at=utc_now().timestamp(), **facts))  # type: ignore[arg-type]


@contextmanager
def _locked() -> Iterator[None]:
    """Let one request or worker at a time decide about a build; the lock of a process that died is removed."""
    lock, ends_at = _file().with_name("list-build.lock"), time.monotonic() + _LOCK_S
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            break
        except FileExistsError:
            if time.monotonic() > ends_at:
                lock.unlink(missing_ok=True)
            time.sleep(_WAIT_S)
        except OSError as error:
            text = _("The data folder cannot be written (%(why)s): make room or check its permissions, then try again.")
            raise Refused(text % {"why": error.strerror or error}) from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
