"""What is hidden at a desk from a judge who plays along, asked before every view (referee/desk/access.py)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import DatabaseError
from django.utils.translation import gettext as _

from referee.security import veil as open_pages
from tournaments.models import Game, Membership, Room
from tournaments.selectors.playing_along import Veil, own_group, veil_of
from tournaments.services import playing_along


def veil_over(place: Membership, game: Game, user: User, now: datetime) -> Veil | None:
    """What is hidden from whoever asks; None for who does not play along. That he is about to see a turn whose time is
    up is written down first."""
    veil = veil_of(place, game, now)
    if veil is not None and veil.to_note:
        with suppress(DatabaseError):  # on a full disk the desk can still be read
            playing_along.desk_opened(place=place, by=user, now=now)
    return veil


def why_hidden(veil: Veil | None, room: Room, page: str, action: str | None) -> str | None:
    """Why a judge who plays along may not open this now, and what he can do; None where he may."""
    if veil is None:
        return None
    if veil.player.room_id != room.pk:
        return _("While you play along, only the desk of your own room opens: another one may be ahead of it.")
    if not veil.is_down or open_pages.is_open(page, action):
        return None
    return _("You play at table %(table)d: this opens when your slip is final, or when the clock has closed.") % {
        "table": veil.player.table
    }


@dataclass(frozen=True, slots=True)
class PlaysAlong:
    """What a page says to a judge who plays along; `own_group` is the group of equal slips that his is in."""

    table: int
    is_down: bool
    may_be_final: bool
    own_group: str


def plays_along(veil: Veil | None) -> PlaysAlong | None:
    """None for who does not play along."""
    if veil is None:
        return None
    group = "" if veil.is_down else own_group(veil.player, veil.turn)
    return PlaysAlong(veil.player.table, veil.is_down, veil.may_be_final, group)
