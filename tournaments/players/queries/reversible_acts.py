"""The acts on players that can be undone now."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import Event, ReversibleAct
from tournaments.players.models import UNDO_TIME


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """An act that can be undone: its key, its kind, the removed players or the number of moved ones, and the minutes
    that remain, rounded up."""

    key: int
    kind: str
    names: Sequence[str]
    moved: int
    minutes: int


def list_undo_offers(event: Event, now: datetime) -> list[UndoOffer]:
    """The acts that can be undone, the newest first."""
    acts = ReversibleAct.objects.filter(event=event, at__gt=now - UNDO_TIME).order_by("-at", "-pk")
    return [_offer(act, now) for act in acts]


def _offer(act: ReversibleAct, now: datetime) -> UndoOffer:
    rows = json.loads(act.data["rows"]) if act.kind == act.Kind.REMOVAL else []
    names = [row["fields"]["name"] for row in rows if row["model"] == "tournaments.player"]
    minutes = -((now - act.at - UNDO_TIME) // timedelta(minutes=1))
    return UndoOffer(act.pk, act.kind, names, len(act.data.get("moved", ())), minutes)
