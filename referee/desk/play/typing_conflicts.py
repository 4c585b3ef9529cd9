"""Double entry of paper slips at the desk: open slips, their settlement by a judge, the question before placing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.registry import desk_action
from referee.security.permissions import DIRECTOR, JUDGES, STAFF
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.now import utc_now
from tournaments.play.queries.phases import PHASES_TAKING_SLIPS, get_room_turn, phase_of
from tournaments.play.queries.typing_conflicts import NO_OPEN_TYPINGS, OpenTypings, get_typist_tasks, open_typings
from tournaments.play.services import double_entry, typing_conflicts


@desk_page("typings", get=STAFF, spoiler=True)
def list_conflicts(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Render the list of open slips, which the page refreshes while slips are typed."""
    context = {"event": desk.event, **conflicts_context(desk)}
    return render(request, str(context["typings_template"]), context)


def conflicts_context(desk: Desk) -> Mapping[str, object]:
    """Return the context of the open slips for the user's role; no list if each slip is typed once.

    A typist sees differences only in slips that they have typed themselves; of others, only that they have to be typed.
    """
    turn = _open_turn(desk)
    if turn is None:
        return {"typings_template": "desk/play/_no_typings.html"}
    if desk.role is Role.TYPIST:
        tasks = get_typist_tasks(turn, desk.room, desk.user)
        return {"typings_template": "desk/play/_typings_of_typist.html", "typings": tasks}
    open_slips = open_typings(turn, desk.room)
    return {
        "typings_template": "desk/play/_typings.html",
        "typings": open_slips,
        "typings_open": open_slips.number,
        "typings_told": _describe_open_conflicts(open_slips),
    }


def add_conflict_question(context: dict[str, object]) -> dict[str, object]:
    """Return the context of the console with the open slips added to the question before placing."""
    conflicts, question = str(context.get("typings_told") or ""), str(context.get("place_question") or "")
    if not conflicts:
        return context
    return {**context, "place_question": f"{conflicts} {question or _('The move will be placed all the same.')}"}


def describe_new_conflicts(desk: Desk, tables: Collection[int], sentence: str) -> dict[str, object]:
    """Return the answer to a typist who has just typed slips of these tables; empty if the typings agree."""
    turn = _open_turn(desk)
    if turn is None:
        return {}
    differing = {difference.table for difference in get_typist_tasks(turn, desk.room, desk.user).differences}
    sentences = [
        _("Table %(table)d was typed in two ways: look at the paper again.") % {"table": table}
        for table in sorted(differing.intersection(tables))
    ]
    return {"sentence": " ".join([sentence, *sentences])} if sentences else {}


def _open_turn(desk: Desk) -> Turn | None:
    if not desk.event.double_typing or phase_of(desk.game, desk.room, utc_now()) not in PHASES_TAKING_SLIPS:
        return None
    return get_room_turn(desk.game, desk.room)


def require_confirmed_conflicts(desk: Desk, post: QueryDict) -> None:
    """Refuse to go on while more slips are open than the page has asked about."""
    turn = _open_turn(desk)
    open_slips = open_typings(turn, desk.room) if turn is not None else NO_OPEN_TYPINGS
    if open_slips.number > (parse_whole_number(post.get("asked", "").strip()) or 0):
        raise Refused(
            _("%(what)s Press again to continue all the same.") % {"what": _describe_open_conflicts(open_slips)}
        )


def _describe_open_conflicts(open_slips: OpenTypings) -> str:
    once = ngettext(
        "%(n)d paper slip was typed only once.", "%(n)d paper slips were typed only once.", len(open_slips.once)
    ) % {"n": len(open_slips.once)}
    twice = ngettext(
        "%(n)d paper slip was typed in two ways.",
        "%(n)d paper slips were typed in two ways.",
        len(open_slips.differences),
    ) % {"n": len(open_slips.differences)}
    return " ".join([*([once] if open_slips.once else []), *([twice] if open_slips.differences else [])])


@desk_action("settle-typing", roles=JUDGES, spoiler=True)
def settle_typing(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn = desk.require_turn()
    line, typing_id = post.get("line", "").strip(), parse_whole_number(post.get("typing", "").strip(), digits=18)
    if line:
        slip = typing_conflicts.retype_slip(turn=turn, line=line, by=desk.user, now=now, room=desk.room)
    elif typing_id is not None:
        slip = typing_conflicts.choose_typing(turn=turn, typing_id=typing_id, by=desk.user, now=now, room=desk.room)
    else:
        raise Refused(_("Choose one of the readings, or type the slip again."))
    return _("The slip of table %(table)d is settled.") % {"table": slip.player.table}


@desk_action("set-double-typing", roles=DIRECTOR, spoiler=False)
def set_double_typing(desk: Desk, post: QueryDict, now: datetime) -> str:
    is_on = post.get("wanted") == "yes"
    double_entry.set_double_typing(event=desk.event, wanted=is_on, by=desk.user, now=now)
    if is_on:
        return _("Each paper slip is now typed by two people.")
    return _("Each paper slip is now typed once.")
