"""The rooms of an event: added, renamed, removed, and who sits in which."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments import signals, validators
from tournaments.errors import AlreadyDone, Refused
from tournaments.events.queries.events import current_game, get_drawing_room
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.ledger.sealed_slips import people_of
from tournaments.models import Entry, Event, Game, LedgerEntry, Player, Room, Slip, Turn, TurnClock, Verdict
from tournaments.play.position import profile_of
from tournaments.play.queries.phases import list_unfinished_clocks, next_starting_turn_number
from tournaments.play.services.game_lock import append_to_ledger, lock_game

MOST_ROOMS = 500
MOST_NAMED = 10
LONGEST_OFFSET_S = 24 * 3600
_TOKEN_BYTES = 32


def add_room(*, event: Event, name: str, offset_s: int | None, by: User | None, now: datetime) -> Room:
    """Add a room that follows the drawing room: this number of seconds after each announcement, or manually when None.

    If a game is in progress, the room joins the script at the next turn.
    """
    with lock_game(current_game(event)) as game:
        text = _free_name(event, name, None)
        _require_offset(offset_s)
        last: int = Room.objects.filter(event=event).aggregate(last=Max("number"))["last"]
        if Room.objects.filter(event=event).count() >= MOST_ROOMS:
            raise Refused(_("An event has at most %(most)d rooms.") % {"most": MOST_ROOMS})
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        room = Room.objects.create(event=event, number=last + 1, name=text, offset_s=offset_s, wall_token=token)
        _create_clocks(game, room)
        _record_room_change(game, room, "add", by, now)
    return room


def change_room(*, room: Room, name: str, offset_s: int | None, by: User | None, now: datetime) -> Room:
    """Change the name of a room or the way it follows; the drawing room follows no other."""
    with lock_game(current_game(room.event)) as game:
        text = _free_name(room.event, name, room)
        _require_offset(offset_s)
        room.name, room.offset_s = text, None if room.is_drawing else offset_s
        room.save(update_fields=["name", "offset_s"])
        _record_room_change(game, room, "change", by, now)
    return room


def remove_room(*, room: Room, by: User | None, now: datetime) -> None:
    """Take a room away in which nobody sits or has played."""
    with lock_game(current_game(room.event)) as game:
        if room.is_drawing:
            raise Refused(_("The drawing room stays: the others follow it."))
        if any(rows.filter(room=room).exists() for rows in (Player.objects, Entry.objects, LedgerEntry.objects)):
            raise Refused(
                _("Somebody sits in the room “%(room)s”, or has played there: it stays in the results.")
                % {"room": room.name}
            )
        _record_room_change(game, room, "remove", by, now)
        room.delete()


def move_players(*, players: Sequence[Player], room: Room, by: User | None, now: datetime) -> int:
    """Move players of an event to a room, from the next turn of that room on; return how many were elsewhere before.

    Only possible before a player's first slip in the game, because slips belong to the clock of their room. All are
    moved or none.
    """
    if any(player.event_id != room.event_id for player in players):
        raise ValueError(f"{room} is a room of another event")
    with lock_game(current_game(room.event)) as game:
        moving = [player for player in players if player.room_id != room.pk]
        if not moving:
            raise AlreadyDone(_("All these players are in this room."))
        _require_no_slips(game, moving)
        for player in moving:
            before = player.room
            _move_entry(game, player, room)
            player.room = room
            player.save(update_fields=["room"])
            people = people_of(game, [player])
            moved = {"table": player.table, "from": before.name, "to": room.name, "people": people}
            append_to_ledger(game=game, kind="move", by=by, now=now, data=moved)
            signals.send_phone_replaced(player)
        signals.send_game_changed(game)
    return len(moving)


def _require_no_slips(game: Game, players: Sequence[Player]) -> None:
    """Refuse to move players who have handed in slips in this game; name them."""
    late = Player.objects.filter(pk__in=Slip.objects.filter(turn__game=game, player__in=players).values("player"))
    names = [f"{player.table} {player.name}" for player in late.order_by("table")]
    if names:
        sentence = ngettext(
            "%(names)s has handed in slips in this game and changes rooms before the next one. Nobody was moved.",
            "%(names)s have handed in slips in this game and change rooms before the next one. Nobody was moved.",
            len(names),
        )
        raise Refused(sentence % {"names": ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")})


def withdraw_room(*, room: Room, by: User | None, now: datetime) -> int:
    """Let all players of a room leave after its current turn, because the room cannot continue. Return their number."""
    with lock_game(current_game(room.event)) as game:
        if room.is_drawing:
            raise Refused(_("The drawing room stays: the others follow it."))
        last = next_starting_turn_number(game, room) - 1
        present = Entry.objects.filter(game=game, room=room, last_turn=None)
        players = list(Player.objects.filter(entries__in=present))
        gone = present.filter(first_turn__gt=last).delete()[0] + present.update(last_turn=last)
        details = {"room": room.name, "last_turn": last, "people": people_of(game, players)}
        append_to_ledger(game=game, kind="withdraw", by=by, now=now, data=details)
        _judge_completed_turns(game, last)
        signals.send_game_changed(game)
        signals.send_place_changed(players)
    return gone


def require_game_over(game: Game) -> None:
    """Refuse the next game while a room still plays the current one."""
    waiting = (
        list_unfinished_clocks(game).select_related("room", "turn").order_by("turn__number", "room__number").first()
    )
    if waiting is not None:
        raise Refused(
            _("The room “%(room)s” still plays turn %(turn)d of this game: the next game starts when it is over there.")
            % {"room": waiting.room.name, "turn": waiting.turn.number}
        )


def _free_name(event: Event, name: str, room: Room | None) -> str:
    text = validators.room_name(name)
    others = [other for other in Room.objects.filter(event=event) if other != room]
    if text.casefold() in {other.name.casefold() for other in others}:
        raise Refused(_("There is a room “%(room)s” already; choose another name.") % {"room": text})
    return text


def _require_offset(offset_s: int | None) -> None:
    if offset_s is not None and not 0 <= offset_s <= LONGEST_OFFSET_S:
        raise Refused(_("A room follows after at most 24 hours."))


def _create_clocks(game: Game, room: Room) -> None:
    """Create the clock of a drawn, unannounced rack; clocks of later turns are created with their racks."""
    ahead = Turn.objects.filter(game=game, number__gte=next_starting_turn_number(game, get_drawing_room(room.event)))
    grace_ms = profile_of(game).grace_ms
    TurnClock.objects.bulk_create(TurnClock(room=room, turn=turn, grace_ms=grace_ms) for turn in ahead)


def _move_entry(game: Game, player: Player, room: Room) -> None:
    """Move the player's entry of this game to the new room; entries of earlier games keep theirs."""
    first = next_starting_turn_number(game, room)
    if not Entry.objects.filter(game=game, player=player).update(room=room, first_turn=first, last_turn=None):
        return
    earlier = Turn.objects.filter(pk__in=Verdict.objects.filter(player=player, turn__game=game).values("turn"))
    turn = earlier.order_by("number").first()
    if turn is not None:
        Verdict.objects.filter(player=player, turn__game=game).delete()
        turn.game = game
        judge_turn(turn=turn)


def _judge_completed_turns(game: Game, last: int) -> None:
    """Turns that are complete without the room have solos and bonuses now."""
    turn = Turn.objects.filter(game=game, number__gt=last, verdicts__isnull=False).order_by("number").first()
    if turn is not None:
        turn.game = game
        judge_turn(turn=turn)


def _record_room_change(game: Game, room: Room, what: str, by: User | None, now: datetime) -> None:
    facts = {"room": room.number, "name": room.name, "offset_s": room.offset_s, "act": what}
    append_to_ledger(game=game, kind="room", by=by, now=now, data=facts)
    signals.send_game_changed(game)
