"""The desk of a judge who plays along: what it shows while his turn is hidden, and what he can do."""

from __future__ import annotations

import json
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from engine.bounded_input import whole_number
from referee.desk.access import Desk
from referee.desk.console import board_json, clock, headline, steps_of
from tournaments.errors import Refused
from tournaments.models import Membership
from tournaments.selectors.desk import desk_view
from tournaments.selectors.phases import TAKES_SLIPS
from tournaments.services import playing_along


def playing_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Everything that `desk/_main_playing.html` shows: no tops, no slips, no words."""
    view = desk_view(desk.game, desk.room, now, veiled=True)
    hall = view.hall
    return {
        "event": desk.event,
        "game": desk.game,
        "view": view,
        "hall": hall,
        "main_template": "desk/_main_playing.html",
        "headline": headline(hall),
        "steps": steps_of(hall.phase, follows=view.follows),
        "clock": clock(hall, now),
        "board_json": board_json(hall),
        "values_json": json.dumps(hall.values),
        "may_warn": hall.phase in TAKES_SLIPS,
        "page": "console",
    }


def _place(desk: Desk) -> Membership:
    return Membership.objects.select_related("event", "user").get(event=desk.event, user=desk.user)


def play_along(desk: Desk, post: QueryDict, now: datetime) -> str:
    table = whole_number(post.get("table", "").strip())
    if table is None:
        raise Refused(_("Type the number of the table at which you play."))
    player = playing_along.play_at(place=_place(desk), table=table, by=desk.user, now=now)
    return _("You play at table %(table)d as %(name)s: each turn is hidden here until your slip is final.") % {
        "table": player.table,
        "name": player.name,
    }


def play_no_more(desk: Desk, post: QueryDict, now: datetime) -> str:
    playing_along.play_no_more(place=_place(desk), by=desk.user, now=now)
    return _("You do not play along any more; your desk shows everything.")


def slip_is_final(desk: Desk, post: QueryDict, now: datetime) -> str:
    playing_along.slip_is_final(place=_place(desk), by=desk.user, now=now)
    return _("Your slip of this turn is final; here is the turn.")
