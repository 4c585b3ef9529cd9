"""Clean texts that people type, and refuse those that the database cannot hold."""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.players.invisible_characters import first_invisible, without_invisible

NAME_LENGTH = 200
ROOM_LENGTH = 100
SERIES_LENGTH = 50
REASON_LENGTH = 300
HALL_WORD_LENGTH = 100
MOST_PLAYERS = 10_000
HIGHEST_TABLE = 99_999


def one_line(text: str) -> str:
    """The text on one line, composed, without invisible characters and doubled blanks: what a database can hold."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = "".join(" " if sign.isspace() else sign for sign in unicodedata.normalize("NFC", text))
    return " ".join(without_invisible(spaced).split())


def short_text(text: str, *, longest: int, what: str) -> str:
    """One line of at most `longest` signs, perhaps empty; `what` names the field in the refusal."""
    cleaned = one_line(text)
    if len(cleaned) > longest:
        raise Refused(
            _("The field “%(field)s” has %(length)d characters; at most %(longest)d fit.")
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
    cleaned = typed_name(text, what=_("name"))
    if not cleaned:
        raise Refused(_("Give the player a name."))
    return cleaned


def nickname(text: str) -> str:
    """Clean a nickname, which wall and other phones show; may be empty."""
    return typed_name(text, what=_("nickname"))


def typed_name(text: str, *, what: str) -> str:
    """A name or a nickname, perhaps empty; refused with invisible characters, by which two names could look the same.

    Control characters, such as the line breaks of what was copied, are taken out.
    """
    hidden = first_invisible("".join(sign for sign in text if unicodedata.category(sign) != "Cc"))
    if hidden is not None:
        raise Refused(
            _("The field “%(field)s” has an invisible character (%(code)s): delete the text and type it again.")
            % {"field": what, "code": f"U+{ord(hidden):04X}"}
        )
    cleaned = short_text(text, longest=NAME_LENGTH, what=what)
    return cleaned if any(unicodedata.category(sign)[0] != "M" for sign in cleaned) else ""


def surname(text: str) -> str:
    """A surname, perhaps empty."""
    return typed_name(text, what=_("surname"))


def first_name(text: str) -> str:
    """A first name, perhaps empty."""
    return typed_name(text, what=_("first name"))


def licence(text: str) -> str:
    """The number of a player's licence, perhaps empty."""
    return short_text(text, longest=SERIES_LENGTH, what=_("licence number"))


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
    """Clean a player's country; may be empty."""
    return short_text(text, longest=SERIES_LENGTH, what=_("country"))


def team(text: str) -> str:
    """The team or pair a player belongs to, perhaps empty."""
    return short_text(text, longest=NAME_LENGTH, what=_("team"))


def room_name(text: str) -> str:
    """Clean the name of a room; must not be empty."""
    name = short_text(text, longest=ROOM_LENGTH, what=_("room"))
    if not name:
        raise Refused(_("A room needs a name."))
    return name


def round_name(text: str) -> str:
    """Clean the name of a round; may be empty."""
    return short_text(text, longest=ROOM_LENGTH, what=_("round"))


def place(text: str) -> str:
    """Clean the place of an event; may be empty."""
    return short_text(text, longest=NAME_LENGTH, what=_("place"))


def reason(text: str) -> str:
    """Clean the reason of a judge's decision; may be empty."""
    return short_text(text, longest=REASON_LENGTH, what=_("reason"))


def table_number(number: int) -> int:
    """The number of a table, 1 or more."""
    if number < 1:
        raise Refused(_("Tables are numbered from 1 on."))
    if number > HIGHEST_TABLE:
        raise Refused(_("%(table)d is too high for a table number.") % {"table": number})
    return number
