"""A data folder for the tests, made before Django's settings are read: hence a plugin (pyproject.toml), not a conftest.

Each test process has its own. The Italian word list in it is a link to the one that the set-up has built; lists of
other languages that somebody has built are not there, so that tests find the same on every machine.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def make_data_folder(built: Path) -> Path:
    """A new folder in the temporary place with links to the Italian list in `built`; removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="multiplo-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lexicons = folder / "lexicons"
    lexicons.mkdir()
    for path in built.glob("it.*") if built.is_dir() else ():
        (lexicons / path.name).symlink_to(path.resolve())
    return folder


os.environ["DATA_DIR"] = str(make_data_folder(Path(os.environ.get("DATA_DIR", ROOT / "var")) / "lexicons"))
