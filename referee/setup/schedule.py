"""Scheduler that runs the programs of set-up steps in parallel, each after the steps it depends on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.setup.faults import SetupFault, fault_of_program, fault_of_system_error
from referee.setup.progress import Progress

AT_ONCE = 3
TAIL = 60  # last lines of a step's output for the error message
_REDRAW_S, _POLITE_S = 0.2, 5


@dataclass(frozen=True)
class Step:
    """Step of the set-up; `seal` records that the program of the command line that `command` returns has done it."""

    name: str
    title: str
    is_done: Callable[[], bool]
    command: Callable[[], Sequence[str]]
    after: tuple[str, ...] = ()
    seal: Callable[[], None] = lambda: None
    room: tuple[int, Path] | None = None  # MB, and the folder of the disk


@dataclass
class Schedule:
    """Steps that run in the folder `root`; their programs inherit the file descriptors `held`."""

    root: Path
    variables: Mapping[str, str]
    progress: Progress
    held: tuple[int, ...] = ()
    _failure: SetupFault | None = None

    def run(self, steps: Sequence[Step]) -> None:
        """Run the steps that are not done; each stands after those it depends on.

        After a failure no further step is started; the running ones finish, then SetupFault is raised. An interruption
        or a polite termination (SIGTERM, SIGHUP) also ends the running programs, and raises KeyboardInterrupt.
        """
        try:
            asyncio.run(self._run_all(steps))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        if self._failure:
            raise self._failure

    async def _run_all(self, steps: Sequence[Step]) -> None:
        this = asyncio.current_task()
        if os.name == "posix" and this:
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, this.cancel)
        places = asyncio.Semaphore(AT_ONCE)
        tasks: dict[str, asyncio.Task[None]] = {}
        for step in steps:
            before = [tasks[name] for name in step.after if name in tasks]
            tasks[step.name] = asyncio.create_task(self._do(step, before, places))
        pending = set(tasks.values())
        while pending:
            self.progress.redraw()
            _ended, pending = await asyncio.wait(pending, timeout=_REDRAW_S)
        for task in tasks.values():
            task.result()

    async def _do(self, step: Step, before: Sequence[asyncio.Task[None]], places: asyncio.Semaphore) -> None:
        if before:
            await asyncio.wait(before)
        async with places:
            if self._failure or step.is_done():
                return
            self.progress.begin(step.title)
            fault: SetupFault | None = None
            try:
                await self._run_program(step)
                step.seal()
            except (OSError, SetupFault) as error:
                fault = fault_of_system_error(error, self.root) if isinstance(error, OSError) else error
            self.progress.end(step.title, well=fault is None)
            self._failure = self._failure or fault

    async def _run_program(self, step: Step) -> None:
        program = await asyncio.create_subprocess_exec(
            *step.command(),
            cwd=self.root,
            env=self.variables,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=1 << 20,
            pass_fds=self.held,
            process_group=0 if os.name == "posix" else None,  # so that its child processes can be ended too
        )
        tail: deque[str] = deque(maxlen=TAIL)
        try:
            async for line in program.stdout or asyncio.StreamReader():
                tail.append(line.decode("utf-8", "replace").rstrip())
                self.progress.detail(step.title, summarise(tail[-1]))
            code = await program.wait()
        except asyncio.CancelledError:
            await _end(program)
            raise
        if code != 0:
            raise fault_of_program(step.title, code, tail, self.root)


def summarise(line: str) -> str:
    """Return the current action from a line of pip or of the word list builder (JSON), "" for other lines."""
    if found := re.match(r"\s*(?:Downloading|Processing|Collecting) (?:\S*/)?([A-Za-z0-9_.]+)", line):
        return found[1]
    if line.startswith("Installing"):
        return line.split(":")[0].lower()
    with contextlib.suppress(ValueError, AttributeError):
        event = json.loads(line)
        share = event.get("share")
        return str(event.get("text") or "") + (f", {share:.0%}" if isinstance(share, float) else "")
    return ""


async def _end(program: asyncio.subprocess.Process) -> None:
    """End a program with its child processes, by force if it does not end politely."""
    if os.name != "posix":
        program.terminate()
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, TimeoutError):
            os.killpg(program.pid, number)
            await asyncio.wait_for(program.wait(), _POLITE_S)
