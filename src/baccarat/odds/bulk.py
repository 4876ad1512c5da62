"""The bulk float path: joint tables, exact up to eight decks, and edges of many remaining shoes at once.

Two engines that share no formula. *numpy*: a count is a polynomial, Σ K(m) Π C(c_v, m_v) over the multisets m of
values that a round may take; values 0-4 and 5-9 are multiplied out by themselves, and a matrix product brings the
halves together. *numba*: `baccarat.odds.kernel`, compiled. Tableau and pay tables come from the book alone.

Every count is a sum of whole numbers below 2^53, and so exact, while 416·415·…·411 holds: up to eight decks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from math import factorial, prod
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baccarat.cards import Rank
from baccarat.law.fact import COUNTS, FINISHES, finish_index
from baccarat.law.kept import kept_by
from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import unit_gain
from baccarat.odds.joint import banker_draws, player_draws
from baccarat.odds.shoe import ENOUGH
from baccarat.play.book import NO_CARD, Book, open_book
from baccarat.play.wager import Kind

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Engine = Literal["auto", "numba", "numpy"]

AT_ONCE = 288
"""Shoes worked on together: their tables stay in the processor's cache."""

MOST = 1_000_000
"""More cards of a kind than any shoe holds; far below where a product of six would lose its digits."""

FEW = 3
"""Up to so many events the polynomial is about as fast as the compiled joint table, and needs no compiler."""


def joint(rules: Rulebook, shoes: ArrayLike, *, engine: Engine = "auto") -> Floats:
    """The ordered deals of six cards that end in each finish, [shoe, finish], from [shoe, value or rank]."""
    book = open_book(rules)
    counts = _by_value(book, shoes)
    return _joint_engine(book, engine)(counts).T


def edges(
    rules: Rulebook, shoes: ArrayLike, *, wagers: Iterable[Kind] | None = None, engine: Engine = "auto"
) -> dict[Kind, Floats]:
    """The house edge of each wager from each shoe, as `Price.edge`; without `wagers`, of all that finishes decide.

    Vigorish is the exact percentage, without rounding, and nobody is exempt from it.
    """
    book = open_book(rules)
    counts = _by_value(book, shoes)
    kinds = _kinds(book, wagers)
    work = _edge_engine(book, kinds, engine)
    found = np.empty((len(kinds), counts.shape[1]))
    for part in _parts(counts.shape[1]):
        found[:, part] = -work(counts[:, part])
    return dict(zip(kinds, found, strict=True))


def _deals(counts: Floats) -> Floats:
    """The number of ordered deals of six cards, from [value, shoe]: what the finishes of a shoe sum to."""
    size = counts.sum(axis=0)
    ways: Floats = np.prod([size - gone for gone in range(ENOUGH)], axis=0)
    return ways


def _parts(shoes: int) -> list[slice]:
    return [slice(start, min(start + AT_ONCE, shoes)) for start in range(0, shoes, AT_ONCE)]


def _has_numba() -> bool:
    return find_spec("numba") is not None


def _joint_engine(book: Book, engine: Engine) -> Callable[[Floats], Floats]:
    """The function from [value, shoe] to [finish, shoe] of an engine; numba is imported here and nowhere else."""
    if engine not in ("auto", "numba", "numpy"):
        raise ValueError(f"no engine {engine!r}; there are auto, numba and numpy")
    if engine == "numpy" or (engine == "auto" and not _has_numba()):
        return lambda counts: _polynomial_joint(book, counts)
    if not _has_numba():
        raise ModuleNotFoundError("the engine numba needs numba: install baccarat[sim], or take the engine numpy")
    from baccarat.odds.kernel import joint_by_finish  # noqa: PLC0415  numba takes up to a second to import

    return lambda counts: joint_by_finish(book, counts)[:, : counts.shape[1]]


