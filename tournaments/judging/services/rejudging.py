"""Rulings on placed turns: on a word, on a group of slips, or on a warning. The turn is judged again.

Verdicts, solos, bonuses and standings change in all rooms, even after the end of the game. The board, the racks and the
placed move do not change. The ledger records all differences with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from tournaments import signals
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.derivation import Decision, decisions_in
from tournaments.judging.queries import rejudging_effects
from tournaments.judging.queries.differences import PointsDifferences
from tournaments.judging.queries.preview import ProposedChange, derive_proposed
from tournaments.judging.services import own_slips
from tournaments.judging.services.appeals import answer_appeals, find_appeals_to_answer
from tournaments.judging.services.judge_slips import write_verdicts
from tournaments.judging.services.rejudging_forecast import RejudgingForecast, locked_forecast
from tournaments.judging.services.ruling_checks import (
    require_own_player,
    require_points,
    require_reason,
    require_ruling,
    require_same_racks,
    require_slip,
    require_warning_changes,
    require_word_changes,
)
from tournaments.judging.services.ruling_request import RulingRequest
from tournaments.judging.services.ruling_storage import store_late_decision, store_warning, store_word_ruling
from tournaments.judging.services.rulings import search_turn
from tournaments.models import Appeal, LedgerEntry, Player, Turn
from tournaments.play.services.game_lock import append_to_ledger


def rule_word(*, turn: Turn, word: str, ruling: str, request: RulingRequest) -> LedgerEntry:
    """Accept or strike a word as of a placed turn, until the next ruling on it. Return the ledger entry."""
    text = require_ruling(turn.game, word, ruling)
    request = replace(request, reason=require_reason(request.reason))

    def propose(current: Turn) -> ProposedChange:
        require_word_changes(current.game, current, text, ruling)
        change = rejudging_effects.propose_word(current, text, ruling)
        require_same_racks(change)
        return change

    with locked_forecast(turn, propose, request.seen) as found:
        current, game = found.turn, found.turn.game
        store_word_ruling(current, text, ruling, request)
        if later := rejudging_effects.next_open_turn(game, current):
            search_turn(game, later)
        return _apply_change(found, {"act": "word", "word": text, "ruling": str(ruling)}, request)


def decide_group(*, turn: Turn, group: str, points: int | None, request: RulingRequest) -> LedgerEntry:
    """Give every slip of a group of a placed turn these points in all rooms; None: those by rule."""
    request = replace(request, reason=require_reason(request.reason))
    decision = None if points is None else Decision(require_points(points), request.reason)

    def propose(current: Turn) -> ProposedChange:
        require_slip(current, group)
        if decisions_in(current).get(group) == decision:
            raise AlreadyDone(_("This is decided already."))
        return rejudging_effects.propose_decision(current, group, decision)

    with locked_forecast(turn, propose, request.seen) as found:
        current, slip = found.turn, require_slip(found.turn, group)
        store_late_decision(current, group, points, request)
        details = {"act": "slip", "group": group, "word": slip.word, "ref": slip.place_text, "points": points}
        return _apply_change(found, details, request)


def set_warning(*, turn: Turn, player: Player, code: str, given: bool, request: RulingRequest) -> LedgerEntry:
    """Give or revoke a player's warning in a placed turn."""
    request = replace(request, reason=require_reason(request.reason))

    def propose(current: Turn) -> ProposedChange:
        require_own_player(current, player)
        require_warning_changes(current, player, code, given=given)
        return rejudging_effects.propose_warning(current, player.pk, code, given=given)

    with locked_forecast(turn, propose, request.seen) as found:
        store_warning(found.turn, player, code, request, given=given)
        details = {"act": "warning", "table": player.table, "code": code, "given": given}
        return _apply_change(found, details, request)


def _apply_change(forecast: RejudgingForecast, act: Mapping[str, object], request: RulingRequest) -> LedgerEntry:
    """Store the new verdicts, record every difference in the ledger, and answer the appeals."""
    turn, change, found, appeal = forecast.turn, forecast.change, forecast.differences, request.appeal
    tops = _tops_of(change)
    for facts, derived in derive_proposed(change):
        Turn.objects.filter(pk=facts.turn.pk).update(tops=facts.turn.tops, top=facts.top)
        write_verdicts(turn=facts.turn, derived=derived)
    answered = find_appeals_to_answer(turn, appeal)
    if appeal is not None and act["act"] != "warning":
        _require_change(turn, appeal, found)
    effect = {"tables": {one.table for one in found.points}}
    details = {
        "turn": turn.number,
        **act,
        **own_slips.own_slip_mark_of_impact(turn.game.event_id, effect, request.by),
        "reason": request.reason,
        "appeals": [each.player.table for each in answered],
        "differences": [one.as_json() for one in found.points],
        "solos": found.solos,
        "tops": tops,
    }
    entry = append_to_ledger(game=turn.game, kind="reopened", by=request.by, now=request.now, data=details)
    answer_appeals(answered, entry, request.reason, request.by)
    signals.send_game_changed(turn.game)
    return entry


def _tops_of(change: ProposedChange) -> list[list[int]]:
    before = dict(Turn.objects.filter(game=change.game).values_list("pk", "top"))
    return [
        [facts.turn.number, before[facts.turn.pk] or 0, facts.top]
        for facts in change.facts
        if (before[facts.turn.pk] or 0) != facts.top and facts.turn.placed_at is not None
    ]


def _require_change(turn: Turn, appeal: Appeal, found: PointsDifferences) -> None:
    """Refuse to uphold an appeal whose player would get the same points."""
    table = appeal.player.table
    if not any((one.turn, one.table) == (turn.number, table) for one in found.points):
        raise Refused(
            _("Table %(table)d would have the same points as before: this ruling does not answer its appeal.")
            % {"table": table}
        )
