"""Speed of the odds of remaining shoes: the bulk paths compared with a plain nested loop, on one core.

Run: make bench, or .venv/bin/python bench/odds.py [SHOES]

Seconds are processor time, so that other load on a shared machine matters less. The ratio is against
a plain numba loop over values, nested six deep, that computes the same in the same run: the counts of Player,
Banker and Tie, or the whole joint table. Compiling is not counted there, but shown below.

If there is a C compiler, the vectors' algorithm written by hand in C (`odds_limit.c`) runs in the same turns on
as many shoes as fit into the cache, and the medians of the ratios are shown.
"""

# ruff: noqa: E402  threads are limited before NumPy is imported

from __future__ import annotations

import os

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.odds import bulk, odds
from baccarat.odds.engine import EngineName, engine_function
from baccarat.odds.groups import Floats, groups_of
from baccarat.odds.joint import banker_draws, joint_table, openings_without_drawn, player_draws
from baccarat.play.book import Book, open_book
from baccarat.play.wager import BANKER, PLAYER, TIE
from odds_limit import limit_of

ENGINES: tuple[EngineName, ...] = ("numpy", "numba", "vector")
TIMES = 15
"""How often each thing is timed; the best counts."""

FULL = np.array([128] + [32] * 9)


@numba.njit()
def plain_loop(  # noqa: PLR0912
    shoes: NDArray[np.int64],
    player_draws: NDArray[np.bool_],
    banker_draws: NDArray[np.bool_],
    place: NDArray[np.int64],
    found: NDArray[np.float64],
) -> None:
    """Every sequence of values, nested six deep, each weighed by the cards left, added at `place[finish]`."""
    for shoe in range(shoes.shape[0]):
        left = shoes[shoe].copy()
        size = left.sum()
        for one in range(10):
            ways1 = float(left[one])
            left[one] -= 1
            for two in range(10):
                ways2 = ways1 * left[two]
                left[two] -= 1
                for three in range(10):
                    ways3 = ways2 * left[three]
                    left[three] -= 1
                    for four in range(10):
                        ways = ways3 * left[four]
                        if ways <= 0:
                            continue
                        left[four] -= 1
                        p, b = (one + two) % 10, (three + four) % 10
                        if player_draws[p, b]:
                            for fifth in range(10):
                                ways5 = ways * left[fifth]
                                final = (p + fifth) % 10
                                if not banker_draws[p, b, fifth]:
                                    found[shoe, place[final * 40 + b * 4 + 2]] += ways5 * (size - 5)
                                    continue
                                left[fifth] -= 1
                                for sixth in range(10):
                                    at = place[final * 40 + (b + sixth) % 10 * 4 + 3]
                                    found[shoe, at] += ways5 * left[sixth]
                                left[fifth] += 1
                        elif banker_draws[p, b, 10]:
                            for fifth in range(10):
                                at = place[p * 40 + (b + fifth) % 10 * 4 + 1]
                                found[shoe, at] += ways * left[fifth] * (size - 5)
                        else:
                            found[shoe, place[p * 40 + b * 4]] += ways * (size - 4) * (size - 5)
                        left[four] += 1
                    left[three] += 1
                left[two] += 1
            left[one] += 1