def _edge_engine(book: Book, kinds: tuple[Kind, ...], engine: Engine) -> Callable[[Floats], Floats]:
    """The function from [value, shoe] to [wager, shoe] of an engine."""
    few = len(_events(book, kinds).weights) <= FEW
    if engine == "numpy" or (engine == "auto" and (few or not _has_numba())):
        return lambda counts: _polynomial_edges(book, kinds, counts)
    by_finish, gains = _joint_engine(book, engine), _gains(book, kinds)
    return lambda counts: gains @ by_finish(counts) / _deals(counts)


# what comes in


def _by_value(book: Book, shoes: ArrayLike) -> Floats:
    """The shoes as [value, shoe]; whatever is no shoe is refused, by the place of its row."""
    given = np.asarray(shoes)
    if given.ndim != 2 or given.shape[1] not in (len(COUNTS), len(Rank)):
        raise ValueError(f"shoes are rows of 10 counts by value or 13 by rank, not an array of shape {given.shape}")
    if given.dtype.kind not in "iuf":
        raise ValueError(f"counts are numbers, not {given.dtype}")
    counts = given.astype(np.float64)
    _refuse(counts, ~(np.isfinite(counts) & (np.floor(counts) == counts)), "a count is a whole number")
    _refuse(counts, counts < 0, "there are no fewer than none")
    _refuse(counts, counts > MOST, f"no shoe holds more than {MOST:,} of a kind")
    for row in np.flatnonzero(counts.sum(axis=1) < ENOUGH)[:1]:
        left = counts[row].sum()
        raise ValueError(f"shoe {row}: {left:g} cards are left; a price needs {ENOUGH}, for a round may take as many")
    if given.shape[1] == len(Rank):
        worth = {card.rank: value for card, value in book.value.items()}
        counts = counts @ np.eye(10)[[worth[rank] for rank in Rank]]
    return np.ascontiguousarray(counts.T)


def _refuse(counts: Floats, bad: NDArray[np.bool_], why: str) -> None:
    for row, column in np.argwhere(bad)[:1]:
        of = f"value {column}" if counts.shape[1] == len(COUNTS) else f"rank {list(Rank)[column].value}"
        raise ValueError(f"shoe {row}: {counts[row, column]:g} cards of {of}; {why}")


def _kinds(book: Book, wagers: Iterable[Kind] | None) -> tuple[Kind, ...]:
    """The wagers asked for, all of which the finish decides."""
    known = [kind for kind in book.verdicts if kind in book.offered]
    asked = tuple(known if wagers is None else dict.fromkeys(wagers))
    for kind in asked:
        if kind not in known:
            raise ValueError(f"{kind.word} is not priced in bulk here; these are: {', '.join(k.word for k in known)}")
    return asked


@kept_by
def _gains(book: Book, kinds: tuple[Kind, ...]) -> Floats:
    """[wager, finish]: what a unit gains; nought where the tableau leads to no such finish."""
    rows = [[float(unit_gain(book, each)) if each else 0.0 for each in book.verdicts[kind]] for kind in kinds]
    return np.array(rows).reshape(len(kinds), FINISHES)


# the polynomial


HALF = 5
"""Values in a half of the shoe: 0 to 4, and 5 to 9."""


def _grow(known: list[list[tuple[int, ...]]]) -> list[list[tuple[int, ...]]]:
    """The multisets of each size, with each number of cards of one value more."""
    return [[(*one, more) for more in range(size + 1) for one in known[size - more]] for size in range(ENOUGH + 1)]


BY_SIZE: list[list[tuple[int, ...]]] = [[(size,)] for size in range(ENOUGH + 1)]
for _ in range(1, HALF):
    BY_SIZE = _grow(BY_SIZE)
HALVES = np.array([one for same in BY_SIZE for one in same])
"""The multisets of up to six cards over five values, small ones first."""


def _halves(counts: Floats) -> list[Floats]:
    """By the number of cards, Π C(c_v, m_v) for the multisets of that size, [multiset, low or high half, shoe]."""
    halves = counts.reshape(2, HALF, -1).swapaxes(0, 1)
    choose = [np.ones_like(halves)]
    for taken in range(ENOUGH):
        choose.append(choose[-1] * np.maximum(halves - taken, 0.0) / (taken + 1))
    products = [each[:1] for each in choose]
    for value in range(1, HALF):
        products = [_with(products[: size + 1], [each[value] for each in choose]) for size in range(ENOUGH + 1)]
    return products


