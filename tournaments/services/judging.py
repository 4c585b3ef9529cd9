"""Judging a turn: every player's verdict, from slips and rulings alone, written anew as a whole."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from engine.rules.slip import group_of
from tournaments import bulk
from tournaments.enums import ClockState
from tournaments.judgements import BY_JUDGE, BY_RULE, Derived, Judged, counting_slips, derive, facts_of
from tournaments.models import Entry, Room, Turn, TurnClock, Verdict, players_in
from tournaments.position import edition_of, profile_of
from tournaments.selectors.phases import is_complete

__all__ = ["counting_slips", "forget_verdicts", "group_of", "judge_groups", "judge_turn", "write_verdicts"]

_COLUMNS = (
    "turn_id",
    "player_id",
    "slip_id",
    "group",
    "result",
    "reason",
    "points",
    "move_score",
    "warnings",
    "penalty",
    "bonus",
    "word",
    "rule",
    "details",
    "move_word",
    "move_ref",
    "decided_by",
    "decision_reason",
)


def judge_turn(*, turn: Turn, room: Room | None = None) -> None:
    """Write the verdicts of a turn anew: one for each player of the rooms that have closed it, identical slips judged
    once. With `room` only this room's, as long as another one still plays the turn.

    The caller has locked the game. Derived from the slips, the words ruled on up to this turn and the judge's
    decisions; warnings and faults are counted through the game, so turns after it that are closed follow.
    """
    with transaction.atomic():
        _judge(turn, room)
        for later in _closed_after(turn, room):
            _judge(later, room)


def judge_groups(*, turn: Turn, groups: Collection[str]) -> list[Room]:
    """Judge the rooms anew in which somebody handed in slips of these groups; these rooms."""
    entries = Entry.objects.filter(game=turn.game, player__verdicts__turn=turn, player__verdicts__group__in=groups)
    rooms = list(Room.objects.filter(pk__in=entries.values("room")).order_by("number"))
    if is_complete(turn):
        judge_turn(turn=turn)
    else:
        for room in rooms:
            judge_turn(turn=turn, room=room)
    return rooms


def write_verdicts(*, turn: Turn, derived: Derived, room: Room | None = None) -> None:
    """Store these verdicts in the place of those that the turn had, of all players or of a room's (of those in them,
    where they are `partial`); the caller has locked the game."""
    stored = _of(turn, room)
    if derived.partial:
        stored = stored.filter(player__in=[one.player_id for one in derived.judged])
    stored.delete()
    bulk.insert(Verdict, _COLUMNS, _rows(turn, derived))
    turn.solo = derived.solo
    Turn.objects.filter(pk=turn.pk).update(solo=turn.solo)


def forget_verdicts(*, turn: Turn, room: Room) -> None:
    """Take the verdicts of a room back in which a turn is being played again; the caller has locked the game."""
    _of(turn, room).delete()
    Turn.objects.filter(pk=turn.pk).update(solo=None)
    if TurnClock.objects.filter(turn=turn, state=ClockState.CLOSED).exists():
        judge_turn(turn=turn)


def _judge(turn: Turn, room: Room | None) -> None:
    only = None if is_complete(turn) else room
    write_verdicts(turn=turn, derived=derive(facts_of(turn, only)), room=only)


def _of(turn: Turn, room: Room | None) -> QuerySet[Verdict]:
    verdicts = Verdict.objects.filter(turn=turn)
    return verdicts if room is None else verdicts.filter(player__in=players_in(turn.game, room))


def _closed_after(turn: Turn, room: Room | None) -> list[Turn]:
    """A slip of a turn that is on the board may come in late, from a phone that was away."""
    clocks = TurnClock.objects.filter(turn__game=turn.game, turn__number__gt=turn.number, state=ClockState.CLOSED)
    if room is not None:
        clocks = clocks.filter(room=room)
    later = list(Turn.objects.filter(pk__in=clocks.values("turn")).order_by("number"))
    for each in later:
        each.game = turn.game
    return later


def _rows(turn: Turn, derived: Derived) -> list[bulk.Row]:
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    rows: dict[int, tuple[str, str]] = {}

    def move_of(one: Judged) -> tuple[str, str]:
        """Word and place of a move, read once for all who made it: identical slips share the verdict's move."""
        move = one.judgement.move
        if move is None:
            return "", ""
        if id(move) not in rows:
            rows[id(move)] = move.word_text(edition), move.reference_text(notation)
        return rows[id(move)]

    return [_row(turn, one, *move_of(one)) for one in derived.judged]


def _row(turn: Turn, one: Judged, move_word: str, move_ref: str) -> bulk.Row:
    """The values of `_COLUMNS`."""
    judgement = one.judgement
    return (
        turn.pk,
        one.player_id,
        None if one.slip is None else one.slip.pk,
        one.group,
        judgement.result,
        judgement.reason or "",
        judgement.points,
        judgement.move_score,
        list(judgement.warnings),
        judgement.penalty,
        judgement.bonus,
        judgement.word or "",
        judgement.rule or "",
        dict(judgement.details),
        move_word,
        move_ref,
        BY_RULE if one.decision is None else BY_JUDGE,
        "" if one.decision is None else one.decision.reason,
    )
