"""Option `--edition` of the commands: a code, or the file of a custom edition."""

from __future__ import annotations

import argparse

from engine.tiles.edition import Edition, EditionError, edition_codes, open_edition


def add_edition_option(parser: argparse.ArgumentParser) -> None:
    """Add the option; its value is the `Edition`."""
    parser.add_argument(
        "--edition",
        required=True,
        type=_parse_edition,
        metavar="E",
        help=f"the tile set: {', '.join(edition_codes())}, or the file of another one (.toml)",
    )


def _parse_edition(text: str) -> Edition:
    try:
        return open_edition(text)
    except EditionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
