from __future__ import annotations

import io

import pytest

from referee.setup.progress import Progress
from referee.setup.schedule import summarise


class Terminal(io.StringIO):
    """Stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_log_gets_one_plain_line_an_event() -> None:
    log = io.StringIO()
    progress = Progress(log)
    progress.begin("Compiling the engine")
    progress.detail("Compiling the engine", "kernels")
    progress.redraw()
    progress.end("Compiling the engine")
    assert log.getvalue() == "  Compiling the engine …\n* Compiling the engine (0.0 s)\n"


@pytest.fixture(autouse=True)
def _a_terminal_that_can_go_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_a_terminal_that_cannot_go_back_is_treated_like_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    screen = Terminal()
    Progress(screen).begin("Packages")
    assert screen.getvalue() == "  Packages …\n"


def test_a_terminal_gets_one_living_line_of_all_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    screen = Terminal()
    progress = Progress(screen)
    progress.begin("Packages")
    progress.begin("Word list")
    progress.detail("Word list", "verbs")
    progress.redraw()
    assert screen.getvalue().split("\r\x1b[2K")[-1] == "Packages 0 s  ·  Word list 0 s (verbs)"
    progress.end("Packages", well=False)
    progress.redraw()
    assert screen.getvalue().split("\r\x1b[2K")[-2:] == ["! Packages (0.0 s)\n", "Word list 0 s (verbs)"]


def test_the_living_line_never_breaks_over_the_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    screen = Terminal()
    progress = Progress(screen)
    progress.begin("A very long name of a step of the set-up")
    progress.redraw()
    assert len(screen.getvalue().split("\r\x1b[2K")[-1]) == 19


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
