"""An edge has the same bits whatever engine finds it, whatever else is asked with it, and however much was before."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from math import perm

import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.law.rulebook import rulebook
from baccarat.odds import bulk, engine, vector_kernel
from baccarat.odds.engine import EngineName
from baccarat.odds.gain import unit_gain
from baccarat.odds.groups import groups_of
from baccarat.odds.joint import joint_table
from baccarat.play.book import open_book
from baccarat.play.wager import BANKER
from baccarat.sim.study.counts import linear_count, study_counts

pytestmark = pytest.mark.slow

NAMES = ["ma-midi-1", "ma-midi-4", "ma-midi-4-ez", "nj-punto-banco", "nj-punto-banco-six-half"]
ENGINES: tuple[EngineName, ...] = ("vector", "numba", "numpy")
DECK = np.array([16] + [4] * 9)


def random_shoes(shoes: int, seed: int) -> NDArray[np.int64]:
    """What is left of one to eight decks at random; shoes of any counts, to 416 cards; and some of one value or two."""
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(shoes):
        full = DECK * chance.integers(1, 9)
        found.append(chance.multivariate_hypergeometric(full, chance.integers(6, full.sum() + 1)))
        found.append(chance.multinomial(chance.integers(6, 417), chance.dirichlet([0.3] * 10)))
    lone = np.eye(10, dtype=np.int64) * 416
    return np.concatenate([found, lone, (lone + np.roll(lone, 1, axis=0)) // 2, [DECK * 8]])


@pytest.mark.parametrize("name", NAMES)
def test_every_engine_gives_the_same_bits_for_one_wager_and_for_all(name: str) -> None:
    rules = rulebook(name)
    shoes = random_shoes(300, NAMES.index(name))
    together = bulk.edges(rules, shoes, engine="vector")
    for which in ENGINES:
        backwards = bulk.edges(rules, shoes, wagers=[*together][::-1], engine=which)
        for kind, edge in together.items():
            alone = bulk.edges(rules, shoes, wagers=[kind], engine=which)[kind]
            assert alone.tobytes() == backwards[kind].tobytes() == edge.tobytes()


THREADED = """
import sys
import numpy as np
from baccarat.law.rulebook import rulebook
from baccarat.odds import bulk
shoes = np.frombuffer(sys.stdin.buffer.read(), np.int64).reshape(-1, 10)
edges = bulk.edges(rulebook("ma-midi-4"), shoes, engine="numpy").values()
sys.stdout.buffer.write(np.array([*edges]).tobytes())
"""


def test_the_number_of_threads_changes_no_edge() -> None:
    """The tests have BLAS use one thread; a program uses as many as there are processors."""
    shoes = random_shoes(300, 2)
    done = subprocess.run(
        [sys.executable, "-c", THREADED],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "4"},
        input=shoes.tobytes(),
        capture_output=True,
        check=True,
    )
    here = bulk.edges(rulebook("ma-midi-4"), shoes, engine="numpy").values()
    assert done.stdout == np.array([*here]).tobytes()


@pytest.mark.parametrize("width", [4, 8])
def test_lanes_and_neighbours_do_not_change_an_edge(width: int) -> None:
    book, shoes = open_book(rulebook("ma-midi-4")), random_shoes(20, 9).T.astype(np.float64)
    groups = groups_of(book, bulk.bulk_wagers(book, None))
    expected = bulk.edges(rulebook("ma-midi-4"), shoes.T, engine="numpy").values()
    found = vector_kernel.edges_by_wager(book, shoes, groups, width=width)
    assert found.tobytes() == np.array([*expected]).tobytes()
    one = bulk.edges(rulebook("ma-midi-4"), shoes.T[7:8], engine="numpy").values()
    assert np.array([*one]).tobytes() == found[:, 7:8].tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_digits_make_up_what_the_house_wins_and_none_can_be_rounded(name: str) -> None:
    book = open_book(rulebook(name))
    kinds = bulk.bulk_wagers(book, None)
    groups = groups_of(book, kinds)
    ends = [*groups.bounds.astype(int)]
    finishes = [groups.members[start:end].tolist() for start, end in pairwise(ends)]
    assert sorted(groups.members.tolist()) == [index for index, facts in enumerate(book.facts) if facts is not None]
    assert np.abs(groups.digits).max() <= 7 / 4
    assert 7 * perm(416, 6) < 4 * 2**53
    for wager, kind in enumerate(kinds):
        rows = groups.digits[int(groups.starts[wager]) : int(groups.starts[wager + 1])]
        for group, members in enumerate(finishes):
            won = sum(int(4 * digit) * 8**place for place, digit in enumerate(rows[:, group].tolist()))
            for finish in members:
                verdict = book.verdicts[kind][finish]
                assert verdict is not None
                assert Fraction(won, int(groups.denominators[wager])) == -unit_gain(book, verdict)
    for shoe in random_shoes(3, 6).tolist():
        assert not any(ways % 4 for ways in joint_table(shoe, book))


@pytest.mark.parametrize("name", NAMES)
def test_an_edge_is_the_fraction_to_three_roundings(name: str) -> None:
    """Those of the digits joined, of the denominator and of the quotient; the first is that of as many units as pay."""
    book, shoes = open_book(rulebook(name)), random_shoes(4, 5)
    found = bulk.edges(rulebook(name), shoes, engine="numpy")
    for index, shoe in enumerate(shoes.tolist()):
        table = joint_table(shoe, book)
        for kind, edge in found.items():
            won = [(ways, unit_gain(book, one)) for ways, one in zip(table, book.verdicts[kind], strict=True) if one]
            exact = -sum((ways * gain for ways, gain in won), Fraction(0)) / sum(table)
            assert abs(Fraction(float(edge[index])) - exact) <= abs(exact) * Fraction(3, 2**53)


def test_auto_gives_the_same_bits_before_and_after_it_has_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, shoes = rulebook("ma-midi-4"), random_shoes(300, 3)
    known = open_book(rules).__dict__
    monkeypatch.setattr(engine, "MEASURED_FROM", len(shoes) + 1)
    for kinds in ([BANKER], None):
        answers = set()
        for fastest in ENGINES:
            for key in [key for key in known if key.startswith("baccarat.odds.engine.engine_usage")]:
                monkeypatch.delitem(known, key)
            monkeypatch.setattr(engine, "fastest_engine", lambda _ways, _sample, fastest=fastest: fastest)
            for _ in range(2):
                found = bulk.edges(rules, shoes, wagers=kinds)
                answers.add(np.array([*found.values()]).tobytes())
        assert len(answers) == 1


def test_a_study_of_counts_made_twice_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rulebook("ma-midi-4")
    monkeypatch.setattr(engine, "MEASURED_FROM", 12_000)
    count = linear_count(rules, BANKER)
    assert study_counts(rules, count, seed=1, shoes=100) == study_counts(rules, count, seed=1, shoes=100)
