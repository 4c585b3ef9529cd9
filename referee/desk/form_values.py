"""Readers of posted form fields: text, whole numbers, times, the player at a table."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.desk.desk import Desk
from tournaments.errors import Refused
from tournaments.models import Player
from tournaments.players.queries.players import player_at


def read_text(post: QueryDict, name: str) -> str:
    """Return a field without surrounding blanks; empty if it is missing."""
    return post.get(name, "").strip()


def read_number(post: QueryDict, name: str) -> int:
    """Return a field as a whole number; `Refused` for anything else."""
    return parse_number(read_text(post, name))


def parse_number(text: str) -> int:
    """Return a text as a whole number; `Refused` for anything else."""
    number = parse_whole_number(text.strip())
    if number is None:
        raise Refused(_("“%(text)s” is not a whole number.") % {"text": text.strip()[:20]})
    return number


def read_time(text: str) -> datetime:
    """Return a date and time, in the server's time zone unless the text names one; `Refused` for an invalid one."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or not 1900 <= moment.year < 3000:
        raise Refused(_("“%(text)s” is not a date and time.") % {"text": text[:30]})
    return timezone.make_aware(moment) if timezone.is_naive(moment) else moment


def get_return_url(request: HttpRequest, otherwise: str) -> str:
    """Return the address in the field `next` if it belongs to this site, else `otherwise`."""
    address = request.POST.get("next", "")
    hosts, is_https = {request.get_host()}, request.is_secure()
    is_ours = url_has_allowed_host_and_scheme(address, allowed_hosts=hosts, require_https=is_https)
    return address if is_ours and address.startswith("/") else otherwise


def find_player(desk: Desk, post: QueryDict) -> Player:
    """Return the player at the posted table; `Refused` if there is none or the table is in another room."""
    return _player_at(desk, read_text(post, "table"))


def find_players(desk: Desk, post: QueryDict) -> list[Player]:
    """Return the players at all posted tables; `Refused` if none is chosen."""
    tables = dict.fromkeys(post.getlist("table"))
    if not tables:
        raise Refused(_("Choose players first."))
    return [_player_at(desk, table) for table in tables]


def _player_at(desk: Desk, table: str) -> Player:
    player = player_at(desk.event, parse_number(table))
    if player is None:
        raise Refused(_("There is no table %(table)s.") % {"table": table.strip()})
    if player.room_id != desk.room.pk and not desk.room.is_drawing:
        raise Refused(_("Table %(table)d is in another room.") % {"table": player.table})
    return player
