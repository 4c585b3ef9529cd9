"""Retention period of an event's names, and the stored data about one person."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.conf import settings

from engine.archive.schema import format_timestamp
from tournaments.models import Appeal, Entry, Event, GivenWarning, Player, Slip, Typing, Verdict

NOTICE_PERIOD = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class RetentionPeriod:
    """The retention period of an event. `until` is the last day on which the names are stored; `is_due` after it. The
    desk shows a notice while `is_announced`."""

    event: Event
    until: date
    is_announced: bool
    is_due: bool


def get_retention_period(event: Event, today: date) -> RetentionPeriod | None:
    """Get the retention period of an event; None when names have no time limit or were removed."""
    days = settings.RETENTION_DAYS if event.keep_days is None else event.keep_days
    if not days or event.forgotten_at is not None:
        return None
    until = event.date + timedelta(days=days)
    return RetentionPeriod(event, until, is_announced=today >= until - NOTICE_PERIOD, is_due=today > until)


def list_due_events(events: Iterable[Event], today: date) -> list[Event]:
    """The events whose retention period is over."""
    return [event for event in events if (keeping := get_retention_period(event, today)) is not None and keeping.is_due]


def person_data(player: Player) -> dict[str, Any]:
    """Everything stored about one player as JSON, for that player. Of an unplaced turn it holds only the player's own
    slips."""
    return {
        "event": {"name": player.event.name, "date": player.event.date.isoformat(), "place": player.event.place},
        "table": player.table,
        "name": player.name,
        "first_name": player.first_name,
        "surname": player.surname,
        "nickname": player.nickname,
        "licence": player.licence,
        "club": player.club,
        "series": player.series,
        "age_class": player.age_class,
        "country": player.country,
        "team": player.team,
        "joined_at": format_timestamp(player.joined_at),
        "arrived_at": player.arrived_at and format_timestamp(player.arrived_at),
        "has_phone": bool(player.token_hash),
        "self_joined": player.self_joined,
        "members": list(player.member_links.order_by("position", "pk").values_list("member", flat=True)),
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
        "received_at": format_timestamp(slip.received_at),
        "sent_at": format_timestamp(slip.sent_at) if slip.sent_at else None,
        "in_time": slip.in_time,
    }


def _typing(typing: Typing) -> dict[str, Any]:
    """A paper slip as one of two typists typed it."""
    counts = typing.slip_id is not None
    return {"turn": typing.turn.number, "line": typing.raw, "at": format_timestamp(typing.at), "counts": counts}


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
