"""A player appeals against what his slip got in a turn that is on the board, from his phone or on paper; a judge
answers, with a ruling (services/reopening.py) or without one."""

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
from tournaments.models import Appeal, Game, LedgerEntry, Player, Room, Turn, TurnClock, Verdict
from tournaments.selectors.appeals import may_appeal_until
from tournaments.services.acting import acting_on, record
from tournaments.verdicts import written

LONGEST_MINUTES = 24 * 60


def appeal(*, player: Player, turn: Turn, client_id: UUID, sentence: str, now: datetime) -> Appeal:
    """An appeal from the phone of a player; the same id twice is one appeal, given again whatever the time is."""
    text = _sentence(sentence)
    with acting_on(turn.game) as game:
        known = Appeal.objects.filter(client_id=client_id).select_related("turn").first()
        if known is not None:
            if known.player_id != player.pk or known.turn_id != turn.pk:
                raise Refused(_("This appeal belongs to somebody else; appeal again."))
            return known
        verdict = _verdict(game, player, turn)
        _demand_in_time(game, verdict, now)
        return _keep(game, verdict, client_id, SlipSource.PHONE, text, None, now)


def appeal_on_paper(
    *, player: Player, turn: Turn, sentence: str, by: User | None, now: datetime, was_in_time: bool = False
) -> Appeal:
    """An appeal that was written on paper and is typed at the desk. `was_in_time`: a judge says so, whatever time it is
    now."""
    text = _sentence(sentence)
    with acting_on(turn.game) as game:
        verdict = _verdict(game, player, turn)
        if not was_in_time:
            _demand_in_time(game, verdict, now)
        return _keep(game, verdict, uuid4(), SlipSource.PAPER, text, by, now)


def reject(*, appeal: Appeal, reason: str, by: User | None, now: datetime) -> Appeal:
    """Let the verdict stand, for a reason that the player reads."""
    return _answer_alone(appeal, AppealState.REJECTED, reason, by, now)


def uphold(*, appeal: Appeal, reason: str, by: User | None, now: datetime) -> Appeal:
    """Say that the player is right, where a ruling on something else has given him his points already."""
    return _answer_alone(appeal, AppealState.UPHELD, reason, by, now)


def answered_by(turn: Turn, named: Appeal | None) -> list[Appeal]:
    """The open appeals that a ruling answers: the one that it is made for, and those of equal slips of the same turn.
    The caller has locked the game."""
    if named is None:
        return []
    current = _open(named)
    if current.turn_id != turn.pk:
        raise Refused(_("This appeal is about another turn."))
    group = Verdict.objects.filter(turn=turn, player=current.player_id).values_list("group", flat=True).first()
    equal = Verdict.objects.filter(turn=turn, group=group).values("player")
    found = Appeal.objects.filter(turn=turn, state=AppealState.OPEN, player__in=equal).select_related("player")
    return list(found.order_by("pk"))


def answer(appeals: Sequence[Appeal], entry: LedgerEntry, reason: str, by: User | None) -> None:
    """They are upheld by the ruling of this entry; the caller has locked the game."""
    upheld = Appeal.objects.filter(pk__in=[each.pk for each in appeals])
    upheld.update(state=AppealState.UPHELD, answer=reason, answered_by=by, answered_at=entry.at, answer_entry=entry.n)


def set_limits(*, game: Game, minutes: int, end_minutes: int, by: User | None, now: datetime) -> Game:
    """For how long a player may appeal: so many minutes after a turn, and in any case until so many after the last."""
    for number in (minutes, end_minutes):
        if not 0 <= number <= LONGEST_MINUTES:
            raise Refused(_("Give 0 to %(most)d minutes.") % {"most": LONGEST_MINUTES})
    with acting_on(game) as locked:
        if (locked.appeal_minutes, locked.appeal_end_minutes) == (minutes, end_minutes):
            raise AlreadyDone(_("It is so already."))
        locked.appeal_minutes, locked.appeal_end_minutes = minutes, end_minutes
        locked.save(update_fields=["appeal_minutes", "appeal_end_minutes"])
        told = {"minutes": minutes, "end_minutes": end_minutes}
        record(game=locked, kind="appeal_limits", by=by, now=now, data=told)
        signals.changed(locked)
    return locked


def _sentence(text: str) -> str:
    return validators.short_text(text, longest=validators.REASON_LENGTH, what=_("appeal"))


def _verdict(game: Game, player: Player, turn: Turn) -> Verdict:
    """What the player got, if his room was shown it and he handed something in."""
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
    if verdict.slip is None or written(verdict.slip).is_blank:
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


def _demand_in_time(game: Game, verdict: Verdict, now: datetime) -> None:
    room = Room.objects.get(entries__game=game, entries__player=verdict.player_id)
    limit = may_appeal_until(game, verdict.turn, room)
    if limit.never:
        raise Refused(_("In this game nobody may appeal."))
    if not limit.allows(now):
        raise Refused(
            _("The time to appeal against turn %(turn)d is over; ask the judge.") % {"turn": verdict.turn.number}
        )


def _keep(
    game: Game, verdict: Verdict, client_id: UUID, source: str, text: str, by: User | None, now: datetime
) -> Appeal:
    # What a player writes to the judge is nobody else's business; its digest proves that it is what was answered.
    told = {
        "turn": verdict.turn.number,
        "table": verdict.player.table,
        "source": str(source),
        "sentence": hashlib.sha256(text.encode()).hexdigest() if text else "",
        "points": verdict.points,
    }
    entry = record(game=game, kind="appeal", by=by, now=now, data=told)
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


def _answer_alone(appeal: Appeal, state: str, reason: str, by: User | None, now: datetime) -> Appeal:
    why = validators.reason(reason)
    if not why:
        raise Refused(_("Give a reason: the player reads it."))
    with acting_on(appeal.turn.game) as game:
        current = _open(appeal)
        if state == AppealState.UPHELD:
            _demand_other_points(current)
        told = {
            "turn": current.turn.number,
            "table": current.player.table,
            "state": str(state),
            "reason": why,
            "appeal": current.entry,
        }
        entry = record(game=game, kind="appeal_answer", by=by, now=now, data=told)
        current.state, current.answer, current.answered_by = state, why, by
        current.answered_at, current.answer_entry = now, entry.n
        current.save()
        signals.changed(game)
    return current


def _open(appeal: Appeal) -> Appeal:
    current = Appeal.objects.select_related("turn", "player").get(pk=appeal.pk)
    if current.state != AppealState.OPEN:
        raise AlreadyDone(_("This appeal is answered already."))
    return current


def _demand_other_points(appeal: Appeal) -> None:
    if Verdict.objects.filter(turn=appeal.turn, player=appeal.player, points=appeal.points).exists():
        raise Refused(
            _("Table %(table)d has the same points as before: rule on the word or the slip to uphold the appeal.")
            % {"table": appeal.player.table}
        )
