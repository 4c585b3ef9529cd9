"""From the command line to the running command, with whatever set-up lies between."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from referee import program_files
from referee.setup import database, faults, file_modes, lock, preparation
from referee.setup.environment import DEVELOPMENT, RUNTIME, Environment, choose_environment, replace_process
from referee.setup.folders import Project, find_project, keep_private, prepare_data_folder, split_data_option
from referee.setup.messages import translate as _
from referee.setup.progress import Progress
from referee.setup.schedule import Schedule, Step

FAULT, INTERRUPTED = 2, 130
_HELP = (["help"], ["--help"], ["-h"], ["help", "setup"], ["help", "test"], ["help", "engine"])
# A file of tests stays together, because its tests share a server or a browser; tests/conftest.py says which is first
# and in how many processes they run.
_SIDE_BY_SIDE = ("-n", "logical", "--dist", "loadfile", "--no-loadscope-reorder")

_PACKAGES = frozenset({"environment", "packages"})
_WARM = _PACKAGES | {"warmth"}
_GAME = _WARM | {"words", "graph", "translations", "static"}
_ALL = _GAME | {"database"}
_NEEDS = {
    "serve": _ALL,
    "setup": _ALL,
    "simulate": _GAME - {"static"},
    "rehearse": _ALL,
    "test": _GAME | {"tools"},
    "engine": _WARM,
}


def start(root: str, arguments: Sequence[str]) -> int:
    """Set up what the command needs and run it. Returns the exit code; most commands take over the process instead."""
    folder = Path(root)
    try:
        line, data_option = split_data_option(arguments)
        if line in ([], *_HELP):
            sys.stdout.write(overview() + "\n")
            return 0
        if line[0] == "test" and program_files.IS_INSTALLED:
            raise faults.SetupFault(_("The tests are in the source code of Multiplo: run them there."))
        project = find_project(folder, data_option)
        chosen = choose_environment(project.root, RUNTIME, *([DEVELOPMENT] if line[0] == "test" else []))
        done = _prepare(project, chosen, line)
    except (faults.SetupFault, OSError) as error:
        fault = faults.fault_of_system_error(error, folder) if isinstance(error, OSError) else error
        sys.stderr.write("\n    ".join((fault.sentence, *fault.output)) + "\n")
        return FAULT
    except KeyboardInterrupt:
        sys.stderr.write("\n" + _("Stopped. The same command continues where this one was.") + "\n")
        return INTERRUPTED
    return _run(project, chosen, line, must_restart=not chosen.is_running or not _PACKAGES.isdisjoint(done))


def overview() -> str:
    """The commands that matter, for a machine on which nothing is installed yet."""
    return _(
        "Multiplo, the referee for duplicate word-game tournaments\n"
        "\n"
        "  {command} serve           start the program and open the judge's page\n"
        "  {command} setup           only set everything up (needs the internet, once)\n"
        "  {command} simulate        play a whole game without people\n"
        "  {command} verify FILE     check the archive of a game\n"
        "  {command} engine ...      the move engine without database and browser\n"
        "  {command} help COMMAND    the options of a command\n"
        "  {command} help --commands the names of all commands\n"
        "\n"
        "Every command knows --data DIR, the folder that keeps the data (otherwise {data})."
    ).format(command=program_files.COMMAND, data=program_files.usual_data_folder())


def needed_by(command: str, *arguments: str) -> frozenset[str]:
    """Return the names of the steps that a command line needs; most commands need only the packages."""
    names = _NEEDS.get(command, _PACKAGES)
    if not {"-h", "--help"}.isdisjoint(arguments):
        return _PACKAGES
    if command == "lexicon" and {"build", "check", "import"}.intersection(arguments):
        return names | {"database"}  # its games use the lists, and have rulings on words
    brings_its_words = command == "simulate" and any(word.split("=")[0] == "--words" for word in arguments)
    return names - {"words", "graph"} if brings_its_words else names


def _prepare(project: Project, chosen: Environment, line: Sequence[str]) -> set[str]:
    """Do the steps that a command line needs; return the names of those that were done now."""
    database.complete_restore(project)
    prepare_data_folder(project)
    names = needed_by(*line)
    if database.is_ours() and ("database" in names or line[0] in ("migrate", "shell", "dbshell")):
        database.refuse_damaged(project.database)
        database.refuse_other_version(project)
    if "words" in names:
        preparation.copy_words(project)
    every = chosen.steps() + preparation.preparation_steps(project, chosen.python)
    wanted = [step for step in every if step.name in names]
    if all(step.is_done() for step in wanted):
        return set()
    progress = Progress()
    waiting = _("Another set-up is at work in this folder; waiting for it.")
    with lock.hold_lock(Path(__file__), lambda: progress.say(waiting)) as held:
        missing = [step for step in wanted if not step.is_done()]
        check_room(missing)
        done = {step.name for step in missing}
        if "packages" in done:
            once = _("Multiplo sets itself up in {folder}; this happens once and takes a minute or two.")
            progress.say(once.format(folder=project.root))
        Schedule(project.root, project.environ(), progress, held).run(wanted)
    keep_private(project)
    return done


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
            raise faults.SetupFault(sentence.format(needed=needed[disk], folder=folder, free=free))


def _run(project: Project, chosen: Environment, line: Sequence[str], *, must_restart: bool) -> int:
    command, *arguments = line
    variables = project.environ()
    if command == "setup":
        sys.stdout.write(_("Everything is set up.") + "\n")
        return 0
    if command == "test":
        os.chdir(project.root)
        variables.pop("PYTHONDONTWRITEBYTECODE", None)  # else each program that a test starts is compiled anew
        return replace_process(chosen, ["-m", "pytest", *_SIDE_BY_SIDE, *arguments], variables)
    if command == "engine":
        if not program_files.IS_INSTALLED:
            variables["PYTHONPATH"] = os.pathsep.join(filter(None, (str(project.root), os.environ.get("PYTHONPATH"))))
        return replace_process(chosen, ["-m", "engine", *arguments], variables)
    if must_restart:
        return replace_process(chosen, [str(project.root / "manage.py"), *line], variables)
    os.environ.update(variables)
    from django.core.management import execute_from_command_line

    file_modes.write_privately(command)
    execute_from_command_line([program_files.COMMAND.split()[-1], *line])
    return 0
