"""Undo of a removal and of a change of tables, within ten minutes.

An undo is an act of its own in the ledger, which names the entry that it undoes. It is refused when the tables are no
longer as the act left them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.core import serializers
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.enums import ClockState
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.ledger.sealed_slips import people_of
from tournaments.models import Entry, Event, Game, Membership, Player, ReversibleAct, Turn
from tournaments.play.services.game_lock import append_to_all_ledgers, append_to_ledger, lock_current_game
from tournaments.players.models import UNDO_TIME
from tournaments.players.services.anonymise import require_not_anonymised
from tournaments.players.services.reversible_acts import delete_expired
from tournaments.players.services.tables import require_movable, store_tables


def undo_act(*, event: Event, key: int, by: User | None, now: datetime) -> int:
    """Undo the removal or the change of tables with this key; return the number of players concerned."""
    with lock_current_game(event) as game:
        require_not_anonymised(game.event)
        act = ReversibleAct.objects.filter(event=event, pk=key).first()
        if act is None or act.at <= now - UNDO_TIME:
            raise AlreadyDone(_("This is undone already, or the ten minutes are over."))
        players = (_restore_players if act.kind == act.Kind.REMOVAL else _move_back)(game, act, by, now)
        act.delete()
        delete_expired(now)
        signals.send_game_changed(game)
    return len(players)


def _restore_players(game: Game, act: ReversibleAct, by: User | None, now: datetime) -> Sequence[Player]:
    """Store the copies of removed players, and judge the turns in which they have a place."""
    copies = list(serializers.deserialize("json", act.data["rows"]))
    players = [copy.object for copy in copies if isinstance(copy.object, Player)]
    _require_free_tables(act.event, [player.table for player in players], among=())
    for copy in copies:
        copy.save()
    for membership, player in act.data["judges"]:
        Membership.objects.filter(pk=membership, plays_as=None).update(plays_as=player)
    restored = list(Player.objects.filter(pk__in=[player.pk for player in players]).select_related("room"))
    for each in Game.objects.filter(event=act.event).order_by("-number"):
        each.event = game.event
        details = {"tables": [player.table for player in restored], "people": people_of(each, restored)}
        undone = {"undoes": act.entry} if each.pk == game.pk else {}
        append_to_ledger(game=each, kind="restored_players", by=by, now=now, data={**details, **undone})
        _judge_places(each, restored)
    return restored


def _judge_places(game: Game, players: Collection[Player]) -> None:
    """Judge the first closed turn in which these players have a place; the closed ones after it follow."""
    first = Entry.objects.filter(game=game, player__in=players).order_by("first_turn").first()
    if first is None:
        return
    closed = Turn.objects.filter(game=game, number__gte=first.first_turn, clocks__state=ClockState.CLOSED)
    turn = closed.order_by("number").first()
    if turn is not None:
        turn.game = game
        judge_turn(turn=turn)


def _move_back(game: Game, act: ReversibleAct, by: User | None, now: datetime) -> Sequence[Player]:
    """Give the players the tables that they had before."""
    moved = act.data["moved"]
    players = Player.objects.filter(event=act.event).select_related("room").in_bulk([key for key, _old, _new in moved])
    for key, _old, new in moved:
        if key not in players or players[key].table != new:
            raise Refused(_("The tables were changed again since: give the table by hand, on the plan of the tables."))
    _require_free_tables(act.event, [old for _key, old, _new in moved], among=players)
    require_movable(list(players.values()))
    back = [(players[key], old) for key, old, _new in moved]
    details = {"order": "undone", "moved": [[player.table, table] for player, table in back], "undoes": act.entry}
    store_tables(back)
    append_to_all_ledgers(game=game, kind="tables", by=by, now=now, data=details)
    return list(players.values())


def _require_free_tables(event: Event, tables: Collection[int], *, among: Collection[int]) -> None:
    """Refuse when somebody else has one of these tables now; `among` are the players who move."""
    other = Player.objects.filter(event=event, table__in=tables).exclude(pk__in=list(among)).first()
    if other is not None:
        raise Refused(
            _("Table %(table)d belongs to %(name)s now: give %(name)s another table first, then undo.")
            % {"table": other.table, "name": other.name}
        )
