"""`python -m engine bench`: how long the searches take, on positions that come out the same on every machine."""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.board import Board
from engine.commands.edition_option import add_edition
from engine.commands.json_lines import read_words
from engine.lexicon.graph import Lexicon
from engine.search.solver import Solver
from engine.tiles import BLANK_KIND, Tiles

Position = tuple[Board, Tiles]
Figures = dict[str, dict[str, dict[str, float]]]

RACK_SIZE = 7
BLANKS = (0, 1, 2)
REPEATS = 3
"""Each position is timed so often; the quickest counts, because everything slower is the machine's other work."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play games against itself and time both searches on the racks of each turn, with no, one and two blanks. "
        "Microseconds a position: median, 95th percentile, worst."
    )
    add_edition(parser)
    parser.add_argument("--words", required=True, type=Path, metavar="FILE", help="a word list, or a graph (.npy)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (%(default)s)")
    parser.add_argument("--positions", type=int, default=200, help="for each number of blanks (%(default)s)")
    parser.add_argument("--store", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="show the figures of an earlier run beside them")


def run(arguments: argparse.Namespace) -> int:
    """2 and one sentence when a file cannot be read or written, else 0."""
    try:
        lexicon = read_words(arguments.words, arguments.edition)
        earlier = json.loads(arguments.compare.read_text("utf-8")) if arguments.compare else None
        report = measure(lexicon, arguments.seed, arguments.positions)
        print(_table(report["microseconds"], earlier["microseconds"] if earlier else None))
        if earlier and any(earlier[name] != report[name] for name in ("edition", "words", "seed", "positions")):
            print("The earlier run had other words or positions.", file=sys.stderr)
        if arguments.store:
            arguments.store.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    except (OSError, ValueError, KeyError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def measure(lexicon: Lexicon, seed: int, positions: int) -> dict[str, Any]:
    """Time both searches; the report names what the figures depend on."""
    solver = Solver(lexicon)
    by_blanks = make_positions(solver, seed, positions)
    figures: Figures = {}
    searches: dict[str, Callable[[Board, Tiles], object]] = {"ranked": solver.ranked, "best": solver.best}
    for name, search in searches.items():
        figures[name] = {str(blanks): _timed(search, some) for blanks, some in by_blanks.items()}
    return {
        "edition": lexicon.edition.code,
        "words": lexicon.word_count,
        "seed": seed,
        "positions": positions,
        "machine": f"{platform.processor() or platform.machine()}, Python {platform.python_version()}",
        "microseconds": figures,
    }


def make_positions(solver: Solver, seed: int, count: int) -> dict[int, list[Position]]:
    """So many positions for each number of blanks, from games of tops; always the same for a seed."""
    positions: dict[int, list[Position]] = {blanks: [] for blanks in BLANKS}
    chance = random.Random(seed)  # noqa: S311 - the same positions every time is the point
    while len(positions[BLANKS[-1]]) < count:
        for board, rack in _turns_of_a_game(solver, chance):
            for blanks in BLANKS:
                positions[blanks].append((board, _with_blanks(rack, blanks, chance)))
    return {blanks: some[:count] for blanks, some in positions.items()}


def _turns_of_a_game(solver: Solver, chance: random.Random) -> Iterator[Position]:
    """The turns with a full rack of a duplicate game; of equal tops one is played by chance."""
    board = Board.empty(solver.lexicon.edition)
    bag = Tiles.full_bag(solver.lexicon.edition).kinds()
    chance.shuffle(bag)
    rack: list[int] = []
    while len(bag) + len(rack) >= RACK_SIZE:
        while len(rack) < RACK_SIZE:
            rack.append(bag.pop())
        tiles = Tiles.of_kinds(board.edition, rack)
        yield board, tiles
        tops = solver.best(board, tiles)
        if not tops:
            return
        master = chance.choice(sorted(tops, key=lambda move: (move.reference, move.word)))
        rack = (tiles - master.laid(board)).kinds()
        board = board.with_word(master.reference, master.word)


def _with_blanks(rack: Tiles, blanks: int, chance: random.Random) -> Tiles:
    """The rack with just so many blanks: letters are taken away by chance for more, or copied for fewer."""
    letters = [kind for kind in rack.kinds() if kind != BLANK_KIND] or [1]
    letters += chance.choices(letters, k=max(0, RACK_SIZE - len(letters)))
    return Tiles.of_kinds(rack.edition, [BLANK_KIND] * blanks + chance.sample(letters, RACK_SIZE - blanks))


def _timed(search: Callable[[Board, Tiles], object], positions: list[Position]) -> dict[str, float]:
    """Median, 95th percentile and worst, in microseconds."""
    search(*positions[0])
    taken = sorted(min(_seconds(search, position) for _ in range(REPEATS)) for position in positions)
    at = {"p50": len(taken) // 2, "p95": len(taken) * 95 // 100, "worst": len(taken) - 1}
    return {name: round(taken[index] * 1e6, 1) for name, index in at.items()}


def _seconds(search: Callable[[Board, Tiles], object], position: Position) -> float:
    started = time.perf_counter()
    search(*position)
    return time.perf_counter() - started


def _table(figures: Figures, earlier: Figures | None) -> str:
    lines = [f"{'':8}{'blanks':>7}{'p50':>10}{'p95':>10}{'worst':>10}" + ("   earlier run" if earlier else "")]
    for search, by_blanks in figures.items():
        for blanks, row in by_blanks.items():
            line = f"{search:8}{blanks:>7}" + "".join(f"{row[name]:10.1f}" for name in row)
            if earlier:
                old = earlier[search][blanks]
                line += "".join(f"{old[name]:10.1f} ({row[name] / old[name]:.2f})" for name in row)
            lines.append(line)
    return "\n".join(lines)
