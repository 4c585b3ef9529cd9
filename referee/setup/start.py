"""From the command line to the running command, with whatever set-up lies between."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from referee.setup import database, environment, faults, lock, private, steps
from referee.setup.environment import Environment
from referee.setup.progress import Progress
from referee.setup.project import Project, find_project, keep_private, prepare_data_folder, split_data_option
from referee.setup.schedule import Step, Workshop, run_side_by_side
from referee.setup.text import translate as _

FAULT, INTERRUPTED = 2, 130
_HELP_WORDS = ("help", "--help", "-h")
_OWN_COMMANDS = ("setup", "test", "engine")
# A file of tests stays together, because its tests share a server or a browser; tests/conftest.py says which is first.
_SIDE_BY_SIDE = ("-n", "logical", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")


@dataclass(frozen=True)
class Ready:
    """All that a command needs is there. `changed` = the running interpreter's packages are not what they were."""

    project: Project
    environment: Environment
    line: tuple[str, ...]
    changed: bool


def start(root: str, arguments: Sequence[str]) -> int:
    """Set up what the command needs and run it. Returns the exit code; most commands take over the process instead."""
    folder = Path(root)
    try:
        line, data_option = split_data_option(arguments)
        if _asks_for_overview(line):
            sys.stdout.write(overview() + "\n")
            return 0
        ready = _prepare(find_project(folder, data_option), tuple(line))
    except faults.SetupFault as fault:
        return _tell(fault)
    except OSError as error:
        return _tell(faults.of_system_error(error, folder))
    except KeyboardInterrupt:
        sys.stderr.write("\n" + _("Stopped. The same command continues where this one was.") + "\n")
        return INTERRUPTED
    return _run(ready)


def overview() -> str:
    """The commands that matter, for a machine on which nothing is installed yet."""
    return _(
        "Multiplo, the referee for duplicate word-game tournaments\n"
        "\n"
        "  python3 manage.py serve           start the program and open the judge's page\n"
        "  python3 manage.py setup           only set everything up (needs the internet, once)\n"
        "  python3 manage.py simulate        play a whole game without people\n"
        "  python3 manage.py verify FILE     check the archive of a game\n"
        "  python3 manage.py engine ...      the move engine without database and browser\n"
        "  python3 manage.py test            run the tests\n"
        "  python3 manage.py help COMMAND    the options of a command\n"
        "  python3 manage.py help --commands the names of all commands\n"
        "\n"
        "Every command knows --data DIR, the folder that keeps the data (otherwise var/)."
    )


def _asks_for_overview(line: Sequence[str]) -> bool:
    if not line or (line[0] in _HELP_WORDS and len(line) == 1):
        return True
    return line[0] == "help" and line[1] in _OWN_COMMANDS


def _prepare(project: Project, line: tuple[str, ...]) -> Ready:
    command = line[0]
    chosen = environment.choose(project.root, steps.requirements_of(command))
    prepare_data_folder(project)
    if database.is_ours() and steps.opens_database(*line):
        database.refuse_damaged(project.database)
        database.refuse_other_version(project)
    done = _do_what_is_missing(project, chosen, steps.needed_by(*line))
    if done:
        keep_private(project)
    return Ready(project, chosen, line, changed=any(step.name in steps.PACKAGES for step in done))


def _do_what_is_missing(project: Project, chosen: Environment, names: frozenset[str]) -> list[Step]:
    """Do the named steps that are not done; returns those that were done now."""
    wanted = [step for step in steps.plan(project, chosen) if step.name in names]
    if all(step.is_done() for step in wanted):
        return []
    progress = Progress()
    waiting = _("Another set-up is at work in this folder; waiting for it.")
    with lock.alone(project.root / "manage.py", lambda: progress.say(waiting)) as held, _termination_as_interrupt():
        missing = [step for step in wanted if not step.is_done()]
        steps.check_room(missing)
        if any(step.name == "packages" for step in missing):
            once = _("Multiplo sets itself up in {folder}; this happens once and takes a minute or two.")
            progress.say(once.format(folder=project.root))
        workshop = Workshop(project.root, project.environ(), progress, held)
        run_side_by_side(wanted, workshop, progress)
    return missing


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Let a polite end of the set-up also end the programs it has started."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    politely = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [signal.signal(number, interrupt) for number in politely]
    try:
        yield
    finally:
        for number, handler in zip(politely, before, strict=True):
            signal.signal(number, handler)


def _run(ready: Ready) -> int:
    project, chosen, (command, *arguments) = ready.project, ready.environment, ready.line
    variables = project.environ()
    if command == "setup":
        sys.stdout.write(_("Everything is set up.") + "\n")
        return 0
    if command == "test":
        os.chdir(project.root)
        return environment.become(chosen, ["-m", "pytest", *_SIDE_BY_SIDE, *arguments], variables)
    if command == "engine":
        path = os.pathsep.join(filter(None, (str(project.root), os.environ.get("PYTHONPATH"))))
        return environment.become(chosen, ["-m", "engine", *arguments], {**variables, "PYTHONPATH": path})
    if ready.changed or not chosen.is_running:
        return environment.become(chosen, [str(project.root / "manage.py"), *ready.line], variables)
    os.environ.update(variables)
    return _run_django(ready.line)


def _run_django(line: Sequence[str]) -> int:
    from django.core.management import execute_from_command_line

    private.write_privately(line[0])
    execute_from_command_line(["manage.py", *line])
    return 0


def _tell(fault: faults.SetupFault) -> int:
    sys.stderr.write(f"{fault.sentence}\n")
    for said in fault.output:
        sys.stderr.write(f"    {said}\n")
    return FAULT
