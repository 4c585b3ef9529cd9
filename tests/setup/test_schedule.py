from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.setup.faults import SetupFault
from referee.setup.progress import Progress
from referee.setup.schedule import Step, Workshop, run_side_by_side


class Night:
    """Steps that write their names down, and the order in which they began and ended."""

    def __init__(self, root: Path) -> None:
        self.events: list[str] = []
        self.progress = Progress(io.StringIO())
        self.workshop = Workshop(root, {}, self.progress)

    def step(self, name: str, *after: str, seconds: float = 0.0, done: Callable[[], bool] = lambda: False) -> Step:
        def work() -> None:
            self.events.append(f"{name} begins")
            time.sleep(seconds)
            self.events.append(f"{name} ends")

        return Step(name, name, after, done, work)

    def run(self, *steps: Step) -> None:
        run_side_by_side(steps, self.workshop, self.progress)


@pytest.fixture
def night(tmp_path: Path) -> Night:
    return Night(tmp_path)


def test_independent_steps_run_side_by_side(night: Night) -> None:
    begun = time.monotonic()
    night.run(night.step("packages", seconds=0.5), night.step("words", seconds=0.5))
    assert time.monotonic() - begun < 0.95
    assert set(night.events[:2]) == {"packages begins", "words begins"}


def test_a_step_waits_for_those_it_builds_on(night: Night) -> None:
    night.run(
        night.step("environment", seconds=0.05),
        night.step("words", "environment", seconds=0.2),
        night.step("warmth", "environment"),
        night.step("graph", "words", "warmth"),
    )
    at = night.events.index
    assert at("environment ends") < at("words begins")
    assert at("warmth ends") < at("words ends") < at("graph begins")


def test_a_done_step_is_left_out_and_frees_the_next(night: Night) -> None:
    night.run(night.step("words", done=lambda: True), night.step("graph", "words", "never asked for"))
    assert night.events == ["graph begins", "graph ends"]


def test_whether_a_step_is_done_is_asked_after_those_before_it(night: Night) -> None:
    night.run(night.step("words"), night.step("graph", "words", done=lambda: "words ends" in night.events))
    assert night.events == ["words begins", "words ends"]


def test_after_a_failure_what_runs_may_finish_and_nothing_new_begins(night: Night) -> None:
    def fail() -> None:
        raise SetupFault("No.")

    with pytest.raises(SetupFault, match=r"^No\.$"):
        night.run(
            Step("packages", "packages", (), lambda: False, fail),
            night.step("words", seconds=0.3),
            night.step("graph", "words"),
        )
    assert night.events == ["words begins", "words ends"]


def test_a_step_is_sealed_only_when_it_went_well(night: Night) -> None:
    seals: list[str] = []
    good = Step("good", "good", (), lambda: False, lambda: [sys.executable, "-c", ""], lambda: seals.append("good"))
    bad = Step("bad", "bad", ("good",), lambda: False, lambda: ["false"], lambda: seals.append("bad"))
    with pytest.raises(SetupFault, match="exit code 1"):
        night.run(good, bad)
    assert seals == ["good"]


def test_a_program_that_is_not_there_is_a_fault(night: Night) -> None:
    with pytest.raises(SetupFault, match="no-such-program"):
        night.run(Step("x", "x", (), lambda: False, lambda: ["no-such-program"]))
