"""Apply series and handicaps that somebody has chosen from the proposed ones, through the services of the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.events.services.options import set_handicap
from tournaments.models import Event, Player
from tournaments.players.services.players import PlayerDetails, rename_player

PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """A player's new series; `was` is the one that the preview has shown."""

    table: int
    was: str
    series: str


@dataclass(frozen=True, slots=True)
class HandicapChange:
    """A new handicap of a series in percent of the tops; `was` is the one that the preview has shown."""

    series: str
    was: int
    amount: int


def apply_series(*, event: Event, changes: Sequence[SeriesChange], by: User | None, now: datetime) -> int:
    """Give players their new series, all or none; return the number of changed players.

    Refused if somebody has changed one of them since the preview.
    """
    with transaction.atomic():
        players = {player.table: player for player in Player.objects.filter(event=event).select_related("event")}
        for change in changes:
            player = players.get(change.table)
            if player is None or player.series != change.was:
                raise Refused(
                    _("The players have changed since the proposal: look at the new one, then apply it again.")
                )
        wanted = [change for change in changes if change.series != change.was]
        for change in wanted:
            rename_player(players[change.table], PlayerDetails(series=change.series), now=now, by=by)
    return len(wanted)


def apply_handicaps(*, event: Event, changes: Sequence[HandicapChange], by: User | None, now: datetime) -> None:
    """Set the handicap of these series in percent of the tops. Other series keep theirs.

    A handicap in points cannot stand beside one in percent, so it ends for the other series. Refused if somebody has
    changed one of the series since the preview.
    """
    with transaction.atomic():
        event = Event.objects.get(pk=event.pk)
        present: dict[str, int] = dict(event.handicap.get("series", {}))
        if any(present.get(change.series, 0) != change.was for change in changes):
            raise Refused(_("The handicap has changed since the proposal: look at the new one, then apply it again."))
        kept = present if event.handicap.get("unit") == PERCENT else {}
        new = kept | {change.series: change.amount for change in changes}
        set_handicap(event=event, unit=PERCENT, series=new, by=by, now=now)
