"""Disqualify a player, and take that back.

A disqualified player leaves the ranking of the game and of the event, and has no slip in the turns to come; slips and
verdicts stay in the record. Source: Italian tournament rules 1999, rule 11. How far it goes is our reading: from the
turn on that is being played at that moment, the player's slips count for no average, solo or bonus of the others and
get none; what counted in earlier turns stays. A slip may still be the one that goes on the board.
"""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import ClockState
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.ledger.sealed_slips import people_of
from tournaments.models import Entry, Game, Player, Turn, TurnClock
from tournaments.play.queries.phases import is_over_in, next_starting_turn_number
from tournaments.play.services.game_lock import append_to_ledger, lock_game
from tournaments.players.services.players import record_departure, restore_place


def disqualify(*, player: Player, reason: str, by: User | None, now: datetime) -> Entry:
    """Disqualify a player of the present game, with a reason."""
    why = validators.reason(reason)
    if not why:
        raise Refused(_("Give a reason for the disqualification."))
    with lock_game(current_game(player.event)) as game:
        entry = _entry(game, player)
        if entry.disqualified_from is not None:
            sentence = _("%(name)s is disqualified already.") % {"name": player.name}
            raise AlreadyDone(sentence, act="disqualify", table=player.table)
        first = _turn_being_played(game, player)
        entry.disqualified_from, entry.disqualified_for = first, why
        entry.save(update_fields=["disqualified_from", "disqualified_for"])
        details = {"table": player.table, "turn": first, "reason": why, "people": people_of(game, [player])}
        append_to_ledger(game=game, kind="disqualify", by=by, now=now, data=details)
        if entry.last_turn is None:
            record_departure(game=game, player=player, now=now, by=by)
        _judge_from(game, first)
        signals.send_game_changed(game)
        signals.send_place_changed([player])
    return entry


def reinstate(*, player: Player, by: User | None, now: datetime) -> Entry:
    """Undo a disqualification: the player is ranked again, and plays on unless a turn was missed."""
    with lock_game(current_game(player.event)) as game:
        entry = _entry(game, player)
        first = entry.disqualified_from
        if first is None:
            raise AlreadyDone(_("%(name)s is not disqualified.") % {"name": player.name})
        entry.disqualified_from, entry.disqualified_for = None, ""
        entry.save(update_fields=["disqualified_from", "disqualified_for"])
        details = {"table": player.table, "turn": first, "people": people_of(game, [player])}
        append_to_ledger(game=game, kind="reinstate", by=by, now=now, data=details)
        start = next_starting_turn_number(game, player.room)
        if not is_over_in(game, player.room) and restore_place(entry, start):
            back = {"table": player.table, "first_turn": start, "people": people_of(game, [player])}
            append_to_ledger(game=game, kind="come_back", by=by, now=now, data=back)
        _judge_from(game, first)
        signals.send_game_changed(game)
        signals.send_place_changed([player])
    return entry


def _entry(game: Game, player: Player) -> Entry:
    entry = Entry.objects.filter(game=game, player=player).first()
    if entry is None:
        raise Refused(_("%(name)s is not in this game.") % {"name": player.name})
    return entry


def _turn_being_played(game: Game, player: Player) -> int:
    """The number of the turn in progress in the player's room, else of the next one."""
    begun = TurnClock.objects.filter(turn__game=game, room=player.room, shown_at=None).exclude(state=ClockState.READY)
    number = begun.order_by("turn__number").values_list("turn__number", flat=True).first()
    return number or next_starting_turn_number(game, player.room)


def _judge_from(game: Game, number: int) -> None:
    """Judge the turn of this number anew where a room has closed it; the closed ones after it follow."""
    turn = Turn.objects.filter(game=game, number=number, clocks__state=ClockState.CLOSED).first()
    if turn is not None:
        turn.game = game
        judge_turn(turn=turn)
