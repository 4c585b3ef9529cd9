"""The entry desk: who has come, who has not, and who comes without having been on the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, Event, Game, Player, Room, Slip, Turn, Verdict
from tournaments.sealed import people_of
from tournaments.selectors.events import first_room
from tournaments.selectors.phases import is_over_in, next_start
from tournaments.selectors.players import NOT_HERE
from tournaments.services.acting import acting_in, record
from tournaments.services.judging import judge_turn
from tournaments.services.players import NewPlayer, enter, seat


def mark_here(*, player: Player, by: User | None, now: datetime) -> Player:
    """A player has come. Who was marked absent, or has missed this game so far, plays from the next turn on; once the
    game is over, in the next game."""
    with acting_in(player.event) as game:
        current = Player.objects.select_related("room").get(pk=player.pk)
        entry = Entry.objects.filter(game=game, player=current).first()
        enters = entry is None and not is_over_in(game, current.room)
        if current.arrived_at is not None and not enters:
            raise AlreadyDone(_("%(name)s is marked as present.") % {"name": current.name})
        if enters:
            enter(game=game, players=[current], first_turn=next_start(game, current.room))
        Player.objects.filter(pk=current.pk).update(arrived_at=now)
        people = {"people": people_of(game, [current])} if enters else {}
        record(game=game, kind="arrivals", by=by, now=now, data={"here": [current.table], **people})
        signals.changed(game, current.room)
    player.arrived_at = now
    return player


def mark_expected(*, player: Player, by: User | None, now: datetime) -> Player:
    """Take the mark back: he has not come yet, and is waited for."""
    with acting_in(player.event) as game:
        if not Player.objects.filter(pk=player.pk, arrived_at__isnull=False).update(arrived_at=None):
            raise AlreadyDone(_("%(name)s is not marked as present.") % {"name": player.name})
        record(game=game, kind="arrivals", by=by, now=now, data={"expected": [player.table]})
        signals.changed(game, player.room)
    player.arrived_at = None
    return player


def mark_absent(*, player: Player, by: User | None, now: datetime) -> None:
    """A player does not come: he has no place in the game, and no missing slips either. Whoever comes after all plays
    from then on, as a late-comer."""
    with acting_in(player.event) as game:
        _let_stay_away(game, [_absentee(game, player)], by, now)


def mark_rest_absent(*, event: Event, room: Room | None = None, by: User | None, now: datetime) -> int:
    """All who have a place in the game and have not come (of a room, or of the event) do not come; how many they are.

    Who has a phone in the game or has handed in anything is there.
    """
    with acting_in(event) as game:
        players = Player.objects.filter(NOT_HERE, entries__game=game, entries__last_turn=None)
        players = players.exclude(pk__in=Slip.objects.filter(turn__game=game).values("player"))
        players = players.select_related("room")
        absent = list(players if room is None else players.filter(room=room))
        if not absent:
            raise AlreadyDone(_("Everybody who is waited for has come, or is marked as absent already."))
        _let_stay_away(game, absent, by, now)
    return len(absent)


def walk_in(*, event: Event, player: NewPlayer, room: Room | None = None, by: User | None, now: datetime) -> Player:
    """Somebody who was not on the list and is here; without a table he gets the lowest free one."""
    with acting_in(event) as game:
        [added] = seat(game=game, room=room or first_room(event), players=[player], now=now)
        Player.objects.filter(pk=added.pk).update(arrived_at=now)
        told = {"added": [added.table], "here": [added.table], "people": people_of(game, [added])}
        record(game=game, kind="players", by=by, now=now, data=told)
        signals.changed(game, added.room)
    added.arrived_at = now
    return added


def _absentee(game: Game, player: Player) -> Player:
    """The player, when he may stay away from this game; else `Refused`."""
    current = Player.objects.select_related("room").get(pk=player.pk)
    if Slip.objects.filter(player=current, turn__game=game).exists():
        raise Refused(_("%(name)s has handed in slips: mark that he has left.") % {"name": current.name})
    if not Entry.objects.filter(game=game, player=current).exists() and current.arrived_at is None:
        raise AlreadyDone(_("%(name)s is marked as absent already.") % {"name": current.name})
    return current


def _let_stay_away(game: Game, players: Sequence[Player], by: User | None, now: datetime) -> None:
    """Their places in the game go, and the verdicts on slips that they have not handed in."""
    keys = [player.pk for player in players]
    judged = Turn.objects.filter(game=game, verdicts__player__in=keys).order_by("number").first()
    Entry.objects.filter(game=game, player__in=keys).delete()
    Player.objects.filter(pk__in=keys).update(arrived_at=None)
    if judged is not None:
        Verdict.objects.filter(turn__game=game, player__in=keys).delete()
        judged.game = game
        judge_turn(turn=judged)
    absent = {"absent": sorted(player.table for player in players), "people": people_of(game, players)}
    record(game=game, kind="arrivals", by=by, now=now, data=absent)
    signals.changed(game)
