"""Assessment of a rehearsal for a judge: green, yellow or red, and what to do."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from django.utils.translation import gettext as _

from referee.rehearsal.playing import Result, spread

Colour = Literal["green", "yellow", "red"]
GOOD_MS, ACCEPTABLE_MS = 500.0, 2000.0
SLOW_COMMIT_MS = 30.0
COMMITS = 10
SPARE_FILES = 200
BUSY_SHARE = 0.7
"""Share of one core that may be used for slips, so that capacity is left for everything else."""


@dataclass(frozen=True, slots=True)
class Light:
    """Green, yellow or red, with sentences."""

    colour: Colour
    sentences: list[str]

    def __str__(self) -> str:
        names = {"green": _("GREEN"), "yellow": _("YELLOW"), "red": _("RED")}
        return "\n".join([f"● {names[self.colour]}", *self.sentences])


def assess_result(result: Result, commit_ms: float | None) -> Light:
    """Assess the measurements.

    `commit_ms` is the time of a commit on the disk, None if it was not measured.
    """
    worst = max(spread(result.ack_ms)["p99"] or 0.0, spread(result.broadcast_ms)["max"] or 0.0)
    colour = _colour(result, worst)
    sentences = [_build_sentences(result, worst)]
    if result.joined < result.phones:
        sentences.append(_("Only %(joined)d phones could connect.") % {"joined": result.joined})
    if result.slips_acked < result.slips_sent:
        unsure = result.slips_sent - result.slips_acked
        sentences.append(_("%(unsure)d slips were not acknowledged within a minute.") % {"unsure": unsure})
    if commit_ms is not None and commit_ms > SLOW_COMMIT_MS:
        sentences.append(
            _(
                "The disk takes %(ms)d ms to store something for good: keep the data on the computer's own disk "
                "(--data DIR), not on a USB stick or a network drive."
            )
            % {"ms": commit_ms}
        )
    elif colour != "green":
        sentences.append(_fewer(result))
    return Light(colour, sentences)


def _colour(result: Result, worst: float) -> Colour:
    if result.lost or result.duplicated or result.joined < result.phones or result.slips_acked < result.slips_sent:
        return "red"
    return "green" if worst <= GOOD_MS else "yellow" if worst <= ACCEPTABLE_MS else "red"


def _build_sentences(result: Result, worst: float) -> str:
    if result.lost or result.duplicated:
        return _("%(lost)d slips were lost and %(twice)d counted twice: do not play with so many phones.") % {
            "lost": result.lost,
            "twice": result.duplicated,
        }
    return _("%(phones)d phones: no slip was lost, and nobody waited longer than %(seconds)s s.") % {
        "phones": result.phones,
        "seconds": f"{worst / 1000:.1f}",
    }


def _fewer(result: Result) -> str:
    """Return the number of phones that this computer could serve, from its cost of a slip."""
    fine = 0
    if result.cpu_s and result.slips_acked:
        fine = int(BUSY_SHARE * result.slips_acked / result.cpu_s / 100) * 100
    if 0 < fine < result.phones:
        return _("This computer is too slow for %(phones)d phones at once; %(fine)d are fine.") % {
            "phones": result.phones,
            "fine": fine,
        }
    return _("Close other programs on this computer, plug it in, and rehearse once more.")


def files_allowed() -> int | None:
    """Return the limit of open files and connections of this process, None if there is none."""
    if sys.platform == "win32":
        return None
    import resource

    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def too_few_files(phones: int) -> str | None:
    """Return the message for a limit that is too low for these phones."""
    allowed = files_allowed()
    if allowed is None or allowed >= phones + SPARE_FILES:
        return None
    return _(
        "Your machine allows %(allowed)d open files, and every phone takes one: at most %(fine)d phones can connect. "
        "Raise the limit (for example: ulimit -n %(wanted)d) and start again."
    ) % {"allowed": allowed, "fine": max(0, allowed - SPARE_FILES), "wanted": phones + SPARE_FILES}


def commit_ms(folder: Path) -> float:
    """Return the median time of a durable commit on the disk of a folder."""
    path = folder / "commits.sqlite3"
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE commits (n INTEGER)")
        taken = [_one_commit(connection, number) for number in range(COMMITS)]
    finally:
        connection.close()
        for left in folder.glob(path.name + "*"):
            os.unlink(left)
    return sorted(taken)[COMMITS // 2]


def _one_commit(connection: sqlite3.Connection, number: int) -> float:
    began = time.perf_counter()
    connection.execute("INSERT INTO commits VALUES (?)", (number,))
    return (time.perf_counter() - began) * 1000
