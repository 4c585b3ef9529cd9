"""The backup that a page offers to restore: a copy in the data folder, checked before anybody is asked."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from referee.server.backup_scheduler import get_backup_folder
from tournaments.backups.backup_file import BackupInfo, read_backup
from tournaments.backups.replacement import flush_folder
from tournaments.errors import Refused

LONGEST_NAME = 100
PREPARING_S = 600.0
_PIECE = 1 << 20  # bytes
_one_at_a_time = threading.Lock()


@dataclass(frozen=True, slots=True)
class RestoreOffer:
    """A checked backup; `seal` is its digest, by which the answer names it."""

    about: BackupInfo
    seal: str


def offer_listed(name: str) -> RestoreOffer:
    """Offer a file of the backup folder. Raises Refused."""
    folder = get_backup_folder()
    if name not in {path.name for path in folder.glob("*.zip")}:
        raise Refused(_("This backup is no longer in the folder: choose another one."))
    try:
        with (folder / name).open("rb") as file:
            return offer_file(name, iter(lambda: file.read(_PIECE), b""))
    except OSError as error:
        raise Refused(_("The backup cannot be read (%(reason)s): choose another one.") % {"reason": error}) from None


def offer_file(name: str, pieces: Iterable[bytes]) -> RestoreOffer:
    """Store a copy of a backup, in place of the one offered before, and check it. Raises Refused."""
    data = Path(settings.DATA_DIR)
    try:
        descriptor, stored = tempfile.mkstemp(prefix=".restore-", dir=data)
        copy = Path(stored)
        try:
            digest = hashlib.sha256()
            with open(descriptor, "wb") as file:
                for piece in pieces:
                    digest.update(piece)
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            about = _checked(copy, name)
            copy.replace(_offered())
            flush_folder(data)
        finally:
            copy.unlink(missing_ok=True)
    except OSError as error:
        raise _disk_error(error) from None
    return RestoreOffer(about, digest.hexdigest())


def stage_offer(seal: str) -> str:
    """Prepare the offered backup to replace the database at the next start; return a login token for it.

    A process of its own does it, since this one works on the present database. Raises Refused before any change.
    """
    if not _one_at_a_time.acquire(blocking=False):
        raise Refused(_("A backup is being restored already."))
    try:
        _require_offered(seal)
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "django", "restore", "--stage", str(_offered())],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DATA_DIR": str(settings.DATA_DIR), **_language()},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PREPARING_S,
            check=False,
        )
        if done.returncode:
            said = (done.stderr.strip().splitlines() or [_("it gave no reason")])[-1]
            raise Refused(_("Nothing was restored: %(reason)s") % {"reason": _without_path(said, _offered(), "")})
        _offered().unlink()
        return done.stdout.strip().splitlines()[-1]
    except subprocess.TimeoutExpired:
        raise Refused(_("Nothing was restored, because it took too long: try again.")) from None
    except OSError as error:
        raise _disk_error(error) from None
    finally:
        _one_at_a_time.release()


def _language() -> dict[str, str]:
    """Return variables by which a command speaks the language of the page."""
    return {"LC_ALL": f"{get_language() or settings.LANGUAGE_CODE}.UTF-8", "PYTHONUTF8": "1"}


def _offered() -> Path:
    return Path(settings.DATA_DIR) / "restore-offer.zip"


def _checked(copy: Path, name: str) -> BackupInfo:
    """Describe the copy; a refusal names the file as its owner knows it."""
    try:
        return read_backup(copy)
    except Refused as refused:
        raise Refused(_without_path(refused.sentence, copy, name[:LONGEST_NAME])) from None


def _without_path(sentence: str, path: Path, name: str) -> str:
    return sentence.replace(str(path), name or _("the file"))


def _require_offered(seal: str) -> None:
    """Refuse if another backup has been offered since the page was shown."""
    digest = hashlib.sha256()
    try:
        with _offered().open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except FileNotFoundError:
        pass
    if digest.hexdigest() != seal:
        raise Refused(_("Another backup was chosen in the meantime: choose yours again."))


def _disk_error(error: OSError) -> Refused:
    return Refused(
        _("The folder %(folder)s cannot be written to (%(reason)s); nothing was restored.")
        % {"folder": settings.DATA_DIR, "reason": error.strerror or error}
    )
