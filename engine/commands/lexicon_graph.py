"""`python -m engine lexicon-graph`: convert a word list into the graph file of the search."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from engine.commands.edition_option import add_edition_option
from engine.commands.json_lines import read_words


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--words", required=True, type=Path, metavar="FILE", help="UTF-8, one word a line")
    add_edition_option(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="where to write (.npy)")


def run(arguments: argparse.Namespace) -> int:
    """Write the graph; return 2 after an error message if the list cannot be read or the graph written, else 0."""
    try:
        lexicon = read_words(arguments.words, arguments.edition)
    except (OSError, ValueError) as error:
        print(f"The word list {arguments.words} cannot be read: {error}", file=sys.stderr)
        return 2
    if not lexicon.word_count:
        print(f"{arguments.words} has no word that the edition {arguments.edition.code} can lay.", file=sys.stderr)
        return 2
    try:
        lexicon.save(arguments.out)
    except OSError as error:
        print(f"{arguments.out} cannot be written: {error}", file=sys.stderr)
        return 2
    print(f"{lexicon.word_count} words, {lexicon.graph.nbytes / 1e6:.1f} MB: {arguments.out}")
    return 0
