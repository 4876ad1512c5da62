"""The source for a GPU, compiled for this processor: the same counters as the kernel."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.law.rulebook import rulebook
from baccarat.sim import cuda
from baccarat.sim.plan import DETAILS, Detail, NoFastPath, make_plan
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

FLAGS = (
    "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-variable",
    "-Wno-unused-but-set-variable", "-Wno-unused-parameter", "-shared", "-fPIC",
)  # fmt: skip


@pytest.fixture
def launches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Stands for CuPy, with this processor for a GPU; the ranges of shoes that were launched."""
    ranges: list[tuple[int, int]] = []

    def raw_kernel(text: str, name: str) -> Callable[..., None]:
        number = len(list(tmp_path.iterdir()))
        source, library = tmp_path / f"{number}.c", tmp_path / f"{number}.so"
        source.write_text(SHIM + text, "utf-8")
        subprocess.run(["gcc", *FLAGS, "-o", str(library), str(source)], check=True)
        function = getattr(ctypes.CDLL(str(library)), name)

        def launch(_grid: Any, _block: Any, args: tuple[Any, ...]) -> None:
            ranges.append((int(args[1]), int(args[2])))
            arrays: tuple[NDArray[Any], ...] = args[3:]
            numbers = [ctypes.c_uint64(int(number)) for number in args[:3]]
            function(*numbers, *(array.ctypes.data_as(ctypes.c_void_p) for array in arrays))

        return launch

    device = SimpleNamespace(attributes={"MultiProcessorCount": 132})
    cupy = SimpleNamespace(
        RawKernel=raw_kernel, cuda=SimpleNamespace(Device=lambda: device),
        asarray=np.asarray, asnumpy=np.asarray, zeros=np.zeros, uint64=np.uint64,
    )  # fmt: skip
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    cuda._kernel.cache_clear()
    return ranges


@pytest.mark.parametrize("detail", DETAILS)
def test_the_source_counts_as_the_kernel_does(detail: Detail, launches: list[tuple[int, int]]) -> None:
    plan = make_plan(rulebook("ma-midi-4"), detail)
    for first, shoes, rounds in ((0, 8192, None), (2**40 + 3, 333, None), (1, 1000, 60), (4, 1, 1)):
        assert np.array_equal(cuda.run(plan, 7, first, shoes, rounds), run(plan, 7, first, shoes, rounds))
    forced = msgspec.structs.replace(plan, source=msgspec.structs.replace(plan.source, least=206, most=210))
    assert np.array_equal(cuda.run(forced, 5, 0, 512), run(forced, 5, 0, 512))
    six = make_plan(rulebook("nj-punto-banco", decks=6), detail)
    assert np.array_equal(cuda.run(six, 3, 0, 512), run(six, 3, 0, 512))
    assert launches[0] == (0, 8192)


def test_long_ranges_are_launched_in_parts(launches: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "SHOES_A_LAUNCH", 100)
    plan = make_plan(rulebook("ma-midi-4"))
    assert np.array_equal(cuda.run(plan, 7, 5, 250), run(plan, 7, 5, 250))
    assert launches == [(5, 105), (105, 205), (205, 255)]
    assert not cuda.run(plan, 7, 5, 0).any()
    with pytest.raises(NoFastPath, match="the kernels deal 1 to 67"):
        cuda.run(plan, 7, 5, 250, 68)
