"""Rounds on record: every round of many shoes with its cards, in columns; and the same as a Parquet file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from baccarat.law.rulebook import Rulebook
from baccarat.play.book import Book, open_book
from baccarat.play.shoe import shows_burned
from baccarat.record.durable import written_whole
from baccarat.sim.job import book_of, rounds_within, seed_within
from baccarat.sim.manifest import PROGRAM, rules_data
from baccarat.sim.plan import IN_TURN, KernelPlan, NoFastPath, plan_for_book
from baccarat.sim.stream import SHOES, source_of
from baccarat.sim.study.book_arrays import RANKS, Integers, table_of
from baccarat.sim.threads import in_order, processors
from baccarat.values import whole_within

if TYPE_CHECKING:
    from baccarat.sim.study.round_kernel import Suits

Answer = TypeVar("Answer")

MOST_CARDS = 32_767
"""Running sums of 16 bits count fewer cards than this."""
AT_ONCE = 2048
"""Shoes of a block: their columns stay in a core's cache."""
FAST = {"compression": "none", "use_dictionary": False, "write_statistics": False}
"""How Parquet is written: ranks hardly compress, and a dictionary costs more time than dealing does."""


class DealtCounter:
    """How many shoes the studies of this process have dealt so far, for progress displays."""

    def __init__(self) -> None:
        self.shoes = 0
        self._lock = Lock()

    def add(self, shoes: int) -> None:
        """Count more shoes as dealt, from any thread."""
        with self._lock:
            self.shoes += shoes


DEALT = DealtCounter()


class RoundColumns(NamedTuple):
    """The rounds of some shoes, one per row, in the order in which they were dealt."""

    first: int
    """The number of the first shoe."""
    starts: Integers
    """The row at which each shoe begins; finally, the number of rows."""
    burned: NDArray[np.uint8]
    """By shoe, the rank burned first."""
    shown: NDArray[np.uint8]
    """[shoe, rank]: how many of the burned cards were shown: the first, or all if the rulebook says so."""
    hidden: NDArray[np.uint8]
    """By shoe, how many were burned face down: nobody has seen them."""
    cards: NDArray[np.uint8]
    """[card, row]: ranks by number, in the order in which they were dealt; 255 where there is none."""
    case: NDArray[np.uint16]
    """By row: the finish times four, plus two for a pair of the Player's and one for one of the Banker's."""
    cards_dealt: NDArray[np.uint8]
    """By row: the number of cards."""

    @property
    def rows(self) -> int:
        """How many rounds there are."""
        return int(self.starts[-1])


def records(
    rules: Rulebook, *, seed: int, shoes: int, first: int = 0, rounds: int | None = None
) -> Iterator[RoundColumns]:  # fmt: skip
    """The rounds of shoes `first` to `first + shoes - 1` of a seed, block by block, as every engine deals them.

    To the cover card and the hand after it, or `rounds` rounds of each shoe.
    """
    book = book_of(rules)
    asked = admit(book, seed, first, shoes, rounds)
    for start in range(asked.first, asked.end, AT_ONCE):
        yield block_of(book, asked.seed, start, min(AT_ONCE, asked.end - start), asked.rounds or 0)


class RoundRange(NamedTuple):
    """What is to be dealt, as Python integers."""

    seed: int
    first: int
    shoes: int
    rounds: int | None

    @property
    def end(self) -> int:
        """The number of the first shoe that is not dealt."""
        return self.first + self.shoes


def admit(book: Book, seed: Any, first: Any, shoes: Any, rounds: Any) -> RoundRange:
    """What can be dealt on record; anything else is refused."""
    if book.hands != IN_TURN:
        raise ValueError("rounds are recorded only if the first four cards alternate, the Player's first")
    if source_of(book).size >= MOST_CARDS:
        raise ValueError(f"shoes of fewer than {MOST_CARDS:,} cards are recorded")
    start = whole_within("first", first, least=0, most=SHOES - 1)
    key, number = seed_within(seed), whole_within("shoes", shoes, least=1, most=SHOES - start)
    return RoundRange(key, start, number, None if rounds is None else rounds_within(rounds))


