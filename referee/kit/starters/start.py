"""Installs Multiplo from the kit on its first use and starts it. Standard library only; the starters call it.

The program is installed in the user's folder beside the data, because the kit may be read-only. Each kit has an
environment of its own there: an interrupted installation leaves no half environment behind, and a newer kit replaces
the environment of an older one.
"""

from __future__ import annotations

import errno
import hashlib
import json
import locale
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

ROOM_MB = 700
FAULT, INTERRUPTED = 2, 130
_PIP_OPTIONS = ("--no-index", "--no-cache-dir", "--no-input", "--disable-pip-version-check", "--quiet")


def _(text: str) -> str:
    """Return the text itself; it is marked for the catalogues, and translated when the kit is written."""
    return text


INSTALLING = _("Multiplo is being installed on this computer; this happens once and takes a minute or two.")
WAITING = _("Another start of Multiplo is installing it; waiting for it.")
INSTALLED = _("Multiplo is installed.")
STOPPED = _("Stopped. The next start continues.")
WRONG_SYSTEM = _("This kit has no packages for this computer ({system}); it has packages for {platforms}.")
NO_ROOM = _("Multiplo needs {needed} MB in {folder} and only {free} MB are free: free some space and start it again.")
NOT_WRITABLE = _("The folder {folder} cannot be written to ({reason}): make it writable and start Multiplo again.")
NO_VENV = _("The Python of this computer lacks its module “venv”: install Python from python.org and start again.")
DAMAGED = _("The file {file} of the kit is missing or damaged: copy the kit again from where it came.")
FAILED = _("Multiplo could not be installed; the last lines of the installation are below.")
PRESS_ENTER = _("Press Enter to close this window.")
TEXTS = (
    *(INSTALLING, WAITING, INSTALLED, STOPPED, WRONG_SYSTEM, NO_ROOM, NOT_WRITABLE),
    *(NO_VENV, DAMAGED, FAILED, PRESS_ENTER),
)
"""All sentences that this program says."""


