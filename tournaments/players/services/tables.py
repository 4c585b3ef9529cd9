"""Assignment of tables: a new plan for all players, or an exchange of two.

Slips, ledger and archive identify a player by table, so tables change only before the player has any data in a game.
The ledger records each change with the old and the new table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from engine.play.seating import ORDERS, Order, SeatedPlayer, seat_players
from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Event, Player, Slip, Verdict
from tournaments.play.services.game_lock import append_to_all_ledgers, lock_current_game
from tournaments.players.queries.players import is_here
from tournaments.players.services.reversible_acts import record_table_changes

_TEMPORARY_OFFSET = 1_000_000
"""Added to a table while others take their places; no table has so high a number."""
_BATCH = 100


def assign_tables(
    *, event: Event, order: str, first_table: int, here_first: bool, seed: int, by: User | None, now: datetime
) -> int:
    """Give everybody a table anew, room by room, from `first_table` on; how many have another one than before.

    `order` is one of engine.play.seating.ORDERS, `seed` decides the chance in it. `here_first`: who has come gets
    the lower
    tables. Refused once a turn has slips or verdicts.
    """
    if order not in ORDERS:
        raise Refused(_("Tables are given by list, by series or spread; choose one of these."))
    first = validators.table_number(first_table)
    with lock_current_game(event) as game:
        if Slip.objects.filter(player__event=event).exists() or Verdict.objects.filter(player__event=event).exists():
            raise Refused(_("The first turn has been played, so everybody stays at their table."))
        everybody = list(Player.objects.filter(event=event).select_related("room").order_by("table"))
        planned = _plan_tables(everybody, order, seed, count(first), here_first=here_first)
        if planned and max(planned.values()) > validators.HIGHEST_TABLE:
            raise Refused(_("%(table)d is too high for a table number.") % {"table": max(planned.values())})
        moved = [(player, planned[player.pk]) for player in everybody if planned[player.pk] != player.table]
        if moved:
            changes = [[player.table, table] for player, table in moved]
            store_tables(moved)
            details = {"order": order, "seed": seed, "moved": changes}
            append_to_all_ledgers(game=game, kind="tables", by=by, now=now, data=details)
            record_table_changes(game, moved, now)
            signals.send_game_changed(game)
    return len(moved)


def swap_tables(*, event: Event, table: int, other: int, by: User | None, now: datetime) -> Player:
    """Exchange the tables of two players, or move a player to a free table.

    Refused when one of them has submitted or missed a slip, because the results list it under their table.
    """
    wanted = validators.table_number(other)
    with lock_current_game(event) as game:
        player = Player.objects.filter(event=event, table=table).select_related("room").first()
        if player is None:
            raise Refused(_("There is no table %(table)s.") % {"table": table})
        if table == wanted:
            raise AlreadyDone(_("%(name)s sits at table %(table)d.") % {"name": player.name, "table": table})
        displaced = Player.objects.filter(event=event, table=wanted).select_related("room").first()
        pair = [player] if displaced is None else [player, displaced]
        require_movable(pair)
        moved = [(player, wanted)] if displaced is None else [(player, wanted), (displaced, table)]
        store_tables(moved)
        changes = [[each.table, to] for each, to in moved]
        append_to_all_ledgers(game=game, kind="tables", by=by, now=now, data={"order": "by hand", "moved": changes})
        record_table_changes(game, moved, now)
        for each in pair:
            signals.send_game_changed(game, each.room)
    player.refresh_from_db()
    return player


def _plan_tables(
    moving: Sequence[Player], order: Order, seed: int, free: Iterator[int], *, here_first: bool
) -> Mapping[int, int]:
    """The new table of each player, by primary key, room after room."""
    planned: dict[int, int] = {}
    for number in sorted({player.room.number for player in moving}):
        inside = [player for player in moving if player.room.number == number]
        parts = [[p for p in inside if is_here(p)], [p for p in inside if not is_here(p)]] if here_first else [inside]
        for part in parts:
            sitters = [SeatedPlayer(player.pk, player.series, player.club.casefold()) for player in part]
            planned |= {sitter.number: next(free) for sitter in seat_players(sitters, order, seed)}
    return planned


def require_movable(players: Sequence[Player]) -> None:
    """Refuse to move players who have played a turn: the results name them by their tables."""
    for player in players:
        if Slip.objects.filter(player=player).exists() or Verdict.objects.filter(player=player).exists():
            raise Refused(
                _("Table %(table)d, %(name)s, has played a turn already: it stays that table in the results.")
                % {"table": player.table, "name": player.name}
            )


def store_tables(moved: Sequence[tuple[Player, int]]) -> None:
    """Store the tables in two steps, so that no table is assigned twice at any moment."""
    keys = [player.pk for player, _table in moved]
    for at in range(0, len(keys), _BATCH):
        Player.objects.filter(pk__in=keys[at : at + _BATCH]).update(table=F("table") + _TEMPORARY_OFFSET)
    seated = [Player(pk=player.pk, table=table) for player, table in moved]
    Player.objects.bulk_update(seated, ["table"], batch_size=_BATCH)
