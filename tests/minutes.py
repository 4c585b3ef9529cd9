"""Plugin of pytest: `--minutes N` ends a run in time.

Tests that have not begun after N minutes are skipped, and the last lines of the run say how many. `.ci/run` gives the
long tests the minutes that are left of its hour, so that a slow machine runs fewer of them instead of exceeding it.
"""

from __future__ import annotations

import time

import pytest
from _pytest.terminal import TerminalReporter

END = pytest.StashKey[float]()
LEFT_OUT = "the minutes of this run are over"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, help="skip the tests that have not begun after so many minutes")


def pytest_configure(config: pytest.Config) -> None:
    minutes: float | None = config.getoption("--minutes")
    if minutes is not None:
        config.stash[END] = time.monotonic() + minutes * 60


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.monotonic() > item.config.stash.get(END, float("inf")):
        pytest.skip(LEFT_OUT)


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    number = sum(LEFT_OUT in str(report.longrepr) for report in skipped)
    if number:
        minutes = f"{config.getoption('--minutes'):g} minutes"
        terminalreporter.write_line(f"{number} tests had not begun after {minutes} and were left out", yellow=True)