class StartFault(Exception):
    """Error that ends the start: one sentence for the user, and the program output to show below it."""

    def __init__(self, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.output = sentence, output


@dataclass(frozen=True)
class Kit:
    """The folder of the kit and what `program/kit.json` says about it."""

    folder: Path
    version: str
    fingerprint: str
    platforms: tuple[str, ...]

    @property
    def wheels(self) -> Path:
        """Folder of the packages."""
        return self.folder / "wheels"

    def find_damaged_file(self) -> str | None:
        """Return the first file that is missing or differs from its checksum, None if all are right."""
        for line in (self.folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
            checksum, name = line.split("  ", 1)
            try:
                with (self.folder / name).open("rb") as file:
                    is_right = hashlib.file_digest(file, "sha256").hexdigest() == checksum
            except OSError:
                is_right = False
            if not is_right:
                return name
        return None


@dataclass(frozen=True)
class Environment:
    """Python environment that a kit makes for one Python."""

    prefix: Path

    @property
    def python(self) -> Path:
        """Path of its interpreter."""
        return self.prefix / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def command(self) -> list[str]:
        """Command line of Multiplo in it."""
        if os.name == "nt":
            return [str(self.prefix / "Scripts" / "multiplo.exe")]
        return [str(self.python), str(self.prefix / "bin" / "multiplo")]

    @property
    def completed(self) -> Path:
        """File that exists once everything is installed."""
        return self.prefix / "installed"


def main(arguments: Sequence[str]) -> int:
    """Install Multiplo if necessary and run it; returns the exit code."""
    program = Path(__file__).resolve().parent
    say = Speaker(json.loads((program / "texts.json").read_text(encoding="utf-8")))
    try:
        return run_kit(_read_kit(program), list(arguments) or ["serve"], say)
    except StartFault as fault:
        sys.stderr.write(f"{fault.sentence}\n{fault.output}")
        code = FAULT
    except KeyboardInterrupt:
        sys.stderr.write("\n" + say(STOPPED) + "\n")
        code = INTERRUPTED
    if not arguments and sys.stdin is not None and sys.stdin.isatty():
        with suppress(EOFError, KeyboardInterrupt):
            input(say(PRESS_ENTER))
    return code


class Speaker:
    """Translation of this program's sentences into the language of the system."""

    def __init__(self, texts: dict[str, dict[str, str]]) -> None:
        self._texts = texts.get(system_language(), {})

    def __call__(self, text: str, **values: object) -> str:
        return self._texts.get(text, text).format(**values)


def system_language() -> str:
    """Return the two-letter language of the terminal, on Windows that of the system; "en" if it is not set."""
    value = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not value and sys.platform == "win32":
        import ctypes

        value = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return value[:2].lower() if value[:2].isalpha() else "en"


def user_folder() -> Path:
    """Return the folder of this user for the data of programs, in which the data folder is, too."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def data_folder(arguments: Sequence[str]) -> Path:
    """Return the data folder of a command line: that of `--data`, of the variable DATA_DIR, or the user's."""
    for index, argument in enumerate(arguments):
        name, _sign, value = argument.partition("=")
        if name == "--data":
            return Path(value or "".join(arguments[index + 1 : index + 2])).expanduser()
    return Path(os.environ.get("DATA_DIR") or user_folder() / "multiplo").expanduser()


def computer() -> str:
    """Return the platform of the running Python as kits name it, for example linux-x86_64."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower() if sys.maxsize > 2**32 else "32-bit"
    return f"{system}-{machine.replace('amd64', 'x86_64')}"


def _read_kit(program: Path) -> Kit:
    about = json.loads((program / "kit.json").read_text(encoding="utf-8"))
    return Kit(program.parent, about["version"], about["fingerprint"], tuple(about["platforms"]))


def run_kit(kit: Kit, arguments: Sequence[str], say: Speaker) -> int:
    """Install Multiplo if necessary and run a command line of it. Raises StartFault."""
    if computer() not in kit.platforms:
        raise StartFault(say(WRONG_SYSTEM, system=computer(), platforms=", ".join(kit.platforms)))
    programs = user_folder() / "multiplo-program"
    try:
        programs.mkdir(mode=0o700, parents=True, exist_ok=True)
        programs = programs.resolve()  # the Python of the Microsoft Store redirects the folder
        environment = Environment(programs / f"{kit.fingerprint}-{sys.implementation.cache_tag}")
        with _hold_lock(programs / "lock", on_waiting=lambda: _report(say(WAITING))):
            if not environment.completed.exists():
                _install(kit, environment, say)
                _remove_others(environment)
            copy_word_lists(kit.folder / "lexicons", data_folder(arguments) / "lexicons")
            in_use = _open_shared(environment)
    except OSError as error:
        raise StartFault(
            say(NOT_WRITABLE, folder=error.filename or programs, reason=error.strerror or error)
        ) from error
    return _replace_process([*environment.command, *arguments], in_use)


def _install(kit: Kit, environment: Environment, say: Speaker) -> None:
    """Make an environment in place of an incomplete one, and install the packages of the kit."""
    free = shutil.disk_usage(environment.prefix.parent).free // 1_000_000
    if free < ROOM_MB:
        raise StartFault(say(NO_ROOM, needed=ROOM_MB, folder=environment.prefix.parent, free=free))
    pip = next(kit.wheels.glob("pip-*.whl"), None)
    if pip is None:
        raise StartFault(say(DAMAGED, file="wheels/pip"))
    _report(say(INSTALLING))
    # pip runs from its wheel: the Pythons of Debian and Ubuntu can make an environment, but not install pip in it.
    make = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(environment.prefix)]
    install = [str(environment.python), str(pip / "pip"), "install", *_PIP_OPTIONS, "--find-links", str(kit.wheels)]
    for command in (make, [*install, f"multiplo=={kit.version}"]):
        done = subprocess.run(  # noqa: S603 - our own command
            command, env=_clean_variables(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode != 0:
            raise _fault_of_output(kit, done.stdout.decode(errors="replace"), say)
    environment.completed.touch()
    _report(say(INSTALLED))


def _fault_of_output(kit: Kit, output: str, say: Speaker) -> StartFault:
    if "No module named venv" in output:
        return StartFault(say(NO_VENV))
    damaged = kit.find_damaged_file()
    if damaged is not None:
        return StartFault(say(DAMAGED, file=damaged))
    return StartFault(say(FAILED), "".join(f"    {line}\n" for line in output.splitlines()[-8:]))


def _clean_variables() -> dict[str, str]:
    """Return the environment variables without those that change what Python and pip do."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    return {**variables, "PIP_CONFIG_FILE": os.devnull}


def copy_word_lists(source: Path, target: Path) -> None:
    """Copy the lists that are not in the data folder, each with its origin and its graph.

    The list itself comes last: without it the next start copies it. A graph is used if it is not older than the list
    and the program.
    """
    for words in sorted(source.glob("*.txt")):
        if (target / words.name).exists():
            continue
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.mkdir(mode=0o700, exist_ok=True)
        now_ns = time.time_ns()
        for path in (words.with_name(f"{words.name}.json"), words.with_suffix(".npy"), words):
            if path.exists():
                fresh = target / f"{path.name}.new"
                shutil.copyfile(path, fresh)
                os.utime(fresh, ns=(now_ns, now_ns))
                fresh.chmod(0o600)
                fresh.replace(target / path.name)


@contextmanager
def _hold_lock(path: Path, on_waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of the installation; two double clicks would otherwise install twice."""
    with path.open("a+b") as file:
        if not _lock(file, is_shared=False):
            on_waiting()
            while not _lock(file, is_shared=False):
                time.sleep(0.2)
        yield


def _lock(file: IO[Any], *, is_shared: bool) -> bool:
    """Lock a file until it is closed; returns False if another program has it locked."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        return error.errno not in (errno.EDEADLK, errno.EACCES)  # a file system without locks is used without one
    return True


def _open_shared(environment: Environment) -> IO[bytes]:
    """Mark the environment as used by this process and by the program that replaces it."""
    file = environment.completed.open("rb")
    if sys.platform != "win32":  # Windows renames no folder whose files are open
        _lock(file, is_shared=True)
        os.set_inheritable(file.fileno(), True)
    return file


def _remove_others(present: Environment) -> None:
    """Remove the environments of older kits and incomplete ones, except those that a program uses."""
    for folder in present.prefix.parent.iterdir():
        if folder == present.prefix or not folder.is_dir():
            continue
        with suppress(OSError):
            if sys.platform != "win32" and (folder / "installed").exists():
                with (folder / "installed").open("rb") as file:
                    if not _lock(file, is_shared=False):
                        continue
            aside = folder.with_name(folder.name + ".old")
            folder.rename(aside)
            shutil.rmtree(aside, ignore_errors=True)


def _report(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def _replace_process(command: list[str], in_use: IO[bytes]) -> int:
    """Run the program in place of this one. Returns on Windows only, with the exit code."""
    variables = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    if os.name == "nt":
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the program, which says so
        with in_use:
            return subprocess.run(command, env=variables, check=False).returncode  # noqa: S603 - our own command
    os.execve(command[0], command, variables)  # noqa: S606 - our own command, no shell wanted


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
