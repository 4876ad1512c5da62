"""A patron's own function: compiled with checks, and refused where it writes what its arrays cannot hold.

numba silently truncates a fraction that is written into an array of integers. So the types that it inferred are
checked, for the function and for every compiled function that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from baccarat.sim.study.strategy import BadStrategy, Strategy

FAILED = "Failed in nopython mode"
"""How numba's messages begin; the next lines say what is wrong."""
FILL = ("fill", "array.fill")
"""The one array method that writes arbitrary numbers, as versions of numba name it."""


def compiled_function(strategy: Strategy) -> Any:
    """The function of a strategy, compiled; one that numba cannot compile is refused with numba's message."""
    import numba  # noqa: PLC0415

    from baccarat.sim.study.seat_kernel import SIGNATURE  # noqa: PLC0415

    function: Any = getattr(strategy.function, "py_func", strategy.function)  # perhaps already compiled, without checks
    try:
        made = numba.njit(SIGNATURE, boundscheck=True)(function)
    except Exception as error:  # noqa: BLE001  numba raises many kinds for a function that it cannot compile
        raise BadStrategy(
            f"{strategy.name}: numba cannot compile the function as function(table, own, stakes), which writes into "
            f"stakes and returns nothing: {_numba_message(error)}"
        ) from None
    where = _writes_fractions(made)
    if where is not None:
        raise BadStrategy(
            f"{strategy.name}: the function writes a number with a fraction{where}, and its arrays hold whole numbers, "
            "stakes whole cents: write int(…), or divide with //"
        )
    return made


def _numba_message(error: Exception) -> str:
    """What numba says about a function: what is wrong, and in which line."""
    from numba.core.errors import NumbaError  # noqa: PLC0415

    lines = [line.strip() for line in str(error).splitlines()]
    said = [line for line in lines if line and not line.startswith(FAILED)]
    if isinstance(error, TypeError) and not isinstance(error, NumbaError):  # about the function's arguments
        return said[0] if said else "TypeError"
    if not isinstance(error, NumbaError):
        return (
            f"numba fails with {type(error).__name__}: {error}; it does so where an array of whole numbers is changed "
            "in place by a number with a fraction, such as stakes += 0.5"
        )
    what = said[0] if said else type(error).__name__
    if what.endswith(":"):  # the next line has what was tried
        what = f"{what} {next((line.removeprefix('>>> ') for line in said[1:]), '')}".rstrip()
    found = re.search(r'^File "(?P<file>.*)", line (?P<line>\d+):$', "\n".join(lines), re.MULTILINE)
    if found is None:
        return what
    source = lines[: lines.index("^")][-1] if "^" in lines else ""
    return f"{what}; line {found['line']} of {found['file']}" + (f": {source}" if source else "")


def _writes_fractions(made: Any) -> str | None:
    """Where a compiled function puts a float into an array of integers: empty for itself, or the function that it
    calls; None if nowhere."""
    (result,) = made.overloads.values()
    known: set[tuple[int, Any]] = set()
    waiting = [(result.type_annotation, "")]
    while waiting:
        notes, where = waiting.pop()
        if any(_is_cut(target, value) for target, value in _written_types(notes)):
            return where
        for called, arguments in _called_functions(notes):
            if (id(called), arguments) not in known:
                known.add((id(called), arguments))
                name = getattr(called.py_func, "__name__", "another")
                waiting += [(each, f", in {name}, which it calls") for each in _notes(called, arguments)]
    return None


def _is_cut(target: Any, value: Any) -> bool:
    """Whether numba truncates what is written, given the types of the array and of the value."""
    from numba import types  # noqa: PLC0415

    kept, given = getattr(target, "dtype", None), getattr(value, "dtype", value)
    return isinstance(kept, types.Integer) and isinstance(given, types.Float)


def _calls(notes: Any) -> Iterator[tuple[Any, Any]]:
    """For each call in a function: the type of what is called, and the argument types."""
    from numba.core import ir  # noqa: PLC0415

    for block in notes.blocks.values():
        for each in block.body:
            if isinstance(each, ir.Assign) and isinstance(each.value, ir.Expr) and each.value.op == "call":
                yield notes.typemap[each.value.func.name], notes.calltypes[each.value]


def _written_types(notes: Any) -> Iterator[tuple[Any, Any]]:
    """What a function writes, by numba's type annotations: the types of each array and of each value put into it."""
    from numba.core import ir  # noqa: PLC0415

    for block in notes.blocks.values():
        for each in block.body:
            if isinstance(each, ir.SetItem | ir.StaticSetItem):
                yield notes.typemap[each.target.name], notes.typemap[each.value.name]
    for called, call in _calls(notes):
        key = getattr(called, "typing_key", None)
        if call.recvr is not None and (key[-1] if isinstance(key, tuple) else key) in FILL:
            yield from ((call.recvr, given) for given in call.args)
        elif key is np.fill_diagonal:
            yield call.args[0], call.args[1]


def _called_functions(notes: Any) -> Iterator[tuple[Any, Any]]:
    """The compiled functions that a function calls, and the argument types."""
    from numba import types  # noqa: PLC0415

    for called, call in _calls(notes):
        if isinstance(called, types.Dispatcher):
            yield called.dispatcher, call.args


def _notes(called: Any, arguments: Any) -> list[Any]:
    """numba's type annotations of a function as it is called; one from the cache has none, and is compiled again."""
    import numba  # noqa: PLC0415

    result = called.overloads.get(arguments)
    if result is not None and hasattr(result.type_annotation, "typemap"):
        return [result.type_annotation]
    made = numba.njit(arguments)(called.py_func)
    return [each.type_annotation for each in made.overloads.values()]
