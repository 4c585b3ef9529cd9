from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.setup.faults import SetupFault
from referee.setup.progress import Progress
from referee.setup.schedule import Schedule, Step


class Plan:
    """Steps whose programs record their starts and ends."""

    def __init__(self, root: Path) -> None:
        self.log = root / "log"
        self.schedule = Schedule(root, {"PATH": "/usr/bin:/bin"}, Progress(io.StringIO()))

    def step(
        self,
        name: str,
        *after: str,
        program: str = "true",
        done: Callable[[], bool] = lambda: False,
        seal: Callable[[], None] = lambda: None,
    ) -> Step:
        script = f"echo '{name} begins' >> log; {program} && echo '{name} ends' >> log"
        return Step(name, name, done, lambda: ["sh", "-c", script], after, seal)

    @property
    def events(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan(tmp_path)


def test_independent_steps_run_side_by_side_and_others_wait_for_those_they_build_on(plan: Plan) -> None:
    both = "until grep -q 'words begins' log && grep -q 'packages begins' log; do sleep 0.01; done"
    plan.schedule.run(
        [
            plan.step("environment", program="sleep 0.05"),
            plan.step("packages", "environment", program=both),
            plan.step("words", "environment", program=both),
            plan.step("graph", "words", "packages"),
        ]
    )
    assert plan.events[:2] == ["environment begins", "environment ends"]
    assert plan.events[-2:] == ["graph begins", "graph ends"]


def test_a_done_step_is_left_out_and_frees_the_next(plan: Plan) -> None:
    plan.schedule.run([plan.step("words", done=lambda: True), plan.step("graph", "words", "never asked for")])
    assert plan.events == ["graph begins", "graph ends"]


def test_whether_a_step_is_done_is_asked_after_those_before_it(plan: Plan) -> None:
    graph = plan.step("graph", "words", done=lambda: "words ends" in plan.events)
    plan.schedule.run([plan.step("words"), graph])
    assert plan.events == ["words begins", "words ends"]


def test_after_a_failure_what_runs_may_finish_and_nothing_new_begins(plan: Plan) -> None:
    seals: list[str] = []
    both = "until grep -q 'packages begins' log && grep -q 'words begins' log; do sleep 0.01; done"
    failing = plan.step("packages", program=f"{both}; exit 3", seal=lambda: seals.append("packages"))
    words = plan.step("words", program=f"{both}; sleep 0.3", seal=lambda: seals.append("words"))
    with pytest.raises(SetupFault, match="exit code 3"):
        plan.schedule.run([failing, words, plan.step("graph", "words"), plan.step("warmth", "packages")])
    assert sorted(plan.events) == ["packages begins", "words begins", "words ends"]
    assert seals == ["words"]


def test_a_program_that_is_not_there_is_a_fault(plan: Plan) -> None:
    with pytest.raises(SetupFault, match="no-such-program"):
        plan.schedule.run([Step("x", "x", lambda: False, lambda: ["no-such-program"])])
