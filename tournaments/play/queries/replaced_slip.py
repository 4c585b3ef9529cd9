"""The slip that a newly typed one replaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from engine.slips.typed_line import format_content
from tournaments.enums import SlipSource
from tournaments.judging.verdicts import to_written_slip
from tournaments.models import Player, Slip, Turn


@dataclass(frozen=True, slots=True)
class ReplacedSlip:
    """`sentence` is empty where nothing is replaced; `version`: of the one slip, 0 for none or several.

    `from_phone`: a slip that came from a phone in time is replaced.
    """

    sentence: str
    version: int
    from_phone: bool = False


def find_replaced_slip(turn: Turn, players: Sequence[Player], *, late: bool, may_read: bool) -> ReplacedSlip:
    """Find the slips that a new slip of these players replaces.

    `late`: the new slip is late, so it replaces no slip in time. `may_read`: the content of the old slips may be
    shown; otherwise only that there is one, and its source.
    """
    before = _counting(turn, players)
    if not before:
        return ReplacedSlip("", 0)
    if late and any(slip.in_time for slip in before.values()):
        return ReplacedSlip(_("A slip that came in time goes on counting; type - behind the table to take it away."), 0)
    from_phone = any(slip.in_time and slip.source == SlipSource.PHONE for slip in before.values())
    if len(players) > 1:
        tables = ", ".join(map(str, sorted(before)))
        sentence = _("It replaces what these tables handed in: %(tables)s.") % {"tables": tables}
        return ReplacedSlip(sentence, 0, from_phone)
    [slip] = before.values()
    return ReplacedSlip(_describe_replaced_slip(slip, may_read=may_read), slip.version, from_phone)


def _counting(turn: Turn, players: Sequence[Player]) -> dict[int, Slip]:
    """By table the slip that counts, as `derivation.counting_slips` chooses it."""
    slips = Slip.objects.filter(turn=turn, player__in=players).select_related("player")
    return {slip.player.table: slip for slip in slips.order_by("in_time", "sent_in_time", "received_at", "version")}


def _describe_replaced_slip(slip: Slip, *, may_read: bool) -> str:
    if may_read:
        return _("It replaces %(slip)s.") % {"slip": format_content(to_written_slip(slip))}
    at = time_format(timezone.localtime(slip.received_at), "H:i:s")
    if slip.source == SlipSource.PHONE:
        return _("It replaces the slip that came from the phone at %(at)s.") % {"at": at}
    return _("It replaces the slip that was typed at %(at)s.") % {"at": at}
