"""How functions are compiled, and cached from one run of the program to the next. This module imports numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
"""The options with which all are compiled."""

SOURCES = ("compiled.py", "groups.py", "kernel*.py", "vector*.py")
"""The modules of this folder from which a compiled function may inline something."""


def cached_jit(function: Function, *, sources: tuple[str, ...] = SOURCES) -> Function:
    """The compiled function, from the cache if there is a writable folder for one, otherwise compiled each time.

    Fusing a product and a sum into one operation is allowed: for whole numbers below 2^53 both are exact.
    """
    return compile_with(function, sources=sources, fastmath={"contract"})


def compile_with(function: Function, *, sources: tuple[str, ...] = SOURCES, **more: Any) -> Function:
    """The same, with more options of numba; without any, each operation is rounded separately."""
    options = {**OPTIONS, **more}
    try:
        made: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no folder is writable: neither NUMBA_CACHE_DIR, nor next to the source, nor at home
        return cast(Function, numba.njit(**options)(function))
    # numba checks only the file of the function itself: what is inlined from another may have changed there. It
    # compares the version before it reads the rest, which may name classes that no longer exist.
    kept = getattr(getattr(made, "_cache", None), "_cache_file", None)
    if kept is not None:
        kept._version = kept._version, digest(Path(function.__code__.co_filename).parent, sources)
    return cast(Function, made)


@cache
def digest(folder: Path, sources: tuple[str, ...]) -> str:
    """A digest of those modules of a folder whose names these patterns fit."""
    files = sorted({file for pattern in sources for file in folder.glob(pattern)})
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
