"""Paper slips typed by two people: the first typing counts, later ones are compared with it.

Slips are stored by `tournaments.play.services.slips`; this module records each typing.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.canonical_json import canonical_json
from tournaments import signals
from tournaments.enums import ClockState
from tournaments.errors import AlreadyDone
from tournaments.models import Event, Game, Player, Slip, Turn, TurnClock, Typing
from tournaments.play.queries.typing_conflicts import readings_in
from tournaments.play.services.game_lock import append_to_ledger, lock_current_game

if TYPE_CHECKING:
    from tournaments.play.services.slips import IncomingSlip

RAW_LENGTH = 300


def set_double_typing(*, event: Event, wanted: bool, now: datetime, by: User | None) -> None:
    """Require two typists for each paper slip from now on, or one. Earlier typings are unchanged."""
    with lock_current_game(event) as game:
        if Event.objects.filter(pk=event.pk).exclude(double_typing=wanted).update(double_typing=wanted) != 1:
            raise AlreadyDone(_("This is set already."))
        event.double_typing = wanted
        append_to_ledger(game=game, kind="options", by=by, now=now, data={"double_typing": wanted})
        signals.send_game_changed(game)


def find_compared_slip(*, turn_id: int, player_id: int, by: User | None) -> Slip | None:
    """Find the slip with which the typing of this user is compared; None when it counts itself, because nobody else has
    typed this player's slip."""
    readings = readings_in(turn_id, player_id)
    if readings is None or readings.counting.by_id == (by.pk if by else None):
        return None
    return readings.counting.slip


def record_typing(
    *,
    game: Game,
    typed: IncomingSlip,
    raw: str,
    by: User | None,
    now: datetime,
    slip: Slip | None = None,
    settles: bool = False,
) -> Typing:
    """Store a typing, sealed by an entry of the ledger; `slip` is the slip that counts because of it. The caller has
    locked the room."""
    turn = Turn.objects.get(pk=typed.turn_id)
    typing = Typing(
        turn=turn,
        player_id=typed.player_id,
        by=by,
        raw=raw[:RAW_LENGTH],
        **asdict(typed.content),
        several=typed.several,
        in_time=typed.in_time,
        at=now,
        slip=slip,
        settles=settles,
    )
    player = Player.objects.select_related("room").get(pk=typed.player_id)
    details = {
        "turn": turn.number,
        "tables": [player.table],
        "settles": settles,
        "digest": digest_of(typing, player.table),
    }
    typing.entry = append_to_ledger(game=game, kind="typing", by=by, now=now, data=details, room=player.room).n
    typing.save()
    _notify_desks(game, turn, typing)
    return typing


def digest_of(typing: Typing, table: int) -> str:
    """SHA-256 of the canonical JSON of a typing and the id of the slip that counts because of it."""
    details = {
        "table": table,
        "raw": typing.raw,
        **asdict(typing.content),
        "several": typing.several,
        "in_time": typing.in_time,
        "slip": str(typing.slip.client_id) if typing.slip is not None else None,
    }
    return hashlib.sha256(canonical_json(details)).hexdigest()


def _notify_desks(game: Game, turn: Turn, typing: Typing) -> None:
    """Notify desks that are judging. While the clock runs they poll instead, to avoid a message for each slip."""
    clock = TurnClock.objects.select_related("room").get(turn=turn, room=typing.player.room_id)
    if clock.state == ClockState.CLOSED:
        signals.send_game_changed(game, clock.room)
