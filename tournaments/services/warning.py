"""Warnings that a judge gives himself, for a slip that is hard to read or for discipline, and takes back."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import ClockState, GivenCode
from tournaments.errors import AlreadyDone, Refused
from tournaments.models import Entry, Game, GivenWarning, Player, Turn, TurnClock, plays
from tournaments.services.acting import acting_on, record
from tournaments.services.judging import judge_turn
from tournaments.services.rulings import unshown


def give_warning(*, turn: Turn, player: Player, code: str, reason: str, by: User | None, now: datetime) -> GivenWarning:
    """Warn a player in the turn that is played or judged, once for each code; what it costs is the rule's business."""
    if code not in GivenCode.values:
        raise ValueError(f"{code!r} is no warning of a judge")
    why = validators.reason(reason)
    with acting_on(turn.game) as game:
        current = unshown(game, turn, player.room)
        _demand_playing(current, player)
        if _standing(current, player, code) is not None:
            raise AlreadyDone(_("Table %(table)d has this warning already.") % {"table": player.table})
        warning = GivenWarning.objects.create(turn=current, player=player, code=code, reason=why, by=by, at=now)
        _judge_anew(game, current, warning, by, now, given=True)
    return warning


def take_warning_back(*, turn: Turn, player: Player, code: str, by: User | None, now: datetime) -> GivenWarning:
    """Take a warning of this turn back, as if it had not been given."""
    with acting_on(turn.game) as game:
        current = unshown(game, turn, player.room)
        warning = _standing(current, player, code)
        if warning is None:
            raise AlreadyDone(_("Table %(table)d does not have this warning.") % {"table": player.table})
        warning.revoked_at = now
        warning.save(update_fields=["revoked_at"])
        _judge_anew(game, current, warning, by, now, given=False)
    return warning


def _demand_playing(turn: Turn, player: Player) -> None:
    here = TurnClock.objects.filter(turn=turn, room__players=player)
    if not here.exclude(state=ClockState.READY).exists():
        raise Refused(_("Announce turn %(turn)d first; warnings belong to a turn.") % {"turn": turn.number})
    if not Entry.objects.filter(plays(turn.number), game=turn.game_id, player=player).exists():
        raise Refused(_("Table %(table)d does not play turn %(turn)d.") % {"table": player.table, "turn": turn.number})


def _standing(turn: Turn, player: Player, code: str) -> GivenWarning | None:
    return GivenWarning.objects.filter(turn=turn, player=player, code=code, revoked_at=None).first()


def _judge_anew(game: Game, turn: Turn, warning: GivenWarning, by: User | None, now: datetime, *, given: bool) -> None:
    """Write the act into the ledger, and the verdicts where there are some already."""
    told = {
        "turn": turn.number,
        "table": warning.player.table,
        "code": str(warning.code),
        "reason": warning.reason,
        "given": given,
    }
    record(game=game, kind="warning", by=by, now=now, data=told)
    room = warning.player.room
    if TurnClock.objects.filter(turn=turn, room=room, state=ClockState.CLOSED).exists():
        judge_turn(turn=turn, room=room)
    signals.changed(game, room)
