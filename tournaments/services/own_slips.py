"""A judge who plays along rules on his own slip: only with a reason, and marked in the ledger and in the register.

A club has one judge, so it is not forbidden; everybody can see it, and another judge may be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.models import Event, Turn, Verdict
from tournaments.selectors.playing_along import player_of

_MARK: Mapping[str, object] = {"own_slip": True}
_NONE: Mapping[str, object] = {}


def mark_of_group(turn: Turn, group: str, by: User | None) -> Mapping[str, object]:
    """What an entry says of a decision on equal slips when the slip of whoever decides is among them."""
    player = player_of(turn.game.event_id, by)
    return _MARK if player and Verdict.objects.filter(turn=turn, group=group, player=player).exists() else _NONE


def mark_of_effect(event: Event | int, effect: Mapping[str, object], by: User | None) -> Mapping[str, object]:
    """The same of a ruling that gives other points to these tables (`selectors.effects.effect_of`)."""
    player = player_of(event, by)
    return _MARK if player and player.table in cast("Collection[int]", effect["tables"]) else _NONE


def demand_reason(mark: Mapping[str, object], reason: str) -> None:
    """Who rules on his own slip says why."""
    if mark and not reason:
        raise Refused(_("Your own slip hangs on this: say why you decide so, or let another judge decide."))


def demand_own_ruling(mark: Mapping[str, object], ruled_by: Collection[int | None], by: User | None) -> None:
    """Nobody takes back, without a reason, what another judge has decided on his own slip."""
    if mark and any(judge != (by.pk if by else None) for judge in ruled_by):
        raise Refused(_("Another judge has decided on your own slip: ask him to take it back."))
