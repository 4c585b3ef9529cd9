"""Progress of the set-up on stderr: one updated line on a terminal, otherwise one line for each event."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import TextIO

_CLEAR_LINE = "\r\x1b[2K"


class Progress:
    """Display of the steps that are running, by their titles."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._is_terminal = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._begun: dict[str, float] = {}
        self._details: dict[str, str] = {}

    def say(self, sentence: str) -> None:
        """Print a sentence above the updated line."""
        self._stream.write((_CLEAR_LINE if self._is_terminal else "") + sentence + "\n")
        self._stream.flush()

    def begin(self, title: str) -> None:
        """Report the start of a step."""
        self._begun[title] = time.monotonic()
        if not self._is_terminal:
            self.say(f"  {title} …")

    def detail(self, title: str, text: str) -> None:
        """Report the current action of a step; shown on a terminal only. An empty text keeps the previous one."""
        if text:
            self._details[title] = f" ({text})"

    def end(self, title: str, *, well: bool = True) -> None:
        """Report the end of a step and its success."""
        tick = "✓" if "utf" in (self._stream.encoding or "").lower() else "*"
        self.say(f"{tick if well else '!'} {title} ({time.monotonic() - self._begun.pop(title):.1f} s)")

    def redraw(self) -> None:
        """Write the updated line again."""
        if not (self._is_terminal and self._begun):
            return
        now = time.monotonic()
        parts = [f"{title} {now - begun:.0f} s{self._details.get(title, '')}" for title, begun in self._begun.items()]
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(_CLEAR_LINE + "  ·  ".join(parts)[:width])
        self._stream.flush()