def _with(products: list[Floats], choose: list[Floats]) -> Floats:
    """Products of one size, from those of up to that size with as many cards of one value more as are missing."""
    grown = np.empty((sum(map(len, products)), *choose[0].shape))
    start = 0
    for more, smaller in enumerate(reversed(products)):
        np.multiply(smaller, choose[more], out=grown[start : start + len(smaller)])
        start += len(smaller)
    return grown


ORDERS = np.array([prod(map(factorial, half)) for half in HALVES.tolist()], np.float64)
"""In how many ways the cards of a multiset stand in the places of one deal."""


@lru_cache(maxsize=3)
def _multisets(cards: int) -> tuple[Places, Places]:
    """The two halves of every deal of so many values, by place among the halves, each [first, second, …]."""
    digits = [(ENOUGH + 1) ** value for value in range(HALF)]
    places = np.zeros((ENOUGH + 1) ** HALF, np.intp)
    places[HALVES @ digits] = range(len(HALVES))
    low, high = np.array(digits + [0] * HALF), np.array([0] * HALF + digits)
    deal = np.ogrid[(slice(10),) * cards]
    return places[sum(low[card] for card in deal)], places[sum(high[card] for card in deal)]


_PLACES = np.array(
    [[[[finish_index(p, b, x, y) for y in (2, 3)] for x in (2, 3)] for b in COUNTS] for p in COUNTS], np.intp
)
"""[Player's count, Banker's count, whether the Player drew, whether the Banker did]: the place of the finish."""

CARDS = np.array([4, 5, 5, 6] * 100)
"""The number of cards of each finish."""

assert all(CARDS[_PLACES[..., x, y]].flat[0] == 4 + x + y for x in (0, 1) for y in (0, 1))


@lru_cache(maxsize=4)
def _finishes(book: Book) -> Places:
    """The finish of every deal of six values, in the order Player, Player, Banker, Banker, fifth, sixth."""
    one, two, three, four, fifth, sixth = np.ogrid[(slice(10),) * ENOUGH]
    player, banker = (one + two) % 10, (three + four) % 10
    pairs = [[(p, b) for b in COUNTS] for p in COUNTS]
    drew = np.array([[player_draws(book, p, b) for p, b in row] for row in pairs])[player, banker]
    answers = [[[banker_draws(book, p, b, card) for card in range(11)] for p, b in row] for row in pairs]
    drew_too = np.array(answers)[player, banker, np.where(drew, fifth, NO_CARD)]
    player = (player + fifth * drew) % 10
    banker = (banker + np.where(drew, sixth, fifth) * drew_too) % 10
    finish: Places = _PLACES[player, banker, drew.astype(int), drew_too.astype(int)]
    return finish


class Class(NamedTuple):
    """Finishes with one number of cards and one total of them all, and the multisets that lead there."""

    finishes: Places
    low: Places
    high: Places
    orders: Floats
    """[finish, multiset]: in how many orders the cards of the multiset make the finish."""


@lru_cache(maxsize=4)
def _classes(book: Book) -> tuple[Class, ...]:
    """All finishes by class; no two classes have a multiset in common."""
    found = []
    for cards in range(4, ENOUGH + 1):
        finish = _finishes(book).reshape(10**cards, -1)[:, 0]
        over = CARDS[finish] == cards
        code = np.ravel_multi_index(_multisets(cards), (len(HALVES), len(HALVES))).reshape(-1)[over]
        codes, multiset = np.unique(code, return_inverse=True)
        low, high = np.divmod(codes, len(HALVES))
        size = FINISHES * len(codes)
        orders = np.bincount(finish[over] * len(codes) + multiset, minlength=size).reshape(FINISHES, -1)
        weighed = orders * ORDERS[low] * ORDERS[high]
        totals = (HALVES[low] @ range(HALF) + HALVES[high] @ range(HALF, 2 * HALF)) % 10
        for total in COUNTS:
            here = np.flatnonzero(totals == total)
            finishes = np.flatnonzero(orders[:, here].any(axis=1))
            found.append(Class(finishes, low[here], high[here], weighed[np.ix_(finishes, here)]))
    return tuple(found)


