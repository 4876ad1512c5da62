"""The engines of the bulk odds, and which of them is the fastest here.

*vector*: explicit vectors, compiled by numba. *numba*: loops that its compiler vectorizes; it handles
every tableau, and checks the other. *numpy*: polynomials, without a compiler. *auto*: the fastest, as measured here.

All of them count in whole numbers, which are exact up to eight decks, and round results in the same order
(`baccarat.odds.groups`). So *auto* may go by the clock: whichever it picks, the answer has the same bits. Beyond eight
decks, where counts themselves are rounded, the clock decides nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Literal, NamedTuple, get_args

import numpy as np

from baccarat.law.cached_value import cached_per_argument
from baccarat.odds import polynomial
from baccarat.odds.groups import Floats, groups_of
from baccarat.odds.joint import joint_table
from baccarat.play.book import Book
from baccarat.play.wager import WagerKind

EngineName = Literal["auto", "vector", "numba", "numpy"]
Kinds = tuple[WagerKind, ...] | None
"""The wagers whose edges are wanted; None for joint tables."""

MOST_EXACT_CARDS = 8 * 52
"""The most cards of which all deals of six are fewer than 2^53."""

MEASURED_FROM = 200_000
"""Engines are measured once this many shoes were asked for: preparing two engines takes as long as these do."""

SAMPLE = 256
"""Shoes on which they are measured."""

TURNS = 5

FEW_EVENTS = 3
"""Up to this many events the polynomial is as good as a compiled kernel for a few shoes, and needs no compiler."""


class EngineChoice(NamedTuple):
    """The engine that *auto* takes, and why."""

    engine: EngineName
    why: str


class EngineUsage:
    """How many shoes were asked for so far, and the engine that was then the fastest."""

    def __init__(self) -> None:
        self.shoes = 0
        self.fastest: EngineName | None = None


def run_engine(book: Book, kinds: Kinds, engine: EngineName, counts: Floats) -> Floats:
    """[finish or wager, shoe], from [value, shoe]."""
    if engine not in get_args(EngineName):
        raise ValueError(f"no engine {engine!r}; there are auto, vector, numba and numpy")
    if engine == "auto":
        engine = choose(book, kinds, counts).engine
    elif engine == "vector" and _most_cards(counts) > MOST_EXACT_CARDS:
        most = f"{MOST_EXACT_CARDS} cards, eight decks, at most"
        raise ValueError(f"the engine vector counts {most}; use numba or numpy")
    return engine_function(book, kinds, engine)(counts)


def engine_function(book: Book, kinds: Kinds, engine: EngineName) -> Callable[[Floats], Floats]:
    """The function of one engine; numba is imported here and nowhere else."""
    if engine == "numpy":
        if kinds is None:
            return lambda counts: polynomial.joint_by_finish(book, counts)
        return lambda counts: polynomial.edges_by_wager(book, kinds, counts)
    if not has_numba():
        say = f"the engine {engine} needs numba: install baccarat[sim], or use the engine numpy"
        raise ModuleNotFoundError(say, name="numba")
    fault = vector_fault(book) if engine == "vector" else None
    if fault is not None:
        raise ValueError(f"the engine vector cannot be used here: {fault}; use numba or numpy")
    name = "baccarat.odds.vector_kernel" if engine == "vector" else "baccarat.odds.kernel"
    module = import_module(name)  # only now: numba takes up to a second to import
    if kinds is None:
        return lambda counts: module.joint_by_finish(book, counts)[:, : counts.shape[1]]
    return lambda counts: module.edges_by_wager(book, counts, groups_of(book, kinds))


def _most_cards(counts: Floats) -> float:
    return float(counts.sum(axis=0).max(initial=0.0))


def has_numba() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


@cached_per_argument
def vector_fault(book: Book) -> str | None:
    """Why the vectors' kernel cannot be used for a book; None if it can.

    It depends on how numba lowers values, which may change: if a version of numba does not compile it, or counts
    differently from Python's integers, the kernel is not used.
    """
    try:
        from baccarat.odds import vector_kernel  # noqa: PLC0415

        shoe = [17, 3, 0, 5, 1, 2, 4, 6, 2, 3]
        found = vector_kernel.joint_by_finish(book, np.array([shoe], np.float64).T)[:, 0]
    except Exception as error:  # noqa: BLE001  another numba may fail in any way
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else 'no reason'}"
    return None if found.tolist() == list(joint_table(shoe, book)) else "it counts wrongly with this numba"


# ----------------------------------------------------------------------------------------------------- auto


@cached_per_argument
def engine_usage(book: Book, kinds: Kinds) -> EngineUsage:
    """What was asked of a book so far."""
    del book, kinds
    return EngineUsage()


def choose(book: Book, kinds: Kinds, counts: Floats) -> EngineChoice:
    """The engine for these shoes."""
    few = kinds is not None and polynomial.events(groups_of(book, kinds)) <= FEW_EVENTS
    if not has_numba():
        return EngineChoice("numpy", "numba is not installed")
    if _most_cards(counts) > MOST_EXACT_CARDS:
        return EngineChoice("numpy" if few else "numba", "there are more than eight decks")
    asked = engine_usage(book, kinds)
    asked.shoes += counts.shape[1]
    if asked.fastest is None and asked.shoes >= MEASURED_FROM and counts.shape[1] >= SAMPLE:
        sample = np.ascontiguousarray(counts[:, :SAMPLE])
        asked.fastest = fastest_engine(_engine_functions(book, kinds, few=few), sample)
    if asked.fastest is not None:
        return EngineChoice(asked.fastest, "it was the fastest when measured")
    if few:
        return EngineChoice("numpy", "few shoes were asked for, which need no compiler")
    fault = vector_fault(book)
    return EngineChoice("vector", "it is usually the fastest") if fault is None else EngineChoice("numba", fault)


def _engine_functions(book: Book, kinds: Kinds, *, few: bool) -> dict[EngineName, Callable[[Floats], Floats]]:
    """The engines that may be the fastest, and give the same bits."""
    names: list[EngineName] = ["vector"] if vector_fault(book) is None else []
    names.append("numba")
    if few:
        names.append("numpy")
    return {name: engine_function(book, kinds, name) for name in names}


def fastest_engine(ways: Mapping[EngineName, Callable[[Floats], Floats]], sample: Floats) -> EngineName:
    """The one with the least time in its best turn; each is warmed up first, and they take turns."""
    least = dict.fromkeys(ways, float("inf"))
    for act in ways.values():
        act(sample)
    for _ in range(TURNS):
        for name, act in ways.items():
            start = time.perf_counter()
            act(sample)
            least[name] = min(least[name], time.perf_counter() - start)
    return min(least, key=least.__getitem__)
