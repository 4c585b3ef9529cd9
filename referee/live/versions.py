"""Which version of the protocol a phone's page speaks: an older one than the server's is told to reload."""

from __future__ import annotations

from django.utils.translation import gettext as _

from engine.bounded_input import whole_number
from referee.live import messages

LONGEST = 9


def notice(named: str | None) -> str | None:
    """The message for a client that speaks an older version; None for one that is up to date, or newer.

    `named` as it stands in its address (`?v=1`): who names none, or no number, is taken for the first version. The
    sentence is in the active language.
    """
    if _number(named) >= messages.VERSION:
        return None
    return messages.outdated(_("This page is older than the program: load it anew. What you have written is kept."))


def _number(named: str | None) -> int:
    found = whole_number(named or "", LONGEST)
    return 1 if found is None else found
