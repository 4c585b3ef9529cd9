"""One turn: position, racks, tops, slips, master move.

Each turn is judged on the position that the archive shows, and each position must follow from the turn before; so a
fault is named where it is, and everything together still proves the whole game from the empty board on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.replay.racks import DrawState, check_racks, read_tiles
from engine.archive.replay.slips import JudgedSlip, Scores, check_slip_tables, check_times, check_verdicts, judge_slips
from engine.archive.schema import MasterEntry, TopEntry, TurnEntry, read_timestamp
from engine.board.board import Board, BoardError, squares_of
from engine.board.coordinates import SIZE, UnreadableReference, parse_reference
from engine.board.move import Move
from engine.judging.placement import LegalMove, Position, place_word
from engine.play.turn import apply_master_move
from engine.tiles.edition import UnknownLetter
from engine.tiles.tiles import MissingTilesError, Tiles
from engine.turn_results.master_move import choose_master, is_played_again
from engine.turn_results.ties import RankedTop, order_tops


@dataclass(slots=True)
class ReplayState:
    """The state after the turns so far. `again`: the letters that are kept are a whole rack, to be played once more."""

    board: Board
    kept: Tiles
    scores: Scores
    closed_at: str | None = None
    again: bool = False


def check_turn(facts: Facts, state: ReplayState, turn: TurnEntry, findings: Findings) -> None:
    """All that can be derived about a turn; `state` then holds what the next one starts from."""
    board = _check_board(facts, state, turn, findings)
    kept = read_tiles(facts, f"turn {turn['number']}, kept", turn["kept"], findings)
    if kept is not None:
        findings.compare(f"turn {turn['number']}, kept", kept.text, state.kept.text)
    kept = state.kept if kept is None else kept
    rack = read_tiles(facts, f"turn {turn['number']}, rack", turn["rack"], findings)
    bag = _bag_before_draw(facts, board, kept, turn, findings)
    if state.again:
        findings.compare(f"turn {turn['number']}, rack", turn["rack"], state.kept.text)
        findings.compare(f"turn {turn['number']}, rejected", turn["rejected"], [])
    elif rack is not None and bag is not None:
        check_racks(facts, DrawState(turn["number"], board, kept, bag), turn, rack, findings)
    _check_clock(facts, state, turn, findings)
    if rack is None or rack.total > facts.profile.rack_size:
        rack = Tiles.none(facts.edition)
    _check_play(facts, state, turn, facts.position(board, rack, turn["number"]), findings)


def _check_board(facts: Facts, state: ReplayState, turn: TurnEntry, findings: Findings) -> Board:
    """The board before the turn, row by row; the one that follows from the turn before when the stored is none."""
    where = f"turn {turn['number']}, board"
    try:
        board = Board.parse(facts.edition, turn["board"])
    except BoardError as error:
        findings.compare(where, turn["board"], f"a board ({error})")
        return state.board
    for number, (stored, derived) in enumerate(zip(board.rows, state.board.rows, strict=True), 1):
        findings.compare(f"{where}, row {number}", stored, derived)
    try:
        _ = board.tiles
    except UnknownLetter:  # its row is named; the rest of the turn is judged on what must lie here
        return state.board
    return board


def _bag_before_draw(facts: Facts, board: Board, kept: Tiles, turn: TurnEntry, findings: Findings) -> Tiles | None:
    """The bag before the draw: all that is neither on the board nor kept."""
    try:
        return Tiles.full_bag(facts.edition) - board.tiles - kept
    except (MissingTilesError, UnknownLetter) as error:
        findings.compare(f"turn {turn['number']}, tiles", "more than the edition has", str(error))
        return None


def _check_clock(facts: Facts, state: ReplayState, turn: TurnEntry, findings: Findings) -> None:
    """Times in their order; the turns one after the other."""
    where = f"turn {turn['number']}"
    named = [("started_at", turn["started_at"]), ("deadline", turn["deadline"]), ("closed_at", turn["closed_at"])]
    before, earlier = "the turn before", state.closed_at
    if facts.follows and turn["started_at"] is None and not turn["slips"]:
        return  # the room joined the script later
    for name, moment in named:
        if moment is None:
            findings.require(f"{where}, {name}", facts.is_open(turn), None, "a time")
            return
        in_order = earlier is None or read_timestamp(earlier) <= read_timestamp(moment)
        findings.require(f"{where}, {name}", in_order, moment, f"no earlier than {before}: {earlier}")
        before, earlier = name, moment
    state.closed_at = turn["closed_at"]


def _check_play(facts: Facts, state: ReplayState, turn: TurnEntry, position: Position, findings: Findings) -> None:
    """Tops, slips and master move at this position."""
    ranked = _check_tops(facts, turn, position, findings)
    judged: list[JudgedSlip] = []
    if not facts.is_open(turn):
        check_slip_tables(facts, turn, state.scores, findings)
        check_times(turn, findings)
        judged = judge_slips(facts, turn, position, facts.lexicon(turn["number"]), state.scores)
        check_verdicts(facts, turn, ranked[0].move.score if ranked else 0, judged, state.scores, findings)
    if facts.was_reopened(turn):
        ranked, judged = _judge_when_placed(facts, turn, position, state.scores)
    placed = _check_master(facts, turn, position, ranked, judged, findings)
    _next_state(facts, state, position, placed, turn["top"])


def _judge_when_placed(
    facts: Facts, turn: TurnEntry, position: Position, scores: Scores
) -> tuple[tuple[RankedTop, ...], list[JudgedSlip]]:
    """Tops and slips as they were when the move was chosen: later decisions count for the players alone."""
    solver = facts.solver_when_placed(turn["number"])
    tops = solver.best(position.board, position.rack)
    ranked = order_tops(tops, position.board, position.rack, solver.lexicon, facts.profile)
    if facts.is_open(turn):
        return ranked, []
    return ranked, judge_slips(facts, turn, position, solver.lexicon, scores, when_placed=True)


def _check_tops(facts: Facts, turn: TurnEntry, position: Position, findings: Findings) -> tuple[RankedTop, ...]:
    """The top and all moves that reach it, in the profile's order of preference."""
    number = turn["number"]
    tops = facts.solver(number).best(position.board, position.rack)
    ranked = order_tops(tops, position.board, position.rack, facts.lexicon(number), facts.profile)
    findings.compare(f"turn {number}, top", turn["top"], tops[0].score if tops else 0)
    stored = [_entry_text(top) for top in turn["tops"]]
    derived = [_entry_text(_top_entry(facts, top.move)) for top in ranked]
    where = "order of the tops" if sorted(stored) == sorted(derived) else "tops"
    findings.compare(f"turn {number}, {where}", stored, derived)
    return ranked


