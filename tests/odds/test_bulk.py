"""The bulk float path, against an enumeration of every deal written here, in whole numbers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import Any

import msgspec
import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from baccarat.law.rulebook import rulebook
from baccarat.odds import bulk, groups
from baccarat.odds import engine as engines
from baccarat.odds.compiled import cached_jit
from baccarat.odds.engine import EngineName, engine_function
from baccarat.odds.joint import joint_table
from baccarat.play.book import Book, open_book
from baccarat.play.wager import BANKER, PLAYER, TIE, WagerKind
from baccarat.sim import vector_machine

pytestmark = pytest.mark.slow

Counts = NDArray[np.int64]

ENGINES: tuple[EngineName, ...] = ("numpy", "numba", "vector")
DECK = np.array([16, 4, 4, 4, 4, 4, 4, 4, 4, 4])
RULES = rulebook("nj-punto-banco")
BANKER_DRAWS_ON = {
    0: range(10), 1: range(10), 2: range(10), 3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: range(2, 8), 5: range(4, 8), 6: (6, 7),
}  # fmt: skip
"""By the Banker's count, the third cards of the Player on which it draws."""


def finish_of(player: int, banker: int, fifth: int, sixth: int) -> int:
    """The finish of two opening counts and the cards that would be dealt next."""
    more, drew, drew_too = [fifth, sixth], False, False
    if player < 8 and banker < 8:
        third = more.pop(0) if player < 6 else None
        drew_too = banker < 6 if third is None else third in BANKER_DRAWS_ON.get(banker, ())
        drew = third is not None
        player = (player + (third or 0)) % 10
        banker = (banker + (more.pop(0) if drew_too else 0)) % 10
    return player * 40 + banker * 4 + drew * 2 + drew_too


