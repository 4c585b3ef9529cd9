"""What the judge's desk shows."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.utils.translation import gettext as _

from engine.coords import parse_reference
from engine.rules.master import is_played_again
from engine.rules.sentences import master_sentence, tie_sentence
from engine.tiles import Tiles
from tournaments.enums import ClockState, DrawMode, EndReason, GameState
from tournaments.models import Entry, Game, Heartbeat, Room, Slip, Turn, TurnClock, WordRuling, plays
from tournaments.position import after, board_before, edition_of, is_to_be_repeated, profile_of, rack_of
from tournaments.scripts import is_drawn_by_program
from tournaments.selectors.events import first_room
from tournaments.selectors.groups import Group, groups_of
from tournaments.selectors.hall import HallView, hall_view
from tournaments.selectors.judging_queue import Queue, queue_of
from tournaments.selectors.looks import newest_look
from tournaments.selectors.master import choose
from tournaments.selectors.phases import Phase, clock_in, next_turn_in, turns_in
from tournaments.selectors.results import StandingRow, standings_rows
from tournaments.selectors.reversed_places import reversed_in_question
from tournaments.selectors.spot_checks import SpotSlip, spot_slips
from tournaments.selectors.warned import WarningLine, warnings_given
from tournaments.tops import stored_tops

__all__ = [
    "DeskView",
    "Group",
    "LogLine",
    "MasterPreview",
    "RulingLine",
    "TopLine",
    "WarningLine",
    "desk_view",
    "log_of",
    "missing_tables",
    "tops",
]

_JUDGED = (Phase.CLOSED, Phase.PLACED, Phase.FINISHED)


@dataclass(frozen=True, slots=True)
class TopLine:
    """One of the best moves; `why` is a sentence: what puts it before the next one, empty for the last."""

    word: str
    ref: str
    direction: str
    score: int
    why: str


@dataclass(frozen=True, slots=True)
class MasterPreview:
    """What `place` would lay without a choice of the judge; `why` is a sentence."""

    word: str
    ref: str
    direction: str
    score: int
    chosen_by: str
    why: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A turn in the log. `master` is tile text, empty when nothing was laid or nothing is placed yet."""

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
    """A word ruled on that counts now. `from_turn` is 1 for one of an earlier game."""

    word: str
    ruling: str
    from_turn: int
    reason: str


@dataclass(frozen=True, slots=True)
class DeskView:
    """Everything the desk shows of a game in a room.

    `follows`: in this room nothing is drawn or placed; `next_turn` is the turn of the script that it can announce now,
    `move_is_here` says that the drawing room has placed the move of its turn, `may_rule` that it has not, so that words
    can be ruled on.
    `draw_mode`: who gives the next rack; that of a replayed game stands in its script and needs no typing.
    `again`: nobody was correct, and the letters of the turn are played again, or will be once that is confirmed.
    `rejected` are the racks that went back before this turn's, or before the next one that is being typed. `groups`,
    `tops`, `top` and `master` are there from the close on; before, `tops(turn)` must be asked for. `master` is None
    once the turn is placed, and when nothing can be laid. `warned` are the judge's own warnings of this turn. `bag` is
    what no rack and no square has, in tile text.
    `queue` are the groups as judges work through them and `spots` the slips of the spot check, both until the turn is
    placed here; `reversed` is the group about which the desk asks whether places written the other way round count;
    where judging is `anonymous`, neither tables nor names stand in them. `looks` is the number of the
    newest look of a judge at them.
    """

    hall: HallView
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
    groups: list[Group]
    queue: Queue
    reversed: Group | None
    spots: list[SpotSlip]
    anonymous: bool
    looks: int
    missing: list[int]
    slips_in: int
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


def desk_view(game: Game, room: Room | None, now: datetime, *, veiled: bool = False) -> DeskView:
    """The desk of a game in a room (the event's first one when None) at this moment. The number of queries does not
    grow with players, slips or turns.

    `veiled`: for a judge who plays the turn himself, so that tops, slips and what was ruled in this turn are not even
    read, nor a rack that was drawn and is not announced.
    """
    fresh = Game.objects.select_related("event").get(pk=game.pk)
    room = room or first_room(fresh.event)
    hall = hall_view(fresh, room, now)
    turns = _turns(fresh, room)
    turn = turns[-1] if turns else None
    clock = clock_in(turn, room) if turn is not None else None
    script = _Script.of(fresh, room, turn)
    if not room.is_drawing:
        fresh.typed_rejected = []
        if turn is not None and clock is not None and clock.shown_at is None:
            turn = turns[-1] = _veiled(turn)
    if veiled and turn is not None and hall.phase is Phase.DRAWN and is_drawn_by_program(fresh):
        turn = turns[-1] = _unseen(turn)
    judged = turn if hall.phase in _JUDGED and not veiled else None
    warned = warnings_given(turn, room) if turn and not veiled else []
    anonymous = fresh.event.anonymous_judging and hall.phase is Phase.CLOSED
    groups = groups_of(judged, warned, room, anonymous=anonymous) if judged else []
    queue = queue_of(groups)
    asked = judged if hall.phase is Phase.CLOSED else None
    return DeskView(
        hall=hall,
        turn_id=turn.pk if turn else None,
        room_id=room.pk,
        follows=not room.is_drawing,
        next_turn=script.next_turn,
        move_is_here=script.placed is not None,
        may_rule=script.may_rule,
        draw_mode=DrawMode.SEEDED if not room.is_drawing or is_drawn_by_program(fresh) else DrawMode.TYPED,
        rack=turn.rack if turn else "",
        kept=_kept(fresh, turn),
        rejected=_rejected(fresh, turn),
        groups=groups,
        queue=queue,
        reversed=reversed_in_question(fresh, groups) if asked and room.is_drawing else None,
        spots=spot_slips(asked, room, fresh.event.spot_check, queue.clear, anonymous=anonymous) if asked else [],
        anonymous=anonymous,
        looks=newest_look(judged) if judged else 0,
        missing=missing_tables(turn, room) if turn and hall.phase is not Phase.DRAWN else [],
        slips_in=hall.slips_in,
        tops=tops(judged) if judged else None,
        top=judged.top if judged else None,
        master=_preview(judged, script, room) if judged and judged.placed_at is None else None,
        log=[_log_line(one) for one in turns],
        standings=standings_rows(fresh, room, for_judges=True) if hall.standings else [],
        rulings=_rulings(fresh, room, turn, veiled=veiled),
        warned=warned,
        closed_at=clock.closed_at if clock else None,
        paused_at=clock.paused_at if clock else None,
        can_undo=_can_undo(fresh, turns, room),
        again=judged is not None and _plays_again(judged, hall.phase),
        bag=_bag(fresh, turn),
        **_disturbance(),
    )


