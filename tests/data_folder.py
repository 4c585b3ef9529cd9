"""A data folder for the tests, made before Django's settings are read: hence a plugin (pyproject.toml), not a conftest.

Each test process has its own. The word lists in it are links to those that the set-up has built; a test that
writes a list replaces its link and leaves the built one alone.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def make_data_folder(built: Path) -> Path:
    """A new folder in the temporary place with links to every file in `built`; removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="multiplo-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lexicons = folder / "lexicons"
    lexicons.mkdir()
    for path in built.iterdir() if built.is_dir() else ():
        (lexicons / path.name).symlink_to(path.resolve())
    return folder


os.environ["DATA_DIR"] = str(make_data_folder(Path(os.environ.get("DATA_DIR", ROOT / "var")) / "lexicons"))
