"""Strategies: what a patron stakes, as data or as a small Python function that numba compiles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from baccarat.cards import Rank
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.admission import CHECKS, refuse_unknown_seat
from baccarat.play.book import Book
from baccarat.play.wager import Wager, WagerKind
from baccarat.sim.job import book_of
from baccarat.sim.study.book_arrays import decided_wagers
from baccarat.sim.study.counts import admit_index, admit_tags
from baccarat.sim.study.pressing import PRESS_RULES, Rule
from baccarat.values import as_tuple, brief_repr, expect, whole_number

RESET = -(1 << 20)
"""As a move on a ladder: back to its first stake."""
MOST_STEPS = 32
WAGER_CHECKS = tuple(each for each in CHECKS if each is not refuse_unknown_seat)
"""What the table requires of the wagers of a round; each study checks the number of seats first."""


class BadStrategy(ValueError):  # noqa: N818  shown to the user
    """A strategy that no patron could play at this table; the message says why."""


class Strategy(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat stakes before each round: fixed stakes, a ladder of stakes, or what a function says."""

    name: str
    stakes: dict[WagerKind, int] = {}
    """Cents on each wager, round after round."""
    on: WagerKind | None = None
    ladder: tuple[int, ...] = ()
    """Cents on one wager, step by step."""
    after_loss: int = RESET
    after_win: int = RESET
    """How many steps to move after a loss and after a win; `RESET` is back to the first. A push leaves it unchanged."""
    stay_on_top: bool = False
    """At the end of the ladder: stay there, or begin again."""
    tags: dict[Rank, int] | None = None
    """What each rank counts when it is seen, if the seat counts."""
    index: float = 0.0
    """A seat that counts stakes from this true count on, and otherwise sits out."""
    press: Rule = "never"
    """When a House Money payout is added to a main wager, once the four first cards are seen: `never`, `always`,
    `ahead` (the hand has the higher count of the two), `best` (by the exact odds of a full shoe, the patron gains by
    it), or a Python function of the two hands, of two ranks each, that answers True or False."""
    onto: WagerKind | None = None
    """The main wager that is pressed; needed if there are stakes on both hands, except for `ahead` and `best`."""
    function: Callable[..., Any] | None = None
    """`function(table, own, stakes)`: writes whole cents into `stakes`, by wager in the order of `wagers_of`.

    `table` is [round of the shoe, rounds since the seat was taken, cards left], `own` [purse, last gain, last total
    stake, true count in thousandths, vigorish owed, …]: whole numbers; `own` from eight on is the function's
    memory. The purse is what the patron holds, including what is owed; the last gain is less its vigorish,
    collected or marked. An index outside them, a number with a fraction and anything the function raises are refused.
    In compiled functions that it calls, fractions are refused too; indices only if they were compiled with
    `boundscheck=True`.
    """


def _wager(on: Any, stake: Any, steps: Any = 1) -> WagerKind:
    """A wager, with its stake in whole cents and its steps; values of other types are refused."""
    wager = expect(on, WagerKind, "a wager, such as BANKER")
    expect(stake, int, "a stake in whole cents")
    expect(steps, int, "a whole number of steps")
    return wager


def check_sum(name: str, cents: Any, *, least: int, most: int) -> None:
    """Refuse anything but a sum in whole cents within its bounds."""
    if not isinstance(cents, int) or isinstance(cents, bool):
        raise BadStrategy(f"{name}: expected whole cents, not {brief_repr(cents)}")
    if not least <= cents <= most:
        bound = f"{Cents(least)} at least" if cents < least else f"{Cents(most)} at most"
        raise BadStrategy(f"{name}: {Cents(cents)}; expected {bound}")


def flat(on: WagerKind, stake: int) -> Strategy:
    """The same stake in every round."""
    _wager(on, stake)
    return Strategy(name=f"flat {on.word}", stakes={on: stake})


def mix(stakes: Mapping[WagerKind, int], *, press: Rule = "never", onto: WagerKind | None = None) -> Strategy:
    """The same stakes on several wagers in every round; House Money among them may be pressed."""
    name = " + ".join(_wager(kind, stake).word for kind, stake in _by_wager(stakes).items())
    if onto is not None:
        _wager(onto, 1)
    if press != "never":
        name += f", press {getattr(press, '__name__', press)}" + (f" onto {onto.word}" if onto is not None else "")
    return Strategy(name=name, stakes=dict(stakes), press=press, onto=onto)


def _by_wager(stakes: Any) -> Mapping[WagerKind, int]:
    if not isinstance(stakes, Mapping):
        raise TypeError(f"expected stakes by wager, such as {{BANKER: 2500}}, not {brief_repr(stakes)}")
    return stakes


