"""A judge's request to rule on a word, on groups of slips or on a warning."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from tournaments.models import Appeal, Room


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingRequest:
    """Judge, time and reason of a ruling, and the state that the judge saw.

    `seen`: token of the preview that the judge confirmed; another present token is refused. `version`: state of the
    groups of slips that the judge saw. `room`: room of the judge's desk (None: the drawing room). `appeal`: the appeal
    that a ruling on a placed turn upholds.
    """

    by: User | None
    now: datetime
    reason: str = ""
    seen: str | None = None
    version: str | None = None
    room: Room | None = None
    appeal: Appeal | None = None