class Plain:
    """The plain loop, with the tableau of a book."""

    def __init__(self, book: Book) -> None:
        pairs = [[(p, b) for b in COUNTS] for p in COUNTS]
        self.player = np.array([[player_draws(book, p, b) for p, b in row] for row in pairs])
        self.banker = np.array([[[banker_draws(book, p, b, x) for x in range(11)] for p, b in row] for row in pairs])
        self.winner = np.zeros(FINISHES, np.int64)
        for p in COUNTS:
            for b in COUNTS:
                for x, y in ((2, 2), (2, 3), (3, 2), (3, 3)):
                    self.winner[finish_index(p, b, x, y)] = (p < b) + 2 * (p == b)

    def joint(self, shoes: NDArray[np.int64]) -> NDArray[np.float64]:
        """The whole joint table."""
        found = np.zeros((len(shoes), FINISHES))
        plain_loop(shoes, self.player, self.banker, np.arange(FINISHES), found)
        return found

    def winners(self, shoes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Player, Banker and Tie alone."""
        found = np.zeros((len(shoes), 3))
        plain_loop(shoes, self.player, self.banker, self.winner, found)
        return found


def random_shoes(count: int) -> NDArray[np.int64]:
    """What is left of eight decks after none to nearly all cards, at random."""
    chance = np.random.default_rng(4)
    return np.array([chance.multivariate_hypergeometric(FULL, size) for size in chance.integers(16, 417, count)])


class Race(NamedTuple):
    """One way to compute the odds of some shoes, and the way that it is measured against."""

    name: str
    act: Callable[[], object]
    shoes: int
    beside: str


def forget(rules: Rulebook) -> None:
    """Clear the events and gains that are cached for a rulebook."""
    kept = open_book(rules).__dict__
    for key in [key for key in kept if "odds.groups" in key or "odds.polynomial" in key]:
        del kept[key]


def edges_anew(rules: Rulebook, shoes: NDArray[np.int64]) -> object:
    """Edges for which events and gains are computed again."""
    forget(rules)
    return bulk.edges(rules, shoes, engine="numpy")


def count_by_integers(rules: Rulebook) -> tuple[int, ...]:
    """The joint table of a full shoe, with openings that are counted again."""
    openings_without_drawn.cache_clear()
    return joint_table(FULL.tolist(), open_book(rules))


def races(rules: Rulebook, shoes: NDArray[np.int64]) -> list[Race]:
    """All ways, checked against the plain loop on some shoes."""
    plain, some, three = Plain(open_book(rules)), shoes[:200], (PLAYER, BANKER, TIE)
    for engine in ENGINES:
        assert np.array_equal(bulk.joint(rules, some, engine=engine), plain.joint(some))
    table, winners = "joint table: plain nested loop, numba", "Player, Banker, Tie: plain nested loop, numba"
    # both loops visit every sequence; the faster of the two, that of the whole table, is the reference for all
    found = [
        Race(table, lambda: plain.joint(some), len(some), table),
        Race("joint table: exact integers, Python", lambda: count_by_integers(rules), 1, table),
    ]
    for engine in ENGINES:
        found += [
            Race(f"joint table: {engine}", partial(bulk.joint, rules, shoes, engine=engine), len(shoes), table),
            Race(
                f"all wagers on totals: {engine}", partial(bulk.edges, rules, shoes, engine=engine), len(shoes), table
            ),
        ]
    found.append(Race(winners, lambda: plain.winners(some), len(some), table))
    for engine in ENGINES:
        act = partial(bulk.edges, rules, shoes, wagers=three, engine=engine)
        found.append(Race(f"Player, Banker, Tie: {engine}", act, len(shoes), table))
    one, anew = shoes[:1], "edges of one shoe, tables recomputed: numpy"
    found += [
        Race(anew, partial(edges_anew, rules, one), 1, anew),
        Race("edges of one shoe again: numpy", lambda: bulk.edges(rules, one, engine="numpy"), 1, anew),
        Race("edges of one shoe again: vector", lambda: bulk.edges(rules, one, engine="vector"), 1, anew),
    ]
    found.append(Race("every wager, exact fractions, Python", lambda: [each.edge for each in odds(rules)], 1, table))
    return found


IN_CACHE = 288
"""Shoes whose joint tables stay in the cache."""

IN_TURNS = 30


def beside_c(rules: Rulebook, shoes: NDArray[np.int64]) -> None:
    """Print what share of the speed of C each engine has, as the median over turns, with the least and the most."""
    book = open_book(rules)
    limit, counts = limit_of(book), np.ascontiguousarray(shoes[:IN_CACHE].T.astype(np.float64))
    if limit is None:
        print("\nthere is no C compiler to measure the limit with")
        return
    kinds = bulk.bulk_wagers(book, None)
    groups = groups_of(book, kinds)
    engines: tuple[EngineName, ...] = ("vector", "numba")
    print()
    for name, asked, hand_written in (
        ("joint table", None, partial(limit.joint, counts)),
        ("all wagers on totals", kinds, partial(limit.edges, counts, groups)),
    ):
        acts: dict[str, Callable[[], Floats]] = {"C": hand_written}
        acts |= {engine: partial(engine_function(book, asked, engine), counts) for engine in engines}
        for act in acts.values():
            assert np.allclose(act(), hand_written(), rtol=0, atol=1e-14 if asked else 0)
        taken: dict[str, list[float]] = {each: [] for each in acts}
        for turn in range(IN_TURNS):
            for each in [*acts][turn % len(acts) :] + [*acts][: turn % len(acts)]:
                start = time.process_time()
                for _ in range(5):
                    acts[each]()
                taken[each].append(time.process_time() - start)
        for engine in engines:
            ratios = [c / own for c, own in zip(taken["C"], taken[engine], strict=True)]
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
            print(f"{name}: {engine} has {statistics.median(ratios):.2f} of the speed of C ({spread})")


def compile_times(rules: Rulebook) -> None:
    """Print what the first answer of each engine costs, which is compiled once per machine and then cached."""
    engines: tuple[EngineName, ...] = ("vector", "numba")
    for engine in engines:
        start = time.process_time()
        bulk.edges(rules, [FULL], engine=engine)
        print(f"first edges of {engine}: {time.process_time() - start:.2f} s, compiling or loading from the cache")


def main() -> None:
    """Print shoes a second, and the ratio to the plain loop."""
    rules, shoes = rulebook("nj-punto-banco"), random_shoes(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    compile_times(rules)
    field = races(rules, shoes)
    best = {race.name: 0.0 for race in field}
    for _ in range(TIMES):  # in turns, so that other load affects all alike
        for race in field:
            start = time.process_time()
            race.act()
            best[race.name] = max(best[race.name], race.shoes / (time.process_time() - start))
    print(f"{'':<46} {'shoes a second':>16} {'× plain':>9}")
    for race in field:
        print(f"{race.name:<46} {best[race.name]:>16,.0f} {best[race.name] / best[race.beside]:>9,.1f}")
    beside_c(rules, shoes)


if __name__ == "__main__":
    main()