def _bounded_steps(steps: int) -> int:
    """Too long a ladder is cut to one step too many, for `check` to refuse: a billion steps would fill the memory."""
    return min(steps, MOST_STEPS + 1)


def martingale(on: WagerKind, stake: int, steps: int = 6) -> Strategy:
    """Twice the stake after every loss, at most `steps` steps; the first stake again after a win."""
    _wager(on, stake, steps)
    ladder = tuple(stake << k for k in range(_bounded_steps(steps)))
    return Strategy(name=f"martingale {on.word}", on=on, ladder=ladder, after_loss=1)


def paroli(on: WagerKind, stake: int, steps: int = 3) -> Strategy:
    """Press: twice the stake after every win, for `steps` steps; the first stake again after a loss or the last."""
    _wager(on, stake, steps)
    ladder = tuple(stake << k for k in range(_bounded_steps(steps)))
    return Strategy(name=f"paroli {on.word}", on=on, ladder=ladder, after_win=1)


def dalembert(on: WagerKind, stake: int, steps: int = 20) -> Strategy:
    """One more stake after a loss, one less after a win."""
    _wager(on, stake, steps)
    ladder = tuple(stake * (k + 1) for k in range(_bounded_steps(steps)))
    return Strategy(name=f"d'Alembert {on.word}", on=on, ladder=ladder, after_loss=1, after_win=-1, stay_on_top=True)


def fibonacci(on: WagerKind, stake: int, steps: int = 10) -> Strategy:
    """One step forward after a loss, two back after a win, on stakes of which each is the sum of the two before."""
    _wager(on, stake, steps)
    ladder = [stake, stake]
    while len(ladder) < _bounded_steps(steps):
        ladder.append(ladder[-1] + ladder[-2])
    ladder = ladder[: max(0, steps)]
    return Strategy(name=f"Fibonacci {on.word}", on=on, ladder=tuple(ladder), after_loss=1, after_win=-2,
                    stay_on_top=True)  # fmt: skip


def stake_from_count(on: WagerKind, stake: int, tags: Mapping[Rank, int], index: float) -> Strategy:
    """A stake from a true count on; otherwise the seat sits out."""
    _wager(on, stake)
    made = Strategy(name=f"count {on.word}", stakes={on: stake}, tags=tags, index=index)  # type: ignore[arg-type]
    return _check_count(made)


def by_function(
    name: str,
    function: Callable[..., Any],
    *,
    tags: Mapping[Rank, int] | None = None,
    press: Rule = "never",
    onto: WagerKind | None = None,
) -> Strategy:
    """A custom strategy; what it stakes on House Money may be pressed by a rule onto the main wager named."""
    made = Strategy(name=name, function=function, tags=tags, press=press, onto=onto)  # type: ignore[arg-type]
    return _check_count(made)


LADDERS = {"martingale": martingale, "paroli": paroli, "dalembert": dalembert, "fibonacci": fibonacci}


def strategy_data(strategy: Strategy) -> dict[str, Any]:
    """A strategy as data for a manifest: all that it stakes, in cents by wager; a function by its name."""
    found: dict[str, Any] = {"name": strategy.name}
    if strategy.stakes:
        found["stakes"] = {on.word: stake for on, stake in strategy.stakes.items()}
    if strategy.on is not None:
        moves = {"after_loss": strategy.after_loss, "after_win": strategy.after_win}
        found |= {"on": strategy.on.word, "ladder": list(strategy.ladder), "stay_on_top": strategy.stay_on_top}
        found |= {name: "back to the first" if steps == RESET else steps for name, steps in moves.items()}
    if strategy.tags is not None:
        found |= {"tags": {rank.value: tag for rank, tag in strategy.tags.items()}, "index": strategy.index}
    if strategy.press != "never":
        found["press"] = _function_name(strategy.press) if callable(strategy.press) else strategy.press
        found["onto"] = None if strategy.onto is None else strategy.onto.word
    if strategy.function is not None:
        found["function"] = _function_name(strategy.function)
    return found


def _function_name(function: Any) -> str:
    return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', repr(function))}"


def wagers_of(rules: Rulebook) -> tuple[WagerKind, ...]:
    """The wagers that a strategy may stake on: those that a round's cards decide, some only together with another."""
    return decided_wagers(book_of(rules))


def steps_of(strategy: Strategy) -> list[dict[WagerKind, int]]:
    """What lies on the table at each step of a strategy; fixed stakes are a ladder of one step, a function has none."""
    on = strategy.on
    if on is not None:
        return [{on: stake} for stake in strategy.ladder]
    return [dict(strategy.stakes)] if strategy.function is None else []


def wagers_at(seat: int, stakes: Mapping[WagerKind, int]) -> list[Wager]:
    """Stakes as the table takes them."""
    return [Wager(seat=seat, on=on, stake=stake) for on, stake in stakes.items()]