def _polynomial_joint(book: Book, counts: Floats) -> Floats:
    """The joint tables, [finish, shoe], from [value, shoe]: one matrix product for each class."""
    table = np.zeros((FINISHES, counts.shape[1]))
    for part in _parts(counts.shape[1]):
        low, high = np.concatenate(_halves(counts[:, part])).swapaxes(0, 1)
        for each in _classes(book):
            products = low[each.low]
            products *= high[each.high]
            table[each.finishes, part] = each.orders @ products
    size = counts.sum(axis=0)
    table[CARDS < 6] *= size - 5  # any cards follow a round of four or five, so that all are counted over six
    table[CARDS < 5] *= size - 4
    return table


class Events(NamedTuple):
    """Events whose counts give the gains of some wagers: a wager gains `otherwise`, and by each event more."""

    weights: Floats
    """[event, finish]"""
    otherwise: Floats
    """[wager]"""
    more: Floats
    """[wager, event]"""


@kept_by
def _events(book: Book, kinds: tuple[Kind, ...]) -> Events:
    """Finishes that pay alike, all kinds but one; or, where those are more than the wagers, the gains themselves."""
    gains = _gains(book, kinds)
    possible = np.array([facts is not None for facts in book.facts])
    alike, kind_of = np.unique(gains[:, possible], axis=1, return_inverse=True)
    if alike.shape[1] > len(kinds) + 1:
        return Events(gains, np.zeros(len(kinds)), np.eye(len(kinds)))
    weights = np.zeros((alike.shape[1] - 1, FINISHES))
    weights[:, possible] = kind_of.reshape(-1) == np.arange(1, alike.shape[1])[:, None]
    return Events(weights, alike[:, 0], alike[:, 1:] - alike[:, :1])


@lru_cache(maxsize=16)
def _event_blocks(book: Book, kinds: tuple[Kind, ...]) -> tuple[Events, list[Floats]]:
    """The events of some wagers, and their polynomials by the cards of the low half, [event and smaller, larger]."""
    events, square = _events(book, kinds), (len(HALVES), len(HALVES))
    finish = _finishes(book).reshape(-1)
    code = np.ravel_multi_index(_multisets(ENOUGH), square).reshape(-1)
    rows = [np.bincount(code, weights[finish], minlength=square[0] * square[1]) for weights in events.weights]
    whole = np.array(rows).reshape(-1, *square) * (ORDERS[:, None] * ORDERS)
    bounds = np.cumsum([0, *map(len, BY_SIZE)])
    blocks = []
    for cards in range(ENOUGH + 1):
        low, high = (slice(bounds[size], bounds[size + 1]) for size in (cards, ENOUGH - cards))
        block = whole[:, low, high] if cards <= ENOUGH - cards else whole[:, low, high].swapaxes(1, 2)
        blocks.append(np.ascontiguousarray(block).reshape(-1, block.shape[2]))
    return events, blocks


def _polynomial_edges(book: Book, kinds: tuple[Kind, ...], counts: Floats) -> Floats:
    """The edges, [wager, shoe], from [value, shoe], through the polynomials of a few events."""
    events, blocks = _event_blocks(book, kinds)
    halves, shoes = _halves(counts), counts.shape[1]
    found = np.zeros((len(events.weights), shoes))
    for cards, block in enumerate(blocks):
        low, high = halves[cards][:, 0], halves[ENOUGH - cards][:, 1]
        few, many = (low, high) if cards <= ENOUGH - cards else (high, low)
        found += ((block @ many).reshape(-1, len(few), shoes) * few).sum(axis=1)
    return events.otherwise[:, None] + events.more @ found / _deals(counts)
