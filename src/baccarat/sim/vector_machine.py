"""Machines: how vectors are laid out here, as an argument of compiled functions, and how functions are compiled.

The layout is an argument so that numba distinguishes what it compiles for different layouts; it includes a digest of
the sources, because numba's cache checks only the file of the function that it compiles, not that of the vectors.

This module imports numba: see `vector`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import llvmlite.binding as llvm
import numba
from numba import types
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from baccarat.odds.compiled import OPTIONS, compile_with, digest
from baccarat.sim.plan import NoFastPath

Function = TypeVar("Function", bound=Callable[..., Any])

LANES = (16, 32, 64)
NATIVE = (0, 16, 32, 64)
SOURCES = ("kernel*.py", "stream.py", "vector*.py")
"""The modules of this folder from which a compiled function may inline something."""
NUMBA_VERSIONS = ((0, 60), (0, 70))
"""The numba versions that this supports: from the first up to, but not including, the second."""


class Machine(NamedTuple):
    """How vectors are laid out."""

    lanes: int
    """Bytes of a vector. The result of a run does not depend on it."""
    native: int
    """Bytes of the widest register for which instructions are named; 0 for portable operations alone."""


@cache
def this_machine() -> Machine:
    """The layout that is fastest here; `NoFastPath` if numba or the processor is not known."""
    version = tuple(map(int, re.findall(r"\d+", numba.__version__)[:2]))
    if not NUMBA_VERSIONS[0] <= version < NUMBA_VERSIONS[1]:
        first, last = (".".join(map(str, bound)) for bound in NUMBA_VERSIONS)
        raise NoFastPath(f"numba {numba.__version__} is not supported; the kernels need {first} to below {last}")
    if sys.byteorder != "little":
        raise NoFastPath("the kernels are written for processors that store the low byte first")
    features = _target_features()
    if "x86" not in llvm.get_process_triple() or not features.get("ssse3"):
        return Machine(lanes=16, native=0)
    if features.get("avx512bw"):
        return Machine(lanes=64, native=64)
    return Machine(lanes=32, native=32) if features.get("avx2") else Machine(lanes=16, native=16)


def _target_features() -> dict[str, bool]:
    """The features of the processor that numba compiles for: this one's, unless numba is configured for another."""
    given = numba.config.CPU_FEATURES  # type: ignore[attr-defined]
    if given is None and numba.config.CPU_NAME is None:  # type: ignore[attr-defined]
        return dict(llvm.get_host_cpu_features())
    return {name[1:]: name.startswith("+") for name in (given or "").split(",") if name}


class MachineType(types.Type):
    """The numba type of one `Machine`; its name has all that compiled code depends on."""

    def __init__(self, lanes: int, native: int, text: str) -> None:
        self.lanes, self.native, self.text = lanes, native, text
        super().__init__(name=f"Machine({lanes}, {native}, {text})")


class OnMachine:
    """A `Machine` to hand to compiled functions."""

    def __init__(self, machine: Machine) -> None:
        assert machine.lanes in LANES, "as many lanes as vectors have"
        assert machine.native in NATIVE, "registers as wide as there are"
        self.machine = machine


@typeof_impl.register(OnMachine)
def _typeof(value: OnMachine, _context: Any) -> MachineType:
    return MachineType(*value.machine, digest(Path(__file__).parent, SOURCES)[:16])


register_model(MachineType)(models.OpaqueModel)


@unbox(MachineType)
def _unbox(_type: Any, _value: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


_NO_COUNTING: dict[str, Any] = {"_nrt": False}
"""Arrays belong to the caller: counting references at every step took a third of the time."""


def compiled(function: Function) -> Function:
    """The function compiled and cached, like those of the odds."""
    return compile_with(function, sources=SOURCES, **_NO_COUNTING)


def inlined(function: Function) -> Function:
    """A function that is inlined into its compiled callers; Python cannot call it."""
    alone: dict[str, Any] = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Function, numba.njit(**alone, **OPTIONS, **_NO_COUNTING)(function))
