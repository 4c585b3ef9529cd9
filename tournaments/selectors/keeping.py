"""Until when the names of an event are kept, and what is stored about one person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings

from engine.archive import moment_text
from tournaments.models import Appeal, Entry, Event, GivenWarning, Player, Slip, Typing, Verdict

ANNOUNCED_BEFORE = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Keeping:
    """`until` is the last day on which the names are kept; `is_due` once it has passed. A sentence is due on the desk
    while `is_announced`."""

    event: Event
    until: date
    is_announced: bool
    is_due: bool


def keeping_of(event: Event, today: date) -> Keeping | None:
    """When the names of an event are to be forgotten; None when they are kept for good, or are gone."""
    days = settings.RETENTION_DAYS if event.keep_days is None else event.keep_days
    if not days or event.forgotten_at is not None:
        return None
    until = event.date + timedelta(days=days)
    return Keeping(event, until, is_announced=today >= until - ANNOUNCED_BEFORE, is_due=today > until)


def due(events: Iterable[Event], today: date) -> list[Event]:
    """Those of the events whose time is up."""
    return [event for event in events if (keeping := keeping_of(event, today)) is not None and keeping.is_due]


def person_data(player: Player) -> dict[str, Any]:
    """Everything stored about one player, for himself, as JSON. Nothing of a turn that is not on the board but his own
    slips."""
    return {
        "event": {"name": player.event.name, "date": player.event.date.isoformat(), "place": player.event.place},
        "table": player.table,
        "name": player.name,
        "nickname": player.nickname,
        "club": player.club,
        "series": player.series,
        "age_class": player.age_class,
        "country": player.country,
        "team": player.team,
        "joined_at": moment_text(player.joined_at),
        "arrived_at": player.arrived_at and moment_text(player.arrived_at),
        "has_phone": bool(player.token_hash),
        "self_joined": player.self_joined,
        "games": [_game(entry) for entry in Entry.objects.filter(player=player).order_by("game__number")],
    }


def _game(entry: Entry) -> dict[str, Any]:
    mine = {"player": entry.player_id, "turn__game": entry.game_id}
    slips = Slip.objects.filter(**mine).order_by("turn__number", "version").select_related("turn")
    shown = {"turn__clocks__room": entry.room_id, "turn__clocks__shown_at__isnull": False}
    verdicts = Verdict.objects.filter(**mine, **shown).select_related("turn")
    warnings = GivenWarning.objects.filter(**mine).order_by("pk").select_related("turn")
    return {
        "game": entry.game.number,
        "first_turn": entry.first_turn,
        "last_turn": entry.last_turn,
        "disqualified_from": entry.disqualified_from,
        "disqualified_for": entry.disqualified_for,
        "slips": [_slip(slip) for slip in slips],
        "typings": [_typing(typing) for typing in Typing.objects.filter(**mine).select_related("turn")],
        "verdicts": [_verdict(verdict) for verdict in verdicts.order_by("turn__number")],
        "warnings": [
            {"turn": row.turn.number, "code": row.code, "reason": row.reason, "taken_back": row.revoked_at is not None}
            for row in warnings
        ],
        "appeals": [
            {"turn": row.turn.number, "sentence": row.sentence, "state": row.state, "answer": row.answer}
            for row in Appeal.objects.filter(**mine).order_by("pk").select_related("turn")
        ],
    }


def _slip(slip: Slip) -> dict[str, Any]:
    return {
        "turn": slip.turn.number,
        "version": slip.version,
        "id": str(slip.client_id),
        "source": slip.source,
        "word": slip.word,
        "ref": slip.ref,
        "direction": slip.direction,
        "hook": slip.hook,
        "declared": slip.declared,
        "received_at": moment_text(slip.received_at),
        "sent_at": moment_text(slip.sent_at) if slip.sent_at else None,
        "in_time": slip.in_time,
    }


def _typing(typing: Typing) -> dict[str, Any]:
    """A paper slip as one of two typists typed it."""
    counts = typing.slip_id is not None
    return {"turn": typing.turn.number, "line": typing.raw, "at": moment_text(typing.at), "counts": counts}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "turn": verdict.turn.number,
        "result": verdict.result,
        "reason": verdict.reason,
        "points": verdict.points,
        "warnings": list(verdict.warnings),
        "penalty": verdict.penalty,
        "bonus": verdict.bonus,
        "decided_by": verdict.decided_by,
        "decision_reason": verdict.decision_reason,
    }
