"""Temporary data folder of the tests.

It is a plugin (pyproject.toml), because it has to exist before Django's settings are read. Each test process has its
own. Its Italian word list is a link to the one that the set-up has built. Lists of other languages are left out, so
that tests behave the same on every machine.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def make_data_folder(built: Path) -> Path:
    """Create a temporary folder with links to the Italian list in `built`; it is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="multiplo-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lexicons = folder / "lexicons"
    lexicons.mkdir()
    for path in built.glob("it.*") if built.is_dir() else ():
        (lexicons / path.name).symlink_to(path.resolve())
    return folder


def make_shared_folder() -> Path:
    """Folder that the processes of a run share (tests/made_once.py); removed when the first of them ends."""
    folder = Path(tempfile.mkdtemp(prefix="multiplo-tests-shared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["TESTS_SHARED"] = str(make_shared_folder())
os.environ["DATA_DIR"] = str(make_data_folder(Path(os.environ.get("DATA_DIR", ROOT / "var")) / "lexicons"))
