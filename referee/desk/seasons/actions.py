"""The action on the seasons at the desk of an event: the first ranking on the wall."""

from __future__ import annotations

from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.desk.desk import Desk
from referee.desk.form_values import read_text
from referee.desk.registry import desk_action
from referee.security.permissions import JUDGES
from tournaments.errors import Refused
from tournaments.events.services import options
from tournaments.seasons.queries.wall_ranking import find_first_ranking


@desk_action("season-on-wall", roles=JUDGES, spoiler=False)
def switch_season_on_wall(desk: Desk, post: QueryDict, now: datetime) -> str:
    is_on = read_text(post, "on") == "1"
    if is_on and find_first_ranking(desk.event.date) is None:
        raise Refused(
            _("No season with a ranking has the date of this event: create one on the page of seasons first.")
        )
    options.set_season_on_wall(event=desk.event, is_on=is_on, by=desk.user, now=now)
    if is_on:
        return _("The wall shows the season between turns; members who have not agreed to be named are left out.")
    return _("The wall shows the season no longer.")