@dataclass(frozen=True, slots=True)
class _Script:
    """What the desk of a room may know of the script beyond its own turns: `next_turn`, the number of the one that it
    can announce now; `placed`, its turn as the drawing room has placed it; `may_rule`, whether it has not yet."""

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


def _veiled(turn: Turn) -> Turn:
    """The turn as a room sees it that has not been shown its move, wherever else it lies on the board."""
    seen = copy(turn)
    seen.master_word = seen.master_ref = seen.master_chosen_by = seen.master_why = ""
    seen.master_score = seen.placed_at = None
    return seen


def _unseen(turn: Turn) -> Turn:
    """The turn as somebody sees it who is to see the rack with everybody else."""
    seen = copy(turn)
    seen.rack = ""
    return seen


class Disturbance(TypedDict):
    """What the judge has not answered yet: for how long the server was away, and the backup it goes on from."""

    away_s: int | None
    backup_at: datetime | None


def _disturbance() -> Disturbance:
    heart = Heartbeat.objects.first()
    if heart is None:
        return Disturbance(away_s=None, backup_at=None)
    return Disturbance(away_s=heart.away_s, backup_at=heart.backup_at)


def tops(turn: Turn) -> list[TopLine]:
    """The best moves of a turn in the order of preference, with the reasons in the active language."""
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


def missing_tables(turn: Turn, room: Room | None) -> list[int]:
    """The tables that play this turn and have handed in nothing, lowest first."""
    entries = Entry.objects.filter(plays(turn.number), game=turn.game_id)
    if room is not None:
        entries = entries.filter(room=room)
    handed_in = Slip.objects.filter(turn=turn).values("player")
    missing = entries.exclude(player__in=handed_in).order_by("player__table")
    return list(missing.values_list("player__table", flat=True))


def log_of(game: Game) -> list[LogLine]:
    """Every turn so far, the first one first."""
    return [_log_line(turn) for turn in _turns(game, first_room(game.event))]


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


def _kept(game: Game, turn: Turn | None) -> str:
    """What is left on the rack: of this turn's tiles once it is placed, else those that it began with."""
    if turn is None or turn.placed_at is None:
        return turn.kept if turn else ""
    return "" if game.typed_rejected else after(turn).kept.text


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
    left = after(turn)
    return (left.kept + left.bag if game.typed_rejected else left.bag).text


def _preview(turn: Turn, script: _Script, room: Room) -> MasterPreview | None:
    """What goes on the board: in the drawing room as it is chosen, elsewhere as it has been placed."""
    placed = script.placed
    if placed is not None and placed.master_score is not None:
        direction = parse_reference(placed.master_ref, profile_of(turn.game).notation).direction.value
        score, why = placed.master_score, placed.master_why
        return MasterPreview(placed.master_word, placed.master_ref, direction, score, placed.master_chosen_by, why)
    master = choose(turn=turn) if room.is_drawing else None
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
    """Whether the letters of this turn follow once more: as it is placed, or as it would be placed by rule."""
    if turn.placed_at is not None:
        return phase is Phase.PLACED and is_to_be_repeated(turn)
    return is_played_again(None, turn.top or 0, profile_of(turn.game)) and choose(turn=turn) is None


def _rulings(game: Game, room: Room, turn: Turn | None, *, veiled: bool) -> list[RulingLine]:
    """Of several rulings on a word the one that counts; in a room that follows, in its turn. `veiled`: of the turns
    before this one."""
    standing: dict[str, RulingLine] = {}
    rows = WordRuling.objects.filter(game=game, revoked_at=None)
    if not room.is_drawing:
        rows = rows.filter(from_turn__lte=turn.number if turn is not None else 1)
    if veiled and turn is not None:
        rows = rows.filter(from_turn__lt=turn.number)
    for row in rows.order_by("from_turn", "pk"):
        standing[row.word] = RulingLine(row.word, row.ruling, row.from_turn, row.reason)
    return sorted(standing.values(), key=lambda line: line.word)


def _can_undo(game: Game, turns: Sequence[Turn], room: Room) -> bool:
    """Whether there is a placement, or an end by the judge, that nothing seen by the hall has followed."""
    if not room.is_drawing:
        return bool(turns) and turns[-1].placed_at is not None
    if game.state == GameState.FINISHED and game.end_why == EndReason.JUDGE:
        return True
    if not turns or turns[-1].placed_at is not None:
        return bool(turns)
    if len(turns) == 1:
        return False
    return not TurnClock.objects.filter(turn=turns[-1]).exclude(state=ClockState.READY).exists()
