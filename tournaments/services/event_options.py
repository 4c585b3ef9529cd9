"""What the organiser of an event decides for himself: teams and handicap in the standings, how judges work."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.errors import Refused
from tournaments.models import Event
from tournaments.selectors.events import current_game
from tournaments.services.acting import acting_on, record

MOST_IN_A_TEAM = 1000
HIGHEST_HANDICAP = 999
UNITS = ("points", "percent")
ALL_PERCENT = 100


def set_teams(*, event: Event, best: int | None, of_each_game: bool, by: User | None, now: datetime) -> Event:
    """Let the `best` players of a team count, all when None: in each game, or those who stand best in the end."""
    if best is not None and not 1 <= best <= MOST_IN_A_TEAM:
        raise Refused(_("Of a team at least 1 and at most %(most)d players count.") % {"most": MOST_IN_A_TEAM})
    event.team_best, event.team_of_each_game = best, of_each_game
    _store(event, ["team_best", "team_of_each_game"], {"team_best": best, "of_each_game": of_each_game}, by, now)
    return event


def set_handicap(*, event: Event, unit: str, series: Mapping[str, int], by: User | None, now: datetime) -> Event:
    """Give the players of a series so many points, or percent of the tops, in every game; nothing for {}."""
    if unit not in UNITS:
        raise Refused(_("A handicap is given in points or in percent; choose one of both."))
    given = {validators.series(name): amount for name, amount in series.items() if amount}
    for name, amount in given.items():
        if not name or not 0 < amount <= HIGHEST_HANDICAP:
            raise Refused(_("The handicap of a series is a number from 0 to %(most)d.") % {"most": HIGHEST_HANDICAP})
    event.handicap = {"unit": unit, "series": given} if given else {}
    _store(event, ["handicap"], {"handicap": event.handicap}, by, now)
    return event


def set_judging(*, event: Event, anonymous: bool, spot_check: int, by: User | None, now: datetime) -> Event:
    """Hide names and tables from the judges until the move is placed, or show them; let so many percent of the clear
    slips be looked at."""
    if not 0 <= spot_check <= ALL_PERCENT:
        raise Refused(_("A spot check takes from 0 to 100 percent of the slips."))
    event.anonymous_judging, event.spot_check = anonymous, spot_check
    facts = {"anonymous_judging": anonymous, "spot_check": spot_check}
    _store(event, ["anonymous_judging", "spot_check"], facts, by, now)
    return event


def _store(event: Event, fields: list[str], facts: Mapping[str, object], by: User | None, now: datetime) -> None:
    with acting_on(current_game(event)) as game:
        event.save(update_fields=fields)
        record(game=game, kind="options", by=by, now=now, data=facts)
        signals.changed(game)
