"""Compilation of the engine beside the server. Until it has ended, searches are refused with an explanation.

Only the server starts it (`start_compiling`). In other processes the engine compiles what is missing at its first use.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from engine.lexicon import machine_code
from tournaments.errors import Refused
from tournaments.lexicons.programs import REPORT_S, is_disk_full, run_program

logger = logging.getLogger(__name__)
COMPILING_S = 20
"""Seconds of a compilation on a laptop, for the estimate of what remains."""


@dataclass(frozen=True, slots=True)
class EngineBuild:
    """State of the compilation: the completed share from 0.0 to 1.0, or the complaint of the compiler, in English."""

    share: float = 0.0
    complaint: str = ""

    @property
    def has_failed(self) -> bool:
        """True if the compilation ended without machine code."""
        return bool(self.complaint)

    @property
    def percent(self) -> int:
        """The completed share in percent."""
        return int(100 * self.share)

    @property
    def sentence(self) -> str:
        """The state in one sentence, with the remedy after a failure."""
        if not self.has_failed:
            text = _("The engine is being compiled, %(percent)d %%. Racks can be drawn in about %(seconds)d seconds.")
            seconds = 5 * ceil((1 - self.share) * COMPILING_S / 5) or 5
            return text % {"percent": self.percent, "seconds": seconds}
        if is_disk_full(self.complaint):
            return _("The engine was not compiled because the disk is full: free about 100 MB, then try again.")
        return _("The engine was not compiled, so no rack can be drawn: try again, or restart the program.")


class EngineNotReady(Refused):
    """A search was requested while the engine is being compiled, or after that has failed."""


_build: EngineBuild | None = None
_lock = threading.Lock()


def start_compiling() -> None:
    """Compile the engine in a child process if that is needed and not under way."""
    global _build
    with _lock:
        if machine_code.is_compiled() or (_build is not None and not _build.has_failed):
            return
        _build = EngineBuild()
    threading.Thread(target=_compile, name="engine-build", daemon=True).start()


def get_engine_build() -> EngineBuild | None:
    """Return the compilation that is under way or has failed; None if the engine is ready or nobody compiles it."""
    return _build


def require_engine() -> None:
    """Raise EngineNotReady if the engine cannot be used yet."""
    build = get_engine_build()
    if build is not None:
        raise EngineNotReady(build.sentence)


def wait_for_engine() -> None:
    """Wait until the compilation has ended; not for threads that answer requests."""
    while (build := get_engine_build()) is not None and not build.has_failed:
        time.sleep(REPORT_S / 10)


def _compile() -> None:
    try:
        ended = run_program([sys.executable, "-m", "engine", "warm", "--json-progress"], _report)
        complaint = (ended.complaint or str(ended.code)) if ended.code else ""
    except OSError as error:
        complaint = str(error)
    if complaint:
        logger.error("engine not compiled: %s", complaint)
    global _build
    _build = EngineBuild(complaint=complaint) if complaint else None


def _report(share: float) -> None:
    global _build
    _build = EngineBuild(share)
