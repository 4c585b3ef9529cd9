"""What the edges may listen to. Every signal is sent after the commit, and only then.

* `game_changed(game_id, room_id)`: something that somebody can see is different: `Game.seq` has grown, or, when only a
  room that follows can see it, `Room.seq`; `room_id` is 0 when all rooms can.
* `judges_looked(game_id, look_id)`: a judge has looked at slips; only judges' desks show it, so `seq` stays.
* `slips_received(game_id, turn_id, room_id)`: slips came in from a room; counts are pushed apart from the state, so
  `seq` stays.
* `phone_replaced(player_id)`: another phone took this player's place, so the old one's token is void; or he sits in
  another room now.
* `staff_changed(event_id, user_id)`: a colleague has another role in the event, or none any more.
* `preparing_asked(prepared_id)`: a game is to be prepared.
* `document_asked(document_id)` and `document_changed(document_id)`: a sheet is wanted; its making went on.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.db.models import F
from django.dispatch import Signal

from tournaments.models import Document, Game, GroupLook, Membership, Player, PreparedGame, Room

game_changed = Signal()
judges_looked = Signal()
slips_received = Signal()
phone_replaced = Signal()
staff_changed = Signal()
preparing_asked = Signal()
document_asked = Signal()
document_changed = Signal()


def changed(game: Game, room: Room | None = None) -> None:
    """Count a visible change of this game and tell whoever listens, once the transaction is committed.

    `room`: where it can be seen. What changes in the drawing room concerns all, who follow it.
    """
    alone = room if room is not None and not room.is_drawing else None
    if alone is None:
        Game.objects.filter(pk=game.pk).update(seq=F("seq") + 1)
    else:
        Room.objects.filter(pk=alone.pk).update(seq=F("seq") + 1)
    _after_commit(game_changed, Game, game_id=game.pk, room_id=alone.pk if alone else 0)


def looked(look: GroupLook) -> None:
    """Tell the judges' desks of all rooms after the commit: equal slips are decided once."""
    _after_commit(judges_looked, GroupLook, game_id=look.turn.game_id, look_id=look.pk)


def received(*, game_id: int, turn_id: int, room_id: int) -> None:
    """Tell after the commit that slips of this turn came in from this room."""
    _after_commit(slips_received, Game, game_id=game_id, turn_id=turn_id, room_id=room_id)


def replaced(player: Player) -> None:
    """Tell after the commit that the phone this player had so far is not his any more."""
    _after_commit(phone_replaced, Player, player_id=player.pk)


def staff(place: Membership) -> None:
    """Tell after the commit that this colleague's role in the event is another one."""
    _after_commit(staff_changed, Membership, event_id=place.event_id, user_id=place.user_id)


def preparing(prepared: PreparedGame) -> None:
    """Tell after the commit that this game is to be prepared."""
    _after_commit(preparing_asked, PreparedGame, prepared_id=prepared.pk)


def asked(document: Document) -> None:
    """Tell after the commit that this document is to be made."""
    _after_commit(document_asked, Document, document_id=document.pk)


def went_on(document: Document) -> None:
    """Tell after the commit that the making of this document went on, ended or failed."""
    _after_commit(document_changed, Document, document_id=document.pk)


def _after_commit(signal: Signal, sender: type, **facts: int) -> None:
    # Robust: what is committed has happened, and a listener's fault must not make it look as if it had not.
    transaction.on_commit(partial(signal.send_robust, sender=sender, **facts), robust=True)
