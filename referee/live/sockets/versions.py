"""Protocol version of a phone's page; a page with an older version than the server's has to reload."""

from __future__ import annotations

from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.live.sockets import messages

LONGEST_VERSION = 9


def build_outdated_notice(named: str | None) -> str | None:
    """Build the message for an outdated client; None for a current or newer one.

    `named` is the version in the client's address (`?v=1`); without a number it is 1. The text is in the active
    language.
    """
    if _number(named) >= messages.VERSION:
        return None
    return messages.outdated_message(_("This page is out of date: load it again. What you have written is kept."))


def _number(named: str | None) -> int:
    found = parse_whole_number(named or "", LONGEST_VERSION)
    return 1 if found is None else found
