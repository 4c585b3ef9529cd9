"""The command `multiplo` of an installed package, also `python -m referee`."""

from __future__ import annotations

import sys

from referee import program_files
from referee.setup.start import start


def main() -> int:
    """Run the command line; returns the exit code."""
    return start(str(program_files.PACKAGES), sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
