#!/usr/bin/env python3
"""The one entry: sets a fresh machine up by itself, then runs a command.

Standard library only, and readable by any Python since 3.6: an old one must be able to say why it refuses.
Hence no `from __future__ import annotations` and quoted types here; everything else is in referee/setup.
"""

import os
import sys

OLDEST_PYTHON = (3, 11)


def refusal(version: "tuple[int, ...]") -> "str | None":
    """The sentence for a Python that is too old, None for one that will do; `version` as in sys.version_info."""
    if version[:2] >= OLDEST_PYTHON:
        return None
    oldest = ".".join(map(str, OLDEST_PYTHON))
    return (
        f"Multiplo needs Python {oldest} or newer and this is Python {version[0]}.{version[1]}: "
        f"install a newer one and run the same command with it, for example: python{oldest} manage.py serve"
    )


def main() -> int:
    """Run the command line; returns the exit code."""
    sentence = refusal(tuple(sys.version_info[:3]))
    if sentence:
        sys.stderr.write(sentence + "\n")
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    if here not in sys.path:
        sys.path.insert(0, here)
    from referee.setup.start import start

    return start(here, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
