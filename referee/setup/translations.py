"""Compiles the message catalogues (.po) into what gettext reads (.mo), without msgfmt, in the finished environment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

_PLACES = ("locale/*/LC_MESSAGES/*.po", "*/locale/*/LC_MESSAGES/*.po")


def catalogues(root: Path) -> Iterator[Path]:
    """The catalogues of the project in `root`."""
    for place in _PLACES:
        yield from root.glob(place)


def is_fresh(catalogue: Path) -> bool:
    """Whether its compiled form is there and not older."""
    compiled = catalogue.with_suffix(".mo")
    return compiled.exists() and compiled.stat().st_mtime_ns >= catalogue.stat().st_mtime_ns


def compile_catalogue(catalogue: Path) -> None:
    """Write the compiled form beside it, whole or not at all."""
    import polib

    fresh = catalogue.with_suffix(".mo.new")
    polib.pofile(str(catalogue), encoding="utf-8").save_as_mofile(str(fresh))
    fresh.replace(catalogue.with_suffix(".mo"))


if __name__ == "__main__":
    for path in catalogues(Path.cwd()):
        if not is_fresh(path):
            compile_catalogue(path)
    sys.exit(0)
