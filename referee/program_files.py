"""Places of the program's files: beside `manage.py` in a checkout, in `referee/program` in an installed package.

Standard library only, and `platformdirs` in an installed package: set-up reads it before a checkout has packages.
"""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

PACKAGES = Path(__file__).resolve().parent.parent
"""The folder of the packages engine, tournaments and referee: the root of a checkout, or `site-packages`."""
_INSTALLED = PACKAGES / "referee" / "program"
IS_INSTALLED = _INSTALLED.is_dir()
"""True in an installed package: hatch_build.py puts the files that are not Python into this folder."""
FILES = _INSTALLED if IS_INSTALLED else PACKAGES
TEMPLATES = FILES / "templates"
LOCALE = FILES / "locale"
HANDBOOK = FILES / "docs" / "handbook"
PICTURES = FILES / "docs" / "pictures"
CHECKOUT_COMMAND = "python3 manage.py"
COMMAND = "multiplo" if IS_INSTALLED else CHECKOUT_COMMAND
"""The command line that texts show to users."""
_NAME = "multiplo"


def usual_data_folder(root: Path = PACKAGES) -> Path:
    """Return the data folder that is used if no other is named: `var/` of a checkout, or one of the user."""
    if not IS_INSTALLED:
        return root / "var"
    from platformdirs import user_data_path

    return user_data_path(_NAME, appauthor=False)


def static_folder(root: Path = PACKAGES) -> Path:
    """Return the folder of the collected static files; other users, as a front-end server, can read it."""
    return _cache_folder() / "static" if IS_INSTALLED else root / "staticfiles"


def warm_record(root: Path = PACKAGES) -> Path:
    """Return the file that records with what the engine was compiled."""
    return (_cache_folder() if IS_INSTALLED else root / "engine" / "__pycache__") / "warm"


def _cache_folder() -> Path:
    """Return the user's cache folder of this version and this Python."""
    from platformdirs import user_cache_path

    python = sys.implementation.cache_tag
    return user_cache_path(_NAME, appauthor=False) / f"{metadata.version(_NAME)}-{python}"
