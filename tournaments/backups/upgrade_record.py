"""Record of the last upgrade of a data folder, from which the terminal and the desk report it.

Standard library only: the set-up reads it before Django is loaded.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

_NAME = "upgrade.json"


@dataclass(frozen=True, slots=True)
class UpgradeRecord:
    """The versions before and after, the time (ISO 8601) and the backup from before."""

    old: str
    new: str
    at: str
    backup: str


def write_record(data: Path, record: UpgradeRecord) -> None:
    """Record an upgrade in place of the one before."""
    part = data / f"{_NAME}.part"
    part.write_text(json.dumps(asdict(record), ensure_ascii=False), encoding="utf-8")
    part.replace(data / _NAME)


def read_record(data: Path) -> UpgradeRecord | None:
    """Return the last upgrade; None if there was none, or if its report was hidden."""
    try:
        return UpgradeRecord(**json.loads((data / _NAME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def delete_record(data: Path) -> None:
    """Hide the report of the last upgrade."""
    with suppress(FileNotFoundError):
        (data / _NAME).unlink()
