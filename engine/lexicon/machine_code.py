"""Cache folder of the machine code, and a record of its completeness. Nothing here needs numba, which loads slowly.

numba recompiles a function if its own file changes, but not if a function that it calls changes. The folder is
therefore named after a hash of all source files: after any change everything is compiled again, and code of different
versions is never mixed. The second part of its name stands for Python, numba and the processor, because numba does not
use code that was compiled for another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from llvmlite import binding

ENGINE = Path(__file__).resolve().parent.parent
_PREFIX = "machine-code-"
_COMPLETE = "complete"


def _cache_folder() -> Path:
    """Return the folder for machine code: beside the sources, or one of the user if that is not writable."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen)
    beside = ENGINE / "__pycache__"
    with contextlib.suppress(OSError):
        beside.mkdir(exist_ok=True)
    if os.access(beside, os.W_OK):
        return beside
    from platformdirs import user_cache_path

    return user_cache_path("multiplo", appauthor=False)


CACHE_FOLDER = _cache_folder()


def list_source_files() -> list[Path]:
    """Return the files with compiled functions or with constants that these use."""
    constants = [ENGINE / name for name in ("board/coordinates.py", "tiles/edition.py", "tiles/edition_file.py")]
    return sorted([*ENGINE.glob("lexicon/*.py"), *ENGINE.glob("search/*.py"), *constants])


def processor() -> tuple[str, str]:
    """Return name and features of the processor, as in the key of numba's cache."""
    name = os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name()
    return name, os.environ.get("NUMBA_CPU_FEATURES") or binding.get_host_cpu_features().flatten()


@cache
def machine_code_folder() -> Path:
    """Return the cache folder for the source files, packages and processor of this process."""
    built_for = (sys.version, version("numba"), version("llvmlite"), *processor())
    return CACHE_FOLDER / f"{_PREFIX}{sources_hash()}-{_short_hash(repr(built_for).encode())}"


def is_compiled() -> bool:
    """Return True if all functions have been compiled for this processor and are in the cache."""
    return (machine_code_folder() / _COMPLETE).exists()


def record_compiled() -> None:
    """Record that all functions are in the cache. Raises OSError if its folder is not writable."""
    (machine_code_folder() / _COMPLETE).touch()


def remove_old_machine_code() -> None:
    """Remove the machine code of other versions of the sources; that of other processors stays."""
    for folder in CACHE_FOLDER.glob(f"{_PREFIX}*"):
        if not folder.name.startswith(f"{_PREFIX}{sources_hash()}-"):
            shutil.rmtree(folder, ignore_errors=True)


@cache
def sources_hash() -> str:
    """Return a hash of the source files."""
    return _short_hash(b"".join(path.read_bytes() for path in list_source_files()))


def _short_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
