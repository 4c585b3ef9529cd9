"""Keeps backups while the program runs: after each act of the judge, and now and then while slips come.

All of it happens in a thread of its own; the database is read as any reader does, so nobody waits for it. What goes
wrong (the stick was pulled out, it is full) is told on the desks, tried again, and told when it is over.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import backups, signals
from tournaments.now import utc_now

logger = logging.getLogger(__name__)
Tell = Callable[..., None]
LITTLE_LATER_S = 1.0  # what a judge does in one go makes one backup
LEAST_PAUSE_S = 5.0
SHARE = 20  # a backup that took a second is not followed by another one for twenty
WHILE_SLIPS_COME_S = 60.0
TRY_AGAIN_S = 10.0
REMIND_S = 300.0
LOOK_AT_DISK_S = 30.0
LOW_MB = 200
_MARK = ".multiplo-backups"


@dataclass(frozen=True, slots=True)
class State:
    """How the backups stand. `failed` says why the last one did not work, in the system's words; times as time()."""

    folder: Path
    made_at: float | None = None
    failed: str = ""

    def sentence(self, now: float) -> str:
        """One line for the desk."""
        words = {"folder": self.folder, "reason": self.failed}
        if self.failed:
            return _("No backup: %(folder)s does not take it (%(reason)s).") % words
        if self.made_at is None:
            return _("The first backup to %(folder)s is under way.") % words
        minutes = int(max(0.0, now - self.made_at) // 60)
        if minutes == 0:
            return _("Backup less than a minute ago on %(folder)s") % words
        told = ngettext(
            "Backup %(minutes)d minute ago on %(folder)s", "Backup %(minutes)d minutes ago on %(folder)s", minutes
        )
        return told % {**words, "minutes": minutes}


_kept: list[Keeper] = []


def present_state() -> State | None:
    """That of the keeper in this process; None where none runs."""
    return _kept[-1].state if _kept else None


def chosen_folder() -> Path:
    """Where backups go: what BACKUP_DIR names, else a folder beside the database."""
    return Path(settings.BACKUP_DIR or Path(settings.DATA_DIR) / "backups").expanduser().absolute()


def back_up(folder: Path) -> Path:
    """Make one backup there now. Raises OSError and sqlite3.Error."""
    return backups.write(
        folder,
        database=Path(settings.DATABASES["default"]["NAME"]),
        data=Path(settings.DATA_DIR),
        secret_key=settings.SECRET_KEY,
        now=utc_now(),
    )


class Keeper:
    """`tell(kind, **details)` sounds an alarm on the desks, from any thread."""

    def __init__(self, folder: Path, tell: Tell) -> None:
        newest = backups.newest_in(folder)
        self.state = State(folder, made_at=newest[1] if newest else None)
        self._tell = tell
        self._ended = threading.Event()
        self._asked = threading.Event()
        self._due: float | None = None
        self._rest_until = 0.0
        self._told_at: float | None = None
        self._disk_seen = 0.0
        self._known = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="multiplo-backups", daemon=True)

    def start(self) -> None:
        """Make a first backup, and others from now on."""
        _kept.append(self)
        signals.game_changed.connect(self._on_game, dispatch_uid=f"backups {id(self)}")
        signals.slips_received.connect(self._on_slips, dispatch_uid=f"backups {id(self)}")
        self._want(0.0)
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Make no more; one that is under way is waited for a little, and leaves nothing half done."""
        _kept.remove(self)
        signals.game_changed.disconnect(dispatch_uid=f"backups {id(self)}")
        signals.slips_received.disconnect(dispatch_uid=f"backups {id(self)}")
        self._ended.set()
        self._asked.set()
        self._thread.join(seconds)

    def _on_game(self, **_facts: Any) -> None:
        self._want(LITTLE_LATER_S)

    def _on_slips(self, **_facts: Any) -> None:
        self._want(WHILE_SLIPS_COME_S)

    def _want(self, seconds: float) -> None:
        """A backup within so many seconds."""
        wanted = time.monotonic() + seconds
        with self._lock:
            if self._due is not None and self._due <= wanted:
                return
            self._due = wanted
        self._asked.set()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._asked.wait(self._seconds_to_wait())
            self._asked.clear()
            self._look_at_disk()
            if not self._ended.is_set() and self._is_due():
                self._make()

    def _seconds_to_wait(self) -> float:
        with self._lock:
            if self._due is None:
                return LOOK_AT_DISK_S
            return max(0.0, min(LOOK_AT_DISK_S, max(self._due, self._rest_until) - time.monotonic()))

    def _is_due(self) -> bool:
        now = time.monotonic()
        with self._lock:
            if self._due is None or max(self._due, self._rest_until) > now:
                return False
            self._due = None
        return True

    def _make(self) -> None:
        began = time.monotonic()
        try:
            self._demand_folder()
            back_up(self.state.folder)
        except Exception as error:  # whatever it is, the next turn is to be tried again
            self._went_wrong(error)
        else:
            self._went_well()
        self._rest_until = time.monotonic() + max(LEAST_PAUSE_S, SHARE * (time.monotonic() - began))

    def _demand_folder(self) -> None:
        """A stick that is pulled out may leave an empty folder behind, on the wrong disk."""
        folder = self.state.folder
        if not self._known:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _MARK).touch()
            self._known = True
        elif not (folder / _MARK).exists():
            raise FileNotFoundError(2, _("it is not there"))

    def _went_wrong(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        logger.warning("no backup: %r", error)
        now, told_at = time.monotonic(), self._told_at
        self.state = State(self.state.folder, self.state.made_at, reason)
        if told_at is None or now - told_at > REMIND_S:
            self._told_at = now
            self._tell("backup_failed", folder=str(self.state.folder), reason=reason)
        self._want(TRY_AGAIN_S)

    def _went_well(self) -> None:
        self.state = State(self.state.folder, time.time())
        if self._told_at is not None:
            self._told_at = None
            self._tell("backup_again", folder=str(self.state.folder))

    def _look_at_disk(self) -> None:
        """Warn before the disk of the data is full."""
        if time.monotonic() - self._disk_seen < LOOK_AT_DISK_S:
            return
        self._disk_seen = time.monotonic()
        try:
            free_mb = shutil.disk_usage(settings.DATA_DIR).free // 1_000_000
        except OSError:
            return
        if free_mb < LOW_MB:
            self._tell("disk_low", mb=free_mb, folder=str(settings.DATA_DIR))
