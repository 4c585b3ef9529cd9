"""What the judge sees before he confirms: who gains and loses by a ruling, a struck word, another rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from engine.bounded_input import whole_number
from referee.desk.access import Desk, at_desk
from referee.desk.again import AGAIN_PROPOSALS, Proposed
from referee.desk.notices import with_notices
from referee.desk.posted import way_back
from referee.desk.rules_in_play import switches_posted
from tournaments import lexicons, validators
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.judgements import Decision
from tournaments.models import Turn
from tournaments.selectors.phases import turn_in
from tournaments.selectors.preview import Change, Shift, shown, with_decision, with_decisions, with_rules, with_word
from tournaments.services.colleagues import demand_version
from tournaments.services.rules import rules_in_play
from tournaments.services.rulings import MOST_POINTS, tile_text

MOST_SHOWN = 40
MOST_RANKS = 50
_NOT_REPEATED = ("csrfmiddlewaretoken", "seen")


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the judge thinks of, in words, and what would count then."""

    title: str
    change: Change


@require_POST
@at_desk
def preview(request: HttpRequest, desk: Desk, action: str) -> HttpResponse:
    """Show what an action would do; the form in it does it, with the token of what was shown."""
    if action not in PROPOSALS:
        raise Http404
    try:
        proposal = PROPOSALS[action](desk, request.POST)
        seen = shown(proposal.change)
    except Refused as refused:
        messages.error(request, refused.sentence)
        if getattr(request, "htmx", False):
            return with_notices(request, HttpResponse())
        return redirect(way_back(request, reverse("desk:console", args=[desk.code])))
    nameless = desk.event.anonymous_judging and action != "change-rules"
    context = {
        "event": desk.event,
        "title": proposal.title,
        "preview": seen,
        "shifts": [] if nameless else seen.shifts[:MOST_SHOWN],
        "gains": _gains(seen.shifts) if nameless else [],
        "more": 0 if nameless else max(0, len(seen.shifts) - MOST_SHOWN),
        "action": action,
        "moved": [] if nameless else [one for one in seen.ranks if not one.gain][:MOST_RANKS],
        "more_moved": seen.moved if nameless else max(0, seen.moved - MOST_RANKS),
        "nameless": nameless,
        "again": action in AGAIN_PROPOSALS,
        "back": way_back(request, reverse("desk:console", args=[desk.code])),
        "fields": [
            (name, value) for name, values in request.POST.lists() if name not in _NOT_REPEATED for value in values
        ],
        "page": "console",
    }
    return render(request, "desk/_preview.html" if getattr(request, "htmx", False) else "desk/preview.html", context)


def _gains(shifts: Sequence[Shift]) -> list[tuple[str, int]]:
    """(points gained or lost, how many players), where the judge is not to know who they are."""
    counted = sorted(Counter(shift.gain for shift in shifts).items(), reverse=True)
    return [(f"{gain:+d}".replace("-", "\N{MINUS SIGN}"), players) for gain, players in counted]


def _rule_word(desk: Desk, post: QueryDict) -> Proposal:
    turn, text = _turn(desk), tile_text(desk.game, post.get("word", ""))
    _demand_version(desk, turn, post, text)
    if post.get("ruling") == Ruling.ACCEPTED:
        return Proposal(_("Accept %(word)s?") % {"word": text}, with_word(turn, text, Ruling.ACCEPTED, desk.room))
    return Proposal(_("Strike %(word)s?") % {"word": text}, with_word(turn, text, Ruling.STRUCK, desk.room))


def _revoke_word(desk: Desk, post: QueryDict) -> Proposal:
    turn, text = _turn(desk), tile_text(desk.game, post.get("word", ""))
    once_revoked = lexicons.ruling_once_revoked(desk.game, turn.number, text)
    title = _("Take the ruling on %(word)s back?") % {"word": text}
    return Proposal(title, with_word(turn, text, once_revoked, desk.room))


def _decide(desk: Desk, post: QueryDict) -> Proposal:
    points, reason = whole_number(post.get("points", "").strip()), validators.reason(post.get("reason", ""))
    if points is None or points > MOST_POINTS:
        raise Refused(_("Points go from 0 to %(most)d.") % {"most": MOST_POINTS})
    decision = Decision(points, reason)
    title = _("Give %(points)d points for these slips?") % {"points": decision.points}
    turn = _turn(desk)
    _demand_version(desk, turn, post, post.get("failed", ""))
    return Proposal(title, with_decisions(turn, post.getlist("group"), decision, desk.room))


def _revoke_decision(desk: Desk, post: QueryDict) -> Proposal:
    change = with_decision(_turn(desk), post.get("group", ""), None, desk.room)
    return Proposal(_("Let the rule decide on these slips again?"), change)


def _change_rules(desk: Desk, post: QueryDict) -> Proposal:
    if not desk.room.is_drawing:
        raise Refused(_("This is done at the desk of the drawing room."))
    switches = switches_posted(desk.game, post)
    if not switches:
        raise Refused(_("The rules are so already."))
    rules = rules_in_play(desk.game, switches)
    return Proposal(_("Judge all turns of this game by these rules?"), with_rules(desk.game, rules))


def _demand_version(desk: Desk, turn: Turn, post: QueryDict, word: str) -> None:
    """What a colleague has decided meanwhile is told before anything is shown."""
    demand_version(turn, desk.room, post.getlist("group"), post.get("version"), desk.user, word)


def _again(propose: Proposed) -> Callable[[Desk, QueryDict], Proposal]:
    return lambda desk, post: Proposal(*propose(desk, post))


def _turn(desk: Desk) -> Turn:
    turn = turn_in(desk.game, desk.room)
    if turn is None:
        raise Refused(_("No rack has been drawn yet: draw one first."))
    return turn


PROPOSALS: Mapping[str, Callable[[Desk, QueryDict], Proposal]] = {
    "rule-word": _rule_word,
    "revoke-word": _revoke_word,
    "decide": _decide,
    "revoke-decision": _revoke_decision,
    "change-rules": _change_rules,
    **{name: _again(propose) for name, propose in AGAIN_PROPOSALS.items()},
}
