"""What texts of people are made fit for the database, and what is refused with a sentence."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from tournaments.errors import Refused

NAME_LENGTH = 200
ROOM_LENGTH = 100
SERIES_LENGTH = 50
REASON_LENGTH = 300
HALL_WORD_LENGTH = 100
MOST_PLAYERS = 10_000
HIGHEST_TABLE = 99_999


# Signs that nobody sees: some turn the direction of reading round, others make two names look like one. The two that
# join letters are part of how some languages and pictures are written.
_UNSEEN = ("Cc", "Cf", "Cs")
_JOINERS = "\u200c\u200d"


def one_line(text: str) -> str:
    """The text on one line, composed, without unseen signs and doubled blanks: what a database and a page can hold."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = "".join(" " if sign.isspace() else sign for sign in unicodedata.normalize("NFC", text))
    kept = (sign for sign in spaced if sign in _JOINERS or unicodedata.category(sign) not in _UNSEEN)
    return " ".join("".join(kept).split())


def short_text(text: str, *, longest: int, what: str) -> str:
    """One line of at most `longest` signs, perhaps empty; `what` names the field in the refusal."""
    cleaned = one_line(text)
    if len(cleaned) > longest:
        raise Refused(
            _("The field “%(field)s” has %(length)d signs; at most %(longest)d fit.")
            % {"field": what, "length": len(cleaned), "longest": longest}
        )
    return cleaned


def event_name(text: str) -> str:
    """The name of an event: not empty, not too long."""
    cleaned = short_text(text, longest=NAME_LENGTH, what=_("name"))
    if not cleaned:
        raise Refused(_("Give the event a name."))
    return cleaned


def player_name(text: str) -> str:
    """The name of a player: not empty, not too long."""
    cleaned = short_text(text, longest=NAME_LENGTH, what=_("name"))
    if not cleaned:
        raise Refused(_("Give the player a name."))
    return cleaned


def nickname(text: str) -> str:
    """What wall and phones of others call a player, perhaps empty."""
    return short_text(text, longest=NAME_LENGTH, what=_("nickname"))


def club(text: str) -> str:
    """The name of a club, perhaps empty."""
    return short_text(text, longest=NAME_LENGTH, what=_("club"))


def series(text: str) -> str:
    """The series a player competes in, perhaps empty."""
    return short_text(text, longest=SERIES_LENGTH, what=_("series"))


def age_class(text: str) -> str:
    """The age class a player competes in, perhaps empty."""
    return short_text(text, longest=SERIES_LENGTH, what=_("age class"))


def country(text: str) -> str:
    """Where a player comes from, perhaps empty."""
    return short_text(text, longest=SERIES_LENGTH, what=_("country"))


def team(text: str) -> str:
    """The team or pair a player belongs to, perhaps empty."""
    return short_text(text, longest=NAME_LENGTH, what=_("team"))


def room_name(text: str) -> str:
    """How a room is called; it must have a name."""
    name = short_text(text, longest=ROOM_LENGTH, what=_("room"))
    if not name:
        raise Refused(_("A room needs a name."))
    return name


def round_name(text: str) -> str:
    """What a round is called, perhaps empty."""
    return short_text(text, longest=ROOM_LENGTH, what=_("round"))


def place(text: str) -> str:
    """Where an event takes place, perhaps empty."""
    return short_text(text, longest=NAME_LENGTH, what=_("place"))


def reason(text: str) -> str:
    """Why a judge decided so, perhaps empty."""
    return short_text(text, longest=REASON_LENGTH, what=_("reason"))


def table_number(number: int) -> int:
    """The number of a table, 1 or more."""
    if number < 1:
        raise Refused(_("Tables are numbered from 1 on."))
    if number > HIGHEST_TABLE:
        raise Refused(_("%(table)d is too high for a table number.") % {"table": number})
    return number
