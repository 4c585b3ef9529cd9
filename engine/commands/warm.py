"""`python -m engine warm`: compile every function of the graph and the search and cache the machine code.

This takes about 20 seconds after an installation or update, and almost no time if the cache is up to date.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from engine.board.board import Board
from engine.lexicon.graph import Lexicon
from engine.lexicon.jit import CACHE_FOLDER, PREFIX, machine_code_folder
from engine.search.solver import Solver
from engine.tiles.edition import load_edition
from engine.tiles.tiles import Tiles

_WORDS = ("casa", "case", "cosa", "sa", "si", "asce")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compile the search and keep the machine code, so that later starts are quick."


def run(_arguments: argparse.Namespace) -> int:
    """Compile, print the time that it took, and return 0."""
    started = time.perf_counter()
    compile_all_functions()
    remove_old_machine_code()
    print(f"The search is compiled ({time.perf_counter() - started:.1f} s).")
    return 0


def compile_all_functions() -> None:
    """Call every compiled function with the argument types of real use."""
    edition = load_edition("it")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.npy"
        Lexicon.build(edition, _WORDS).with_rulings(["caso"], ["asce"]).save(path)
        lexicon = Lexicon.open(path, edition)
        assert edition.parse_word("caso") in lexicon  # noqa: S101 - check of the new machine code
        solver, board = Solver(lexicon), Board.empty(edition)
        for rack in ("ACOSSEI", "?ACOSSE", "??ACOSE"):
            tops = solver.best(board, Tiles.parse(edition, rack))
            solver.ranked(board, Tiles.parse(edition, rack))
            board = board.with_word(tops[0].reference, tops[0].word)
        solver.has_move(board, Tiles.parse(edition, "A"))
        del lexicon, solver


def remove_old_machine_code() -> None:
    """Remove the machine code of other versions of the sources."""
    for folder in CACHE_FOLDER.glob(f"{PREFIX}*"):
        if folder != machine_code_folder():
            shutil.rmtree(folder, ignore_errors=True)
