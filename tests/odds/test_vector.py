"""Explicit vectors: the same bits as the other kernel on any number of lanes, and the choice of the fastest engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.binding
import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.law.rulebook import rulebook
from baccarat.odds import bulk, engine, kernel, polynomial, vector_kernel, vector_plan
from baccarat.odds.engine import EngineName
from baccarat.odds.groups import Floats, groups_of
from baccarat.odds.joint import OpeningCell, joint_table
from baccarat.play.book import Book, open_book
from baccarat.play.wager import BANKER, PLAYER, TIE

pytestmark = pytest.mark.slow

RULES = rulebook("nj-punto-banco")
THREE = (PLAYER, BANKER, TIE)
FULL = np.array([128] + [32] * 9)


def depleted(shoes: int) -> NDArray[np.float64]:
    """What is left of eight decks at random, from six cards to all: [value, shoe]."""
    chance = np.random.default_rng(11)
    sizes = chance.integers(6, 417, shoes)
    return np.array([chance.multivariate_hypergeometric(FULL, size) for size in sizes], np.float64).T.copy()


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> Iterator[Book]:
    """A book of which nothing is remembered: neither how much was asked of it, nor which engine is the fastest."""
    known = open_book(RULES).__dict__
    for key in [key for key in known if key.startswith("baccarat.odds.engine")]:
        monkeypatch.delitem(known, key)
    yield open_book(RULES)
    for key in [key for key in known if key.startswith("baccarat.odds.engine")]:
        del known[key]


@pytest.mark.parametrize("width", [4, 8])
def test_any_number_of_lanes_gives_the_bits_of_the_other_kernel(width: int) -> None:
    """Also where the last vector is not full, and for one shoe alone."""
    book = open_book(RULES)
    kinds = bulk.bulk_wagers(book, None)
    groups = groups_of(book, kinds)
    for shoes in (1003, 1):
        counts = depleted(shoes)
        expected = kernel.joint_by_finish(book, counts)[:, :shoes]
        assert np.array_equal(vector_kernel.joint_by_finish(book, counts, width=width), expected)
        edges = vector_kernel.edges_by_wager(book, counts, groups, width=width)
        assert edges.tobytes() == kernel.edges_by_wager(book, counts, groups).tobytes()
    assert tuple(map(int, vector_kernel.joint_by_finish(book, counts, width=width)[:, 0])) == joint_table(
        counts[:, 0].astype(int).tolist(), book
    )


@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4", "ma-midi-4-ez", "nj-punto-banco-six-half"])
def test_every_edition_is_counted_alike(name: str) -> None:
    book, counts = open_book(rulebook(name)), depleted(300)
    found = vector_kernel.joint_by_finish(book, counts)
    assert np.array_equal(found, kernel.joint_by_finish(book, counts)[:, :300])
    assert np.array_equal(found.sum(axis=0), np.prod([counts.sum(axis=0) - gone for gone in range(6)], axis=0))


def test_engines_give_the_same_bits_of_few_wagers() -> None:
    """So that the choice between them cannot be seen in an answer."""
    assert polynomial.counts_groups(groups_of(open_book(RULES), THREE))
    shoes = np.concatenate([depleted(500).T, [[7] + [0] * 9]])  # in the last every round is tied
    found = [bulk.edges(RULES, shoes, wagers=THREE, engine=name) for name in ("vector", "numba", "numpy")]
    for kind in THREE:
        assert found[0][kind].tobytes() == found[1][kind].tobytes() == found[2][kind].tobytes()


def test_the_widest_vectors_of_the_machine_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for features, lanes in (({"avx512f": True}, 8), ({"avx512f": False, "avx2": True}, 4), ({"neon": True}, 4)):
        monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda known=features: known)
        assert vector_kernel.lanes.__wrapped__() == lanes


def both_draw(cells: set[tuple[int, int]]) -> list[list[list[OpeningCell]]]:
    """Where both hands draw on these counts, whatever the third cards."""
    return [[[OpeningCell(p, b, 0) for p, b in sorted(cells)]] * 10 for _ in range(10)]


def test_a_tableau_without_thresholds_does_not_fit() -> None:
    assert vector_plan._thresholds(both_draw({(0, 0), (0, 1), (1, 0), (1, 1)})) == (2, [2] * 10)
    for cells in ({(0, 0), (1, 1)}, {(1, 0), (1, 1)}, {(0, 0), (0, 1), (1, 0)}):
        with pytest.raises(vector_plan.Unfit, match="not all those below some count"):
            vector_plan._thresholds(both_draw(cells))


def broken(_book: Book, _counts: Floats) -> Floats:
    raise NotImplementedError("no such lowering\nand more")


@pytest.mark.parametrize(
    ("joint", "why"),
    [
        (broken, "NotImplementedError: no such lowering"),
        (lambda _book, counts: np.zeros((400, counts.shape[1])), "it counts wrongly with this numba"),
    ],
)
def test_a_numba_that_does_not_know_vectors_is_left_alone(
    book: Book, monkeypatch: pytest.MonkeyPatch, joint: Callable[..., Floats], why: str
) -> None:
    monkeypatch.setattr(vector_kernel, "joint_by_finish", joint)
    assert engine.choose(book, None, depleted(3)) == ("numba", why)
    with pytest.raises(ValueError, match=f"the engine vector cannot be used here: {why}; use numba or numpy"):
        bulk.joint(RULES, [FULL], engine="vector")
    assert bulk.joint(RULES, [FULL]).sum() == 416 * 415 * 414 * 413 * 412 * 411


def test_more_than_eight_decks_are_not_for_vectors_nor_for_the_clock(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "MEASURED_FROM", 0)
    monkeypatch.setattr(engine, "fastest_engine", None)
    much = np.repeat([FULL * 2], 300, axis=0)
    with pytest.raises(ValueError, match="the engine vector counts 416 cards, eight decks, at most"):
        bulk.joint(RULES, much, engine="vector")
    assert engine.choose(book, None, much.T.astype(float)) == ("numba", "there are more than eight decks")
    assert bulk.engine_for(RULES, much, wagers=THREE).engine == "numpy"
    assert np.array_equal(bulk.joint(RULES, much[:2]), bulk.joint(RULES, much[:2], engine="numba"))


def test_the_fastest_in_its_best_turn_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is made ready before the clock runs, and one slow turn does not decide."""
    now, turns = [0.0], {"vector": [90, 5, 1, 9, 9, 9], "numba": [0, 2, 2, 2, 2, 2]}
    monkeypatch.setattr("baccarat.odds.engine.time.perf_counter", lambda: now[0])

    def act(name: str) -> Callable[[Floats], Any]:
        def spend(_sample: Floats) -> None:
            now[0] += turns[name].pop(0)

        return spend

    assert engine.fastest_engine({"numba": act("numba"), "vector": act("vector")}, depleted(1)) == "vector"
    assert turns == {"vector": [], "numba": []}


def test_engines_are_measured_once_when_many_shoes_were_asked_for(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MEASURED_FROM", 1_000)
    seen: list[tuple[list[EngineName], int]] = []

    def measured(ways: dict[EngineName, Any], sample: Floats) -> EngineName:
        seen.append((list(ways), sample.shape[1]))
        return "numba"

    monkeypatch.setattr(engine, "fastest_engine", measured)
    shoes = depleted(600).T
    assert bulk.engine_for(RULES, shoes[:1], wagers=THREE) == (
        "numpy", "few shoes were asked for, which need no compiler",
    )  # fmt: skip
    bulk.edges(RULES, shoes)
    assert not seen
    bulk.edges(RULES, shoes)
    bulk.edges(RULES, shoes)
    assert seen == [(["vector", "numba"], engine.SAMPLE)]
    assert bulk.engine_for(RULES, shoes[:1]) == ("numba", "it was the fastest when measured")
    for _ in range(2):
        bulk.edges(RULES, shoes, wagers=THREE)
    assert seen[1:] == [(["vector", "numba", "numpy"], engine.SAMPLE)]
    assert engine.choose(book, None, shoes.T).engine == "vector"  # joint tables are asked for by themselves
