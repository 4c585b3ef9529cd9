"""Warnings that a judge gives or revokes, for an unclear slip or for discipline."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import ClockState
from tournaments.errors import Refused
from tournaments.judging.services.judge_slips import judge_turn
from tournaments.judging.services.ruling_checks import get_unshown_turn, require_own_player, require_warning_changes
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.judging.services.ruling_storage import store_warning
from tournaments.models import GivenWarning, Player, Turn, TurnClock
from tournaments.play.services.game_lock import append_to_ledger, lock_game


def set_warning(*, turn: Turn, player: Player, code: str, given: bool, request: RulingRequest) -> GivenWarning:
    """Give or revoke a player's warning in the turn that is played or judged; the rules set the penalty."""
    request = replace(request, reason=validators.reason(request.reason))
    with lock_game(turn.game) as game:
        current, room = get_unshown_turn(game, turn, player.room), player.room
        if given:
            _require_playing(current, player)
        require_warning_changes(current, player, code, given=given)
        warning = store_warning(current, player, code, request, given=given)
        details = {
            "turn": current.number,
            "table": player.table,
            "code": str(code),
            "reason": warning.reason,
            "given": given,
        }
        append_to_ledger(game=game, kind="warning", by=request.by, now=request.now, data=details)
        if TurnClock.objects.filter(turn=current, room=room, state=ClockState.CLOSED).exists():
            judge_turn(turn=current, room=room)
        signals.send_game_changed(game, room)
    return warning


def _require_playing(turn: Turn, player: Player) -> None:
    here = TurnClock.objects.filter(turn=turn, room__players=player)
    if not here.exclude(state=ClockState.READY).exists():
        raise Refused(_("Announce turn %(turn)d first; warnings belong to a turn.") % {"turn": turn.number})
    require_own_player(turn, player)
