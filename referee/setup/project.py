"""The two folders of an installation: the code's and the data's."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from referee.setup import faults, private

KEY_LENGTH = 50  # what Django's own deployment check asks of a secret key


@dataclass(frozen=True)
class Project:
    """Where things are. Both paths are absolute."""

    root: Path
    data: Path

    @property
    def home(self) -> Path:
        """The virtual environment that the set-up makes."""
        return self.root / ".venv"

    @property
    def lexicons(self) -> Path:
        """Word lists and their graphs."""
        return self.data / "lexicons"

    @property
    def database(self) -> Path:
        """The embedded database."""
        return self.data / "multiplo.sqlite3"

    def environ(self) -> dict[str, str]:
        """The environment variables of everything that is started."""
        return {
            **os.environ,
            "DATA_DIR": str(self.data),
            "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "referee.settings"),
        }


def split_data_option(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """The arguments without `--data DIR`, and DIR. Every command knows it, so none has to; not sought after `--`."""
    rest: list[str] = []
    folder: str | None = None
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--data":
            folder = next(waiting, None)
            if folder is None:
                raise faults.SetupFault(faults.missing_folder_name())
        elif argument.startswith("--data="):
            folder = argument.removeprefix("--data=")
        else:
            rest.append(argument)
        if argument == "--":
            rest.extend(waiting)
    return rest, folder


def find_project(root: Path, data_option: str | None) -> Project:
    """`--data` before the variable DATA_DIR before `var/`."""
    chosen = data_option or os.environ.get("DATA_DIR") or root / "var"
    return Project(root=root.resolve(), data=Path(chosen).expanduser().absolute())


def prepare_data_folder(project: Project) -> None:
    """Make the data folder, prove that it can be written to, and make the secret key. Raises SetupFault."""
    try:
        if not project.data.exists():
            project.data.parent.mkdir(parents=True, exist_ok=True)
            project.data.mkdir(mode=0o700, exist_ok=True)
        project.lexicons.mkdir(mode=0o700, exist_ok=True)
        keep_private(project)
        with tempfile.TemporaryFile(dir=project.data) as probe:
            probe.write(b"\0" * 4096)
        _make_secret_key(project.data / "secret_key")
    except OSError as error:
        raise faults.of_system_error(error, project.data, faults.data_not_writable) from error


def keep_private(project: Project) -> None:
    """Close the data folder, and the files of the program in it, to other users of the computer."""
    private.make_private(project.data, is_usual=project.data.resolve() == project.root / "var")


def _make_secret_key(path: Path) -> None:
    if any(os.environ.get(name) for name in ("SECRET_KEY", "SECRET_KEY_FILE")):
        return
    if path.exists() and path.stat().st_size >= KEY_LENGTH:
        return
    path.unlink(missing_ok=True)  # a torn one of an interrupted start
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
