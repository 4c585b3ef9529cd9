"""Signals for listeners outside this package. Every signal is sent after the commit.

* `game_changed(game_id, room_id)`: a visible change: `Game.seq` has grown, or `Room.seq` when only a room that
  follows can see it; `room_id` is 0 when all rooms can.
* `slips_reviewed(game_id, look_id)`: a judge has looked at slips; only judges' desks show it, so `seq` is unchanged.
* `slips_received(game_id, turn_id, room_id)`: slips arrived from a room; counts are pushed apart from the state, so
  `seq` is unchanged.
* `phone_replaced(player_id)`: the player has a new phone, so the token of the old one is void, or another room.
* `place_changed(player_id)`: the player left the game, came back, is absent or was disqualified; their phone is told.
* `staff_changed(event_id, user_id)`: the role of a user in the event was changed or removed.
* `preparation_requested(prepared_id)`: a game is to be prepared.
* `list_build_requested(token)`: a word list is to be built.
* `website_requested(run_id)`: the club's website is to be written.
* `message_queued()`: a message to another program or an e-mail is waiting to be sent.
* `document_requested(document_id)` and `document_changed(document_id)`: a sheet was requested; its state changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from django.db import transaction
from django.db.models import F
from django.dispatch import Signal

from tournaments.models import Document, Game, GroupLook, Membership, Player, PreparedGame, Room, WebsiteRun

game_changed = Signal()
slips_reviewed = Signal()
slips_received = Signal()
phone_replaced = Signal()
place_changed = Signal()
staff_changed = Signal()
preparation_requested = Signal()
list_build_requested = Signal()
website_requested = Signal()
message_queued = Signal()
document_requested = Signal()
document_changed = Signal()


def send_game_changed(game: Game, room: Room | None = None) -> None:
    """Count a visible change of this game and tell whoever listens, once the transaction is committed.

    `room`: where it can be seen. What changes in the drawing room concerns all, who follow it.
    """
    send_games_changed([(game, room)])


def send_games_changed(places: Collection[tuple[Game, Room | None]]) -> None:
    """The same for several games and rooms, in two queries at most; whoever calls it has locked them."""
    alone = {(game.pk, room.pk) for game, room in places if room is not None and not room.is_drawing}
    everywhere = {game.pk for game, room in places if room is None or room.is_drawing}
    if everywhere:
        Game.objects.filter(pk__in=everywhere).update(seq=F("seq") + 1)
    if alone:
        Room.objects.filter(pk__in={room for _game, room in alone}).update(seq=F("seq") + 1)
    for game_id, room_id in sorted(alone | {(game_id, 0) for game_id in everywhere}):
        _after_commit(game_changed, Game, game_id=game_id, room_id=room_id)


def send_slips_reviewed(look: GroupLook) -> None:
    """Tell the judges' desks of all rooms after the commit: equal slips are decided once."""
    _after_commit(slips_reviewed, GroupLook, game_id=look.turn.game_id, look_id=look.pk)


def send_slips_received(*, game_id: int, turn_id: int, room_id: int) -> None:
    """Tell after the commit that slips of this turn came in from this room."""
    _after_commit(slips_received, Game, game_id=game_id, turn_id=turn_id, room_id=room_id)


def send_phone_replaced(player: Player) -> None:
    """Announce after the commit that the player's previous phone is no longer valid."""
    _after_commit(phone_replaced, Player, player_id=player.pk)


def send_place_changed(players: Iterable[Player]) -> None:
    """Announce after the commit that these players have, or have lost, a place in the game."""
    for player in players:
        _after_commit(place_changed, Player, player_id=player.pk)


def send_staff_changed(place: Membership) -> None:
    """Announce after the commit that the role of a user in the event has changed."""
    _after_commit(staff_changed, Membership, event_id=place.event_id, user_id=place.user_id)


def send_preparation_requested(prepared: PreparedGame) -> None:
    """Tell after the commit that this game is to be prepared."""
    _after_commit(preparation_requested, PreparedGame, prepared_id=prepared.pk)


def send_list_build_requested(token: str) -> None:
    """Tell after the commit that a word list is to be built."""
    _after_commit(list_build_requested, object, token=token)


def send_website_requested(run: WebsiteRun) -> None:
    """Tell after the commit that the club's website is to be written."""
    _after_commit(website_requested, WebsiteRun, run_id=run.pk)


def send_message_queued() -> None:
    """Tell after the commit that a message to another program or an e-mail is waiting."""
    _after_commit(message_queued, object)


def send_document_requested(document: Document) -> None:
    """Tell after the commit that this document is to be made."""
    _after_commit(document_requested, Document, document_id=document.pk)


def send_document_changed(document: Document) -> None:
    """Tell after the commit that the making of this document went on, ended or failed."""
    _after_commit(document_changed, Document, document_id=document.pk)


def _after_commit(signal: Signal, sender: type, **facts: int | str) -> None:
    # Robust: what is committed has happened, and a listener's fault must not make it look as if it had not.
    transaction.on_commit(partial(signal.send_robust, sender=sender, **facts), robust=True)
