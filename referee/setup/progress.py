"""Shows what the set-up is doing, on stderr: one living line on a terminal, one plain line an event elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from typing import TextIO


class Progress:
    """What is going on now. Its methods may be called from any thread."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._lives = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._begun: dict[str, float] = {}
        self._details: dict[str, str] = {}
        self._lock = threading.RLock()
        tick = "✓" if "utf" in (self._stream.encoding or "").lower() else "*"
        self._marks = {True: tick, False: "!"}

    def say(self, sentence: str) -> None:
        """A whole sentence above the living line."""
        with self._lock:
            self._wipe()
            self._stream.write(sentence + "\n")
            self._stream.flush()

    def begin(self, title: str) -> None:
        """A step has begun."""
        with self._lock:
            self._begun[title] = time.monotonic()
            if not self._lives:
                self.say(f"  {title} …")
            self.tick()

    def detail(self, title: str, text: str) -> None:
        """What a step is at. Shown on a terminal only."""
        with self._lock:
            if text:
                self._details[title] = text

    def end(self, title: str, *, well: bool = True) -> None:
        """A step has ended, well or not."""
        with self._lock:
            seconds = time.monotonic() - self._begun.pop(title)
            self._details.pop(title, None)
            self.say(f"{self._marks[well]} {title} ({seconds:.1f} s)")
            self.tick()

    def tick(self) -> None:
        """Draw the living line again."""
        with self._lock:
            if not (self._lives and self._begun):
                return
            now = time.monotonic()
            parts = [self._part(title, now - begun) for title, begun in self._begun.items()]
            width = shutil.get_terminal_size().columns - 1
            self._stream.write("\r\x1b[2K" + "  ·  ".join(parts)[:width])
            self._stream.flush()

    def _part(self, title: str, seconds: float) -> str:
        detail = self._details.get(title)
        return f"{title} {seconds:.0f} s" + (f" ({detail})" if detail else "")

    def _wipe(self) -> None:
        if self._lives:
            self._stream.write("\r\x1b[2K")
