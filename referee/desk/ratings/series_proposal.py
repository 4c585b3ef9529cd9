"""The page that proposes series from ratings. It changes nothing until the director applies the lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_uppercase
from typing import cast, get_args

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.bounded_input import parse_whole_number
from engine.ratings.proposals import MOST_GROUPS
from referee.desk.access import desk_page
from referee.desk.desk import Desk
from referee.desk.form_values import read_text
from referee.desk.ratings.ratings import last_games_choices, read_last_games
from referee.security.permissions import DIRECTOR
from tournaments import validators
from tournaments.errors import Refused
from tournaments.now import utc_now
from tournaments.ratings.queries.proposals import Measure, RatedPlayer, SeriesMethod, propose_series, rate_players
from tournaments.ratings.services.proposals import SeriesChange, apply_series
from tournaments.ratings.services.refresh import refresh_ratings

USUAL_LIMITS: Mapping[Measure, str] = {"percent": "A 80\nB 65\nC 0", "rating": "A 1300\nB 1000\nC 0"}
USUAL_GROUPS = 3


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A player in the preview: `series` is what the field holds, `take` whether the line is ticked."""

    rated: RatedPlayer
    series: str
    take: bool


@desk_page("propose-series", get=DIRECTOR, post=DIRECTOR, spoiler=False, prepare=refresh_ratings)
def propose_series_page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the proposed series; a POST applies the ticked lines."""
    fields, refusal, posted = request.GET, "", request.POST if request.method == "POST" else None
    if posted is not None:
        try:
            changed = apply_series(event=desk.event, changes=read_changes(posted), by=desk.user, now=utc_now())
            sentence = ngettext("%(n)d player has another series.", "%(n)d players have another series.", changed)
            messages.success(request, sentence % {"n": changed})
            return redirect("desk:players", desk.code)
        except Refused as refused:
            refusal = refused.sentence
    players = rate_players(desk.event, read_last_games(fields.get("games", "")))
    try:
        proposed = propose_series(players, read_method(fields))
    except Refused as refused:
        refusal, proposed = refused.sentence, {}
    context = {
        "event": desk.event,
        "lines": [_line(each, proposed, posted) for each in players],
        "refusal": refusal,
        "page": "players",
        **_method_fields(fields),
    }
    return render(request, "desk/ratings/series_proposal.html", context, status=422 if refusal else 200)


def read_changes(post: QueryDict) -> list[SeriesChange]:
    """Read the ticked lines of the form."""
    tables = [number for text in post.getlist("take") if (number := parse_whole_number(text, digits=5)) is not None]
    return [
        SeriesChange(table, post.get(f"was-{table}", ""), validators.series(post.get(f"series-{table}", "")))
        for table in tables
    ]


def read_method(fields: QueryDict) -> SeriesMethod:
    """Read the way in which series are proposed; Refused for limits that cannot be read."""
    measure = _read_measure(fields)
    if fields.get("way") == "groups":
        number = parse_whole_number(read_text(fields, "groups"), digits=2) or 0
        if not 1 <= number <= MOST_GROUPS:
            raise Refused(_("Choose from 1 to %(most)d groups.") % {"most": MOST_GROUPS})
        return SeriesMethod(measure, groups=ascii_uppercase[:number])
    return SeriesMethod(measure, limits=parse_limits(_read_limits(fields, measure)))


def parse_limits(text: str) -> Sequence[tuple[str, Fraction]]:
    """Read lines of a series and its least value, best first: "A 80"."""
    limits = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        name, _space, least = line.rpartition(" ")
        try:
            limits.append((validators.series(name), Fraction(least.replace(",", "."))))
        except (ValueError, ZeroDivisionError):
            raise Refused(
                _("“%(line)s” is no series with a number: write A 80, for example.") % {"line": line[:40]}
            ) from None
    values = [least for _name, least in limits]
    if not limits or not all(name for name, _least in limits) or values != sorted(values, reverse=True):
        raise Refused(_("Write one series a line, the best first, each with a lower number than the one before it."))
    return limits


def _read_measure(fields: QueryDict) -> Measure:
    measure = fields.get("measure", "percent")
    return cast(Measure, measure) if measure in get_args(Measure) else "percent"


def _read_limits(fields: QueryDict, measure: Measure) -> str:
    """Return the limits that were typed; the usual ones if nothing was, or only those of the other measure."""
    typed = fields.get("limits", "").replace("\r\n", "\n")
    return USUAL_LIMITS[measure] if "limits" not in fields or typed in USUAL_LIMITS.values() else typed


def _line(rated: RatedPlayer, proposed: Mapping[int, str], posted: QueryDict | None) -> SeriesLine:
    """Return a line with what was posted, else with the proposal; players without a rating keep their series."""
    table, present = rated.player.table, rated.player.series
    if posted is not None:
        return SeriesLine(rated, posted.get(f"series-{table}", present), str(table) in posted.getlist("take"))
    series = proposed.get(table, present)
    return SeriesLine(rated, series, take=series != present)


def _method_fields(fields: QueryDict) -> dict[str, object]:
    measure = _read_measure(fields)
    return {
        "way": "groups" if fields.get("way") == "groups" else "limits",
        "measure": measure,
        "limits": _read_limits(fields, measure),
        "groups": fields.get("groups", USUAL_GROUPS),
        "most_groups": MOST_GROUPS,
        "games_choices": last_games_choices(read_last_games(fields.get("games", ""))),
    }
