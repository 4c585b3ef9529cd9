"""The desk of a judge who plays along: its content and actions while the turn is hidden from them."""

from __future__ import annotations

import json
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.desk.desk import Desk
from referee.desk.play.console import board_json, clock_values, headline, steps_of
from referee.desk.registry import desk_action
from referee.security.permissions import JUDGES
from referee.views.desk import get_desk_view
from tournaments.errors import Refused
from tournaments.models import Membership
from tournaments.play.queries.phases import PHASES_TAKING_SLIPS
from tournaments.play.services import playing_judge


def playing_context(desk: Desk, now: datetime) -> dict[str, object]:
    """Return the context of `desk/play/_main_playing.html`: no tops, no slips, no words."""
    view = get_desk_view(desk.game, desk.room, now, turn_hidden=True)
    public_view = view.hall
    return {
        "event": desk.event,
        "game": desk.game,
        "view": view,
        "hall": public_view,
        "main_template": "desk/play/_main_playing.html",
        "primary_template": "desk/play/primary_playing.html",
        "headline": headline(public_view),
        "steps": steps_of(public_view.phase, follows=view.follows),
        "clock": clock_values(public_view, now),
        "board_json": board_json(public_view),
        "values_json": json.dumps(public_view.values),
        "may_warn": public_view.phase in PHASES_TAKING_SLIPS,
        "page": "console",
    }


def _membership(desk: Desk) -> Membership:
    return Membership.objects.select_related("event", "user").get(event=desk.event, user=desk.user)


@desk_action("play-along", roles=JUDGES, spoiler=False)
def play_along(desk: Desk, post: QueryDict, now: datetime) -> str:
    table = parse_whole_number(post.get("table", "").strip())
    if table is None:
        raise Refused(_("Type the number of the table at which you play."))
    player = playing_judge.start_playing(place=_membership(desk), table=table, by=desk.user, now=now)
    return _("You play at table %(table)d as %(name)s: each turn is hidden here until your slip is final.") % {
        "table": player.table,
        "name": player.name,
    }


@desk_action("play-no-more", roles=JUDGES, spoiler=False)
def stop_playing_along(desk: Desk, post: QueryDict, now: datetime) -> str:
    playing_judge.stop_playing(place=_membership(desk), by=desk.user, now=now)
    return _("You no longer play along; your desk shows everything.")


@desk_action("slip-is-final", roles=JUDGES, spoiler=False)
def finalise_slip(desk: Desk, post: QueryDict, now: datetime) -> str:
    playing_judge.mark_slip_final(place=_membership(desk), by=desk.user, now=now)
    return _("Your slip of this turn is final; here is the turn.")
