"""Options of an event: teams and handicap in the standings, how judges work, the season on the wall."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.errors import Refused
from tournaments.events.queries.events import current_game
from tournaments.models import Event
from tournaments.play.services.game_lock import append_to_ledger, lock_game

MAX_TEAM_SIZE = 1000
HIGHEST_HANDICAP = 999
UNITS = ("points", "percent")
ALL_PERCENT = 100


def set_teams(*, event: Event, best: int | None, of_each_game: bool, by: User | None, now: datetime) -> Event:
    """Count the `best` players of a team, all when None, in each game or over all games."""
    if best is not None and not 1 <= best <= MAX_TEAM_SIZE:
        raise Refused(_("Of a team at least 1 and at most %(most)d players count.") % {"most": MAX_TEAM_SIZE})
    event.team_best, event.team_of_each_game = best, of_each_game
    _store(event, ["team_best", "team_of_each_game"], {"team_best": best, "of_each_game": of_each_game}, by, now)
    return event


def set_handicap(*, event: Event, unit: str, series: Mapping[str, int], by: User | None, now: datetime) -> Event:
    """Set the handicap: points, or percent of the tops, for the players of each series in every game; {} removes it."""
    if unit not in UNITS:
        raise Refused(_("A handicap is given in points or in percent; choose one of the two."))
    given = {validators.series(name): amount for name, amount in series.items() if amount}
    for name, amount in given.items():
        if not name or not 0 < amount <= HIGHEST_HANDICAP:
            raise Refused(_("The handicap of a series is a number from 0 to %(most)d.") % {"most": HIGHEST_HANDICAP})
    event.handicap = {"unit": unit, "series": given} if given else {}
    _store(event, ["handicap"], {"handicap": event.handicap}, by, now)
    return event


def set_judging(*, event: Event, anonymous: bool, spot_check: int, by: User | None, now: datetime) -> Event:
    """Set if judges see names and tables before the move is placed, and the percentage of the clear slips to check."""
    if not 0 <= spot_check <= ALL_PERCENT:
        raise Refused(_("A spot check takes from 0 to 100 percent of the slips."))
    event.anonymous_judging, event.spot_check = anonymous, spot_check
    facts = {"anonymous_judging": anonymous, "spot_check": spot_check}
    _store(event, ["anonymous_judging", "spot_check"], facts, by, now)
    return event


def set_season_on_wall(*, event: Event, is_on: bool, by: User | None, now: datetime) -> Event:
    """Show the first ranking of the season on the wall between turns, or no longer."""
    event.season_on_wall = is_on
    _store(event, ["season_on_wall"], {"season_on_wall": is_on}, by, now)
    return event


def _store(event: Event, fields: list[str], facts: Mapping[str, object], by: User | None, now: datetime) -> None:
    with lock_game(current_game(event)) as game:
        event.save(update_fields=fields)
        append_to_ledger(game=game, kind="options", by=by, now=now, data=facts)
        signals.send_game_changed(game)
