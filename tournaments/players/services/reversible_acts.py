"""Copies of what an act on players takes away, kept for ten minutes so that it can be undone (`undo.py` beside)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.core import serializers
from django.db.models import Model
from django.db.models.deletion import Collector

from tournaments.models import Game, LedgerEntry, Membership, Player, ReversibleAct, Verdict
from tournaments.players.models import UNDO_TIME


def delete_players(game: Game, players: Sequence[Player], now: datetime) -> None:
    """Delete players and keep a copy of their rows. The caller has locked the game and written the removal to the
    ledger."""
    judges = Membership.objects.filter(plays_as__in=players).values_list("pk", "plays_as")
    _record(game, ReversibleAct.Kind.REMOVAL, {"rows": _copy_rows(players), "judges": list(judges)}, now)
    Player.objects.filter(pk__in=[player.pk for player in players]).delete()


def record_table_changes(game: Game, changes: Iterable[tuple[Player, int]], now: datetime) -> None:
    """Record the players who have another table from now on. The same conditions apply."""
    moved = [[player.pk, player.table, table] for player, table in changes]
    _record(game, ReversibleAct.Kind.TABLES, {"moved": moved}, now)


def delete_expired(now: datetime) -> None:
    """Delete the copies whose time is over."""
    expired = ReversibleAct.objects.filter(at__lte=now - UNDO_TIME)
    if expired.exists():
        expired.delete()


def _record(game: Game, kind: ReversibleAct.Kind, data: dict[str, object], now: datetime) -> None:
    delete_expired(now)
    entry = LedgerEntry.objects.filter(game=game, room=None).order_by("-n").values_list("n", flat=True)[0]
    ReversibleAct.objects.create(event=game.event, kind=kind, at=now, entry=entry, data=data)


def _copy_rows(players: Sequence[Player]) -> str:
    """The rows that are deleted with these players, players first. Verdicts are derived again."""
    collector = Collector(using="default")
    collector.collect(players)
    rows: list[Model] = [row for found in collector.data.values() for row in found]
    rows += [row for found in collector.fast_deletes for row in found]
    kept = [row for row in rows if not isinstance(row, Verdict)]
    return str(serializers.serialize("json", sorted(kept, key=lambda row: not isinstance(row, Player))))
