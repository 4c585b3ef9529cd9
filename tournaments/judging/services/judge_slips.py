"""Judging of a turn: all verdicts are derived from slips and rulings, and replaced as a whole."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import QuerySet

from engine.slips.slip import slip_group_key
from tournaments import bulk_insert
from tournaments.enums import ClockState
from tournaments.judging.derivation import (
    BY_JUDGE,
    BY_RULE,
    JudgedSlip,
    TurnVerdicts,
    counting_slips,
    derive_verdicts,
    facts_of,
)
from tournaments.models import Entry, Room, Turn, TurnClock, Verdict, players_in
from tournaments.play.position import edition_of, profile_of
from tournaments.play.queries.phases import is_complete

__all__ = ["counting_slips", "delete_verdicts", "judge_groups", "judge_turn", "slip_group_key", "write_verdicts"]

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
_PLAYER = _COLUMNS.index("player_id")
_BATCH = 500


def judge_turn(*, turn: Turn, room: Room | None = None) -> None:
    """Judge a turn: one verdict for each player of the rooms that have closed it.

    With `room`, only this room is judged while another room still plays the turn. The caller has locked the game.
    Verdicts follow from the slips, the word rulings up to this turn and the judge's decisions. Warnings and faults
    accumulate over the game, so later closed turns are judged again too.
    """
    with transaction.atomic():
        for each in [turn, *_closed_turns_after(turn, room)]:
            complete = is_complete(each)
            _judge(each, None if complete else room, complete=complete)


def judge_room(*, turn: Turn, room: Room) -> None:
    """Judge a turn in a room while other rooms still play it (`concerns_all_rooms`). The caller has locked the room."""
    with transaction.atomic():
        for each in [turn, *_closed_turns_after(turn, room)]:
            _judge(each, room, complete=False)


def concerns_all_rooms(turn: Turn, room: Room) -> bool:
    """Return True when judging this room changes verdicts of other rooms: all have closed the turn or a later one that
    is judged again with it."""
    return any(is_complete(each) for each in [turn, *_closed_turns_after(turn, room)])


def judge_groups(*, turn: Turn, groups: Collection[str]) -> list[Room]:
    """Judge again the rooms in which slips of these groups were handed in; return these rooms."""
    entries = Entry.objects.filter(game=turn.game, player__verdicts__turn=turn, player__verdicts__group__in=groups)
    rooms = list(Room.objects.filter(pk__in=entries.values("room")).order_by("number"))
    if is_complete(turn):
        judge_turn(turn=turn)
    else:
        for room in rooms:
            judge_turn(turn=turn, room=room)
    return rooms


def write_verdicts(*, turn: Turn, derived: TurnVerdicts, room: Room | None = None) -> None:
    """Make the stored verdicts of a turn, of all players or of one room, those that were derived. Only verdicts that
    differ are written, as whole rows.

    Partial verdicts replace those of the players in them only. The caller has locked the game, or the room.
    """
    scope = _filter_verdicts(turn, room)
    if derived.partial:
        scope = scope.filter(player__in=[one.player_id for one in derived.judged])
    stored = {row[_PLAYER]: row for row in scope.values_list(*_COLUMNS, "pk")}
    derived_rows = {row[_PLAYER]: row for row in _rows(turn, derived)}
    unchanged = {player for player, row in derived_rows.items() if player in stored and stored[player][:-1] == row}
    gone = [row[-1] for player, row in stored.items() if player not in unchanged]
    changed = [row for player, row in derived_rows.items() if player not in unchanged]
    for start in range(0, len(gone), _BATCH):
        Verdict.objects.filter(pk__in=gone[start : start + _BATCH]).delete()
    bulk_insert.insert_rows(Verdict, _COLUMNS, changed)
    turn.solo = derived.solo
    Turn.objects.filter(pk=turn.pk).exclude(solo=turn.solo).update(solo=turn.solo)


def delete_verdicts(*, turn: Turn, room: Room) -> None:
    """Delete the verdicts of a room that plays the turn again; the caller has locked the game."""
    _filter_verdicts(turn, room).delete()
    Turn.objects.filter(pk=turn.pk).update(solo=None)
    turn.solo = None
    if TurnClock.objects.filter(turn=turn, state=ClockState.CLOSED).exists():
        judge_turn(turn=turn)


def _judge(turn: Turn, room: Room | None, *, complete: bool) -> None:
    """Judge the turn in a room, or in all rooms that have closed it."""
    write_verdicts(turn=turn, derived=derive_verdicts(facts_of(turn, room, complete=complete)), room=room)
    closed = TurnClock.objects.filter(turn=turn, state=ClockState.CLOSED, judged=False)
    (closed if room is None else closed.filter(room=room)).update(judged=True)


def _filter_verdicts(turn: Turn, room: Room | None) -> QuerySet[Verdict]:
    verdicts = Verdict.objects.filter(turn=turn)
    return verdicts if room is None else verdicts.filter(player__in=players_in(turn.game, room))


def _closed_turns_after(turn: Turn, room: Room | None) -> list[Turn]:
    """The closed turns after this one: a slip of a placed turn may arrive late from a disconnected phone."""
    clocks = TurnClock.objects.filter(turn__game=turn.game, turn__number__gt=turn.number, state=ClockState.CLOSED)
    if room is not None:
        clocks = clocks.filter(room=room)
    later = list(Turn.objects.filter(pk__in=clocks.values("turn")).order_by("number"))
    for each in later:
        each.game = turn.game
    return later


def _rows(turn: Turn, derived: TurnVerdicts) -> list[bulk_insert.Row]:
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    rows: dict[int, tuple[str, str]] = {}

    def move_of(one: JudgedSlip) -> tuple[str, str]:
        """Word and reference of a move, formatted once: identical slips share the verdict's move."""
        move = one.judgement.move
        if move is None:
            return "", ""
        if id(move) not in rows:
            rows[id(move)] = move.word_text(edition), move.reference_text(notation)
        return rows[id(move)]

    return [_row(turn, one, *move_of(one)) for one in derived.judged]


def _row(turn: Turn, one: JudgedSlip, move_word: str, move_ref: str) -> bulk_insert.Row:
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
