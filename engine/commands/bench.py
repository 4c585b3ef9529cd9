"""`python -m engine bench`: time of the searches, on positions that are the same on every machine."""

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

from engine.board.board import Board
from engine.commands.edition_option import add_edition_option
from engine.commands.json_lines import read_words
from engine.lexicon.graph import Lexicon
from engine.search.solver import Solver
from engine.tiles.tiles import BLANK_KIND, Tiles

Position = tuple[Board, Tiles]
Figures = dict[str, dict[str, dict[str, float]]]

RACK_SIZE = 7
BLANKS = (0, 1, 2)
REPEATS = 3
"""Number of measurements of each position; the shortest counts, because other processes disturb the longer ones."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play games against itself and time both searches on the racks of each turn, with no, one and two blanks. "
        "Microseconds a position: median, 95th percentile, worst."
    )
    add_edition_option(parser)
    parser.add_argument("--words", required=True, type=Path, metavar="FILE", help="a word list, or a graph (.npy)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (%(default)s)")
    parser.add_argument("--positions", type=int, default=200, help="for each number of blanks (%(default)s)")
    parser.add_argument("--store", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="show the figures of an earlier run beside them")


def run(arguments: argparse.Namespace) -> int:
    """Run the benchmark; return 2 after an error message if a file cannot be read or written, else 0."""
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
    """Time both searches; the report includes everything on which the figures depend."""
    solver = Solver(lexicon)
    by_blanks = make_positions(solver, seed, positions)
    figures: Figures = {}
    searches: dict[str, Callable[[Board, Tiles], object]] = {"ranked": solver.ranked, "best": solver.best}
    for name, search in searches.items():
        figures[name] = {str(blanks): _measure_search(search, some) for blanks, some in by_blanks.items()}
    return {
        "edition": lexicon.edition.code,
        "words": lexicon.word_count,
        "seed": seed,
        "positions": positions,
        "machine": f"{platform.processor() or platform.machine()}, Python {platform.python_version()}",
        "microseconds": figures,
    }


def make_positions(solver: Solver, seed: int, count: int) -> dict[int, list[Position]]:
    """Make `count` positions for each number of blanks, from games of tops; they depend only on the seed."""
    positions: dict[int, list[Position]] = {blanks: [] for blanks in BLANKS}
    chance = random.Random(seed)  # noqa: S311 - the same positions every time is the point
    while len(positions[BLANKS[-1]]) < count:
        for board, rack in _play_game(solver, chance):
            for blanks in BLANKS:
                positions[blanks].append((board, _set_blank_count(rack, blanks, chance)))
    return {blanks: some[:count] for blanks, some in positions.items()}


def _play_game(solver: Solver, chance: random.Random) -> Iterator[Position]:
    """Play a duplicate game and yield its turns with a full rack; equal tops are chosen at random."""
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


def _set_blank_count(rack: Tiles, blanks: int, chance: random.Random) -> Tiles:
    """Return the rack with this number of blanks; letters are removed at random, or copied, to keep its size."""
    letters = [kind for kind in rack.kinds() if kind != BLANK_KIND] or [1]
    letters += chance.choices(letters, k=max(0, RACK_SIZE - len(letters)))
    return Tiles.of_kinds(rack.edition, [BLANK_KIND] * blanks + chance.sample(letters, RACK_SIZE - blanks))


def _measure_search(search: Callable[[Board, Tiles], object], positions: list[Position]) -> dict[str, float]:
    """Return median, 95th percentile and worst time in microseconds."""
    search(*positions[0])
    taken = sorted(min(_time_search(search, position) for _ in range(REPEATS)) for position in positions)
    at = {"p50": len(taken) // 2, "p95": len(taken) * 95 // 100, "worst": len(taken) - 1}
    return {name: round(taken[index] * 1e6, 1) for name, index in at.items()}


def _time_search(search: Callable[[Board, Tiles], object], position: Position) -> float:
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
