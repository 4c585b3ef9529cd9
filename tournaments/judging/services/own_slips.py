"""Rulings of playing judges on their own slips: they need a reason and are marked in the ledger and the register.

They are not forbidden, because a club may have only one judge; everybody can see them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.models import Event, Turn, Verdict
from tournaments.play.queries.playing_judge import player_of

_MARK: Mapping[str, object] = {"own_slip": True}
_NONE: Mapping[str, object] = {}


def own_slip_mark_of_group(turn: Turn, group: str, by: User | None) -> Mapping[str, object]:
    """Ledger fields of a decision on a group that contains the judge's own slip; empty otherwise."""
    player = player_of(turn.game.event_id, by)
    return _MARK if player and Verdict.objects.filter(turn=turn, group=group, player=player).exists() else _NONE


def own_slip_mark_of_impact(event: Event | int, effect: Mapping[str, object], by: User | None) -> Mapping[str, object]:
    """Ledger fields of a ruling that changes the judge's own points (see `differences.get_ruling_impact`)."""
    player = player_of(event, by)
    return _MARK if player and player.table in cast("Collection[int]", effect["tables"]) else _NONE


def require_reason(mark: Mapping[str, object], reason: str) -> None:
    """Refuse a ruling on the judge's own slip without a reason."""
    if mark and not reason:
        raise Refused(_("This affects your own slip: give a reason, or let another judge decide."))


def require_own_ruling(mark: Mapping[str, object], ruled_by: Collection[int | None], by: User | None) -> None:
    """Refuse to revoke another judge's decision on the judge's own slip."""
    if mark and any(judge != (by.pk if by else None) for judge in ruled_by):
        raise Refused(_("Another judge has decided on your own slip: ask that judge to take the decision back."))
