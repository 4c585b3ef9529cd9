"""Code folder and data folder of an installation."""

from __future__ import annotations

import argparse
import os
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee import program_files
from referee.setup import faults, file_modes
from referee.setup.messages import translate as _

KEY_LENGTH = 50  # the minimum of Django's deployment check


@dataclass(frozen=True)
class Project:
    """Absolute paths of an installation."""

    root: Path
    data: Path

    @property
    def lexicons(self) -> Path:
        """Folder of the word lists and their graphs."""
        return self.data / "lexicons"

    @property
    def database(self) -> Path:
        """File of the embedded database."""
        return self.data / "multiplo.sqlite3"

    def environ(self) -> dict[str, str]:
        """Environment variables of every process that is started."""
        return {
            **os.environ,
            "DATA_DIR": str(self.data),
            "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "referee.settings"),
        }


def split_data_option(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the arguments without `--data DIR`, and DIR.

    The option is accepted by every command, before a `--`.
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--data")
    try:
        found, rest = parser.parse_known_args(arguments)
    except argparse.ArgumentError as error:
        sentence = _("The option --data needs the name of a folder, for example: --data ~/multiplo")
        raise faults.SetupFault(sentence) from error
    return rest, found.data


def find_project(root: Path, data_option: str | None) -> Project:
    """Return the folders; the data folder is that of `--data`, else of the variable DATA_DIR, else the usual one."""
    chosen = data_option or os.environ.get("DATA_DIR") or program_files.usual_data_folder(root)
    return Project(root=root.resolve(), data=Path(chosen).expanduser().absolute())


def prepare_data_folder(project: Project) -> None:
    """Create the data folder and the secret key, and check that the folder is writable. Raises SetupFault."""
    try:
        if not project.data.exists():
            project.data.parent.mkdir(parents=True, exist_ok=True)
            project.data.mkdir(mode=0o700, exist_ok=True)
        project.lexicons.mkdir(mode=0o700, exist_ok=True)
        keep_private(project)
        with tempfile.TemporaryFile(dir=project.data) as probe:
            probe.write(b"\0" * 4096)
        if not _is_key_given():
            make_secret_key(project.data / "secret_key")
    except OSError as error:
        raise faults.fault_of_system_error(error, project.data, faults.DATA_NOT_WRITABLE) from error


def keep_private(project: Project) -> None:
    """Make the data folder and the program's files in it unreadable for other users of the computer."""
    usual = program_files.usual_data_folder(project.root)
    file_modes.make_private(project.data, is_usual=project.data.resolve() == usual)


def is_set(*names: str) -> bool:
    """Return True if an environment variable, or the file that holds its value, is given."""
    return any(os.environ.get(name) or os.environ.get(f"{name}_FILE") for name in names)


def _is_key_given() -> bool:
    """Return True if set-up makes no key: one is given, or several processes need the same one."""
    return is_set("SECRET_KEY", "REDIS_URL")


def make_secret_key(path: Path) -> None:
    """Make a key, unless the file has one."""
    if path.exists() and path.stat().st_size >= KEY_LENGTH:
        return
    path.unlink(missing_ok=True)  # incomplete file of an interrupted start
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
