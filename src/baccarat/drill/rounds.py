"""Rounds for exercises: dealt at random until one is as wanted, with wagers that the posted limits allow."""

from __future__ import annotations

from collections.abc import Callable

from baccarat.cards import DECK, Card
from baccarat.drill.chance import SeededPicks
from baccarat.play.admission import admit
from baccarat.play.book import Book
from baccarat.play.coup import Coup, deal_by
from baccarat.play.wager import Wager, WagerKind

TRIES = 200_000
"""No case is rarer than one round in some thousands."""
STRIDES, MOST_STEPS = (1, 5, 25), 40
"""How many steps above the minimum stakes are, small and large: sums that people do wager."""
UNPOSTED_LIMITS = (500, 500)
"""The least stake and its steps in cents, if no limits are posted."""


def random_cards(chance: SeededPicks, count: int) -> tuple[Card, ...]:
    """`count` random cards from an endless shoe."""
    return tuple(DECK[chance.randrange(len(DECK))] for _ in range(count))


def find_round(
    book: Book,
    chance: SeededPicks,
    wanted: Callable[[Coup], bool],
    *,
    cards: Callable[[], tuple[Card, ...]] | None = None,
) -> Coup:
    """A random round that is as wanted; `cards` supplies its six cards if some should come more often than at random.

    Rounds are dealt until one fits, so a case is defined by the same code that examines the round.
    """
    for _ in range(TRIES):
        coup = deal_by(book, cards() if cards is not None else random_cards(chance, 6))
        if wanted(coup):
            return coup
    raise AssertionError("every case of a drill can come about")


def stakes(book: Book, on: WagerKind) -> list[int]:
    """Stakes that a wager may have, the lowest first, in cents."""
    fixed = book.rules.edition.wagers[on.word].law.stake
    if fixed is not None:
        return [fixed.shall]
    limit = book.limits.get(on)
    least, step = (limit.min, limit.increment) if limit is not None else UNPOSTED_LIMITS
    lowest = -(-least // step) * step
    found = {lowest + stride * step * at for stride in STRIDES for at in range(MOST_STEPS)}
    return sorted(stake for stake in found if limit is None or stake <= limit.max)


def wagers_with(book: Book, seat: int, on: WagerKind, stake: int) -> list[Wager]:
    """A wager that may stand: alone, or with the wager that it needs at its seat; none if it may not."""
    wager = Wager(seat=seat, on=on, stake=stake)
    base = book.rules.edition.wagers[on.word].law.base
    beside = [WagerKind(word) for word in base.wagers] if base is not None else []
    for more in ([], *([Wager(seat=seat, on=kind, stake=stakes(book, kind)[0])] for kind in beside)):
        if admit(book, [wager, *more]) is None:
            return [wager, *more]
    return []


def random_seat(book: Book, chance: SeededPicks) -> int:
    """One of the table's seats."""
    return 1 + chance.randrange(book.rules.elections.seats or 1)


def random_seats(book: Book, chance: SeededPicks, count: int) -> list[int]:
    """`count` different seats, the lowest first."""
    return sorted(chance.sample(range(1, (book.rules.elections.seats or 1) + 1), count))
