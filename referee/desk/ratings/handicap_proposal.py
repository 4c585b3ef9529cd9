"""The page that proposes handicaps of series from ratings. It changes nothing until the director applies the lines."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from engine.bounded_input import parse_whole_number
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.form_values import parse_number
from referee.desk.ratings.ratings import last_games_choices, read_last_games
from referee.security.permissions import DIRECTOR
from tournaments.errors import Refused
from tournaments.events.services.options import HIGHEST_HANDICAP
from tournaments.now import utc_now
from tournaments.ratings.queries.proposals import SeriesHandicap, propose_series_handicaps, rate_players
from tournaments.ratings.services.proposals import HandicapChange, apply_handicaps
from tournaments.ratings.services.refresh import refresh_ratings

USUAL_SHARE, WHOLE = 50, 100


@dataclass(frozen=True, slots=True)
class HandicapLine:
    """A series in the preview: `amount` is what the field holds, `take` whether the line is ticked."""

    proposal: SeriesHandicap
    amount: str
    take: bool


@desk_page("propose-handicap", get=DIRECTOR, post=DIRECTOR, spoiler=False, prepare=refresh_ratings)
def propose_handicap_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the proposed handicaps; a POST applies the ticked lines."""
    refusal, posted = "", request.POST if request.method == "POST" else None
    if posted is not None:
        try:
            apply_handicaps(event=desk.event, changes=read_changes(posted), by=desk.user, now=utc_now())
            messages.success(request, _("The handicap now counts in the standings of the event."))
            return redirect("desk:standings", desk.code)
        except Refused as refused:
            refusal = refused.sentence
    share = _read_share(request.GET)
    games = read_last_games(request.GET.get("games", ""))
    proposals = propose_series_handicaps(desk.event, rate_players(desk.event, games), share)
    in_points = bool(desk.event.handicap) and desk.event.handicap.get("unit") == "points"
    context = {
        "event": desk.event,
        "lines": [_line(number, each, posted, in_points=in_points) for number, each in enumerate(proposals)],
        "in_points": in_points,
        "share": share,
        "most": HIGHEST_HANDICAP,
        "games_choices": last_games_choices(games),
        "refusal": refusal,
        "page": "standings",
    }
    return render(request, "desk/ratings/handicap_proposal.html", context, status=422 if refusal else 200)


def read_changes(post: QueryDict) -> list[HandicapChange]:
    """Read the ticked lines of the form; Refused for an amount that is no number."""
    names, before, amounts = post.getlist("series"), post.getlist("was"), post.getlist("amount")
    lines = list(zip(names, before, amounts, strict=False))
    ticked = [number for text in post.getlist("take") if (number := parse_whole_number(text, digits=4)) is not None]
    return [
        HandicapChange(name, parse_number(was), parse_number(amount or "0"))
        for number, (name, was, amount) in enumerate(lines)
        if number in ticked
    ]


def _read_share(fields: QueryDict) -> int:
    share = parse_whole_number(fields.get("share", "").strip(), digits=3)
    return share if share is not None and share <= WHOLE else USUAL_SHARE


def _line(number: int, proposal: SeriesHandicap, posted: QueryDict | None, *, in_points: bool) -> HandicapLine:
    """Return a line with what was posted, else with the proposal; a series without one keeps its handicap."""
    if posted is not None:
        amounts = posted.getlist("amount")
        typed = amounts[number] if number < len(amounts) else ""
        return HandicapLine(proposal, typed, str(number) in posted.getlist("take"))
    if proposal.proposed is None:
        return HandicapLine(proposal, str(proposal.present), take=False)
    return HandicapLine(proposal, str(proposal.proposed), take=in_points or proposal.proposed != proposal.present)
