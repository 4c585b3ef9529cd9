"""Appeals of players against their verdicts in placed turns, by phone or on paper, and the judges' answers.

A judge answers with a ruling (`rejudging`) or without one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import cast
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments import signals, validators
from tournaments.enums import AppealState, SlipSource
from tournaments.errors import AlreadyDone, Refused
from tournaments.judging.queries.appeals import get_appeal_limit
from tournaments.judging.verdicts import to_written_slip
from tournaments.models import Appeal, Game, LedgerEntry, Player, Room, Turn, TurnClock, Verdict
from tournaments.play.services.game_lock import append_to_ledger, lock_game

LONGEST_MINUTES = 24 * 60


def submit_appeal(*, player: Player, turn: Turn, client_id: UUID, sentence: str, now: datetime) -> Appeal:
    """Store an appeal from a player's phone.

    Submitting the same `client_id` again returns the stored appeal, even after the limit.
    """
    text = _sentence(sentence)
    with lock_game(turn.game) as game:
        known = Appeal.objects.filter(client_id=client_id).select_related("turn").first()
        if known is not None:
            if known.player_id != player.pk or known.turn_id != turn.pk:
                raise Refused(_("This appeal belongs to somebody else; appeal again."))
            return known
        verdict = _verdict(game, player, turn)
        _require_in_time(game, verdict, now)
        return _store_appeal(game, verdict, client_id, SlipSource.PHONE, text, None, now)


def submit_paper_appeal(
    *, player: Player, turn: Turn, sentence: str, by: User | None, now: datetime, was_in_time: bool = False
) -> Appeal:
    """Store an appeal that was written on paper and is typed at the desk.

    `was_in_time`: a judge confirms that it was in time; the limit is not checked.
    """
    text = _sentence(sentence)
    with lock_game(turn.game) as game:
        verdict = _verdict(game, player, turn)
        if not was_in_time:
            _require_in_time(game, verdict, now)
        return _store_appeal(game, verdict, uuid4(), SlipSource.PAPER, text, by, now)


def reject_appeal(*, appeal: Appeal, reason: str, by: User | None, now: datetime) -> Appeal:
    """Reject an appeal; the player reads the reason."""
    return _answer_one(appeal, AppealState.REJECTED, reason, by, now)


def uphold_appeal(*, appeal: Appeal, reason: str, by: User | None, now: datetime) -> Appeal:
    """Uphold an appeal when another ruling has already corrected the player's points."""
    return _answer_one(appeal, AppealState.UPHELD, reason, by, now)


def find_appeals_to_answer(turn: Turn, named: Appeal | None) -> list[Appeal]:
    """The open appeals that a ruling answers: the named one, and those of identical slips of the same turn.

    The caller has locked the game.
    """
    if named is None:
        return []
    current = _require_open(named)
    if current.turn_id != turn.pk:
        raise Refused(_("This appeal is about another turn."))
    group = Verdict.objects.filter(turn=turn, player=current.player_id).values_list("group", flat=True).first()
    equal = Verdict.objects.filter(turn=turn, group=group).values("player")
    found = Appeal.objects.filter(turn=turn, state=AppealState.OPEN, player__in=equal).select_related("player")
    return list(found.order_by("pk"))


def answer_appeals(appeals: Sequence[Appeal], entry: LedgerEntry, reason: str, by: User | None) -> None:
    """Mark appeals as upheld by the ruling of this entry; the caller has locked the game."""
    upheld = Appeal.objects.filter(pk__in=[each.pk for each in appeals])
    upheld.update(state=AppealState.UPHELD, answer=reason, answered_by=by, answered_at=entry.at, answer_entry=entry.n)


def set_appeal_limits(*, game: Game, minutes: int, end_minutes: int, by: User | None, now: datetime) -> Game:
    """Set the limits for appeals: minutes after a turn, and minutes after the last turn for all turns."""
    for number in (minutes, end_minutes):
        if not 0 <= number <= LONGEST_MINUTES:
            raise Refused(_("Give 0 to %(most)d minutes.") % {"most": LONGEST_MINUTES})
    with lock_game(game) as locked:
        if (locked.appeal_minutes, locked.appeal_end_minutes) == (minutes, end_minutes):
            raise AlreadyDone(_("This is set already."))
        locked.appeal_minutes, locked.appeal_end_minutes = minutes, end_minutes
        locked.save(update_fields=["appeal_minutes", "appeal_end_minutes"])
        details = {"minutes": minutes, "end_minutes": end_minutes}
        append_to_ledger(game=locked, kind="appeal_limits", by=by, now=now, data=details)
        signals.send_game_changed(locked)
    return locked


