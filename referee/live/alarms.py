"""What the desks are told beside the game: sentences for a judge who can do something about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Details = Mapping[str, int | str]


def sentence(kind: str, details: Details) -> str:
    """The text of an alarm in the active language."""
    return _SENTENCES[kind](details)


def _clock_step(details: Details) -> str:
    seconds = max(1, round(abs(int(details["ms"])) / 1000))
    return ngettext(
        "The clock of this computer jumped by %(seconds)d second: compare the time that is left, and correct it.",
        "The clock of this computer jumped by %(seconds)d seconds: compare the time that is left, and correct it.",
        seconds,
    ) % {"seconds": seconds}


def _not_stored(details: Details) -> str:
    return _("Slips cannot be stored at this moment; the phones keep them and send them again. Is the disk full?")


def _many_wrong_codes(details: Details) -> str:
    return _("Somebody in this network is trying one wrong code after the other; he is being slowed down.")


def _new_address(details: Details) -> str:
    return _("This computer now has the address %(address)s: phones that lost the connection open this one.") % {
        "address": details["address"]
    }


_SENTENCES: dict[str, Callable[[Details], str]] = {
    "clock_step": _clock_step,
    "not_stored": _not_stored,
    "many_wrong_codes": _many_wrong_codes,
    "new_address": _new_address,
}
