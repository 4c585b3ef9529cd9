"""Paper slips typed by two people: the first typing counts, each later one is a fact beside it.

What goes in as a slip goes through `services.slips`; here is kept who typed what.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from engine.ledger import canonical_json
from tournaments import signals
from tournaments.enums import ClockState
from tournaments.errors import AlreadyDone
from tournaments.models import Event, Game, Player, Slip, Turn, TurnClock, Typing
from tournaments.selectors.typings import readings_in
from tournaments.services.acting import acting_in, record

if TYPE_CHECKING:
    from tournaments.services.slips import Incoming

RAW_LENGTH = 300


def set_double_typing(*, event: Event, wanted: bool, now: datetime, by: User | None) -> None:
    """Let two people type each paper slip from now on, or one again. What was typed before stays as it is."""
    with acting_in(event) as game:
        if Event.objects.filter(pk=event.pk).exclude(double_typing=wanted).update(double_typing=wanted) != 1:
            raise AlreadyDone(_("That is so already."))
        event.double_typing = wanted
        record(game=game, kind="options", by=by, now=now, data={"double_typing": wanted})
        signals.changed(game)


def stands_beside(*, turn_id: int, player_id: int, by: User | None) -> Slip | None:
    """The slip beside which stands what this user types for a player; None where it is to count, because nobody or
    only he himself has typed it."""
    readings = readings_in(turn_id, player_id)
    if readings is None or readings.counting.by_id == (by.pk if by else None):
        return None
    return readings.counting.slip


def note(
    *,
    game: Game,
    typed: Incoming,
    raw: str,
    by: User | None,
    now: datetime,
    slip: Slip | None = None,
    settles: bool = False,
) -> Typing:
    """Keep what somebody typed, sealed by an entry of the ledger; `slip` is the one that counts by it. The caller has
    locked the game."""
    turn = Turn.objects.get(pk=typed.turn_id)
    typing = Typing(
        turn=turn,
        player_id=typed.player_id,
        by=by,
        raw=raw[:RAW_LENGTH],
        word=typed.word,
        ref=typed.ref,
        direction=typed.direction,
        hook=typed.hook,
        declared=typed.declared,
        several=typed.several,
        in_time=typed.in_time,
        at=now,
        slip=slip,
        settles=settles,
    )
    table = Player.objects.values_list("table", flat=True).get(pk=typed.player_id)
    told = {"turn": turn.number, "tables": [table], "settles": settles, "digest": digest_of(typing, table)}
    typing.entry = record(game=game, kind="typing", by=by, now=now, data=told).n
    typing.save()
    _tell_desks(game, turn, typing)
    return typing


def digest_of(typing: Typing, table: int) -> str:
    """What seals a typing: SHA-256 of the canonical JSON of what was typed, and of the id of the slip that counts."""
    told = {
        "table": table,
        "raw": typing.raw,
        "word": typing.word,
        "ref": typing.ref,
        "direction": typing.direction,
        "hook": typing.hook,
        "declared": typing.declared,
        "several": typing.several,
        "in_time": typing.in_time,
        "slip": str(typing.slip.client_id) if typing.slip is not None else None,
    }
    return hashlib.sha256(canonical_json(told)).hexdigest()


def _tell_desks(game: Game, turn: Turn, typing: Typing) -> None:
    """Desks that are judging have a list of what is open; while the clock runs they ask now and then, so that a hall
    of phones is not told of each slip."""
    clock = TurnClock.objects.select_related("room").get(turn=turn, room=typing.player.room_id)
    if clock.state == ClockState.CLOSED:
        signals.changed(game, clock.room)
