"""Steps of the set-up: programs that run one after the other, with a line of progress for each."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.setup.faults import SetupFault, fault_of_program
from referee.setup.messages import translate as _

TAIL = 60  # last lines of a step's output for the error message
_POLITE_S = 5
_CLEAR_LINE = "\r\x1b[2K"


@dataclass(frozen=True)
class Step:
    """Step of the set-up; `seal` records that the program of the command line that `command` returns has done it."""

    name: str
    title: str
    is_done: Callable[[], bool]
    command: Callable[[], Sequence[str]]
    seal: Callable[[], None] = lambda: None
    room: tuple[int, Path] | None = None  # MB, and the folder of the disk


def run_steps(steps: Iterable[Step], root: Path, variables: Mapping[str, str], held: tuple[int, ...] = ()) -> None:
    """Run the steps that are not done, in the folder `root`; their programs inherit the file descriptors `held`.

    Raises SetupFault or OSError after a failure. An interruption or a polite termination (SIGTERM, SIGHUP) ends the
    running program, and raises KeyboardInterrupt.
    """
    for step in steps:
        if not step.is_done():
            began = time.monotonic()
            if not _is_terminal():
                say(f"  {step.title} …")
            try:
                _run_program(step, root, variables, held)
            except BaseException:
                say(f"! {step.title}")
                raise
            step.seal()
            tick = "✓" if "utf" in (sys.stderr.encoding or "").lower() else "*"
            say(f"{tick} {step.title} ({time.monotonic() - began:.1f} s)")


def say(sentence: str) -> None:
    """Print a line on stderr, in place of the progress on a terminal."""
    sys.stderr.write((_CLEAR_LINE if _is_terminal() else "") + sentence + "\n")
    sys.stderr.flush()


def check_room(steps: Iterable[Step]) -> None:
    """Raise SetupFault if a disk has less space than its steps need."""
    needed: dict[int, int] = {}
    for megabytes, folder in filter(None, (step.room for step in steps)):
        disk = os.stat(folder).st_dev
        needed[disk] = needed.get(disk, 0) + megabytes
        free = shutil.disk_usage(folder).free // 1_000_000
        if free < needed[disk]:
            sentence = _(
                "The set-up needs {needed} MB on the disk of {folder} and only {free} MB are free: "
                "free some space and run the same command again."
            )
            raise SetupFault(sentence.format(needed=needed[disk], folder=folder, free=free))


def summarise(line: str) -> str:
    """Return the current action from a line of pip or of a program that reports in JSON, "" for other lines."""
    if found := re.match(r"\s*(?:Downloading|Processing|Collecting) (?:\S*/)?([A-Za-z0-9_.]+)", line):
        return found[1]
    if line.startswith("Installing"):
        return line.split(":")[0].lower()
    with contextlib.suppress(ValueError, AttributeError):
        event = json.loads(line)
        share = event.get("share")
        return str(event.get("text") or "") + (f", {share:.0%}" if isinstance(share, float) else "")
    return ""


def _run_program(step: Step, root: Path, variables: Mapping[str, str], held: tuple[int, ...]) -> None:
    tail: deque[str] = deque(maxlen=TAIL)
    with (
        _termination_interrupts(),
        subprocess.Popen(  # noqa: S603 - our own command
            step.command(),
            cwd=root,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            pass_fds=held,
            process_group=0 if os.name == "posix" else None,  # so that its child processes can be ended too
        ) as program,
    ):
        try:
            for line in program.stdout or ():
                tail.append(line.rstrip())
                if _is_terminal() and (detail := summarise(tail[-1])):
                    width = shutil.get_terminal_size().columns - 1
                    sys.stderr.write(_CLEAR_LINE + f"  {step.title} ({detail})"[:width])
            program.wait()
        except KeyboardInterrupt:
            _end(program)
            raise
    if program.returncode:
        raise fault_of_program(step.title, program.returncode, tail, root)


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextlib.contextmanager
def _termination_interrupts() -> Iterator[None]:
    """Let a polite termination raise KeyboardInterrupt, as Ctrl-C does."""
    numbers = (signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ()
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end(program: subprocess.Popen[str]) -> None:
    """End a program with its child processes, by force if it does not end politely."""
    if os.name != "posix":
        program.terminate()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(program.pid, number)
            program.communicate(timeout=_POLITE_S)  # until its child processes have ended too
