"""Compiler of message catalogues (.po to .mo) without msgfmt, run in the finished environment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.setup.records import is_up_to_date


def catalogues(root: Path) -> Iterator[Path]:
    """List the catalogues of the project in `root`."""
    return root.glob("locale/*/LC_MESSAGES/*.po")


def are_compiled(root: Path) -> bool:
    """Return True if no catalogue is newer than its compiled form."""
    return all(is_up_to_date(path.with_suffix(".mo"), (path,)) for path in catalogues(root))


def compile_catalogues(root: Path) -> None:
    """Write the compiled form of each catalogue atomically beside it."""
    import polib

    for path in catalogues(root):
        fresh = path.with_suffix(".mo.new")
        polib.pofile(str(path), encoding="utf-8").save_as_mofile(str(fresh))
        fresh.replace(path.with_suffix(".mo"))


if __name__ == "__main__":
    compile_catalogues(Path.cwd())