@cache
def every_deal() -> tuple[list[NDArray[np.int8]], NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """For each next card, how often its value has been dealt before; the deals in order of finish, and the bounds."""
    dealt = np.zeros((1, 10), np.int8)
    before = []
    for _ in range(6):
        before.append(dealt)
        dealt = (dealt[:, None, :] + np.eye(10, dtype=np.int8)).reshape(-1, 10)
    table = np.array([finish_of(*counts) for counts in product(range(10), repeat=4)]).reshape((10,) * 4)
    one, two, three, four, fifth, sixth = np.indices((10,) * 6).reshape(6, -1)
    finishes = table[(one + two) % 10, (three + four) % 10, fifth, sixth]
    order = np.argsort(finishes, kind="stable")
    present, starts = np.unique(finishes[order], return_index=True)
    return before, order, present, starts


def enumerated(shoe: Counts) -> Counts:
    """The joint table by dealing every sequence of six values, each card out of what is left, in 64-bit integers."""
    before, order, present, starts = every_deal()
    ways = np.ones(1, np.int64)
    for dealt in before:
        ways = (ways[:, None] * np.maximum(shoe - dealt, 0)).reshape(-1)
    table = np.zeros(400, np.int64)
    table[present] = np.add.reduceat(ways[order], starts)
    return table


def depleted(decks: int, sizes: list[int], seed: int) -> Counts:
    """What is left of full shoes at random."""
    chance = np.random.default_rng(seed)
    return np.array([chance.multivariate_hypergeometric(DECK * decks, size) for size in sizes])


def shoes_to_eight_decks() -> Counts:
    """Full shoes, and depleted ones: six cards, exhausted values, one value only, any size."""
    lone = [np.eye(10, dtype=np.int64)[value] * count for value in range(10) for count in (6, 32)]
    special = [DECK * 8, DECK * 6, np.array([6] + [0] * 9), np.array([128] + [0] * 9), np.array([416] + [0] * 9), *lone]
    without = depleted(8, [300] * 60, 1)
    without[np.arange(60), np.arange(60) % 10] = 0
    without[np.arange(20, 60), (np.arange(40) * 3 + 1) % 10] = 0
    sizes = [6] * 20 + [7, 8, 9, 10] * 5 + np.random.default_rng(2).integers(11, 417, 160).tolist()
    return np.concatenate([special, without, depleted(8, sizes, 3)])


@cache
def exact_tables() -> tuple[Counts, Counts]:
    """Those shoes and their enumerated tables."""
    shoes = shoes_to_eight_decks()
    return shoes, np.array([enumerated(shoe) for shoe in shoes])


def test_enumeration_agrees_with_exact_integers() -> None:
    book = open_book(RULES)
    for shoe in (DECK * 8, DECK * 6, DECK * 20, *depleted(8, [6, 20, 100], 5)):
        assert tuple(enumerated(shoe).tolist()) == joint_table(shoe.tolist(), book)


@pytest.mark.parametrize("engine", ENGINES)
def test_joint_is_exact_to_eight_decks(engine: EngineName) -> None:
    shoes, expected = exact_tables()
    found = bulk.joint(RULES, shoes, engine=engine)
    assert found.shape == (len(shoes), 400)
    assert [[int(each) for each in row] for row in found] == expected.tolist()
    assert np.array_equal(found, expected)
    assert found.sum(axis=1).tolist() == [perm(size, 6) for size in shoes.sum(axis=1).tolist()]


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_joint_agrees_beyond_eight_decks(engine: EngineName) -> None:
    sizes = [6, 60, *range(420, 1040, 62)]
    shoes = np.concatenate([DECK * np.arange(9, 21)[:, None], depleted(20, sizes, 6)])
    found = bulk.joint(RULES, shoes, engine=engine)
    assert (found >= 0).all()
    for shoe, row in zip(shoes, found, strict=True):
        expected = enumerated(shoe)
        assert np.abs(row - expected).max() <= 1e-12 * expected.sum()


def test_ranks_and_values_agree() -> None:
    by_rank = np.random.default_rng(7).integers(0, 33, (50, 13))
    by_value = np.column_stack([by_rank[:, 9:].sum(axis=1), by_rank[:, :9]])
    assert np.array_equal(bulk.joint(RULES, by_rank), bulk.joint(RULES, by_value))
    assert np.array_equal(bulk.joint(RULES, by_rank.astype(float)), bulk.joint(RULES, by_rank))


KNOWN = {
    "nj-punto-banco": {
        "player": 1.23508, "banker": 1.05791, "tie": 14.35963, "total4": 5.28288, "total5": 8.96675,
        "total6": 4.69380,
    },
    "nj-punto-banco-six-half": {"player": 1.23508, "banker": 1.45810},
    "ma-midi-4": {"banker": 1.05791, "dragon_player": 2.65167, "dragon_banker": 9.37307},
    "ma-midi-4-ez": {"banker": 1.01830, "dragon7": 7.61133, "panda8": 10.18763},
}  # fmt: skip
"""Percentages off the top of eight decks."""


@pytest.mark.parametrize("engine", ["auto", *ENGINES])
@pytest.mark.parametrize("name", KNOWN)
def test_known_edges(name: str, engine: EngineName) -> None:
    found = bulk.edges(rulebook(name), [DECK * 8], engine=engine)
    for wager, percent in KNOWN[name].items():
        assert round(float(found[WagerKind(wager)][0]) * 100, 5) == percent


@pytest.mark.parametrize("engine", ENGINES)
def test_edges_asked_for_again_make_no_table_again(engine: EngineName, monkeypatch: pytest.MonkeyPatch) -> None:
    first = bulk.edges(RULES, [DECK * 8], engine=engine)

    def made_again(*_arguments: Any, **_more: Any) -> Any:
        raise AssertionError("this was made for the first shoe")

    monkeypatch.setattr(groups, "unit_gain", made_again)
    monkeypatch.setattr(np, "unique", made_again)
    monkeypatch.setattr(np, "bincount", made_again)
    again = bulk.edges(rulebook("nj-punto-banco"), [DECK * 8], engine=engine)
    assert {kind: edge.tolist() for kind, edge in again.items()} == {
        kind: edge.tolist() for kind, edge in first.items()
    }


@pytest.mark.parametrize("wagers", [(PLAYER, BANKER, TIE), None])
@pytest.mark.parametrize("engine", ENGINES)
def test_edges_agree_with_fractions(engine: EngineName, wagers: tuple[WagerKind, ...] | None) -> None:
    shoes, tables = exact_tables()
    found = bulk.edges(RULES, shoes, wagers=wagers, engine=engine)
    for place, table in enumerate(tables.tolist()):
        cells = [(index // 40, index // 4 % 10, ways) for index, ways in enumerate(table)]
        player = sum(ways for p, b, ways in cells if p > b)
        banker = sum(ways for p, b, ways in cells if p < b)
        total = sum(table)
        tie = total - player - banker
        expected = {
            PLAYER: Fraction(banker - player, total),
            BANKER: Fraction(100 * player - 95 * banker, 100 * total),
            TIE: Fraction(total - 9 * tie, total),
        }
        for kind, edge in expected.items():
            assert abs(float(found[kind][place] - edge)) < 4e-15


@pytest.mark.parametrize("name", KNOWN)
def test_engines_agree_on_every_wager(name: str) -> None:
    rules = rulebook(name)
    shoes, _ = exact_tables()
    plain, compiled, vector = (bulk.edges(rules, shoes, engine=engine) for engine in ENGINES)
    assert compiled.keys() == plain.keys() == vector.keys()
    for kind, edge in compiled.items():
        assert edge.tobytes() == vector[kind].tobytes() == plain[kind].tobytes()  # to the last bit


def with_tableau(draws: Callable[[str, int, int], bool]) -> Book:
    """A book with another tableau: by the hand, its count and the Player's third card."""
    book = open_book(RULES)
    act = {True: "draw", False: "stay"}
    player = tuple(
        tuple(msgspec.structs.replace(row, act=act[draws("player", count, 0)]) for row in rows)
        for count, rows in enumerate(book.player_row)
    )
    banker = tuple(
        tuple(
            tuple(
                row and msgspec.structs.replace(row, act=act[draws("banker", count, third)])
                for third, row in enumerate(rows)
            )
            for count, rows in enumerate(table)
        )
        for table in book.banker_row
    )
    return msgspec.structs.replace(book, player_row=player, banker_row=banker)


Drawing = Callable[[str, int, int], bool]
TABLEAUX: dict[str, Drawing] = {
    "all draw": lambda _hand, _count, _third: True,
    "all stay": lambda _hand, _count, _third: False,
    "the Player alone": lambda hand, count, _third: hand == "player" and count % 3 == 0,
    "a mixture": lambda _hand, count, third: (count * 7 + third * 3) % 5 < 2,
}


@pytest.mark.parametrize("name", TABLEAUX)
def test_any_tableau_is_taken_from_the_book(name: str) -> None:
    book = with_tableau(TABLEAUX[name])
    shoes = np.concatenate([[DECK * 8], depleted(8, [6, 9, 40, 200], 8)])
    expected = np.array([joint_table(shoe, book) for shoe in shoes.tolist()])
    fits = name in ("all stay", "the Player alone")  # or is compiled anew, for as many counts as the Player draws on
    for engine in ENGINES if fits else ENGINES[:2]:
        assert np.array_equal(engine_function(book, None, engine)(shoes.T.astype(float)).T, expected)


def test_nothing_asked_is_nothing_answered() -> None:
    assert bulk.joint(RULES, np.zeros((0, 10))).shape == (0, 400)
    assert bulk.edges(RULES, GOOD, wagers=()) == {}
    assert all(edge.shape == (0,) for edge in bulk.edges(RULES, np.zeros((0, 13))).values())


GOOD = [[16.0] + [4.0] * 9] * 3


def spoilt(value: float) -> list[list[float]]:
    """Good shoes but for one count of the last."""
    return [*GOOD[:2], [*GOOD[2][:4], value, *GOOD[2][5:]]]


@pytest.mark.parametrize(
    ("shoes", "say"),
    [
        ([1, 2, 3], r"10 counts by value or 13 by rank, not an array of shape \(3,\)"),
        (np.zeros((2, 52)), r"shape \(2, 52\)"),
        (np.zeros((1, 2, 10)), r"shape \(1, 2, 10\)"),
        ([["4"] * 10], "counts are numbers, not <U1"),
        ([[True] * 10], "counts are numbers, not bool"),
        (spoilt(-1), "shoe 2: -1 cards of value 4; a count is not negative"),
        (spoilt(2.5), "shoe 2: 2.5 cards of value 4; a count is a whole number"),
        (spoilt(float("nan")), "shoe 2: nan cards of value 4"),
        (spoilt(float("inf")), "shoe 2: inf cards of value 4"),
        ([[4] * 13, [4] * 11 + [-4, 4]], "shoe 1: -4 cards of rank Q"),
        ([GOOD[0], [5] + [0] * 9], "shoe 1: 5 cards are left; a price needs 6"),
    ],
)
def test_bad_shoes_are_refused(shoes: Any, say: str) -> None:
    for ask in (bulk.joint, bulk.edges):
        with pytest.raises(ValueError, match=say):
            ask(RULES, shoes)


def test_wagers_that_no_finish_decides_are_refused() -> None:
    for kind in (WagerKind.HOUSE_MONEY, WagerKind.ROYAL9, WagerKind.DRAGON7):
        with pytest.raises(ValueError, match=f"{kind.word} is not priced in bulk here; these are: banker, player"):
            bulk.edges(RULES, GOOD, wagers=[kind])
    with pytest.raises(TypeError, match="expected a wager, such as BANKER, not 'player'"):
        bulk.edges(RULES, GOOD, wagers=["player"])  # type: ignore[list-item]


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="no engine 'abacus'; there are auto, vector, numba and numpy"):
        bulk.joint(RULES, GOOD, engine="abacus")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no engine 'abacus'"):
        bulk.edges(RULES, GOOD, engine="abacus")  # type: ignore[arg-type]


def test_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda _name: None)
    assert np.array_equal(bulk.joint(RULES, GOOD), bulk.joint(RULES, GOOD, engine="numpy"))
    assert bulk.edges(RULES, GOOD).keys() == bulk.edges(RULES, GOOD, engine="numpy").keys()
    for ask in (bulk.joint, bulk.edges):
        with pytest.raises(ModuleNotFoundError, match=r"install baccarat\[sim\]"):
            ask(RULES, GOOD, engine="numba")


def test_numba_is_imported_only_when_asked() -> None:
    code = (
        "import sys; from baccarat import rulebook; from baccarat.odds import bulk;"
        "bulk.edges(rulebook('ma-midi-4'), [[16] + [4] * 9], engine='numpy'); print('numba' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout == "False\n"


def test_no_folder_for_the_cache_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**options: Any) -> Callable[[Any], Any]:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", refuse)
    assert cached_jit(finish_of) is finish_of
    assert vector_machine.compiled(finish_of) is finish_of
