"""Sentences on the signals in a return. They ask for a look and state no verdict."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from engine.simultaneous.signals import Signal


def signal_sentence(signal: Signal) -> str:
    """Return the sentence on a signal, in the active language."""
    values = {**signal["values"], "game": signal["game"]}
    if signal["kind"] == "outside_window":
        at = date_format(localtime(datetime.fromisoformat(str(values["at"]))), "DATETIME_FORMAT")
        return _("Game %(game)s: a turn began outside the time window, %(at)s.") % {**values, "at": at}
    if signal["kind"] == "long_turn":
        return _("Game %(game)s: turn %(turn)s was open for %(seconds)s seconds; the rules give %(allowed)s.") % values
    if signal["kind"] == "equal_slips":
        sentence = _(
            "Game %(game)s: %(one)s (table %(table)s) and %(other)s (table %(other_table)s) wrote the same move, "
            "not the best one, in %(equal)s of %(turns)s turns."
        )
        return sentence % values
    return (
        _("Game %(game)s: %(name)s found %(tops)s of %(turns)s tops; about %(expected)s were to be expected.") % values
    )
