"""All actions of the desk; importing this module declares them."""

from __future__ import annotations

from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.desk.desk import Desk
from referee.desk.events import actions as event_actions
from referee.desk.judging import actions as judging_actions
from referee.desk.judging import rejudging_actions
from referee.desk.members import actions as member_actions
from referee.desk.play import actions as play_actions
from referee.desk.play import playing_judge, typing_conflicts
from referee.desk.players import actions as player_actions
from referee.desk.registry import ACTIONS, RoomScope
from referee.desk.results import printing
from referee.desk.seasons import actions as season_actions
from tournaments.errors import Refused

MODULES = (
    event_actions,
    judging_actions,
    member_actions,
    play_actions,
    player_actions,
    playing_judge,
    printing,
    rejudging_actions,
    season_actions,
    typing_conflicts,
)
"""The modules that declare actions."""


def perform(desk: Desk, name: str, post: QueryDict, now: datetime) -> str | None:
    """Do an action at this desk; return the sentence to show, or None."""
    action = ACTIONS[name]
    if action.room is RoomScope.DRAWING and not desk.room.is_drawing:
        raise Refused(_("This is done at the desk of the drawing room."))
    return action.act(desk, post, now)
