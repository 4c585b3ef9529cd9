from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.setup.faults import SetupFault
from referee.setup.steps import Step, run_steps, summarise


class Terminal(io.StringIO):
    """Stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def step(name: str, program: str = "true", done: Callable[[], bool] = lambda: False) -> Step:
    return Step(name, name, done, lambda: ["sh", "-c", f"{program} && echo {name} >> log"])


def run(folder: Path, *steps: Step) -> list[str]:
    """Run steps and return the names of those whose program has run."""
    run_steps(steps, folder, {"PATH": os.defpath})
    return (folder / "log").read_text().split()


def test_steps_run_in_their_order_and_a_done_one_is_left_out(tmp_path: Path) -> None:
    after_pages = step("words", done=lambda: "pages" not in (tmp_path / "log").read_text())
    assert run(tmp_path, step("packages"), step("tools", done=lambda: True), step("pages"), after_pages) == [
        "packages",
        "pages",
        "words",
    ]


def test_after_a_failure_nothing_more_is_done(tmp_path: Path) -> None:
    with pytest.raises(SetupFault, match="exit code 3"):
        run(tmp_path, step("packages"), step("words", program="exit 3"), step("graph"))
    assert (tmp_path / "log").read_text() == "packages\n"


def test_a_program_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no-such-program"):
        run(tmp_path, Step("x", "x", lambda: False, lambda: ["no-such-program"]))


def test_a_log_gets_plain_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    run(tmp_path, step("Packages", program="echo Collecting Django==5.2"))
    begun, done = log.getvalue().splitlines()
    assert begun == "  Packages …"
    assert done.startswith("* Packages (")


def test_a_terminal_gets_one_updated_line_that_never_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    run(tmp_path, step("Packages", program="echo Collecting Django==5.2"))
    lines = screen.getvalue().split("\r\x1b[2K")
    assert lines[1] == "  Packages (Django)"
    assert lines[2].startswith("* Packages (")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Collecting Django==5.2.19 (from -r requirements.txt (line 2))", "Django"),
        ("  Downloading numba-0.68.1-cp311-manylinux.whl (3.8 MB)", "numba"),
        ("Installing collected packages: vine, uvloop", "installing collected packages"),
        ("Requirement already satisfied: pip", ""),
        ('{"text": "verbs", "share": 0.3}', "verbs, 30%"),
        ('{"text": "verbs"}', "verbs"),
        ("[1]", ""),
        ("{}", ""),
    ],
)
def test_output_of_pip_and_of_the_word_list_builder_is_summarised(line: str, said: str) -> None:
    assert summarise(line) == said
