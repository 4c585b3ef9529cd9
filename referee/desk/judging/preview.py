"""Preview of a ruling, a decision or a change of rules: the players who gain and lose, before the judge confirms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.events.rules_in_play import read_posted_switches
from referee.desk.form_values import find_player, get_return_url, read_text
from referee.desk.judging.actions import read_request, read_ruling, read_warning_code
from referee.desk.judging.rejudging_actions import find_rejudged_turn, read_points
from referee.desk.notices import with_notices
from referee.security.permissions import JUDGES
from tournaments import validators
from tournaments.enums import Ruling
from tournaments.errors import Refused
from tournaments.events.services.rule_changes import rules_in_play
from tournaments.judging.derivation import Decision
from tournaments.judging.queries import rejudging_effects
from tournaments.judging.queries.preview import (
    PlayerChange,
    ProposedChange,
    build_preview,
    propose_decisions,
    propose_rules,
    propose_word,
)
from tournaments.judging.services.ruling_checks import MOST_POINTS, require_reason, require_version, tile_text
from tournaments.lexicons import word_lists
from tournaments.now import utc_now

MOST_SHOWN = 40
MOST_RANKS = 50
_NOT_REPEATED = ("csrfmiddlewaretoken", "seen")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed action: its question to the judge, and the changes that it makes."""

    title: str
    change: ProposedChange


@desk_page("preview", post=JUDGES, spoiler=True)
def preview(request: HttpRequest, desk: Desk, action: str) -> HttpResponse:
    """Show the changes that an action makes; the form in the preview does it, with the token of the preview."""
    if action not in PROPOSALS:
        raise Http404
    try:
        proposal = PROPOSALS[action](desk, request.POST)
        seen = build_preview(proposal.change)
    except Refused as refused:
        messages.error(request, refused.sentence)
        if getattr(request, "htmx", False):
            return with_notices(request, HttpResponse())
        return redirect(get_return_url(request, reverse("desk:console", args=[desk.code])))
    nameless = desk.event.anonymous_judging and action != "change-rules"
    context = {
        "event": desk.event,
        "title": proposal.title,
        "preview": seen,
        "shifts": [] if nameless else seen.shifts[:MOST_SHOWN],
        "gains": _count_gains(seen.shifts) if nameless else [],
        "more": 0 if nameless else max(0, len(seen.shifts) - MOST_SHOWN),
        "action": action,
        "moved": [] if nameless else [one for one in seen.ranks if not one.gain][:MOST_RANKS],
        "more_moved": seen.moved if nameless else max(0, seen.moved - MOST_RANKS),
        "nameless": nameless,
        "again": action in _OF_PLACED_TURNS,
        "back": get_return_url(request, reverse("desk:console", args=[desk.code])),
        "fields": [
            (name, value) for name, values in request.POST.lists() if name not in _NOT_REPEATED for value in values
        ],
        "page": "console",
    }
    return render(
        request,
        "desk/judging/_preview.html" if getattr(request, "htmx", False) else "desk/judging/preview.html",
        context,
    )


def _count_gains(shifts: Sequence[PlayerChange]) -> list[tuple[str, int]]:
    """Return (points gained or lost, number of players), for judges who must not know the players."""
    counted = sorted(Counter(shift.gain for shift in shifts).items(), reverse=True)
    return [(f"{gain:+d}".replace("-", "\N{MINUS SIGN}"), players) for gain, players in counted]


def _rule_word(desk: Desk, post: QueryDict) -> Proposal:
    turn, text = desk.require_turn(), tile_text(desk.game, post.get("word", ""))
    require_version(turn, read_request(desk, post, utc_now()), post.getlist("group"), text)
    if post.get("ruling") == Ruling.ACCEPTED:
        return Proposal(_("Accept %(word)s") % {"word": text}, propose_word(turn, text, Ruling.ACCEPTED, desk.room))
    return Proposal(_("Strike %(word)s") % {"word": text}, propose_word(turn, text, Ruling.STRUCK, desk.room))


