"""Loop of all fuzz tests: steps derived from a seed and a counter, until the time is up.

A failed step is reported with its seed and number; FUZZ_SEED and FUZZ_STEP repeat it alone:

    FUZZ_SEED=14 FUZZ_STEP=1234 python3 manage.py test --endurance tests/fuzz/test_pages.py
"""

from __future__ import annotations

import logging
import os
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from tests.fuzz.mutations import Mutator

SECONDS = float(os.environ.get("FUZZ_SECONDS", "3600"))
SEED = os.environ.get("FUZZ_SEED", "14")
STEP = os.environ.get("FUZZ_STEP", "")
MOST_FAULTS = 40


class Fault(AssertionError):
    """Response, log record or exception that no input may cause."""


@dataclass
class FuzzRun:
    """Fuzz test. It runs for `share` of FUZZ_SECONDS; faults are collected and reported at the end."""

    name: str
    share: float
    faults: dict[str, str] = field(default_factory=dict)

    def run(self, step_of: Callable[[int, Mutator], object]) -> int:
        """Run steps until the time is up; return their number."""
        end, done, slowest = time.monotonic() + SECONDS * self.share, 0, (0.0, 0)
        for step in [int(STEP)] if STEP else count():
            if time.monotonic() > end or len(self.faults) >= MOST_FAULTS:
                break
            begun = time.monotonic()
            self._try(step, step_of)
            slowest, done = max(slowest, (time.monotonic() - begun, step)), done + 1
        told = f"{done} steps with seed {SEED}, {len(self.faults)} faults"
        print(f"{self.name}: {told}; the slowest was {slowest[1]}: {slowest[0]:.1f} s")
        assert not self.faults, "\n\n".join(self.faults.values())
        return done

    def _try(self, step: int, step_of: Callable[[int, Mutator], object]) -> None:
        try:
            step_of(step, Mutator(f"{SEED} {self.name} {step}"))
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = [frame for frame in frames if "site-packages" not in frame.filename][-1]
            key = str(error) if isinstance(error, Fault) else f"{type(error).__name__} {where.filename}:{where.lineno}"
            told = "".join(traceback.format_exception(error, limit=-12))[-4_000:]
            self.faults.setdefault(key[:150], f"FUZZ_SEED={SEED} FUZZ_STEP={step} ({self.name})\n{told}")


class _LogCollector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        formatters = logging.getLogger().handlers
        self.setFormatter(next((each.formatter for each in formatters if each.formatter is not None), None))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def quiet_log(tried: Callable[[], str]) -> Iterator[None]:
    """Require that the block logs at most one line and no traceback."""
    kept, root = _LogCollector(), logging.getLogger()
    root.addHandler(kept)
    try:
        yield
    finally:
        root.removeHandler(kept)
    text = "\n".join(kept.lines)
    if "Traceback" in text or len(text.splitlines()) > 1:
        raise Fault(f"{len(text.splitlines())} lines in the log: {text[:600]}\nafter {tried()}")
