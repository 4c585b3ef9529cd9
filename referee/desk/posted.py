"""What was typed into the forms of the desk: texts, whole numbers, the player of a table."""

from __future__ import annotations

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.desk.access import Desk
from tournaments.errors import Refused
from tournaments.models import Player
from tournaments.selectors.players import player_at


def text(post: QueryDict, name: str) -> str:
    """A field without blanks around it, empty when it is not there."""
    return post.get(name, "").strip()


def number(post: QueryDict, name: str) -> int:
    """A whole number; `Refused` for anything else."""
    return whole(text(post, name))


def whole(written: str) -> int:
    """The same of a text at hand."""
    bare = written.strip()
    if not (bare.isascii() and bare.isdigit() and len(bare) <= 6):
        raise Refused(_("“%(text)s” is not a whole number.") % {"text": bare[:20]})
    return int(bare)


def player(desk: Desk, post: QueryDict) -> Player:
    """Who sits at the table that was named, if this desk may speak of him."""
    found = player_at(desk.event, number(post, "table"))
    if found is None:
        raise Refused(_("There is no table %(table)s.") % {"table": text(post, "table")})
    if found.room_id != desk.room.pk and not desk.room.is_drawing:
        raise Refused(_("Table %(table)d is in another room.") % {"table": found.table})
    return found