def _sentence(text: str) -> str:
    return validators.short_text(text, longest=validators.REASON_LENGTH, what=_("appeal"))


def _verdict(game: Game, player: Player, turn: Turn) -> Verdict:
    """The player's verdict, if their room was shown it and they handed in a slip; `Refused` otherwise."""
    if game.event.forgotten_at is not None:
        raise Refused(_("The names of this event are forgotten: its results stay as they are."))
    shown = TurnClock.objects.filter(
        turn=turn, shown_at__isnull=False, room__entries__in=player.entries.filter(game=game)
    )
    verdicts = Verdict.objects.select_related("slip", "turn", "player")
    verdict = verdicts.filter(turn=turn, turn__game=game, player=player).first() if shown.exists() else None
    if verdict is None:
        raise Refused(
            _("Table %(table)d has no verdict in turn %(turn)d against which to appeal.")
            % {"table": player.table, "turn": turn.number}
        )
    if verdict.slip is None or to_written_slip(verdict.slip).is_blank:
        raise Refused(
            _("Nothing was handed in from table %(table)d in turn %(turn)d.")
            % {"table": player.table, "turn": turn.number}
        )
    if Appeal.objects.filter(turn=turn, player=player).exists():
        raise AlreadyDone(
            _("Table %(table)d has appealed in turn %(turn)d already.") % {"table": player.table, "turn": turn.number}
        )
    verdict.turn.game = game
    return verdict


def _require_in_time(game: Game, verdict: Verdict, now: datetime) -> None:
    room = Room.objects.get(entries__game=game, entries__player=verdict.player_id)
    limit = get_appeal_limit(game, verdict.turn, room)
    if limit.never:
        raise Refused(_("In this game nobody may appeal."))
    if not limit.allows(now):
        raise Refused(
            _("The time to appeal against turn %(turn)d is over; ask the judge.") % {"turn": verdict.turn.number}
        )


def _store_appeal(
    game: Game, verdict: Verdict, client_id: UUID, source: str, text: str, by: User | None, now: datetime
) -> Appeal:
    # The ledger is public, the player's sentence is not; its digest proves which sentence was answered.
    details = {
        "turn": verdict.turn.number,
        "table": verdict.player.table,
        "source": str(source),
        "sentence": hashlib.sha256(text.encode()).hexdigest() if text else "",
        "points": verdict.points,
    }
    entry = append_to_ledger(game=game, kind="appeal", by=by, now=now, data=details)
    return Appeal.objects.create(
        turn=verdict.turn,
        player=verdict.player,
        slip_id=cast(int, verdict.slip_id),  # `_verdict` has refused those without a slip
        client_id=client_id,
        source=source,
        sentence=text,
        points=verdict.points,
        made_at=now,
        by=by,
        entry=entry.n,
    )


def _answer_one(appeal: Appeal, state: str, reason: str, by: User | None, now: datetime) -> Appeal:
    why = validators.reason(reason)
    if not why:
        raise Refused(_("Give a reason: the player reads it."))
    with lock_game(appeal.turn.game) as game:
        current = _require_open(appeal)
        if state == AppealState.UPHELD:
            _require_other_points(current)
        details = {
            "turn": current.turn.number,
            "table": current.player.table,
            "state": str(state),
            "reason": why,
            "appeal": current.entry,
        }
        entry = append_to_ledger(game=game, kind="appeal_answer", by=by, now=now, data=details)
        current.state, current.answer, current.answered_by = state, why, by
        current.answered_at, current.answer_entry = now, entry.n
        current.save()
        signals.send_game_changed(game)
    return current


def _require_open(appeal: Appeal) -> Appeal:
    current = Appeal.objects.select_related("turn", "player").get(pk=appeal.pk)
    if current.state != AppealState.OPEN:
        raise AlreadyDone(_("This appeal is answered already."), act="appeal_answer", appeal=current.entry)
    return current


def _require_other_points(appeal: Appeal) -> None:
    if Verdict.objects.filter(turn=appeal.turn, player=appeal.player, points=appeal.points).exists():
        raise Refused(
            _("Table %(table)d has the same points as before: rule on the word or the slip to uphold the appeal.")
            % {"table": appeal.player.table}
        )
