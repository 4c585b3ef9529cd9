"""`python -m engine COMMAND`: the engine without database and browser. `python -m engine` lists the commands.

Each command is a module of `engine/commands` with `add_arguments(parser)` and `run(arguments) -> exit code`; only
the module of the requested command is imported.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

COMMANDS = {
    "solve": "all moves of positions, or the best ones: JSON lines in, JSON lines out",
    "judge": "verdicts on slips: JSON lines in, JSON lines out",
    "draw": "one rack of the reproducible draw",
    "lexicon-graph": "turn a word list into the file that the search reads",
    "warm": "compile everything once and keep the machine code",
    "bench": "measure the searches",
    "bench-judge": "measure the judging of a turn",
}
WRONG_USE = 2
_OLDEST_PYTHON = (3, 11)
_PACKAGES = ("numpy", "numba", "llvmlite")
_RESTARTED_VARIABLE = "MULTIPLO_ENGINE_HANDED_OVER"
_MANAGE = Path(__file__).resolve().parent.parent / "manage.py"


def main(line: Sequence[str]) -> int:
    """Run one command and return the exit code; `line` holds the arguments after `python -m engine`."""
    if not line or line[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0 if line else WRONG_USE
    name = line[0]
    if name not in COMMANDS:
        print(f"There is no command {name!r}.\n\n{_overview()}", file=sys.stderr)
        return WRONG_USE
    if sys.version_info < _OLDEST_PYTHON:
        return _restart_with_manage("This Python is too old", line)
    try:
        command = import_module(f"engine.commands.{name.replace('-', '_')}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _PACKAGES:
            raise
        return _restart_with_manage(f"This Python has no {error.name}", line)
    parser = argparse.ArgumentParser(prog=f"python -m engine {name}", description=COMMANDS[name])
    command.add_arguments(parser)
    code: int = command.run(parser.parse_args(line[1:]))
    return code


def _overview() -> str:
    commands = "\n".join(f"  {name:14} {what}" for name, what in COMMANDS.items())
    return (
        f"python -m engine COMMAND ...\n\n{commands}\n\npython -m engine COMMAND --help tells the options of a command."
    )


def _restart_with_manage(reason: str, line: Sequence[str]) -> int:
    """Start the same command through manage.py, which creates an environment with all packages.

    This is tried once; if the environment of manage.py lacks a package too, print an error.
    """
    if os.environ.get(_RESTARTED_VARIABLE):
        print(f"{reason}, although manage.py chose it: run `python3 manage.py setup` to repair it.", file=sys.stderr)
        return WRONG_USE
    if not _MANAGE.exists():
        print(f"{reason}: install the packages of requirements.txt.", file=sys.stderr)
        return WRONG_USE
    print(f"{reason}; manage.py takes over.", file=sys.stderr, flush=True)
    os.execve(  # noqa: S606 - our own command, no shell wanted
        sys.executable,
        [sys.executable, str(_MANAGE), "engine", *line],
        {**os.environ, _RESTARTED_VARIABLE: "1"},
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of standard output is gone; avoid another error when Python flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
