"""What was typed into the forms of the desk: texts, whole numbers, times, the player of a table."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from engine.bounded_input import whole_number
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
    number = whole_number(written.strip())
    if number is None:
        raise Refused(_("“%(text)s” is not a whole number.") % {"text": written.strip()[:20]})
    return number


def read_time(written: str) -> datetime:
    """A day and time, in the zone of this computer where none is named; `Refused` for one that no clock shows."""
    try:
        moment = parse_datetime(written)
    except ValueError:
        moment = None
    if moment is None or not 1900 <= moment.year < 3000:
        raise Refused(_("“%(text)s” is no day and time.") % {"text": written[:30]})
    return timezone.make_aware(moment) if timezone.is_naive(moment) else moment


def way_back(request: HttpRequest, otherwise: str) -> str:
    """The address of this site that the field `next` names, else another one."""
    wanted = request.POST.get("next", "")
    hosts, is_https = {request.get_host()}, request.is_secure()
    is_ours = url_has_allowed_host_and_scheme(wanted, allowed_hosts=hosts, require_https=is_https)
    return wanted if is_ours and wanted.startswith("/") else otherwise


def player(desk: Desk, post: QueryDict) -> Player:
    """Who sits at the table that was named, if this desk may speak of him."""
    found = player_at(desk.event, number(post, "table"))
    if found is None:
        raise Refused(_("There is no table %(table)s.") % {"table": text(post, "table")})
    if found.room_id != desk.room.pk and not desk.room.is_drawing:
        raise Refused(_("Table %(table)d is in another room.") % {"table": found.table})
    return found
