"""Records of what a step of the set-up was done with, and checks whether it has to be done again."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


def fingerprint(root: Path, patterns: Iterable[str]) -> str:
    """Return a checksum over the names and contents of the files in `root` that match the patterns."""
    digest = hashlib.sha256()
    for path in (path for pattern in patterns for path in sorted(root.glob(pattern)) if path.is_file()):
        digest.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Seal:
    """File with the fingerprint of a step's inputs. It lies among the outputs, so that it is deleted with them."""

    path: Path
    root: Path
    inputs: tuple[str, ...]

    def is_current(self) -> bool:
        """Return True if the step was done with the present inputs."""
        try:
            return self.path.read_text(encoding="utf-8") == fingerprint(self.root, self.inputs)
        except OSError:
            return False

    def write(self) -> None:
        """Record the inputs. In a read-only folder nothing is recorded, and the step is repeated at each start."""
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(fingerprint(self.root, self.inputs), encoding="utf-8")


def is_up_to_date(output: Path, inputs: Iterable[Path]) -> bool:
    """Return True if a file that is written atomically exists and is not older than its inputs, which may be absent."""
    present = [path.stat().st_mtime_ns for path in inputs if path.exists()]
    return output.exists() and output.stat().st_mtime_ns >= max(present, default=0)
