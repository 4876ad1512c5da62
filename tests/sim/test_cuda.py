"""The source for a GPU, compiled for this processor: the same counters as the stream and the kernel."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.law.rulebook import rulebook
from baccarat.sim.cuda import SOURCE, Shape, header, packed, read
from baccarat.sim.plan import COUNTERS, DETAILS, Detail, Plan, make_plan
from baccarat.sim.vector_run import run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no C compiler to check the source with"),
]

SHIM = """
#define __device__ static
#define __forceinline__ inline
#define __global__
#define __shared__ static
#define __launch_bounds__(threads, blocks)
#define __syncthreads()
#define __popc __builtin_popcount
#define atomicAdd(counter, by) (*(counter) += (by))
static const struct { unsigned x; } threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};
"""
"""One thread, alone: what the words for a GPU mean to a C compiler."""


class Compiled:
    """The source compiled for one plan."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        source, library = folder / f"{plan.detail}.c", folder / f"{plan.detail}.so"
        source.write_text(SHIM + header(plan, Shape(copies=1)) + SOURCE.read_text("utf-8"), "utf-8")
        flags = ["-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-variable"]
        flags += ["-Wno-unused-but-set-variable", "-Wno-unused-parameter", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, "-o", str(library), str(source)], check=True)
        self._deal = ctypes.CDLL(str(library)).deal

    def run(self, plan: Plan, seed: int, first: int, shoes: int, rounds: int | None = None) -> NDArray[np.int64]:
        """As `cuda.run`, on this processor."""
        given, found = packed(plan, rounds), np.zeros(COUNTERS[plan.detail], np.uint64)
        numbers = [ctypes.c_uint64(number) for number in (seed, first, first + shoes)]
        self._deal(*numbers, given.ctypes.data_as(ctypes.c_void_p), found.ctypes.data_as(ctypes.c_void_p))
        return read(plan, found)


@pytest.mark.parametrize("detail", DETAILS)
def test_the_source_counts_as_the_kernel_does(detail: Detail, tmp_path: Path) -> None:
    plan = make_plan(rulebook("ma-midi-4"), detail)
    compiled = Compiled(plan, tmp_path)
    for first, shoes, rounds in ((0, 8192, None), (2**40 + 3, 333, None), (1, 1000, 60), (4, 1, 1)):
        assert np.array_equal(compiled.run(plan, 7, first, shoes, rounds), run(plan, 7, first, shoes, rounds))
    forced = msgspec.structs.replace(plan, source=msgspec.structs.replace(plan.source, least=206, most=210))
    assert np.array_equal(compiled.run(forced, 5, 0, 512), run(forced, 5, 0, 512))
    six = make_plan(rulebook("nj-punto-banco", decks=6), detail)
    assert np.array_equal(Compiled(six, tmp_path).run(six, 3, 0, 512), run(six, 3, 0, 512))
