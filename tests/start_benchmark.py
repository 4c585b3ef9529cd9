"""Times of starts and word lists: python -m tests.start_benchmark [--lists FOLDER].

It prints a table with the seconds by the clock and, for a process that has ended, its processor time, and the load of
the machine. The folder has the Italian list that the set-up has built: it.txt and it.npy. Data and machine code are in
temporary folders.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.referee.live.live_server import ROOT, ServerProcess

POSITION = '{"board": [' + ", ".join(['"..............."'] * 15) + '], "rack": "AEINRST"}\n'


def run(*command: str, variables: Mapping[str, str], given: str | None = None) -> None:
    """Run Python with these arguments to its end."""
    environment = {**os.environ, **variables}
    subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        input=given,
        stdout=subprocess.DEVNULL,
        text=True,
        check=True,
    )


def open_first_page(data: Path, variables: Mapping[str, str]) -> None:
    """Start `manage.py serve` with a data folder, and open the judge's page."""
    command = (sys.executable, "manage.py")
    plain = {"DJANGO_SETTINGS_MODULE": "referee.settings", "SECRET_KEY": "", **variables}
    server = ServerProcess(data=data, database=None, command=command, environment=plain)
    try:
        assert "<html" in server.ready().request("GET", "/desk/locked/").text
    finally:
        server.stop()


def list_calls(lists: Path, folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the measured calls with their names; nothing is compiled yet when the first call begins."""
    compiled = {"NUMBA_CACHE_DIR": str(folder / "compiled")}
    graph, words = str(lists / "it.npy"), str(lists / "it.txt")
    solve = ("-m", "engine", "solve", "--edition", "it", "--best", "--words")
    yield "`serve` without data and machine code, to the first page", lambda: open_first_page(folder / "new", compiled)
    yield "`python -m engine warm`", lambda: run("-m", "engine", "warm", variables=compiled)
    yield (
        "first answer of a new process (`engine solve --best`)",
        lambda: run(*solve, graph, variables=compiled, given=POSITION),
    )
    yield (
        f"the same from a text of {_count_lines(Path(words)):,} words, whose graph is built first",
        lambda: run(*solve, words, variables=compiled, given=POSITION),
    )
    data = {**compiled, "DATA_DIR": str(folder / "data")}
    importing = ("manage.py", "lexicon", "import", words, "--edition", "it", "--name", "copy")
    yield f"`lexicon import` of {_count_lines(Path(words)):,} words", lambda: run(*importing, variables=data)


def _count_lines(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lists", type=Path, default=ROOT / "var" / "lexicons")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")
    print("| | by the clock, s | processor time, s |\n|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="multiplo-start-") as folder:
        for name, call in list_calls(asked.lists.resolve(), Path(folder)):
            began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            call()
            clock, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"| {name} | {clock:.2f} | {processor:.2f} |", flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
