"""`python -m engine warm`: compile every function of the graph and the search and cache the machine code.

This takes about 20 seconds after an installation or update, and almost no time if the cache is up to date.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from engine.board.board import Board
from engine.lexicon.graph import Lexicon
from engine.lexicon.machine_code import record_compiled, remove_old_machine_code
from engine.search.solver import Solver
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles

_WORDS = ("casa", "case", "cosa", "sa", "si", "asce")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compile the search and keep the machine code, so that later starts are quick."
    parser.add_argument("--json-progress", action="store_true", help="report the progress on stderr, as JSON lines")


def run(arguments: argparse.Namespace) -> int:
    """Compile, print the time that it took, and return 0."""
    started = time.perf_counter()
    for share in compile_all_functions():
        if arguments.json_progress:
            print(json.dumps({"share": share}), file=sys.stderr, flush=True)
    remove_old_machine_code()
    with contextlib.suppress(OSError):  # in a read-only folder numba keeps the code in a folder of the user
        record_compiled()
    print(f"The search is compiled ({time.perf_counter() - started:.1f} s).")
    return 0


def compile_all_functions() -> Iterator[float]:
    """Call every compiled function with the argument types of real use; yield the share of the time that has passed."""
    edition = load_edition("it")
    yield 0.02
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.npy"
        lexicon = Lexicon.build(edition, _WORDS)
        yield 0.23
        lexicon.with_rulings(["caso"], ["asce"]).save(path)
        yield 0.35
        lexicon = Lexicon.open(path, edition)
        assert edition.parse_word("caso") in lexicon  # noqa: S101 - check of the new machine code
        solver, board = Solver(lexicon), Board.empty(edition)
        for rack in ("ACOSSEI", "?ACOSSE", "??ACOSE"):
            tops = solver.best(board, Tiles.parse(edition, rack))
            yield 0.85
            solver.ranked(board, Tiles.parse(edition, rack))
            board = board.with_word(tops[0].reference, tops[0].word)
        solver.has_move(board, Tiles.parse(edition, "A"))
        del lexicon, solver
    yield 1.0
