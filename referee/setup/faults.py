"""What can go wrong before the program runs, each as one sentence with its remedy."""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.setup.text import translate as _

_DISK_SIGNS = (
    "no space left on device",
    "errno 28",
    "disk quota exceeded",
    "not enough space on the disk",
    "no room on the disk",  # the builder of the word list
)
_NETWORK_SIGNS = (
    "temporary failure in name resolution",
    "name or service not known",
    "nodename nor servname",
    "getaddrinfo failed",
    "network is unreachable",
    "no route to host",
    "connection refused",
    "connection reset",
    "connection timed out",
    "read timed out",
    "connecttimeout",
    "newconnectionerror",
    "max retries exceeded",
    "proxyerror",
    "incompleteread",
    "could not be fetched",  # the builder of the word list
)
_VENV_SIGNS = ("ensurepip is not available", "no module named venv", "no module named ensurepip", "no module named pip")
_WRITING_SIGNS = ("permission denied", "read-only file system", "operation not permitted")
_DISK_ERRORS = (errno.ENOSPC, errno.EDQUOT)


class SetupFault(Exception):
    """Stops the set-up: a sentence for the person at the keyboard, and the output worth showing below it."""

    def __init__(self, sentence: str, output: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.output = tuple(output)


def no_venv_module() -> str:
    """Debian and Ubuntu ship Python without it."""
    return _(
        "This Python cannot make a virtual environment because its module “venv” or “ensurepip” is missing: "
        "install it (on Debian and Ubuntu: sudo apt install python3-venv) and run the same command again."
    )


def no_network() -> str:
    """Only the set-up needs the internet."""
    return _(
        "The packages could not be fetched: connect this computer to the internet (only the set-up needs it) "
        "and run the same command again; it continues where it stopped."
    )


def disk_full(folder: Path) -> str:
    """While something was being written."""
    return _("The disk of {folder} is full: free about 1 GB and run the same command again.").format(folder=folder)


def too_little_room(folder: Path, free_mb: int, needed_mb: int) -> str:
    """Seen before anything is written."""
    return _(
        "The set-up needs {needed} MB on the disk of {folder} and only {free} MB are free: "
        "free some space and run the same command again."
    ).format(needed=needed_mb, folder=folder, free=free_mb)


def program_not_writable(folder: Path, reason: str) -> str:
    """The folder of the program, or something in it; `reason` is the operating system's word."""
    return _(
        "The folder {folder} cannot be written to ({reason}): make it writable and run the same command again."
    ).format(folder=folder, reason=reason)


def data_not_writable(folder: Path, reason: str) -> str:
    """The data folder, or something in it; `reason` is the operating system's word."""
    return _(
        "The folder {folder} cannot be written to ({reason}): make it writable, "
        "or keep the data in another folder with --data DIR."
    ).format(folder=folder, reason=reason)


def damaged_database(database: Path, reason: str, kept: Path) -> str:
    """The file has been renamed to `kept`."""
    return _(
        "The database {database} is damaged ({reason}) and is kept aside as {kept}: put a backup in its place, "
        "or run the same command again to begin with an empty one."
    ).format(database=database, reason=reason, kept=kept.name)


def data_of_other_version(folder: Path) -> str:
    """Its database has tables that this program does not know."""
    return _(
        "The data in {folder} belong to another version of Multiplo: run that version, or begin in an empty folder "
        "with the option --data FOLDER. Nothing was changed."
    ).format(folder=folder)


def missing_folder_name() -> str:
    """`--data` at the end of the line."""
    return _("The option --data needs the name of a folder, for example: --data ~/multiplo")


def step_failed(title: str, code: int) -> str:
    """For a failure without a known remedy; the output follows below."""
    return _(
        "The set-up stopped at “{title}” (exit code {code}); its last words are below, "
        "and the same command tries it again."
    ).format(title=title, code=code)


def recognised(output: str, folder: Path) -> str | None:
    """The sentence for the output of a failed step (pip, venv, fetching of words), None when it is not known."""
    spoken = output.lower()
    if any(sign in spoken for sign in _DISK_SIGNS):
        return disk_full(folder)
    if any(sign in spoken for sign in _VENV_SIGNS):
        return no_venv_module()
    if any(sign in spoken for sign in _NETWORK_SIGNS):
        return no_network()
    if any(sign in spoken for sign in _WRITING_SIGNS):
        return program_not_writable(folder, _("permission denied"))
    return None


def of_system_error(
    error: OSError, folder: Path, not_writable: Callable[[Path, str], str] = program_not_writable
) -> SetupFault:
    """An error of the operating system as a fault; `folder` stands in where the error names no file."""
    place = Path(error.filename) if error.filename else folder
    if error.errno in _DISK_ERRORS:
        return SetupFault(disk_full(place))
    return SetupFault(not_writable(place, error.strerror or str(error)))
