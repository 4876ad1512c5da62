"""How functions of the bulk odds are compiled, and kept. This module imports numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function compiled, from the cache where there is a folder to write one, and anew where there is none.

    Joining a product and a sum into one operation is allowed: of whole numbers below 2^53 both are exact.
    """
    return compiled_with(function, fastmath={"contract"})


def compiled_with(function: Function, **more: Any) -> Function:
    """The same, with more options of numba; without any, each operation is rounded by itself."""
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True, **more}
    try:
        return cast(Function, numba.njit(cache=True, **options)(function))
    except RuntimeError:  # no folder can be written: neither NUMBA_CACHE_DIR, nor beside the source, nor at home
        return cast(Function, numba.njit(**options)(function))
