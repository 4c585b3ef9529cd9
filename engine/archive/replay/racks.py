"""The racks of a turn: as the seed gives them, or lawful where they were typed from a physical bag."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from engine.archive.replay.facts import Facts
from engine.archive.replay.findings import Findings
from engine.archive.schema import TurnEntry
from engine.board.board import Board
from engine.draw.reproducible import DrawnRack, GameOver, draw_next_rack, find_rejection_reason
from engine.search.game_solver import GameSolver
from engine.tiles.tiles import Tiles


@dataclass(frozen=True, slots=True)
class DrawState:
    """The position before a draw."""

    turn: int
    board: Board
    kept: Tiles
    bag: Tiles

    @property
    def pool(self) -> Tiles:
        return self.kept + self.bag


def check_racks(facts: Facts, before: DrawState, turn: TurnEntry, rack: Tiles, findings: Findings) -> None:
    """The rack and the rejected racks of a turn."""
    key = facts.key(turn["number"])
    if key is None:
        _check_typed(facts, before, turn, rack, findings)
    elif not any(_shows_racks(turn, drawn) for drawn in drawn_racks(facts, key, before)):
        _report(turn, drawn_racks(facts, key, before)[-1], findings)


def drawn_racks(facts: Facts, key: bytes, before: DrawState) -> list[DrawnRack | GameOver]:
    """The racks that the seed gives, by each of the word lists that may have counted."""
    return [_redraw_rack(facts, key, before, solver) for solver in facts.solvers_of_draw(before.turn)]


def _redraw_rack(facts: Facts, key: bytes, before: DrawState, solver: GameSolver) -> DrawnRack | GameOver:
    return draw_next_rack(
        key,
        before.turn,
        before.kept,
        before.bag,
        facts.profile,
        partial(solver.has_move, before.board),
        variant=facts.variant,
        letters_of_blank=partial(solver.letters_of_blank, before.board),
    )


def _shows_racks(turn: TurnEntry, drawn: DrawnRack | GameOver) -> bool:
    """Return whether the turn shows exactly these racks."""
    if isinstance(drawn, GameOver):
        return False
    return turn["rack"] == drawn.rack.text and turn["rejected"] == [rack.text for rack in drawn.rejected]


def _report(turn: TurnEntry, drawn: DrawnRack | GameOver, findings: Findings) -> None:
    where = f"turn {turn['number']}"
    if isinstance(drawn, GameOver):
        findings.compare(f"{where}, rack", turn["rack"], f"no rack: the game is over ({drawn.why})")
        return
    findings.compare(f"{where}, rejected", turn["rejected"], [rack.text for rack in drawn.rejected])
    findings.compare(f"{where}, rack", turn["rack"], drawn.rack.text)


def _check_typed(facts: Facts, before: DrawState, turn: TurnEntry, rack: Tiles, findings: Findings) -> None:
    """Racks drawn by hand: out of the bag, the rejected ones unlawful or without a move, the last one lawful."""
    kept = before.kept
    for number, text in enumerate(turn["rejected"], 1):
        where = f"turn {turn['number']}, rejected rack {number}"
        rejected = read_tiles(facts, where, text, findings)
        if rejected is None:
            continue
        _check_out_of_bag(facts, where, rejected, kept, before.pool, findings)
        if _find_shortage(facts, before, rejected) is None and _has_move(facts, before, rejected):
            findings.compare(where, text, "a lawful rack, which stays")
        kept = Tiles.none(facts.edition)
    where = f"turn {turn['number']}, rack"
    _check_out_of_bag(facts, where, rack, kept, before.pool, findings)
    lacks = _find_shortage(facts, before, rack)
    findings.require(where, lacks is None, turn["rack"], f"a rack with more vowels or consonants (lacks: {lacks})")


def _check_out_of_bag(facts: Facts, where: str, rack: Tiles, kept: Tiles, pool: Tiles, findings: Findings) -> None:
    whole = facts.variant.drawable(pool)
    number = max(min(facts.profile.rack_size, whole.total), kept.total)
    findings.require(where, rack.total == number, rack.text, f"{number} tiles")
    findings.require(where, rack.holds(kept), rack.text, f"a rack with what was kept, {kept.text}")
    findings.require(where, pool.holds(rack), rack.text, f"tiles out of {pool.text}")
    if facts.variant.joker:
        findings.require(where, rack.blanks == whole.blanks, rack.text, f"a rack with {whole.blanks} blanks")


def _find_shortage(facts: Facts, before: DrawState, rack: Tiles) -> str | None:
    return find_rejection_reason(rack, before.turn, facts.profile, before.pool, facts.variant)


def _has_move(facts: Facts, before: DrawState, rack: Tiles) -> bool:
    if rack.total > facts.profile.rack_size:
        return True
    return all(solver.has_move(before.board, rack) for solver in facts.solvers_of_draw(before.turn))


def read_tiles(facts: Facts, where: str, text: str, findings: Findings) -> Tiles | None:
    """The tiles in this text; a difference, and None, when it is none; a difference when it is not in bag order."""
    try:
        tiles = Tiles.parse(facts.edition, text)
    except ValueError as error:
        findings.compare(where, text, f"tiles of the edition ({error})")
        return None
    findings.compare(where, text, tiles.text)
    return tiles
