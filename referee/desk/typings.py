"""Paper slips that two people type, at the desk: what is open, how a judge settles it, what placing asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from engine.bounded_input import whole_number
from referee.desk.access import Desk, at_desk
from tournaments.enums import Role
from tournaments.errors import Refused
from tournaments.models import Turn
from tournaments.now import utc_now
from tournaments.selectors.phases import TAKES_SLIPS, phase_of, turn_in
from tournaments.selectors.typings import NOTHING, OpenTypings, open_typings, typists_work
from tournaments.services import double_typing, settling


@require_GET
@at_desk
def typings(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The list of what is open, for a page that asks now and then while slips are typed."""
    context = {"event": desk.event, **typings_context(desk)}
    return render(request, str(context["typings_template"]), context)


def typings_context(desk: Desk) -> Mapping[str, object]:
    """What the desk shows of it, by role; nothing where each slip is typed once. A typist is told of slips that he has
    typed himself, and of others only that they are to be typed."""
    turn = _open_turn(desk)
    if turn is None:
        return {"typings_template": "desk/_no_typings.html"}
    if desk.role is Role.TYPIST:
        work = typists_work(turn, desk.room, desk.user)
        return {"typings_template": "desk/_typings_of_typist.html", "typings": work}
    still = open_typings(turn, desk.room)
    return {
        "typings_template": "desk/_typings.html",
        "typings": still,
        "typings_open": still.number,
        "typings_told": _open_in_words(still),
    }


def asked_with(context: dict[str, object]) -> dict[str, object]:
    """The context of the console, with what is open among the things that placing asks about, in one question."""
    still, asked = str(context.get("typings_told") or ""), str(context.get("place_question") or "")
    if not still:
        return context
    return {**context, "place_question": f"{still} {asked or _('Go on all the same?')}"}


def told_of_differences(desk: Desk, tables: Collection[int], sentence: str) -> dict[str, object]:
    """The answer to whoever has just typed slips of these tables; nothing to add where they agree."""
    turn = _open_turn(desk)
    if turn is None:
        return {}
    differing = {difference.table for difference in typists_work(turn, desk.room, desk.user).differences}
    told = [
        _("Table %(table)d was typed in two ways: look at the paper again.") % {"table": table}
        for table in sorted(differing.intersection(tables))
    ]
    return {"sentence": " ".join([sentence, *told])} if told else {}


def _open_turn(desk: Desk) -> Turn | None:
    if not desk.event.double_typing or phase_of(desk.game, desk.room, utc_now()) not in TAKES_SLIPS:
        return None
    return turn_in(desk.game, desk.room)


def demand_asked(desk: Desk, post: QueryDict) -> None:
    """Refuse to go on while more slips are open than the page has asked about."""
    turn = _open_turn(desk)
    still = open_typings(turn, desk.room) if turn is not None else NOTHING
    if still.number > (whole_number(post.get("asked", "").strip()) or 0):
        raise Refused(_("%(what)s Press once more to go on all the same.") % {"what": _open_in_words(still)})


def _open_in_words(still: OpenTypings) -> str:
    once = ngettext(
        "%(n)d paper slip was typed only once.", "%(n)d paper slips were typed only once.", len(still.once)
    ) % {"n": len(still.once)}
    twice = ngettext(
        "%(n)d paper slip was typed in two ways.",
        "%(n)d paper slips were typed in two ways.",
        len(still.differences),
    ) % {"n": len(still.differences)}
    return " ".join([*([once] if still.once else []), *([twice] if still.differences else [])])


def settle_typing(desk: Desk, post: QueryDict, now: datetime) -> str:
    turn = turn_in(desk.game, desk.room)
    if turn is None:
        raise Refused(_("No rack has been drawn yet: draw one first."))
    line, wanted = post.get("line", "").strip(), whole_number(post.get("typing", "").strip(), digits=18)
    if line:
        done = settling.type_anew(turn=turn, line=line, by=desk.user, now=now, room=desk.room)
    elif wanted is not None:
        done = settling.choose_typing(turn=turn, typing_id=wanted, by=desk.user, now=now, room=desk.room)
    else:
        raise Refused(_("Choose one of the readings, or type the slip anew."))
    return _("The slip of table %(table)d is settled.") % {"table": done.player.table}


def set_double_typing(desk: Desk, post: QueryDict, now: datetime) -> str:
    wanted = post.get("wanted") == "yes"
    double_typing.set_double_typing(event=desk.event, wanted=wanted, by=desk.user, now=now)
    if wanted:
        return _("Each paper slip is typed by two people from now on.")
    return _("Paper slips are typed once again.")
