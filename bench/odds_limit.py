"""The limit of the exact odds: the vectors' algorithm, written by hand in C and compiled for this machine."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baccarat.odds.groups import Floats, Groups
from baccarat.odds.vector_kernel import lanes
from baccarat.odds.vector_plan import make_plan
from baccarat.play.book import Book

SOURCE = Path(__file__).with_name("odds_limit.c")


class Limit:
    """The C functions for a book, on as many lanes as the kernel has."""

    def __init__(self, book: Book, compiler: str) -> None:
        plan = make_plan(book)
        self.plan = plan.numbers
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "limit.so"
            sizes = [f"-DLANES={lanes()}", f"-DPLAYERS={len(plan.players)}"]
            options = ["-O3", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC", *sizes]
            subprocess.run([compiler, *options, "-o", str(library), str(SOURCE)], check=True)
            self.functions = ctypes.CDLL(str(library))

    def joint(self, counts: Floats) -> Floats:
        """[finish, shoe], from [value, shoe]."""
        table = np.zeros((400, counts.shape[1]))
        self.functions.joint(_at(self.plan), _at(counts), _at(table), _number(counts.shape[1]))
        return table

    def edges(self, counts: Floats, groups: Groups) -> Floats:
        """[wager, shoe], from [value, shoe]."""
        found = np.empty((groups.wagers, counts.shape[1]))
        self.functions.edges(
            _at(self.plan), _at(counts), _at(found), _number(counts.shape[1]),
            *map(_at, groups), *map(_number, (groups.wagers, groups.size)),
        )  # fmt: skip
        return found


def limit_of(book: Book) -> Limit | None:
    """The limit, if there is a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    return None if compiler is None else Limit(book, compiler)


def _at(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _number(value: int) -> ctypes.c_uint64:
    return ctypes.c_uint64(value)
