"""The actions on players who are members: links, pairs, and members who join by phone."""

from __future__ import annotations

from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from referee.desk.desk import Desk
from referee.desk.form_values import find_player, read_number, read_text
from referee.desk.members.review_forms import read_answers, tell_result
from referee.desk.registry import desk_action
from referee.security.permissions import DIRECTOR, STAFF
from tournaments.members.person_places import PersonPlace
from tournaments.members.services import event_players, links, new_members, reviews
from tournaments.players.services import seats


@desk_action("link-guests", roles=DIRECTOR, spoiler=False)
def link_guests(desk: Desk, post: QueryDict, now: datetime) -> str:
    done = reviews.store_answers(answers=read_answers(post), event=desk.event, by=desk.user, now=now)
    return tell_result(done)


@desk_action("make-member", roles=DIRECTOR, spoiler=False)
def make_member(desk: Desk, post: QueryDict, now: datetime) -> str:
    place = PersonPlace(find_player(desk, post).pk, read_number(post, "position"))
    member = new_members.make_member([place], by=desk.user, now=now)
    return _("%(name)s is a member now.") % {"name": member.name}


@desk_action("unlink-member", roles=DIRECTOR, spoiler=False)
def unlink_member(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = find_player(desk, post)
    links.unlink_place(PersonPlace(player.pk, read_number(post, "position")), by=desk.user, now=now)
    return _("%(name)s is a guest in this event now.") % {"name": player.name}


@desk_action("play-as-pair", roles=STAFF, spoiler=False)
def play_as_pair(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = event_players.play_as_pair(
        player=find_player(desk, post), partner=read_text(post, "partner"), by=desk.user, now=now
    )
    return _("%(name)s play as a pair with one slip, table %(table)d.") % {"name": player.name, "table": player.table}


@desk_action("split-pair", roles=STAFF, spoiler=False)
def split_pair(desk: Desk, post: QueryDict, now: datetime) -> str:
    player = event_players.split_pair(player=find_player(desk, post), by=desk.user, now=now)
    return _("%(name)s plays alone, at table %(table)d.") % {"name": player.name, "table": player.table}


@desk_action("set-members-may-join", roles=DIRECTOR, spoiler=False)
def set_members_may_join(desk: Desk, post: QueryDict, now: datetime) -> None:
    seats.set_members_may_join(event=desk.event, wanted=read_text(post, "wanted") == "yes", now=now, by=desk.user)
