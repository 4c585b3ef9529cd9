"""Check of the computer's clock and time zone."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from referee.live.monitoring.clock_monitor import LARGEST_STEP_MS
from referee.readiness.finding import Finding

TOLERANCE = timedelta(days=1)
"""Time by which a file or a row may be ahead of the clock: file systems of sticks know no time zone."""
LONGEST_USE = timedelta(days=20 * 365)
"""Age of the program beyond which the clock is more likely wrong than the program old."""


def find_program_date(root: Path) -> datetime:
    """Return the time of the program's newest file, which the present time is not before."""
    newest = max(path.stat().st_mtime for path in root.glob("referee/*.py"))
    return datetime.fromtimestamp(newest, UTC)


def check_clock(now: datetime, *, program_of: datetime, newest_entry: datetime | None, off_ms: int) -> Finding:
    """Compare the clock with the dates of the program and of the data, and with the clock that cannot be set.

    `off_ms`: change of the clock while this process runs.
    """
    latest = max(filter(None, (program_of, newest_entry)))
    said = {"now": _moment(now), "latest": _moment(latest)}
    if latest - now > TOLERANCE:
        text = _("The clock of this computer shows %(now)s, but the program or its data are of %(latest)s.") % said
        return Finding("clock", "fault", text, _set_clock())
    if now - program_of > LONGEST_USE:
        text = _("The clock of this computer shows %(now)s, which is many years after this program was made.") % said
        return Finding("clock", "fault", text, _set_clock())
    if abs(off_ms) > LARGEST_STEP_MS:
        text = _("The clock of this computer was set by %(seconds)d s while Multiplo runs.")
        remedy = _("A turn keeps its time. Leave the clock alone until the game is over.")
        return Finding("clock", "warning", text % {"seconds": round(off_ms / 1000)}, remedy)
    return Finding("clock", "ok", _("The clock shows %(now)s.") % said)


def check_time_zone(name: str, known: Iterable[str] | None = None) -> Finding:
    """Check that the time zone of the computer is known."""
    if name in (zoneinfo.available_timezones() if known is None else known):
        return Finding("time-zone", "ok", _("The time zone is %(name)s.") % {"name": name})
    text = _("The time zone of this computer is not known (%(name)s).") % {"name": name}
    remedy = _("Set it in the settings of the system, or with the variable TZ, for example TZ=Europe/Rome.")
    return Finding("time-zone", "warning", text, remedy)


def _set_clock() -> str:
    return _(
        "Set date and time in the settings of the system; a clock that is wrong after each start needs a new battery."
    )


def _moment(moment: datetime) -> str:
    from django.utils import timezone

    return date_format(timezone.localtime(moment), "DATETIME_FORMAT")
