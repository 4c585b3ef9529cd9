"""The option `--edition` of the commands: a code, or the file of an own edition."""

from __future__ import annotations

import argparse

from engine.edition import Edition, EditionError, edition_codes, open_edition


def add_edition(parser: argparse.ArgumentParser) -> None:
    """Add the option; what the command gets is the edition itself."""
    parser.add_argument(
        "--edition",
        required=True,
        type=_edition,
        metavar="E",
        help=f"the tile set: {', '.join(edition_codes())}, or the file of another one (.toml)",
    )


def _edition(text: str) -> Edition:
    try:
        return open_edition(text)
    except EditionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
