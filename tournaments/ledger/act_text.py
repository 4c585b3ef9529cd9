"""Acts as sentences that name judge and time, for a colleague whose request came later."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _


def act_sentence(kind: str, *, name: str, at: datetime, data: Mapping[str, Any]) -> str:
    """Return a sentence on an act of this ledger kind; empty for kinds that only one user can have meant."""
    ruling = f"{kind} {data.get('ruling')}" if kind == "word_ruling" else kind
    told = {
        "draw": _("%(name)s drew the rack at %(time)s."),
        "announce": _("%(name)s announced the turn at %(time)s."),
        "pause": _("%(name)s paused the clock at %(time)s."),
        "resume": _("%(name)s let the clock run on at %(time)s."),
        "add_time": _("%(name)s changed the time at %(time)s."),
        "close": _("%(name)s closed the turn at %(time)s."),
        "place": _("%(name)s placed the move at %(time)s."),
        "undo": _("%(name)s took the move back at %(time)s."),
        "appeal_answer": _("%(name)s answered this appeal at %(time)s."),
        "leave": _("%(name)s noted this at %(time)s."),
        "disqualify": _("%(name)s noted this at %(time)s."),
        "look": _("%(name)s accepted the verdict of the rules at %(time)s."),
        "slip_ruling": _("%(name)s gave %(points)s points at %(time)s, because “%(reason)s”."),
        "word_ruling accepted": _("%(name)s accepted %(word)s at %(time)s."),
        "word_ruling struck": _("%(name)s struck %(word)s at %(time)s."),
    }
    facts = {"points": "", "reason": "", "word": "", **data}
    return told.get(ruling, "") % {**facts, "name": name, "time": date_format(localtime(at), "TIME_FORMAT")}
