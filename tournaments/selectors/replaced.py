"""What a slip that is being typed takes the place of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from engine.rules.typed_line import content_text
from tournaments.enums import SlipSource
from tournaments.models import Player, Slip, Turn
from tournaments.verdicts import written


@dataclass(frozen=True, slots=True)
class Replaced:
    """`sentence` is empty where nothing is replaced; `version`: of the one slip, 0 for none or several."""

    sentence: str
    version: int


def replaced_by(turn: Turn, players: Sequence[Player], *, late: bool, may_read: bool) -> Replaced:
    """What a new slip of these players takes the place of.

    `late`: the new one is late, so that it takes the place of no slip in time. `may_read`: what was on the slips may be
    told; else only that there is one, and how it came.
    """
    before = _counting(turn, players)
    if not before:
        return Replaced("", 0)
    if late and any(slip.in_time for slip in before.values()):
        return Replaced(_("A slip that came in time goes on counting; type - behind the table to take it away."), 0)
    if len(players) > 1:
        tables = ", ".join(map(str, sorted(before)))
        return Replaced(_("It replaces what these tables handed in: %(tables)s.") % {"tables": tables}, 0)
    [slip] = before.values()
    return Replaced(_one(slip, may_read=may_read), slip.version)


def _counting(turn: Turn, players: Sequence[Player]) -> dict[int, Slip]:
    """By table the newest slip in time, else the newest, as `judgements.counting_slips` chooses it."""
    slips = Slip.objects.filter(turn=turn, player__in=players).select_related("player")
    return {slip.player.table: slip for slip in slips.order_by("in_time", "received_at", "version")}


def _one(slip: Slip, *, may_read: bool) -> str:
    if may_read:
        return _("It replaces %(slip)s.") % {"slip": content_text(written(slip))}
    at = time_format(timezone.localtime(slip.received_at), "H:i:s")
    if slip.source == SlipSource.PHONE:
        return _("It replaces the slip that came from the phone at %(at)s.") % {"at": at}
    return _("It replaces the slip that was typed at %(at)s.") % {"at": at}
