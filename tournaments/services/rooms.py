"""The rooms of an event: added, renamed, removed, and who sits in which."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, Event, Game, Player, Room, Slip, Turn, TurnClock, Verdict
from tournaments.position import profile_of
from tournaments.sealed import people_of
from tournaments.selectors.events import current_game, first_room
from tournaments.selectors.phases import next_start, unfinished
from tournaments.services.acting import acting_on, record
from tournaments.services.judging import judge_turn

MOST_ROOMS = 500
LONGEST_OFFSET_S = 24 * 3600
_TOKEN_BYTES = 32


def add_room(*, event: Event, name: str, offset_s: int | None, by: User | None, now: datetime) -> Room:
    """A room that follows the drawing room: by itself so many seconds after each announcement, by hand when None.

    In a game that is going on it joins the script at the next turn.
    """
    with acting_on(current_game(event)) as game:
        text = _free_name(event, name, None)
        _demand_offset(offset_s)
        last: int = Room.objects.filter(event=event).aggregate(last=Max("number"))["last"]
        if Room.objects.filter(event=event).count() >= MOST_ROOMS:
            raise Refused(_("An event has at most %(most)d rooms.") % {"most": MOST_ROOMS})
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        room = Room.objects.create(event=event, number=last + 1, name=text, offset_s=offset_s, wall_token=token)
        _give_clocks(game, room)
        _tell(game, room, "add", by, now)
    return room


def change_room(*, room: Room, name: str, offset_s: int | None, by: User | None, now: datetime) -> Room:
    """Give a room another name, or another way to follow; the drawing room follows nobody."""
    with acting_on(current_game(room.event)) as game:
        text = _free_name(room.event, name, room)
        _demand_offset(offset_s)
        room.name, room.offset_s = text, None if room.is_drawing else offset_s
        room.save(update_fields=["name", "offset_s"])
        _tell(game, room, "change", by, now)
    return room


def remove_room(*, room: Room, by: User | None, now: datetime) -> None:
    """Take a room away in which nobody sits or has played."""
    with acting_on(current_game(room.event)) as game:
        if room.is_drawing:
            raise Refused(_("The drawing room stays: the others follow it."))
        if Player.objects.filter(room=room).exists() or Entry.objects.filter(room=room).exists():
            raise Refused(
                _("Somebody sits in the room “%(room)s”, or has played there: it stays in the results.")
                % {"room": room.name}
            )
        _tell(game, room, "remove", by, now)
        room.delete()


def move_player(*, player: Player, room: Room, by: User | None, now: datetime) -> Player:
    """Let a player sit in another room, from the next turn of that room on.

    Only before his first slip in the game: what he hands in belongs to the clock of his room.
    """
    if room.event_id != player.event_id:
        raise ValueError(f"{room} is a room of another event than {player}")
    with acting_on(current_game(player.event)) as game:
        if player.room_id == room.pk:
            raise AlreadyDone(_("%(name)s is in this room.") % {"name": player.name})
        if Slip.objects.filter(player=player, turn__game=game).exists():
            raise Refused(
                _("%(name)s has handed in slips in this game and changes rooms before the next one.")
                % {"name": player.name}
            )
        before = player.room
        _move_entry(game, player, room)
        player.room = room
        player.save(update_fields=["room"])
        people = people_of(game, [player])
        moved = {"table": player.table, "from": before.name, "to": room.name, "people": people}
        record(game=game, kind="move", by=by, now=now, data=moved)
        signals.replaced(player)
        signals.changed(game)
    return player


def withdraw(*, room: Room, by: User | None, now: datetime) -> int:
    """Let all players of a room leave after the turn that it is at, since it can play no longer: nobody waits for it
    any more. Gives how many they were."""
    with acting_on(current_game(room.event)) as game:
        if room.is_drawing:
            raise Refused(_("The drawing room stays: the others follow it."))
        last = next_start(game, room) - 1
        present = Entry.objects.filter(game=game, room=room, last_turn=None)
        players = list(Player.objects.filter(entries__in=present))
        gone = present.filter(first_turn__gt=last).delete()[0] + present.update(last_turn=last)
        told = {"room": room.name, "last_turn": last, "people": people_of(game, players)}
        record(game=game, kind="withdraw", by=by, now=now, data=told)
        _judge_what_waited(game, last)
        signals.changed(game)
    return gone


def demand_over(game: Game) -> None:
    """Refuse the next game while a room still plays this one, which is over in the drawing room."""
    waiting = unfinished(game).select_related("room", "turn").order_by("turn__number", "room__number").first()
    if waiting is not None:
        raise Refused(
            _("The room “%(room)s” still plays turn %(turn)d of this game: the next one begins when it is over there.")
            % {"room": waiting.room.name, "turn": waiting.turn.number}
        )


def _free_name(event: Event, name: str, room: Room | None) -> str:
    text = validators.room_name(name)
    others = [other for other in Room.objects.filter(event=event) if other != room]
    if text.casefold() in {other.name.casefold() for other in others}:
        raise Refused(_("There is a room “%(room)s” already; choose another name.") % {"room": text})
    return text


def _demand_offset(offset_s: int | None) -> None:
    if offset_s is not None and not 0 <= offset_s <= LONGEST_OFFSET_S:
        raise Refused(_("A room follows after at most 24 hours."))


def _give_clocks(game: Game, room: Room) -> None:
    """A clock for the rack that is drawn and that nobody has seen; those of later turns come with their racks."""
    ahead = Turn.objects.filter(game=game, number__gte=next_start(game, first_room(room.event)))
    grace_ms = profile_of(game).grace_ms
    TurnClock.objects.bulk_create(TurnClock(room=room, turn=turn, grace_ms=grace_ms) for turn in ahead)


def _move_entry(game: Game, player: Player, room: Room) -> None:
    """His place in the game goes with him; what he was in before he was not."""
    first = next_start(game, room)
    if not Entry.objects.filter(game=game, player=player).update(room=room, first_turn=first, last_turn=None):
        return
    earlier = Turn.objects.filter(pk__in=Verdict.objects.filter(player=player, turn__game=game).values("turn"))
    turn = earlier.order_by("number").first()
    if turn is not None:
        Verdict.objects.filter(player=player, turn__game=game).delete()
        turn.game = game
        judge_turn(turn=turn)


def _judge_what_waited(game: Game, last: int) -> None:
    """Turns that are complete without the room have solos and bonuses now."""
    turn = Turn.objects.filter(game=game, number__gt=last, verdicts__isnull=False).order_by("number").first()
    if turn is not None:
        turn.game = game
        judge_turn(turn=turn)


def _tell(game: Game, room: Room, what: str, by: User | None, now: datetime) -> None:
    facts = {"room": room.number, "name": room.name, "offset_s": room.offset_s, "act": what}
    record(game=game, kind="room", by=by, now=now, data=facts)
    signals.changed(game)
