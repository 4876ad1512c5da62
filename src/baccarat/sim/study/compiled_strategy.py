"""Strategies prepared for the compiled seats: what every case gains, the vigorish in it, and what is pressed."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import gain
from baccarat.odds.house_money import added_by_press
from baccarat.play.book import Book, open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.study.book_arrays import CASES, Bytes, Integers, pay_of, verdicts_by_case
from baccarat.sim.study.counts import balance_tags
from baccarat.sim.study.own_function import compiled_function
from baccarat.sim.study.pressing import pressed_hands
from baccarat.sim.study.round_columns import RoundColumns
from baccarat.sim.study.seat_conflicts import conflict_check
from baccarat.sim.study.strategy import BadStrategy, Strategy, early_wager, hands_to_press, steps_of, wagers_of

if TYPE_CHECKING:
    from baccarat.sim.study.seat_kernel import Pays

UNLIMITED = 1 << 60
"""In cents: more than any purse holds, and more than any stake or limit."""


class StrategyData(NamedTuple):
    """A strategy that is data, as an argument of the compiled seat."""

    numbers: Integers
    stakes: Integers
    gains: Integers
    """[step, class]: the gain, before vigorish if that is marked."""
    kind: NDArray[np.uint16]
    """The class of each case; the cases are repeated for each hand onto which a payout is pressed."""
    tags: Integers
    marks: Integers | None
    """[step, class]: the vigorish that is marked; None if it is taken immediately."""


class CompiledStrategy(NamedTuple):
    """A prepared strategy: data, or a compiled function with its tags and whether it counts."""

    data: StrategyData | None
    function: Any
    tags: Integers
    counts: bool
    pressed: Bytes | None
    """By the ranks of the four cards as dealt, which hand is pressed; None if none ever is."""
    pays: Pays | None
    """How the stakes of a function are settled."""
    deferred: bool

    def cases_of(self, block: RoundColumns) -> NDArray[np.uint16]:
        """The case of every round; those of a pressed hand come after the others."""
        if self.pressed is None:
            return block.case
        from baccarat.sim.study.seat_kernel import pressed_cases  # noqa: PLC0415  numba takes up to a second to import

        found = np.empty(block.rows, np.uint16)
        pressed_cases(block.cards, block.case, self.pressed, CASES, found)
        return found

    def pressed_in(self, block: RoundColumns) -> Bytes:
        """By round: 0, or 1 plus the number of the hand that is pressed; empty if none ever is."""
        if self.pressed is None:
            return np.zeros(0, np.uint8)
        first, second, third, fourth = block.cards[:4]
        return np.ascontiguousarray(self.pressed[first, second, third, fourth])


def compile_strategy(rules: Rulebook, strategy: Strategy, *, deferred: bool | None = None) -> CompiledStrategy:
    """A prepared strategy; vigorish is collected as the Submission elects, unless stated otherwise."""
    book, tags = open_book(rules), balance_tags(strategy.tags or {})
    deferred = book.vig_deferred if deferred is None else deferred
    pressed, counts = _pressed_hands(book, strategy), strategy.tags is not None
    if strategy.function is not None:
        pays = pays_of(rules, strategy.onto)
        function = conflict_check(book, compiled_function(strategy))
        return CompiledStrategy(None, function, tags, counts, pressed, pays, deferred)
    data = _data(book, strategy, tags, deferred=deferred)
    return CompiledStrategy(data, None, tags, counts, pressed, None, deferred)


def with_deferred_vigorish(rules: Rulebook, strategy: Strategy, made: CompiledStrategy) -> CompiledStrategy:
    """A prepared strategy with vigorish deferred: what was compiled, and what is pressed, stays."""
    data = made.data and _data(open_book(rules), strategy, made.tags, deferred=True)
    return made._replace(data=data, deferred=True)


def _pressed_hands(book: Book, strategy: Strategy) -> Bytes | None:
    hands = hands_to_press(book, strategy)
    if strategy.press == "never" or not hands:
        return None
    try:
        return pressed_hands(book, strategy.press, hands, strategy.stakes or None)
    except Exception as error:
        if not callable(strategy.press):
            raise
        say = f"the function that decides on pressing raised {type(error).__name__}: {error}"
        raise BadStrategy(f"{strategy.name}: {say}") from error


def _data(book: Book, strategy: Strategy, tags: Integers, *, deferred: bool) -> StrategyData:
    from baccarat.sim.study import seat_kernel as compiled  # noqa: PLC0415  numba takes up to a second to import
    from baccarat.sim.study.counter_kernel import in_thousandths  # noqa: PLC0415

    steps = steps_of(strategy)
    onto = (None, *hands_to_press(book, strategy)) if strategy.press != "never" else (None,)
    sums = [[settled_by_case(book, step, hand) for hand in onto] for step in steps]
    won, marks = (np.array([[case for each in hands for case in each[part]] for hands in sums]) for part in (0, 1))
    rows = np.concatenate([won, marks]) if deferred else won - marks
    found, kind = np.unique(rows, axis=1, return_inverse=True)
    numbers = np.zeros(compiled.NUMBERS, np.int64)
    numbers[[compiled.COUNTS, compiled.INDEX]] = strategy.tags is not None, in_thousandths(strategy.index)
    numbers[[compiled.STEPS, compiled.AFTER_LOSS]] = len(steps), strategy.after_loss
    numbers[[compiled.AFTER_WIN, compiled.STAY]] = strategy.after_win, strategy.stay_on_top
    numbers[compiled.MUST_PAY] = must_pay(book)
    stakes = np.array([sum(step.values()) for step in steps])
    gains, classes = np.ascontiguousarray(found[: len(steps)]), kind.reshape(-1).astype(np.uint16)
    return StrategyData(
        numbers, stakes, gains, classes, tags, np.ascontiguousarray(found[len(steps) :]) if deferred else None
    )


def must_pay(book: Book) -> bool:
    """Whether the next shoe waits for deferred vigorish: it does if no form waives it (reading A-38)."""
    return book.rules.edition.vigorish_form is None


def settled_by_case(
    book: Book, stakes: dict[WagerKind, int], onto: WagerKind | None = None
) -> tuple[list[int], list[int]]:
    """What some stakes gain together in each case before vigorish, and the vigorish, as the table settles them.

    Where a hand is named, the House Money payout is pressed onto it, and the vigorish is that of the whole win (reading
    A-12); exemption is judged by the stakes as they were placed. Zero where no round ends that way.
    """
    won, charged = [0] * CASES, [0] * CASES
    added = _press_additions(book, stakes, onto) if onto is not None else (0, 0, 0)
    for on, stake in stakes.items():
        exempt = book.exempts(stake, stakes)
        known: dict[tuple[int, int], tuple[int, int]] = {}  # a wager has few verdicts and many cases
        for case, verdict in verdicts_by_case(book, on):
            lies = stake + added[(case % 4).bit_count()] if on is onto else stake
            if (id(verdict), lies) not in known:
                free = gain(book, verdict, lies, exempt=True)
                known[id(verdict), lies] = free, free - gain(book, verdict, lies, exempt=exempt)
            one, vigorish = known[id(verdict), lies]
            won[case] += one
            charged[case] += vigorish
    return won, charged


def _press_additions(book: Book, stakes: dict[WagerKind, int], onto: WagerKind) -> tuple[int, ...]:
    """By the number of pairs, what the payout adds to the wager on a hand."""
    early = early_wager(book, stakes)
    assert early is not None, "a press without House Money has been refused"
    paid = [0 if each.odds is None else each.odds.payout(stakes[early]) for each in book.early[early]]
    return tuple(added_by_press(book, onto, each, beside=stakes[onto]) for each in paid)


def pays_of(rules: Rulebook, onto: WagerKind | None = None) -> Pays:
    """How the wagers of a rulebook are settled, for the compiled seats; payouts may be pressed onto one of them."""
    from baccarat.sim.study.seat_kernel import Pays  # noqa: PLC0415

    book, wagers = open_book(rules), wagers_of(rules)
    pay = pay_of(book, wagers)
    rows = np.stack([pay.result.astype(np.int64), pay.to, pay.one, pay.vigorish.astype(np.int64)])
    kind, classes = np.zeros(pay.result.shape, np.uint8), []
    for k in range(len(wagers)):
        found, kind[k] = np.unique(rows[:, k], axis=1, return_inverse=True)
        classes.append(found)
    most = max(each.shape[1] for each in classes)
    padded = np.stack([np.pad(each, ((0, 0), (0, most - each.shape[1])), mode="edge") for each in classes])
    steps = [stakes_allowed(book, each) for each in wagers]
    result, to, one, vigorish = (np.ascontiguousarray(padded[:, part]) for part in range(4))
    exempts = np.array([int(each in book.exempt) for each in wagers])
    press = _press(book, wagers, onto)
    return Pays(kind, result, to, one, vigorish, np.array(steps), exempts, book.vig_rate, book.vig_coin, press)


def stakes_allowed(book: Book, on: WagerKind) -> tuple[int, int, int]:
    """The lowest and the highest stake that a seat may put on a wager, and the increment."""
    fixed, limit = book.rules.edition.wagers[on.word].law.stake, book.limits.get(on)
    if fixed is not None:
        return fixed.shall, fixed.shall, 1
    if limit is None:
        return 1, UNLIMITED, 1
    most, payout = limit.max, limit.aggregate_payout
    if payout is not None:
        most = bisect_right(range(most + 1), payout, key=lambda stake: book.highest_payout(on, stake)) - 1
    return limit.min, most, limit.increment


def _press(book: Book, wagers: tuple[WagerKind, ...], onto: WagerKind | None) -> Any:
    from baccarat.sim.study.seat_kernel import PressTarget  # noqa: PLC0415

    early = early_wager(book, wagers)
    limit = book.limits.get(onto) if onto is not None else None
    is_capped = limit is not None and book.rules.elections.press_over_max is False
    return PressTarget(
        early=-1 if early is None else wagers.index(early), onto=-1 if onto is None else wagers.index(onto),
        part=book.portion.to, of=book.portion.one, most=limit.max if limit is not None and is_capped else UNLIMITED,
    )  # fmt: skip