def why_refused(book: Book, wagers: Sequence[Wager]) -> str | None:
    """Why the table does not take these wagers in one round; None if it does."""
    found = (each(book, wagers) for each in WAGER_CHECKS)
    return next((str(refused) for refused in found if refused is not None), None)


def early_wager(book: Book, wagers: Iterable[WagerKind]) -> WagerKind | None:
    """The wager among some that is settled before third cards, and whose payout may be pressed."""
    return next((kind for kind in wagers if kind in book.early), None)


def hands_to_press(book: Book, strategy: Strategy) -> tuple[WagerKind, ...]:
    """The main wagers of a strategy that its payout may be added to."""
    law = book.rules.edition.house_money
    lawful = [WagerKind(word) for word in law.press] if law is not None else []
    staked = strategy.stakes if strategy.function is None else dict.fromkeys(lawful, 0)
    wanted = lawful if strategy.onto is None else [kind for kind in lawful if kind is strategy.onto]
    return tuple(kind for kind in wanted if kind in staked)


def check(rules: Rulebook, strategy: Strategy, *, seat: int = 1) -> None:
    """Refuse a strategy that makes no sense, or whose wagers the table does not take, before any card is dealt."""
    book = book_of(rules)
    _check_form(expect(strategy, Strategy, "a strategy, as flat() makes one"))
    steps = steps_of(strategy)
    for step in steps:
        for on, stake in step.items():
            _wager(on, stake)
    if strategy.onto is not None:
        _wager(strategy.onto, 1)
    _check_count(strategy)
    _check_press(book, strategy)
    _check_known(rules, strategy, steps)
    for step in steps:
        why = why_refused(book, wagers_at(seat, step))
        if why is not None:
            raise BadStrategy(f"{strategy.name}: {why}")


def _check_form(strategy: Strategy) -> None:
    """Refuse what is neither stakes nor a ladder nor a function, or several of them, and ladders of no known length."""
    expect(strategy.name, str, "the name of a strategy as text")
    _by_wager(strategy.stakes)
    as_tuple("ladder", strategy.ladder)
    for name in ("after_loss", "after_win"):
        whole_number(f"{strategy.name}: {name}", getattr(strategy, name))
    is_ladder = strategy.on is not None or bool(strategy.ladder)
    if sum([bool(strategy.stakes), is_ladder, strategy.function is not None]) != 1:
        raise BadStrategy(f"{strategy.name}: a strategy has stakes, or a ladder, or a function: one of them")
    if is_ladder and (strategy.on is None or not 1 <= len(strategy.ladder) <= MOST_STEPS):
        raise BadStrategy(f"{strategy.name}: a ladder is on one wager and has 1 to {MOST_STEPS} steps")


def _check_known(rules: Rulebook, strategy: Strategy, steps: Iterable[Mapping[WagerKind, int]]) -> None:
    """Refuse stakes on a wager that is not offered, or that is not decided by the cards of a round alone."""
    wagers = wagers_of(rules)
    for on in dict.fromkeys(on for step in steps for on in step):
        if on not in wagers:
            known = ", ".join(kind.word for kind in wagers)
            raise BadStrategy(f"{strategy.name}: no stake can be put on {on.word} here, only on these: {known}")


def _check_press(book: Book, strategy: Strategy) -> None:
    """Refuse a press that no table knows."""
    rule, name, law = strategy.press, strategy.name, book.rules.edition.house_money
    if not callable(rule) and rule not in PRESS_RULES:
        raise BadStrategy(f"{name}: no rule {rule!r} for pressing; expected {', '.join(PRESS_RULES)} or a function")
    if rule == "never":
        if strategy.onto is not None:
            raise BadStrategy(f"{name}: onto {strategy.onto.word}, but nothing is ever pressed")
        return
    early = early_wager(book, book.kinds)
    if law is None or early is None:
        raise BadStrategy(f"{name}: no wager is offered here whose payout can be pressed")
    if strategy.function is None and early not in strategy.stakes:
        raise BadStrategy(f"{name}: to press, there must be a stake on {early.word} too")
    hands, known = hands_to_press(book, strategy), " or ".join(law.press)
    if not hands:
        raise BadStrategy(f"{name}: a payout is pressed onto {known}, where there is already a stake")
    if strategy.onto is None and len(hands) > 1 and (strategy.function is not None or rule not in ("ahead", "best")):
        raise BadStrategy(f"{name}: say which wager the payout is pressed onto, {known}")


def _check_count(strategy: Strategy) -> Strategy:
    """The strategy with its tags and its index as numbers; values that no count can have are refused."""
    try:
        tags = None if strategy.tags is None else admit_tags(strategy.tags)
        return replace(strategy, tags=tags, index=admit_index(strategy.index))
    except ValueError as error:
        raise BadStrategy(f"{strategy.name}: {error}") from None
