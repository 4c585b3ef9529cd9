"""Games of the rule families, played through the engine alone, as archives: every fault of a slip turns up in them.

Table 1 finds the top and 2 the best move below it. The others play for less, each with a habit: 3 (on paper) claims a
point too much, 4 no score, 5 marks no blank, 6 writes no reference, 7 leaves out a last letter that lies on the board,
8 hands in one and the same word that is none, 9 leaves after turn 3, 10 comes in turn 2 and is late in every other one,
11 hands in two slips on paper, 12 marks a letter that is no blank, 13 hands in nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import Any, cast

from engine.archive.ledger import head_hash, seal_entry
from engine.archive.schema import Archive, format_timestamp, tile_set, word_list_sha256
from engine.board.board import EMPTY, Board, squares_of
from engine.board.move import Move
from engine.draw.reproducible import DrawnRack, GameOver, commitment, draw_key, draw_next_rack
from engine.judging.placement import Position
from engine.judging.verdict import Verdict, judge_slip
from engine.play.turn import apply_master_move
from engine.rules.profile import Profile, load_profile
from engine.search.game_solver import GameSolver
from engine.slips.slip import Slip
from engine.standings.game import TurnResult, standings
from engine.tiles.edition import LETTER_MASK
from engine.tiles.tiles import Tiles
from engine.turn_results.averages import Fault, apply_averages, fault_of
from engine.turn_results.bonuses import apply_bonuses, find_solo_table
from engine.turn_results.master_move import choose_master, is_played_again
from engine.turn_results.ties import order_tops
from engine.variants.variant import Variant, load_variant
from tests.engine.archive.played_game import IT, WORDS, lexicon

LEAVER, LAST_TURN = 9, 3
LATE_COMER, FIRST_TURN = 10, 2
START = datetime(2026, 2, 7, 20, 30, tzinfo=UTC)
NO_WORD = "ZZZ"

Choose = Callable[[Position, Sequence[Move]], Move | None]
"""The master move that the judge wants in this position, out of all moves, best first; None: the one by the rules."""


def choose_by_rules(position: Position, moves: Sequence[Move]) -> Move | None:
    """No wish of the judge: the master move is the one that the rules choose."""
    return None


@dataclass(frozen=True)
class FamilyGame:
    """Settings of a game. In the turns of `nobody` no slip is correct; `choose` gives the master moves of the judge.

    With `first_rack` the racks come out of a physical bag, this one first.
    """

    profile: str
    variant: str = "normal"
    tables: int = 13
    turns: int = 6
    seed: int = 1
    nobody: tuple[int, ...] = ()
    choose: Choose = choose_by_rules
    first_rack: str = ""


@dataclass
class _GameState:
    family: FamilyGame
    profile: Profile
    variant: Variant
    turns: list[dict[str, Any]] = field(default_factory=list)
    ledger: list[dict[str, object]] = field(default_factory=list)
    warnings: Counter[int] = field(default_factory=Counter)
    bonuses: Counter[int] = field(default_factory=Counter)
    faults: dict[int, Fault | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.solver = GameSolver(lexicon(), self.profile, self.variant)
        self.seed = sha256(f"{self.family.profile} {self.family.variant} {self.family.seed}".encode()).digest()
        self.results: dict[int, list[TurnResult]] = {table: [] for table in self.tables}

    @property
    def tables(self) -> range:
        return range(1, self.family.tables + 1)

    def present(self, number: int) -> list[int]:
        gone = {LEAVER} if number > LAST_TURN else {LATE_COMER} if number < FIRST_TURN else set()
        return [table for table in self.tables if table not in gone]

    def entry(self, move: Move) -> dict[str, Any]:
        ref = move.reference_text(self.profile.notation)
        return {"word": move.word_text(IT), "ref": ref, "score": move.score}


def play_family(family: FamilyGame) -> Archive:
    """The archive of a game by the rules of this family."""
    variant = load_variant(family.variant)
    hall = _GameState(family, variant.apply_to(load_profile(family.profile)), variant)
    board, kept, again, end = Board.empty(IT), Tiles.none(IT), False, "judge"
    for number in range(1, family.turns + 1):
        drawn = DrawnRack(kept, (), 1) if again else _draw(hall, board, kept, number)
        if isinstance(drawn, GameOver):
            end = drawn.why
            break
        stock, most = variant.stock(board, drawn.rack), variant.most_laid(hall.profile)
        move = _play_turn(hall, Position(board, drawn.rack, number, stock, most), kept, drawn)
        again = is_played_again(move, hall.turns[-1]["top"], hall.profile)
        if again:
            kept = drawn.rack
        else:
            after = apply_master_move(board, drawn.rack, move, hall.profile, variant)
            board, kept = after.board, after.kept
    bag = Tiles.full_bag(IT) - board.tiles - kept
    return _archive(hall, {"why": end, "kept": kept.text, "bag": bag.text})


def _draw(hall: _GameState, board: Board, kept: Tiles, number: int) -> DrawnRack | GameOver:
    if number == 1 and hall.family.first_rack:
        return DrawnRack(Tiles.parse(IT, hall.family.first_rack), (), 1)
    return draw_next_rack(
        draw_key(hall.seed, None),
        number,
        kept,
        Tiles.full_bag(IT) - board.tiles - kept,
        hall.profile,
        partial(hall.solver.has_move, board),
        variant=hall.variant,
        letters_of_blank=partial(hall.solver.letters_of_blank, board),
    )


def _play_turn(hall: _GameState, position: Position, kept: Tiles, drawn: DrawnRack) -> Move | None:
    number, start = position.turn, START + position.turn * timedelta(minutes=5)
    # In an order of their own: among equal scores the search may change its order, and this game must not.
    found = hall.solver.ranked(position.board, position.rack)
    moves = sorted(found, key=lambda move: (-move.score, move.word, move.reference))
    top = moves[0].score if moves else 0
    best = hall.solver.best(position.board, position.rack)
    tops = order_tops(best, position.board, position.rack, lexicon(), hall.profile)
    slips = [_slip(hall, table, position, moves, start) for table in hall.present(number)]
    single = {slip["table"]: _verdict(hall, slip, position) for slip in slips}
    averaged = apply_averages(single, hall.faults, hall.profile)
    verdicts = apply_bonuses(averaged, top, hall.profile, hall.bonuses)
    solo = find_solo_table(single, top)
    chosen = choose_master(single.values(), tops, position.board, position.rack, lexicon(), hall.profile)
    wished = hall.family.choose(position, moves)
    move, by = (wished, "judge") if wished else (chosen.move, str(chosen.chosen_by)) if chosen else (None, "")
    for slip in slips:
        verdict = verdicts[slip["table"]]
        slip["verdict"] = verdict.as_json()
        _count(hall, slip["table"], number, verdict, solo)
    hall.faults = {table: fault_of(verdict) for table, verdict in averaged.items()}
    hall.turns.append(
        {
            "number": number,
            "kept": kept.text,
            "rejected": [rack.text for rack in drawn.rejected],
            "rack": drawn.rack.text,
            "board": position.board.rows,
            "started_at": format_timestamp(start),
            "deadline": format_timestamp(start + timedelta(minutes=3)),
            "closed_at": format_timestamp(start + timedelta(minutes=3, seconds=2)),
            "grace_ms": 1000,
            "top": top,
            "tops": [hall.entry(one.move) for one in tops],
            "master": {**hall.entry(move), "chosen_by": by, "why": None} if move else None,
            "slips": slips,
            "solo": solo,
        }
    )
    for kind, at in (("draw", start), ("place", start + timedelta(minutes=4))):
        last = hall.ledger[-1] if hall.ledger else None
        hall.ledger.append(seal_entry(last, at=format_timestamp(at), kind=kind, by="arbitre", data={"turn": number}))
    return move


def _slip(hall: _GameState, table: int, position: Position, moves: Sequence[Move], start: datetime) -> dict[str, Any]:
    """Slip of a table, by its habit."""
    paper = table in (3, 11)
    slip: dict[str, Any] = {
        "table": table,
        "source": "paper" if paper else "phone",
        "received_at": format_timestamp(start + timedelta(seconds=60 + table)),
        "in_time": True,
        "word": "",
        "ref": "",
        "direction": None,
        "hook": "",
        "declared": None,
        "decided_by": "rule",
        "reason": None,
    }
    if table == 13:
        return slip | {"source": None, "received_at": None, "in_time": False}
    if table == 8 or position.turn in hall.family.nobody or not moves:
        return slip | {"word": NO_WORD, "ref": "8H" if hall.profile.notation == "8H" else "H8", "declared": 12}
    written = hall.entry(_found_move(table, position, moves))
    slip |= {"word": written["word"], "ref": written["ref"], "declared": written["score"]}
    return slip | _apply_habit(hall, table, slip, position.turn, start)


def _found_move(table: int, position: Position, moves: Sequence[Move]) -> Move:
    """The move that a table finds: 1 the top, 2 the best below it, the others something cheaper, by their habit."""
    below = [move for move in moves if move.score < moves[0].score] or [moves[-1]]
    if table <= 2:
        return moves[0] if table == 1 else below[0]
    cheaper = [move for move in below if move.score < below[0].score] or [below[-1]]
    wanted = [move for move in cheaper if _SUITS.get(table, _any_move)(move, position)] or cheaper
    return wanted[min(table, len(wanted) - 1)]


def _any_move(move: Move, position: Position) -> bool:
    return True


def _lays_a_blank(move: Move, position: Position) -> bool:
    return move.laid(position.board).blanks > 0


def _needs_a_blank(move: Move, position: Position) -> bool:
    """Return True if the rack lacks a letter of the move."""
    squares = zip(move.word, squares_of(move.reference, len(move.word)), strict=True)
    kinds = [(code & LETTER_MASK) + 1 for code, square in squares if position.board.at(*square) == EMPTY]
    listed = all(kind < len(IT.kinds) for kind in kinds)
    return _lays_a_blank(move, position) and not (listed and position.rack.holds(Tiles.of_kinds(IT, kinds)))


def _ends_on_the_board(move: Move, position: Position) -> bool:
    return len(move.word) > 2 and position.board.at(*list(squares_of(move.reference, len(move.word)))[-1]) != EMPTY


def _lays_no_blank(move: Move, position: Position) -> bool:
    return not _lays_a_blank(move, position)


_SUITS: Mapping[int, Callable[[Move, Position], bool]] = {
    5: _needs_a_blank,
    7: _ends_on_the_board,
    12: _lays_no_blank,
}


def _apply_habit(hall: _GameState, table: int, slip: dict[str, Any], number: int, start: datetime) -> dict[str, Any]:
    """Slip that a table writes for the move that it found."""
    habits: dict[int, dict[str, Any]] = {
        3: {"declared": slip["declared"] + 1},
        4: {"declared": None},
        5: {"word": slip["word"].upper()},
        6: {"ref": ""},
        7: {"word": slip["word"][:-1]},
        11: {"several": True},
        12: {"word": slip["word"][:-1].upper() + slip["word"][-1].lower()},
    }
    if table == LATE_COMER and number % 2:
        return {
            "received_at": format_timestamp(start + timedelta(minutes=3, seconds=1, microseconds=1)),
            "in_time": False,
        }
    return habits.get(table, {})


def _verdict(hall: _GameState, slip: dict[str, Any], position: Position) -> Verdict:
    received = "several" if slip.get("several") else "in_time" if slip["in_time"] or not slip["source"] else "late"
    written = Slip(slip["word"], slip["ref"], slip["declared"], received=cast(Any, received))
    prior = hall.warnings[slip["table"]]
    return judge_slip(written, position, hall.profile, lexicon(), prior_warnings=prior)


def _count(hall: _GameState, table: int, number: int, verdict: Verdict, solo: int | None) -> None:
    warned = len(verdict.warnings)
    hall.warnings[table] += warned
    hall.bonuses[table] += verdict.bonus
    result = TurnResult(number, verdict.points, warned, verdict.penalty, solo == table, verdict.bonus)
    hall.results[table].append(result)


def _archive(hall: _GameState, end: dict[str, str]) -> Archive:
    words, checksum = word_list_sha256(WORDS)
    players: list[dict[str, Any]] = [
        {"table": table, "name": f"Joueur {table}", "club": None, "series": None} for table in hall.tables
    ]
    players[LEAVER - 1]["last_turn"] = LAST_TURN
    tops = [turn["top"] for turn in hall.turns]
    archive = {
        "format": "duplicate-game",
        "version": 1,
        "event": {"name": "Soirée", "date": "2026-02-07", "place": None},
        "room": "Salle",
        "edition": "it",
        "tile_set": tile_set(IT),
        "formula": hall.variant.code,
        "rhythm_s": 180,
        "across": hall.profile.notation.value,
        "profile": hall.profile.switches(),
        "lexicon": {"name": "prova", "words": words, "sha256": checksum, "accepted": [], "struck": []},
        "draw": {
            "mode": "typed" if hall.family.first_rack else "seeded",
            "commitment": commitment(hall.seed),
            "seed": hall.seed.hex(),
            "hall_word": None,
        },
        "players": players,
        "turns": hall.turns,
        "end": end,
        "standings": [line.as_json() for line in standings(hall.results, tops, hall.profile)],
        "ledger": {"entries": hall.ledger, "head": head_hash(hall.ledger)},
    }
    return cast(Archive, archive)