def _top_entry(facts: Facts, move: Move) -> TopEntry:
    return {
        "word": move.word_text(facts.edition),
        "ref": move.reference_text(facts.profile.notation),
        "score": move.score,
    }


def _entry_text(entry: TopEntry) -> str:
    return f"{entry['word']} {entry['ref']} {entry['score']}"


def _check_master(
    facts: Facts,
    turn: TurnEntry,
    position: Position,
    ranked: Sequence[RankedTop],
    judged: Sequence[JudgedSlip],
    findings: Findings,
) -> Move | None:
    """The move that goes on the board; gives the stored one as far as it can be laid."""
    if facts.is_open(turn):
        return None
    where, stored = f"turn {turn['number']}, master", turn["master"]
    move = None if stored is None else _stored_move(facts, stored, position)
    if stored is not None and stored["chosen_by"] == "judge":
        legal = move is not None and _is_legal(facts, move, position)
        findings.require(where, legal, _entry_text(stored), "a legal move with its score")
    elif facts.follows and _is_chosen_elsewhere(facts, stored):
        legal = stored is None or (move is not None and _is_legal(facts, move, position))
        findings.require(where, legal, _master_text(stored), "a legal move with its score")
    elif facts.follows:
        tops = [{**_top_entry(facts, top.move), "chosen_by": "engine", "why": None} for top in ranked[:1]]
        findings.compare(where, _master_text(stored), _master_text(cast(MasterEntry, tops[0]) if tops else None))
    else:
        findings.compare(where, _master_text(stored), _master_text(_derived_master(facts, position, ranked, judged)))
    return move


def _is_chosen_elsewhere(facts: Facts, stored: MasterEntry | None) -> bool:
    """Return whether the slips of the drawing room decided, which are in its own archive: the best one, or that none
    was correct."""
    if stored is None:
        return facts.profile.nobody_correct == "same_rack"
    return stored["chosen_by"] == "slip" and facts.profile.board_takes == "best_slip"


def _derived_master(
    facts: Facts, position: Position, ranked: Sequence[RankedTop], judged: Sequence[JudgedSlip]
) -> MasterEntry | None:
    verdicts = [one.verdict for one in judged]
    lexicon = facts.solver_when_placed(position.turn).lexicon
    master = choose_master(verdicts, ranked, position.board, position.rack, lexicon, facts.profile)
    if master is None:
        return None
    return {**_top_entry(facts, master.move), "chosen_by": master.chosen_by, "why": master.why}


def _master_text(entry: MasterEntry | None) -> str | None:
    """The compared fields of a master move; `why` is a sentence in the language of the room."""
    return entry and f"{_entry_text(entry)}, by {entry['chosen_by']}"


def _stored_move(facts: Facts, entry: TopEntry, position: Position) -> Move | None:
    """The move as it is written, if it can be laid on the board with tiles that exist."""
    try:
        reference = parse_reference(entry["ref"], facts.profile.notation)
        move = Move(reference, facts.edition.parse_word(entry["word"]), entry["score"])
        if not all(row < SIZE and col < SIZE for row, col in squares_of(reference, len(move.word))):
            return None
        move.laid(position.board)
    except (UnreadableReference, UnknownLetter):
        return None
    return move


def _is_legal(facts: Facts, move: Move, position: Position) -> bool:
    lexicon = facts.solver_when_placed(position.turn).lexicon
    laid = place_word(move.word, move.reference, position, facts.profile, lexicon)
    return isinstance(laid, LegalMove) and laid.move == move


def _next_state(facts: Facts, state: ReplayState, position: Position, placed: Move | None, top: int) -> None:
    """The state after the master move; tiles that the rack has not are taken from nowhere."""
    state.again = is_played_again(placed, top, facts.profile)
    if state.again:
        state.board, state.kept = position.board, position.rack
        return
    after = apply_master_move(position.board, position.rack, placed, facts.profile, facts.variant)
    state.board, state.kept = after.board, after.kept
