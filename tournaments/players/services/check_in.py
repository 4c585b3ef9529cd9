"""Check-in: mark players as present, expected or absent, and add walk-ins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.ledger.sealed_slips import people_of
from tournaments.models import Entry, Event, Game, Player, Room, Slip, Turn, Verdict
from tournaments.play.queries.phases import is_over_in, next_starting_turn_number
from tournaments.play.services.game_lock import append_to_ledger, lock_current_game
from tournaments.players.queries.players import NOT_ARRIVED
from tournaments.players.services.players import NewPlayer, create_entries, store_players


def mark_here(*, player: Player, by: User | None, now: datetime) -> Player:
    """Check in a player. A player who was absent or missed this game so far plays from the next turn on, or in the next
    game once this one is over."""
    with lock_current_game(player.event) as game:
        current = Player.objects.select_related("room").get(pk=player.pk)
        entry = Entry.objects.filter(game=game, player=current).first()
        enters = entry is None and not is_over_in(game, current.room)
        if current.arrived_at is not None and not enters:
            raise AlreadyDone(_("%(name)s is marked as present.") % {"name": current.name})
        if enters:
            create_entries(game=game, players=[current], first_turn=next_starting_turn_number(game, current.room))
        Player.objects.filter(pk=current.pk).update(arrived_at=now)
        people = {"people": people_of(game, [current])} if enters else {}
        append_to_ledger(game=game, kind="arrivals", by=by, now=now, data={"here": [current.table], **people})
        signals.send_game_changed(game, current.room)
        signals.send_place_changed([current] if enters else [])
    player.arrived_at = now
    return player


def mark_expected(*, player: Player, by: User | None, now: datetime) -> Player:
    """Undo a check-in: the player is expected again."""
    with lock_current_game(player.event) as game:
        if not Player.objects.filter(pk=player.pk, arrived_at__isnull=False).update(arrived_at=None):
            raise AlreadyDone(_("%(name)s is not marked as present.") % {"name": player.name})
        append_to_ledger(game=game, kind="arrivals", by=by, now=now, data={"expected": [player.table]})
        signals.send_game_changed(game, player.room)
    player.arrived_at = None
    return player


def mark_absent(*, player: Player, by: User | None, now: datetime) -> None:
    """Mark a player as absent, without a place in the game and without missing slips. Absent players who arrive later
    join from the next turn on."""
    with lock_current_game(player.event) as game:
        _remove_from_game(game, [_require_absence_possible(game, player)], by, now)


def mark_rest_absent(*, event: Event, room: Room | None = None, by: User | None, now: datetime) -> int:
    """Mark as absent everybody with a place in the game who has not arrived, in a room or in the event. Return their
    number.

    Players with a phone in the game or with a slip count as present.
    """
    with lock_current_game(event) as game:
        players = Player.objects.filter(NOT_ARRIVED, entries__game=game, entries__last_turn=None)
        players = players.exclude(pk__in=Slip.objects.filter(turn__game=game).values("player"))
        players = players.select_related("room")
        absent = list(players if room is None else players.filter(room=room))
        if not absent:
            raise AlreadyDone(_("Everybody who is waited for has come, or is marked as absent already."))
        _remove_from_game(game, absent, by, now)
    return len(absent)


def add_walk_in(
    *,
    event: Event,
    player: NewPlayer,
    room: Room | None = None,
    by: User | None,
    now: datetime,
    namesakes: bool = False,
) -> Player:
    """Add and check in a player who was not on the list; without a table they get the lowest free one. `namesakes`: a
    player of the same name is somebody else."""
    with lock_current_game(event) as game:
        place = room or get_drawing_room(event)
        [added] = store_players(game=game, room=place, players=[player], now=now, namesakes=namesakes)
        Player.objects.filter(pk=added.pk).update(arrived_at=now)
        details = {"added": [added.table], "here": [added.table], "people": people_of(game, [added])}
        append_to_ledger(game=game, kind="players", by=by, now=now, data=details)
        signals.send_game_changed(game, added.room)
    added.arrived_at = now
    return added


def _require_absence_possible(game: Game, player: Player) -> Player:
    """Get the player if they may be absent from this game; raise `Refused` otherwise."""
    current = Player.objects.select_related("room").get(pk=player.pk)
    if Slip.objects.filter(player=current, turn__game=game).exists():
        raise Refused(_("%(name)s has handed in slips: mark the player as having left.") % {"name": current.name})
    if not Entry.objects.filter(game=game, player=current).exists() and current.arrived_at is None:
        raise AlreadyDone(_("%(name)s is marked as absent already.") % {"name": current.name})
    return current


def _remove_from_game(game: Game, players: Sequence[Player], by: User | None, now: datetime) -> None:
    """Remove these players' places in the game, and the verdicts on their missing slips."""
    keys = [player.pk for player in players]
    judged = Turn.objects.filter(game=game, verdicts__player__in=keys).order_by("number").first()
    Entry.objects.filter(game=game, player__in=keys).delete()
    Player.objects.filter(pk__in=keys).update(arrived_at=None)
    if judged is not None:
        Verdict.objects.filter(turn__game=game, player__in=keys).delete()
        judged.game = game
        judge_turn(turn=judged)
    absent = {"absent": sorted(player.table for player in players), "people": people_of(game, players)}
    append_to_ledger(game=game, kind="arrivals", by=by, now=now, data=absent)
    signals.send_game_changed(game)
    signals.send_place_changed(players)
