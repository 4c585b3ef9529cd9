"""How functions of the graph and the search are compiled, and where the machine code is kept.

numba recompiles a function when its own file changes, not when a function that it calls does. So the machine code
is kept in a folder named for all the sources together: after any change everything is compiled anew, and code from
different versions never meets. `python -m engine warm` compiles everything and clears the folders of older versions.
"""

from __future__ import annotations

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
KEPT_IN = ENGINE / "__pycache__"
PREFIX = "machine-code-"


def sources() -> list[Path]:
    """The files that hold compiled functions, or constants that those use."""
    constants = [ENGINE / name for name in ("coords.py", "edition.py", "edition_file.py")]
    return sorted([*ENGINE.glob("lexicon/*.py"), *ENGINE.glob("search/*.py"), *constants])


def machine_code_folder() -> Path:
    """Where the machine code of these very sources is kept."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(path.read_bytes())
    return KEPT_IN / (PREFIX + digest.hexdigest()[:16])


def _keep_machine_code() -> None:
    """Tell numba where; when the program's folder cannot be written, numba finds a folder of the user's."""
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


_keep_machine_code()

Function = TypeVar("Function", bound=Callable[..., object])

int64 = cast(Callable[[object], int], np.int64)
"""A whole number as machine code holds it; to the type checker an int."""


natural = cast(Callable[[int], int], np.uint64)
"""The same number as an index that is never negative: numba then need not ask whether to count from the end."""


def compiled(function: Function) -> Function:
    """Compile a function once, keep it on disk, run it outside the GIL, leave divisions unchecked."""
    return cast(Function, njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: Function) -> Function:
    """The same for the small steps of a hot loop: they become part of their callers, no arguments are handed over."""
    return cast(Function, njit(nogil=True, error_model="numpy", forceinline=True)(function))


def _popcount(_context: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _lowest_bit(_context: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


def _uncounted(_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.return_type)(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return array(array), generate


popcount = cast(Callable[[int], int], intrinsic(_popcount))
"""How many bits of a whole number are set; a single machine instruction."""

lowest_bit = cast(Callable[[int], int], intrinsic(_lowest_bit))
"""The number of the lowest bit that is set, a single machine instruction; the number must not be 0."""

Array = TypeVar("Array")
uncounted = cast(Callable[[Array], Array], intrinsic(_uncounted))
"""The same array without a count of who uses it, for hot loops; the caller keeps the array itself alive.

numba counts the users of an array wherever one function hands it to another, with atomic instructions that took
two thirds of the time of a search.
"""
