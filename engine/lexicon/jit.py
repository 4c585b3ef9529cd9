"""Compilation of the functions of the graph and the search with numba, and the cache of their machine code.

numba recompiles a function if its own file changes, but not if a function that it calls changes. The cache folder is
therefore named after a hash of all source files: after any change everything is compiled again, and code of different
versions is never mixed. `python -m engine warm` compiles everything and removes the folders of older versions.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

ENGINE = Path(__file__).resolve().parent.parent
PREFIX = "machine-code-"


def _cache_folder() -> Path:
    """Return the folder for machine code beside the sources, or one of the user if that is not writable."""
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


def machine_code_folder() -> Path:
    """Return the cache folder for the current source files."""
    digest = hashlib.sha256()
    for path in list_source_files():
        digest.update(path.read_bytes())
    return CACHE_FOLDER / (PREFIX + digest.hexdigest()[:16])


def _configure_cache() -> None:
    """Set numba's cache folder; if it is not writable, numba uses a folder of the user."""
    settings: Any = numba.config  # its fields come from the environment
    if settings.CACHE_DIR:
        return
    folder = machine_code_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    if os.access(folder, os.W_OK):
        settings.CACHE_DIR = str(folder)


_configure_cache()

Function = TypeVar("Function", bound=Callable[..., object])

int64 = cast(Callable[[object], int], np.int64)
"""64-bit integer in machine code; an int for the type checker."""


uint64 = cast(Callable[[int], int], np.uint64)
"""Unsigned integer for indexing: numba omits the check for negative indices."""


def compiled(function: Function) -> Function:
    """Compile a function with an on-disk cache; it releases the GIL and does not check for division by zero."""
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: Function) -> Function:
    """Compile a small function of a hot loop inline into its callers."""
    return cast(Function, njit(nogil=True, error_model="numpy", forceinline=True)(function))


def _popcount(_context: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _lowest_bit(_context: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _without_refcount(_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.return_type)(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return array(array), generate


popcount = cast(Callable[[int], int], intrinsic(_popcount))
"""Count the bits of an integer that are set; a single machine instruction."""

lowest_bit = cast(Callable[[int], int], intrinsic(_lowest_bit))
"""Return the index of the lowest bit that is set, a single machine instruction; the argument must not be 0."""

Array = TypeVar("Array")
without_refcount = cast(Callable[[Array], Array], intrinsic(_without_refcount))
"""Return the array without reference counting, for hot loops; the caller must keep the array alive.

numba counts the references to an array whenever it is passed to a function. These atomic instructions took two thirds
of the time of a search.
"""