def _revoke_word(desk: Desk, post: QueryDict) -> Proposal:
    turn, text = desk.require_turn(), tile_text(desk.game, post.get("word", ""))
    once_revoked = word_lists.ruling_after_revocation(desk.game, turn.number, text)
    title = _("Take back the ruling on %(word)s") % {"word": text}
    return Proposal(title, propose_word(turn, text, once_revoked, desk.room))


def _decide(desk: Desk, post: QueryDict) -> Proposal:
    points, reason = parse_whole_number(post.get("points", "").strip()), validators.reason(post.get("reason", ""))
    if points is None or points > MOST_POINTS:
        raise Refused(_("Points go from 0 to %(most)d.") % {"most": MOST_POINTS})
    decision = Decision(points, reason)
    title = _("Give %(points)d points for these slips") % {"points": decision.points}
    turn = desk.require_turn()
    request = read_request(desk, post, utc_now())
    require_version(turn, request, post.getlist("group"), post.get("failed", ""))
    return Proposal(title, propose_decisions(turn, post.getlist("group"), decision, desk.room))


def _revoke_decision(desk: Desk, post: QueryDict) -> Proposal:
    change = propose_decisions(desk.require_turn(), [post.get("group", "")], None, desk.room)
    return Proposal(_("Apply the rules to these slips again"), change)


def _change_rules(desk: Desk, post: QueryDict) -> Proposal:
    if not desk.room.is_drawing:
        raise Refused(_("This is done at the desk of the drawing room."))
    switches = read_posted_switches(desk.game, post)
    if not switches:
        raise Refused(_("The rules are set this way already."))
    rules = rules_in_play(desk.game, switches)
    return Proposal(_("Judge all turns of this game by these rules"), propose_rules(desk.game, rules))


def _rejudge_word(desk: Desk, post: QueryDict) -> Proposal:
    turn, ruling = find_rejudged_turn(desk, post), read_ruling(post)
    require_reason(post.get("reason", ""))
    word = tile_text(turn.game, read_text(post, "word"))
    title = (
        _("Accept %(word)s in turn %(turn)d") if ruling == Ruling.ACCEPTED else _("Strike %(word)s in turn %(turn)d")
    )
    change = rejudging_effects.propose_word(turn, word, ruling)
    return Proposal(title % {"word": word, "turn": turn.number}, change)


def _rejudge_slip(desk: Desk, post: QueryDict) -> Proposal:
    turn, points = find_rejudged_turn(desk, post), read_points(post)
    reason = require_reason(post.get("reason", ""))
    decision = None if points is None else Decision(points, reason)
    change = rejudging_effects.propose_decision(turn, read_text(post, "group"), decision)
    if points is None:
        return Proposal(_("Apply the rules to these slips of turn %(turn)d again") % {"turn": turn.number}, change)
    title = _("Give %(points)d points for these slips of turn %(turn)d")
    return Proposal(title % {"points": points, "turn": turn.number}, change)


def _rejudge_warning(desk: Desk, post: QueryDict) -> Proposal:
    turn, warned, given = find_rejudged_turn(desk, post), find_player(desk, post), read_text(post, "given") == "yes"
    require_reason(post.get("reason", ""))
    change = rejudging_effects.propose_warning(turn, warned.pk, read_warning_code(post), given=given)
    give, revoke = (
        _("Warn table %(table)d in turn %(turn)d"),
        _("Take back the warning of table %(table)d in turn %(turn)d"),
    )
    return Proposal((give if given else revoke) % {"table": warned.table, "turn": turn.number}, change)


_OF_PLACED_TURNS: Mapping[str, Callable[[Desk, QueryDict], Proposal]] = {
    "again-word": _rejudge_word,
    "again-slip": _rejudge_slip,
    "again-warning": _rejudge_warning,
}
PROPOSALS: Mapping[str, Callable[[Desk, QueryDict], Proposal]] = {
    "rule-word": _rule_word,
    "revoke-word": _revoke_word,
    "decide": _decide,
    "revoke-decision": _revoke_decision,
    "change-rules": _change_rules,
    **_OF_PLACED_TURNS,
}
