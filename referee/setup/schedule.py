"""Runs steps side by side, each when the ones it builds on are done."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from referee.setup import faults
from referee.setup.progress import Progress

AT_ONCE = 3
TAIL = 60  # lines kept of a step's output
_HEARTBEAT_S = 0.2


def nothing() -> None:
    """What a step without a seal does at its end."""


def unsaid(line: str) -> str:
    """What a step tells of a line of its output when it does not know how to."""
    return ""


@dataclass(frozen=True)
class Step:
    """One piece of the set-up.

    `work` does it, or returns the command line of a program that does; `seal` records it when it went well;
    `detail` turns a line of the program's output into a word or two for the progress line, "" to keep the old one.
    """

    name: str
    title: str
    after: tuple[str, ...]
    is_done: Callable[[], bool]
    work: Callable[[], Sequence[str] | None]
    seal: Callable[[], None] = nothing
    detail: Callable[[str], str] = unsaid
    room_mb: int = 0
    room_in: Path = Path()


class Workshop:
    """Runs the steps' programs in the project's folder and can stop them all; they inherit the descriptors `held`."""

    def __init__(self, root: Path, variables: dict[str, str], progress: Progress, held: tuple[int, ...] = ()) -> None:
        self._root, self._variables, self._progress, self._held = root, variables, progress, held
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def do(self, step: Step) -> None:
        """Do one step and seal it. Raises SetupFault."""
        self._progress.begin(step.title)
        well = False
        try:
            command = step.work()
            if command is not None:
                self._run(step, command)
            step.seal()
            well = True
        except OSError as error:
            raise faults.of_system_error(error, self._root) from error
        finally:
            self._progress.end(step.title, well=well)

    def _run(self, step: Step, command: Sequence[str]) -> None:
        tail: deque[str] = deque(maxlen=TAIL)
        with self._start(command) as program:
            for line in program.stdout or ():
                tail.append(line.rstrip())
                self._progress.detail(step.title, step.detail(line))
        with self._lock:
            self._running.discard(program)
        if program.returncode != 0:
            raise self._fault(step, program.returncode, tail)

    def _start(self, command: Sequence[str]) -> subprocess.Popen[str]:
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            program = subprocess.Popen(  # noqa: S603 - our own commands, no shell
                command,
                cwd=self._root,
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                pass_fds=self._held,
                process_group=0 if os.name == "posix" else None,  # to be ended with all that it starts itself
            )
            self._running.add(program)
            return program

    def _fault(self, step: Step, code: int, tail: Iterable[str]) -> faults.SetupFault:
        said = list(tail)
        known = faults.recognised("\n".join(said), self._root)
        if known:
            return faults.SetupFault(known)
        return faults.SetupFault(faults.step_failed(step.title, code), said)

    def stop(self) -> None:
        """End the programs that are running; nothing can be started afterwards."""
        with self._lock:
            self._stopped = True
            for program in self._running:
                _end(program)


def _end(program: subprocess.Popen[str]) -> None:
    if os.name != "posix":
        program.terminate()
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(program.pid, signal.SIGTERM)


def run_side_by_side(steps: Sequence[Step], workshop: Workshop, progress: Progress) -> None:
    """Do every step that is not done. After a failure nothing new begins, what runs may finish; then it is raised."""
    waiting = list(steps)
    running: dict[Future[None], Step] = {}
    failures: list[BaseException] = []
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            while (waiting and not failures) or running:
                if not failures:
                    for step in _take_ready(waiting, running.values()):
                        running[pool.submit(workshop.do, step)] = step
                ended, _still = wait(running, timeout=_HEARTBEAT_S, return_when=FIRST_COMPLETED)
                for future in ended:
                    del running[future]
                    if error := future.exception():
                        failures.append(error)
                progress.tick()
        except BaseException:
            workshop.stop()
            raise
    if failures:
        raise failures[0]


def _take_ready(waiting: list[Step], running: Iterable[Step]) -> list[Step]:
    """Take out of `waiting` the steps that may begin now; one that is done is dropped and frees those after it."""
    busy = {step.name for step in running}
    ready: list[Step] = []
    for step in list(waiting):  # in order, and a step stands after those it builds on
        if busy.intersection(step.after):
            busy.add(step.name)
            continue
        waiting.remove(step)
        if not step.is_done():
            busy.add(step.name)
            ready.append(step)
    return ready
