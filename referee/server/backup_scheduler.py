"""Scheduler of backups: after each action of a judge, and regularly while slips come in.

Backups are made in a separate thread that reads the database without blocking others. A failure (the stick is removed
or full) is shown on the desks and tried again; its end is shown too.
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

from tournaments import signals
from tournaments.backups import backup_file
from tournaments.now import utc_now

logger = logging.getLogger(__name__)
SendAlarm = Callable[..., None]
DELAY_S = 1.0  # so that several actions of a judge in a row cause one backup
LEAST_PAUSE_S = 5.0
SHARE = 20  # pause after a backup, as a multiple of its duration
WHILE_SLIPS_COME_S = 60.0
TRY_AGAIN_S = 10.0
REMIND_S = 300.0
DISK_CHECK_S = 30.0
LOW_MB = 200
_MARK = ".multiplo-backups"


@dataclass(frozen=True, slots=True)
class BackupState:
    """State of the backups. `failed`: the system's reason for the last failure. Times are of `time.time`."""

    folder: Path
    made_at: float | None = None
    failed: str = ""

    def sentence(self, now: float) -> str:
        """Return one line for the desk."""
        words = {"folder": self.folder, "reason": self.failed}
        if self.failed:
            return _("No backup: %(folder)s does not take it (%(reason)s).") % words
        if self.made_at is None:
            return _("The first backup to %(folder)s is under way.") % words
        minutes = int(max(0.0, now - self.made_at) // 60)
        if minutes == 0:
            return _("Backup less than a minute ago on %(folder)s") % words
        sentence = ngettext(
            "Backup %(minutes)d minute ago on %(folder)s", "Backup %(minutes)d minutes ago on %(folder)s", minutes
        )
        return sentence % {**words, "minutes": minutes}


_scheduler_state: list[BackupScheduler] = []


def get_backup_state() -> BackupState | None:
    """Return the state of this process's scheduler; None if none runs."""
    return _scheduler_state[-1].state if _scheduler_state else None


def get_backup_folder() -> Path:
    """Return the folder of BACKUP_DIR, else a folder beside the database."""
    return Path(settings.BACKUP_DIR or Path(settings.DATA_DIR) / "backups").expanduser().absolute()


def back_up(folder: Path) -> Path:
    """Write one backup now. Raises OSError and sqlite3.Error."""
    return backup_file.write_backup(
        folder,
        database=Path(settings.DATABASES["default"]["NAME"]),
        data=Path(settings.DATA_DIR),
        secret_key=settings.SECRET_KEY,
        now=utc_now(),
    )


class BackupScheduler:
    """Scheduler thread. `send_alarm(kind, **details)` shows an alarm on the desks, from any thread."""

    def __init__(self, folder: Path, send_alarm: SendAlarm) -> None:
        newest = backup_file.find_newest(folder)
        self.state = BackupState(folder, made_at=newest[1] if newest else None)
        self._send_alarm = send_alarm
        self._ended = threading.Event()
        self._wake_up = threading.Event()
        self._due: float | None = None
        self._paused_until = 0.0
        self._alarm_at: float | None = None
        self._disk_checked_at = 0.0
        self._folder_is_marked = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="multiplo-backups", daemon=True)

    def start(self) -> None:
        """Make a first backup, then others when needed."""
        _scheduler_state.append(self)
        signals.game_changed.connect(self._on_game, dispatch_uid=f"backups {id(self)}")
        signals.slips_received.connect(self._on_slips, dispatch_uid=f"backups {id(self)}")
        self._request(0.0)
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Stop, waiting a moment for a running backup; an interrupted one leaves no partial file."""
        _scheduler_state.remove(self)
        signals.game_changed.disconnect(dispatch_uid=f"backups {id(self)}")
        signals.slips_received.disconnect(dispatch_uid=f"backups {id(self)}")
        self._ended.set()
        self._wake_up.set()
        self._thread.join(seconds)

    def _on_game(self, **_facts: Any) -> None:
        self._request(DELAY_S)

    def _on_slips(self, **_facts: Any) -> None:
        self._request(WHILE_SLIPS_COME_S)

    def _request(self, seconds: float) -> None:
        """Request a backup within so many seconds."""
        wanted = time.monotonic() + seconds
        with self._lock:
            if self._due is not None and self._due <= wanted:
                return
            self._due = wanted
        self._wake_up.set()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._wake_up.wait(self._seconds_to_wait())
            self._wake_up.clear()
            self._check_disk_space()
            if not self._ended.is_set() and self._is_due():
                self._make()

    def _seconds_to_wait(self) -> float:
        with self._lock:
            if self._due is None:
                return DISK_CHECK_S
            return max(0.0, min(DISK_CHECK_S, max(self._due, self._paused_until) - time.monotonic()))

    def _is_due(self) -> bool:
        now = time.monotonic()
        with self._lock:
            if self._due is None or max(self._due, self._paused_until) > now:
                return False
            self._due = None
        return True

    def _make(self) -> None:
        began = time.monotonic()
        try:
            self._require_folder()
            back_up(self.state.folder)
        except Exception as error:  # any error: the next attempt follows
            self._record_failure(error)
        else:
            self._record_success()
        self._paused_until = time.monotonic() + max(LEAST_PAUSE_S, SHARE * (time.monotonic() - began))

    def _require_folder(self) -> None:
        """Require the marked folder: a removed stick may leave an empty folder on another disk."""
        folder = self.state.folder
        if not self._folder_is_marked:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _MARK).touch()
            self._folder_is_marked = True
        elif not (folder / _MARK).exists():
            raise FileNotFoundError(2, _("it is missing"))

    def _record_failure(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        logger.warning("the backup failed: %r", error)
        now, alarm_at = time.monotonic(), self._alarm_at
        self.state = BackupState(self.state.folder, self.state.made_at, reason)
        if alarm_at is None or now - alarm_at > REMIND_S:
            self._alarm_at = now
            self._send_alarm("backup_failed", folder=str(self.state.folder), reason=reason)
        self._request(TRY_AGAIN_S)

    def _record_success(self) -> None:
        self.state = BackupState(self.state.folder, time.time())
        if self._alarm_at is not None:
            self._alarm_at = None
            self._send_alarm("backup_again", folder=str(self.state.folder))

    def _check_disk_space(self) -> None:
        """Show an alarm before the data disk is full."""
        if time.monotonic() - self._disk_checked_at < DISK_CHECK_S:
            return
        self._disk_checked_at = time.monotonic()
        try:
            free_mb = shutil.disk_usage(settings.DATA_DIR).free // 1_000_000
        except OSError:
            return
        if free_mb < LOW_MB:
            self._send_alarm("disk_low", mb=free_mb, folder=str(settings.DATA_DIR))
