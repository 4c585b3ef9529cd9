"""Errors before the program runs, each as one sentence with its remedy."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from pathlib import Path

from referee.setup.messages import translate as _

NO_VENV = _(
    "This Python cannot make a virtual environment because its module “venv” or “ensurepip” is missing: "
    "install it (on Debian and Ubuntu: sudo apt install python3-venv) and run the same command again."
)
NO_NETWORK = _(
    "The packages could not be fetched: connect this computer to the internet (only the set-up needs it) "
    "and run the same command again; it continues where it stopped."
)
MISSING_PACKAGE = _(
    "The Python package “{name}” is missing: delete the folder {folder}, connect this computer to the internet and run "
    "the same command again; the data stay."
)
DISK_FULL = _("The disk of {folder} is full: free about 1 GB and run the same command again.")
PROGRAM_NOT_WRITABLE = _(
    "The folder {folder} cannot be written to ({reason}): make it writable and run the same command again."
)
DATA_NOT_WRITABLE = _(
    "The folder {folder} cannot be written to ({reason}): make it writable, "
    "or keep the data in another folder with --data DIR."
)
# Signs in the output of pip, of venv and of the word list builder.
_SIGNS = (
    (
        "no space left on device|errno 28|disk quota exceeded|not enough space on the disk|no room on the disk",
        DISK_FULL,
    ),
    ("ensurepip is not available|no module named (venv|ensurepip|pip)", NO_VENV),
    (
        "temporary failure in name resolution|name or service not known|nodename nor servname|getaddrinfo failed"
        "|network is unreachable|no route to host|connection refused|connection reset|connection timed out"
        "|read timed out|connecttimeout|newconnectionerror|max retries exceeded|proxyerror|incompleteread"
        "|could not be fetched",
        NO_NETWORK,
    ),
    ("permission denied|read-only file system|operation not permitted", PROGRAM_NOT_WRITABLE),
)


EXPLAINED = 65
"""Exit code of a program that has explained its failure to the user in its last line."""


class SetupFault(Exception):
    """Error that stops the set-up: a sentence for the user, and the program output to show below it."""

    def __init__(self, sentence: str, output: Iterable[str] = ()) -> None:
        super().__init__(sentence)
        self.sentence, self.output = sentence, tuple(output)


def fault_of_program(title: str, code: int, tail: Iterable[str], folder: Path) -> SetupFault:
    """Return the error for a step whose program ended with `code`, after the lines `tail`."""
    lines = tuple(tail)
    if code == EXPLAINED and lines:
        return SetupFault(lines[-1])
    output = "\n".join(lines)
    for signs, sentence in _SIGNS:
        if re.search(signs, output, re.IGNORECASE):
            return SetupFault(sentence.format(folder=folder, reason=_("permission denied")))
    unknown = _(
        "The set-up stopped at “{title}” (exit code {code}); its last words are below, "
        "and the same command tries it again."
    )
    return SetupFault(unknown.format(title=title, code=code), output.splitlines())


def fault_of_system_error(error: OSError, folder: Path, not_writable: str = PROGRAM_NOT_WRITABLE) -> SetupFault:
    """Convert an operating system error; `folder` is used if the error names no file."""
    sentence = DISK_FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else not_writable
    return SetupFault(sentence.format(folder=error.filename or folder, reason=error.strerror or error))
