"""View of the judge's desk."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from engine.board.coordinates import parse_reference
from engine.judging.verdict_text import master_sentence, tie_sentence
from engine.tiles.tiles import Tiles
from engine.turn_results.master_move import is_played_again
from referee.views.hall import PublicView, get_public_view
from tournaments.enums import ClockState, DrawMode, EndReason, GameState
from tournaments.errors import Refused
from tournaments.events.queries.events import get_drawing_room
from tournaments.judging.queries.judging_queue import JudgingQueue, queue_of
from tournaments.judging.queries.master_move import choose_master_move
from tournaments.judging.queries.reversed_places import find_open_reversed_group
from tournaments.judging.queries.reviews import newest_review_key
from tournaments.judging.queries.slip_groups import SlipGroup, groups_of
from tournaments.judging.queries.spot_checks import SpotSlip, spot_slips
from tournaments.judging.queries.warnings import WarningLine, warnings_given
from tournaments.models import Entry, Game, Heartbeat, Room, Slip, Turn, TurnClock, WordRuling, plays
from tournaments.play.position import (
    board_before,
    draw_position_after,
    edition_of,
    is_to_be_repeated,
    profile_of,
    rack_of,
)
from tournaments.play.queries.phases import Phase, get_clock, next_turn_in, phase_of, turns_in
from tournaments.play.queries.room_states import RoomState
from tournaments.play.tops import stored_tops
from tournaments.prepared.scripts import is_drawn_by_program
from tournaments.results.queries.results import StandingRow, standings_rows

__all__ = [
    "DeskView",
    "LogLine",
    "MasterPreview",
    "RulingLine",
    "SlipGroup",
    "TopLine",
    "WarningLine",
    "get_desk_view",
    "list_log_lines",
    "list_missing_tables",
    "list_missing_tables_in",
    "list_tops",
]

_JUDGED = (Phase.CLOSED, Phase.PLACED, Phase.FINISHED)


@dataclass(frozen=True, slots=True)
class TopLine:
    """One of the best moves; `why` is a sentence that explains why it ranks before the next one, empty for the last."""

    word: str
    ref: str
    direction: str
    score: int
    why: str


@dataclass(frozen=True, slots=True)
class MasterPreview:
    """The move that `place` would play without a choice of the judge; `why` is a sentence."""

    word: str
    ref: str
    direction: str
    score: int
    chosen_by: str
    why: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A turn in the log. `master` is tile text, empty if nothing was played or nothing has been placed yet."""

    turn: int
    rack: str
    kept: str
    rejected: list[str]
    master: str
    ref: str
    score: int | None
    top: int | None
    placed: bool


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling on a word that applies now. `from_turn` is 1 if it was made in an earlier game."""

    word: str
    ruling: str
    from_turn: int
    reason: str


@dataclass(frozen=True, slots=True)
class DeskView:
    """Everything that the desk shows of a game in a room.

    `follows`: nothing is drawn or placed in this room. Then `next_turn` is the turn of the script that the room can
    announce, `move_is_here` is true if the drawing room has placed the move of the present turn, and `may_rule` is true
    if it has not, so that words can still be ruled on.
    `draw_mode` is the source of the next rack; the racks of a replayed game come from its script and are not typed.
    `again`: no slip was valid, and the letters of the turn are played again, or will be once that is confirmed.
    `rejected` are the rejected racks before this turn's rack, or before the next one that is being typed.
    `groups`, `tops`, `top` and `master` are set from the close of the turn; before it, `list_tops(turn)` has to be
    called. `master` is None once the turn is placed, and if nothing can be played.
    `warned` are the judges' own warnings of this turn. `bag` holds, in tile text, the tiles that are on no rack and no
    square. `queue` are the groups in the order in which judges work through them and `spots` the slips of the spot
    check, both until the turn is placed here. `is_judged` is false for a moment between the close and the verdicts, and
    after a late slip; then nothing is placed or shown. `reversed` is the group for which the desk asks whether reversed
    references count. `words_missing` is the sentence that the word list of the game is not installed, without which
    nothing is judged and `groups` are empty; else it is empty. If judging is `anonymous`, these contain neither tables
    nor names. `looks` is the newest review.
    """

    hall: PublicView
    turn_id: int | None
    room_id: int
    follows: bool
    next_turn: int | None
    move_is_here: bool
    may_rule: bool
    draw_mode: str
    rack: str
    kept: str
    rejected: list[str]
    groups: list[SlipGroup]
    queue: JudgingQueue
    words_missing: str
    is_judged: bool
    reversed: SlipGroup | None
    spots: list[SpotSlip]
    anonymous: bool
    looks: int
    tops: list[TopLine] | None
    top: int | None
    master: MasterPreview | None
    log: list[LogLine]
    standings: list[StandingRow]
    rulings: list[RulingLine]
    warned: list[WarningLine]
    closed_at: datetime | None
    paused_at: datetime | None
    can_undo: bool
    again: bool
    bag: str
    away_s: int | None
    backup_at: datetime | None


def get_desk_view(game: Game, room: Room | None, now: datetime, *, turn_hidden: bool = False) -> DeskView:
    """Return the desk of a game in a room (by default the event's first one) at this moment.

    The number of queries does not grow with players, slips or turns. `turn_hidden` is true for a judge who plays
    along: then tops, slips and rulings of this turn, and a rack that is drawn but not announced, are not queried.
    """
    fresh = Game.objects.select_related("event").get(pk=game.pk)
    room = room or get_drawing_room(fresh.event)
    public_view = get_public_view(fresh, room, now)
    turns = _turns(fresh, room)
    script = _Script.of(fresh, room, turns[-1] if turns else None)
    turns = _hide_unknown(turns, room, public_view.phase, turn_hidden=turn_hidden)
    turn = turns[-1] if turns else None
    clock = get_clock(turn, room) if turn is not None else None
    if not room.is_drawing:
        fresh.typed_rejected = []
    judged = turn if public_view.phase in _JUDGED and not turn_hidden else None
    warned = warnings_given(turn, room) if turn and not turn_hidden else []
    anonymous = fresh.event.anonymous_judging and public_view.phase is Phase.CLOSED
    words_missing = ""
    try:
        groups = groups_of(judged, warned, room, anonymous=anonymous) if judged else []
    except Refused as refused:
        judged, groups, words_missing = None, [], refused.sentence
    queue = queue_of(groups)
    asked = judged if public_view.phase is Phase.CLOSED else None
    return DeskView(
        hall=public_view,
        turn_id=turn.pk if turn else None,
        room_id=room.pk,
        follows=not room.is_drawing,
        next_turn=script.next_turn,
        move_is_here=script.placed is not None,
        may_rule=script.may_rule,
        draw_mode=DrawMode.SEEDED if not room.is_drawing or is_drawn_by_program(fresh) else DrawMode.TYPED,
        rack=turn.rack if turn else "",
        kept=_leave(fresh, turn),
        rejected=_rejected(fresh, turn),
        groups=groups,
        queue=queue,
        words_missing=words_missing,
        is_judged=not words_missing and (public_view.phase is not Phase.CLOSED or (clock is not None and clock.judged)),
        reversed=find_open_reversed_group(fresh, groups) if asked and room.is_drawing else None,
        spots=spot_slips(asked, room, fresh.event.spot_check, queue.clear, anonymous=anonymous) if asked else [],
        anonymous=anonymous,
        looks=newest_review_key(judged) if judged else 0,
        tops=list_tops(judged) if judged else None,
        top=judged.top if judged else None,
        master=_preview(judged, script, room) if judged and judged.placed_at is None else None,
        log=[_log_line(one) for one in turns],
        standings=standings_rows(fresh, room, for_judges=True) if public_view.standings else [],
        rulings=_rulings(fresh, room, turn, turn_hidden=turn_hidden),
        warned=warned,
        closed_at=clock.closed_at if clock else None,
        paused_at=clock.paused_at if clock else None,
        can_undo=_can_undo(fresh, turns, room),
        again=judged is not None and _plays_again(judged, public_view.phase),
        bag=_bag(fresh, turn),
        **_disturbance(),
    )


@dataclass(frozen=True, slots=True)
class _Script:
    """The part of the script that the desk of a room may know beyond its own turns.

    `next_turn` is the number of the turn that the room can announce, `placed` its turn as the drawing room has placed
    it, and `may_rule` is true while the drawing room has not placed it.
    """

    next_turn: int | None
    placed: Turn | None
    may_rule: bool

    @classmethod
    def of(cls, game: Game, room: Room, turn: Turn | None) -> _Script:
        if room.is_drawing:
            return cls(None, None, True)
        due = next_turn_in(game, room)
        opened = TurnClock.objects.filter(turn=due, room__number=Room.DRAWING, started_at__isnull=False)
        placed = turn if turn is not None and turn.placed_at is not None else None
        return cls(due.number if due is not None and opened.exists() else None, placed, placed is None)


def _hide_move(turn: Turn) -> Turn:
    """Return the turn as a room sees it that has not been shown its move."""
    visible = copy(turn)
    visible.master_word = visible.master_ref = visible.master_chosen_by = visible.master_why = ""
    visible.master_score = visible.placed_at = None
    return visible


def _hide_turn(turn: Turn) -> Turn:
    """Return the turn without its rack, for a user who may see the rack only when everybody does."""
    visible = copy(turn)
    visible.rack = ""
    return visible


class Disturbance(TypedDict):
    """An outage that the judge has not answered yet: its duration, and the backup that the game goes on from."""

    away_s: int | None
    backup_at: datetime | None


def _disturbance() -> Disturbance:
    heart = Heartbeat.objects.first()
    if heart is None:
        return Disturbance(away_s=None, backup_at=None)
    return Disturbance(away_s=heart.away_s, backup_at=heart.backup_at)


def list_tops(turn: Turn) -> list[TopLine]:
    """Return the best moves of a turn in order of preference, with the reasons in the active language."""
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    return [
        TopLine(
            word=top.move.word_text(edition),
            ref=top.move.reference_text(notation),
            direction=top.move.direction.value,
            score=top.move.score,
            why=tie_sentence(top, _),
        )
        for top in stored_tops(turn)
    ]


def list_missing_tables(turn: Turn, room: Room | None) -> list[int]:
    """Return the tables that play this turn and have submitted no slip, lowest first."""
    entries = _without_slip(turn)
    if room is not None:
        entries = entries.filter(room=room)
    return list(entries.values_list("player__table", flat=True))


def list_missing_tables_in(states: Sequence[RoomState]) -> dict[int, list[int]]:
    """Return the same for several rooms, by room; one query for each turn that they play."""
    missing: dict[int, list[int]] = {state.room.pk: [] for state in states}
    for turn in {state.turn for state in states if state.turn is not None}:
        rooms = [state.room for state in states if state.turn == turn]
        for room_id, table in _without_slip(turn).filter(room__in=rooms).values_list("room", "player__table"):
            missing[room_id].append(table)
    return missing


def _without_slip(turn: Turn) -> QuerySet[Entry]:
    entries = Entry.objects.filter(plays(turn.number), game=turn.game_id)
    return entries.exclude(player__in=Slip.objects.filter(turn=turn).values("player")).order_by("player__table")


def list_log_lines(game: Game, room: Room, now: datetime, *, turn_hidden: bool = False) -> list[LogLine]:
    """Return a line for each turn so far, the first turn first, as `get_desk_view` does for the current game."""
    turns = _hide_unknown(_turns(game, room), room, phase_of(game, room, now), turn_hidden=turn_hidden)
    return [_log_line(turn) for turn in turns]


def _hide_unknown(turns: list[Turn], room: Room, phase: Phase, *, turn_hidden: bool) -> list[Turn]:
    """Return the turns, the last one without the move that the room, or the rack that the user, may not see yet."""
    if not turns:
        return turns
    *earlier, last = turns
    clock = get_clock(last, room)
    if not room.is_drawing and clock is not None and clock.shown_at is None:
        last = _hide_move(last)
    if turn_hidden and phase is Phase.DRAWN and is_drawn_by_program(last.game):
        last = _hide_turn(last)
    return [*earlier, last]


def _turns(game: Game, room: Room) -> list[Turn]:
    turns = list(turns_in(game, room).order_by("number"))
    for turn in turns:
        turn.game = game
    return turns


def _log_line(turn: Turn) -> LogLine:
    return LogLine(
        turn=turn.number,
        rack=turn.rack,
        kept=turn.kept,
        rejected=list(turn.rejected),
        master=turn.master_word,
        ref=turn.master_ref,
        score=turn.master_score,
        top=turn.top if turn.placed_at else None,
        placed=turn.placed_at is not None,
    )


def _leave(game: Game, turn: Turn | None) -> str:
    """Return the leave of a placed turn, or for an open turn the leave that its rack began with."""
    if turn is None or turn.placed_at is None:
        return turn.kept if turn else ""
    return "" if game.typed_rejected else draw_position_after(turn).kept.text


def _rejected(game: Game, turn: Turn | None) -> list[str]:
    if turn is None or turn.placed_at is not None:
        return list(game.typed_rejected)
    return list(turn.rejected)


def _bag(game: Game, turn: Turn | None) -> str:
    full = Tiles.full_bag(edition_of(game))
    if turn is None:
        return full.text
    if turn.placed_at is None:
        return (full - board_before(turn).tiles - rack_of(turn)).text
    left = draw_position_after(turn)
    return (left.kept + left.bag if game.typed_rejected else left.bag).text


def _preview(turn: Turn, script: _Script, room: Room) -> MasterPreview | None:
    """Return the move to be placed: in the drawing room the chosen one, elsewhere the one that has been placed."""
    placed = script.placed
    if placed is not None and placed.master_score is not None:
        direction = parse_reference(placed.master_ref, profile_of(turn.game).notation).direction.value
        score, why = placed.master_score, placed.master_why
        return MasterPreview(placed.master_word, placed.master_ref, direction, score, placed.master_chosen_by, why)
    master = choose_master_move(turn=turn) if room.is_drawing else None
    if master is None:
        return None
    edition, notation = edition_of(turn.game), profile_of(turn.game).notation
    return MasterPreview(
        word=master.move.word_text(edition),
        ref=master.move.reference_text(notation),
        direction=master.move.direction.value,
        score=master.move.score,
        chosen_by=master.chosen_by,
        why=master_sentence(master, _),
    )


def _plays_again(turn: Turn, phase: Phase) -> bool:
    """Return True if the letters of this turn are played again, as it is placed or would be placed by rule."""
    if turn.placed_at is not None:
        return phase is Phase.PLACED and is_to_be_repeated(turn)
    return is_played_again(None, turn.top or 0, profile_of(turn.game)) and choose_master_move(turn=turn) is None


def _rulings(game: Game, room: Room, turn: Turn | None, *, turn_hidden: bool) -> list[RulingLine]:
    """Return the ruling on each word that applies at the turn of the room. `turn_hidden`: only of earlier turns."""
    rulings: dict[str, RulingLine] = {}
    rows = WordRuling.objects.filter(game=game, revoked_at=None)
    if not room.is_drawing:
        rows = rows.filter(from_turn__lte=turn.number if turn is not None else 1)
    if turn_hidden and turn is not None:
        rows = rows.filter(from_turn__lt=turn.number)
    for row in rows.order_by("from_turn", "pk"):
        rulings[row.word] = RulingLine(row.word, row.ruling, row.from_turn, row.reason)
    return sorted(rulings.values(), key=lambda line: line.word)


def _can_undo(game: Game, turns: Sequence[Turn], room: Room) -> bool:
    """Return True if there is a placement, or an end by the judge, that nothing public has followed."""
    if not room.is_drawing:
        return bool(turns) and turns[-1].placed_at is not None
    if game.state == GameState.FINISHED and game.end_why == EndReason.JUDGE:
        return True
    if not turns or turns[-1].placed_at is not None:
        return bool(turns)
    if len(turns) == 1:
        return False
    return not TurnClock.objects.filter(turn=turns[-1]).exclude(state=ClockState.READY).exists()
