"""From the command line to the running command, with whatever set-up lies between."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from referee import program_files
from referee.setup import database, faults, file_modes, lock, preparation
from referee.setup.environment import DEVELOPMENT, RUNTIME, Environment, choose_environment, replace_process
from referee.setup.folders import Project, find_project, keep_private, prepare_data_folder, split_data_option
from referee.setup.messages import translate as _
from referee.setup.steps import Step, check_room, run_steps, say

FAULT, INTERRUPTED = 2, 130
_HELP = (["help"], ["--help"], ["-h"], ["help", "setup"], ["help", "test"], ["help", "engine"])
# A file of tests stays together, because its tests share a server or a browser; tests/conftest.py says which is first
# and in how many processes they run.
_SIDE_BY_SIDE = ("-n", "logical", "--dist", "loadfile", "--no-loadscope-reorder")

_OWN = ("engine", "tournaments", "referee", "tests")
_PACKAGES = frozenset({"environment", "packages"})
_ENGINE = _PACKAGES | {"engine"}
_PAGES = _PACKAGES | {"translations", "static", "database"}  # the server prepares engine and words while it runs
_GAME = _ENGINE | {"words", "graph", "translations"}
_NEEDS = {
    "serve": _PAGES,
    "setup": _GAME | _PAGES,
    "simulate": _GAME,
    "rehearse": _GAME | _PAGES,
    "test": _GAME | {"static", "tools"},
    "engine": _ENGINE,
    **dict.fromkeys(("export_event", "import_eliot", "print", "publish", "ratings"), _PACKAGES | {"database"}),
    "lock": _PACKAGES | {"tools"},
    "release": _PACKAGES | {"tools"},
    "kit": _PACKAGES | {"translations"},
}
_WITH_DATA = frozenset({"backup", "forget", "judge_link"})
"""Commands on stored data that prepare no database."""


def start(root: str, arguments: Sequence[str]) -> int:
    """Set up what the command needs and run it. Returns the exit code; most commands take over the process instead."""
    folder = Path(root)
    try:
        line, data_option = split_data_option(arguments)
        if line in ([], *_HELP):
            sys.stdout.write(overview() + "\n")
            return 0
        if not line[0].startswith("-"):
            line[0] = line[0].replace("-", "_")  # judge-link is judge_link
        if line[0] == "test" and program_files.IS_INSTALLED:
            raise faults.SetupFault(_("The tests are in the source code of Multiplo: run them there."))
        project = find_project(folder, data_option)
        chosen = choose_environment(project.root, RUNTIME, *([DEVELOPMENT] if "tools" in needed_by(line[0]) else []))
        is_ready = _prepare(project, chosen, line)
    except (faults.SetupFault, OSError) as error:
        fault = faults.fault_of_system_error(error, folder) if isinstance(error, OSError) else error
        sys.stderr.write("\n    ".join((fault.sentence, *fault.output)) + "\n")
        return FAULT
    except KeyboardInterrupt:
        sys.stderr.write("\n" + _("Stopped. The same command continues where this one was.") + "\n")
        return INTERRUPTED
    if not is_ready:
        return replace_process(chosen, [str(project.root / "manage.py"), *line], project.environ())
    try:
        return _run(project, chosen, line)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in _OWN:
            raise
        sys.stderr.write(faults.MISSING_PACKAGE.format(name=error.name, folder=chosen.prefix) + "\n")
        return FAULT


def overview() -> str:
    """The commands that matter, for a machine on which nothing is installed yet."""
    return _(
        "Multiplo, the referee for duplicate word-game tournaments\n"
        "\n"
        "  {command} serve           start the program and open the judge's page\n"
        "  {command} doctor          check if everything is ready, with the remedy of each fault\n"
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


def _uses_data(command: str, *arguments: str) -> bool:
    """Return True for a command that another secret key or other tables refuse; `rehearse` has data of its own."""
    return command in _WITH_DATA or ("database" in needed_by(command, *arguments) and command != "rehearse")


def _prepare(project: Project, chosen: Environment, line: Sequence[str]) -> bool:
    """Do the steps that a command line needs.

    Returns False after the first ones if the same line has to go on in the environment: this process runs in another
    one, or packages were installed.
    """
    names = needed_by(*line)
    looks_only = line[0] == "doctor"  # it tells what is wrong with the data folder, and changes nothing in it
    if not looks_only:
        prepare_data_folder(project)
    installed = _run_missing(project, [step for step in chosen.steps() if step.name in names])
    if installed or not chosen.is_running:
        return False
    _require_environment()
    if not looks_only:
        database.complete_restore(project)
    if database.is_ours() and ("database" in names or line[0] in ("migrate", "shell", "dbshell")):
        database.refuse_damaged(project.database)
        database.refuse_newer(project)
    earlier = database.upgrade_report(project)
    if not names.isdisjoint({"words", "database"}):
        preparation.copy_words(project)
    if _run_missing(project, [step for step in preparation.preparation_steps(project) if step.name in names]):
        keep_private(project)
        report = database.upgrade_report(project)
        if report and report != earlier:
            say(report)
    return True


def _require_environment() -> None:
    """Raise SetupFault with a sentence for each wrong environment variable, before a step that reads them fails."""
    from referee.environment import EnvironmentFault, read_environment

    try:
        read_environment(os.environ)
    except EnvironmentFault as fault:
        raise faults.SetupFault(str(fault)) from fault


def _run_missing(project: Project, steps: Sequence[Step]) -> bool:
    """Run the steps that are not done, while no other set-up is at work here; return False if all were done."""
    if all(step.is_done() for step in steps):
        return False
    waiting = _("Another set-up is at work in this folder; waiting for it.")
    with lock.hold_lock(Path(__file__), lambda: say(waiting)) as held:
        missing = [step for step in steps if not step.is_done()]
        check_room(missing)
        if any(step.name == "packages" for step in missing):
            once = _("Multiplo sets itself up in {folder}; this happens once and takes a minute or two.")
            say(once.format(folder=project.root))
        run_steps(missing, project.root, project.environ(), held)
    return True


def _run(project: Project, chosen: Environment, line: Sequence[str]) -> int:
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
    os.environ.update(variables)
    file_modes.write_privately(command)
    if _uses_data(command, *arguments):
        _require_data(command)
    from django.core.management import execute_from_command_line

    execute_from_command_line([program_files.COMMAND.split()[-1], command, *arguments])
    return 0


def _require_data(command: str) -> None:
    """End with a sentence for each fault, before the imports of the command, which take longer than the checks."""
    import django

    django.setup()
    from referee.server.start_checks import require_data, require_start

    if command == "serve":
        require_start(serves_pages=True)
    else:
        require_data()