def by_days(function: Callable[[range], Answer], *, days: int, shoes: int) -> list[Answer]:
    """What a function returns for all days of tables, each of several shoes, in blocks of whole days.

    Several blocks at a time, in threads; the results in their order.
    """
    at_once = max(1, AT_ONCE // shoes)
    blocks = (range(start, min(start + at_once, days)) for start in range(0, days, at_once))
    return [answer for _, answer in in_order(function, blocks, threads=processors())]


def block_of(book: Book, seed: int, first: int, shoes: int, rounds: int) -> RoundColumns:
    """The rounds of some shoes; 0 rounds means to the cover card."""
    found = _deal_columns(book, seed, first, shoes, rounds, None)
    DEALT.add(shoes)
    return found


def with_suits(book: Book, seed: int, first: int, shoes: int) -> tuple[RoundColumns, Suits]:
    """The rounds of some shoes to the cover card, every card with its suit.

    For callers that have dealt these shoes before: they are not counted again among those dealt.
    """
    from baccarat.sim.study.round_kernel import COLOURS, Suits  # noqa: PLC0415  numba takes up to a second to import

    cards = COLOURS * len(RANKS)
    suits = Suits(
        piles=np.empty((2, len(RANKS), COLOURS), np.int64), taken=np.empty(6, np.int64),
        cards=np.empty((shoes * (source_of(book).size // 4), 6), np.uint8), shown=np.empty((shoes, cards), np.uint8),
    )  # fmt: skip
    found = _deal_columns(book, seed, first, shoes, 0, suits)
    return found, suits._replace(cards=suits.cards[: found.rows])


def _deal_columns(book: Book, seed: int, first: int, shoes: int, rounds: int, suits: Suits | None) -> RoundColumns:
    from baccarat.sim.study.round_kernel import deal  # noqa: PLC0415

    table, source = table_of(book), source_of(book)
    numbers = np.array(
        [source.decks, source.depth, source.is_parted, source.least, source.most, shows_burned(book.rules)]
    )
    ranks = np.array([RANKS.index(rank) for rank in source.ranks])
    most = source.size // 4
    rows = shoes * (min(rounds, most) or most)
    starts, shown = np.empty(shoes + 1, np.int64), np.empty((shoes, len(RANKS)), np.uint8)
    burned, hidden = np.empty(shoes, np.uint8), np.empty(shoes, np.uint8)
    cards, case, count = np.empty((6, rows), np.uint8), np.empty(rows, np.uint16), np.empty(rows, np.uint8)
    done = deal(
        np.uint64(seed), np.uint64(first), shoes, rounds, numbers, ranks,
        (table.worth, table.player, table.banker), table.burn, starts, burned, shown, hidden, cards, case, count, suits,
    )  # fmt: skip
    return RoundColumns(first, starts, burned, shown, hidden, cards[:, :done], case[:done], count[:done])


def write_parquet(
    rules: Rulebook, path: str | Path, *, seed: int, shoes: int, first: int = 0, rounds: int | None = None
) -> int:
    """Write the rounds of shoes to a Parquet file, atomically; returns how many rows it has.

    Columns: the shoe's number, the round's, the cards as six hexadecimal digits, the first of them the lowest, each
    the rank of a card by its number or 15 where there is none, and the case: the
    finish times four, plus two for a pair of the Player's and one for one of the Banker's.
    """
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("round records need pyarrow: install baccarat[data]", name="pyarrow") from error
    asked = admit(book_of(rules), seed, first, shoes, rounds)
    rows = 0
    with (
        written_whole(Path(path).resolve()) as part,
        pq.ParquetWriter(part, _schema(pa, rules, asked), **FAST) as writer,
    ):
        for batch in _batches(pa, writer.schema, rules, asked):
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _batches(pa: Any, schema: Any, rules: Rulebook, asked: RoundRange) -> Iterator[Any]:
    """Blocks in the form for Parquet: while one is written, others are dealt, as many as there are cores."""
    book, rounds = open_book(rules), asked.rounds or 0
    plan = _plan(book, asked.rounds)

    def batch(start: int) -> Any:
        shoes = min(AT_ONCE, asked.end - start)
        numbers = asked.seed, start, shoes, rounds
        made = _by_dealer(book, *numbers) if plan is None else _by_kernel(plan, *numbers)
        return pa.record_batch([pa.array(column) for column in made], schema=schema)

    for _, made in in_order(batch, iter(range(asked.first, asked.end, AT_ONCE)), threads=processors()):
        yield made


def _schema(pa: Any, rules: Rulebook, asked: RoundRange) -> Any:
    fields = [("shoe", pa.int64()), ("round", pa.int32()), ("cards", pa.uint32()), ("case", pa.int32())]
    rounds = "to the cover card" if asked.rounds is None else str(asked.rounds)
    notes = {
        "program": PROGRAM, "ranks": " ".join(rank.value for rank in RANKS), "seed": str(asked.seed),
        "first": str(asked.first), "shoes": str(asked.shoes), "rounds": rounds,
    }  # fmt: skip
    for name, value in rules_data(rules).items():
        if value is not None:
            notes[name] = value if isinstance(value, str) else msgspec.json.encode(value, enc_hook=str).decode()
    return pa.schema(fields, metadata=notes)


def _plan(book: Book, rounds: int | None) -> KernelPlan | None:
    """The plan by which the vector kernel deals, at twice the speed; None if it cannot be used or trusted.

    Determined before the first block: numba and the machine do not change during a run.
    """
    from baccarat.sim.kernel_rounds import prove  # noqa: PLC0415
    from baccarat.sim.vector_machine import this_machine  # noqa: PLC0415

    try:
        plan = plan_for_book(book, "pairs")
        prove(plan, rounds, this_machine())
    except NoFastPath:
        return None
    return plan


def _by_dealer(book: Book, seed: int, first: int, shoes: int, rounds: int) -> tuple[NDArray[Any], ...]:
    """Shoe, number of the round, cards and case."""
    from baccarat.sim.study.round_kernel import columns  # noqa: PLC0415

    block = block_of(book, seed, first, shoes, rounds)
    shoe, number = np.empty(block.rows, np.int64), np.empty(block.rows, np.int32)
    packed = np.empty(block.rows, np.uint32)
    columns(first, block.starts, block.cards, shoe, number, packed)
    return shoe, number, packed, block.case.astype(np.int32)


def _by_kernel(plan: KernelPlan, seed: int, first: int, shoes: int, rounds: int) -> tuple[NDArray[Any], ...]:
    """The same columns by the vector kernel."""
    from baccarat.sim import kernel_rounds as by_vectors  # noqa: PLC0415
    from baccarat.sim.study.round_kernel import pack_rows  # noqa: PLC0415

    found = by_vectors.records(plan, seed, first, shoes, rounds or None)
    rank_of = np.full(256, 15, np.uint8)
    rank_of[: len(plan.classes)] = [RANKS.index(cards[0].rank) for cards in plan.classes]
    rows = len(found.shoe)
    number, packed, case = np.empty(rows, np.int32), np.empty(rows, np.uint32), np.empty(rows, np.int32)
    pack_rows(found.cards, rank_of, found.finish, found.pair, found.number, packed, case, number)
    DEALT.add(shoes)
    return found.shoe, number, packed, case
