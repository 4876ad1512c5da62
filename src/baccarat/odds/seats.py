"""A round of a whole table: what the house wins from all wagers on it together, and over many such rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from baccarat.law.rulebook import Rulebook
from baccarat.odds.gain import gain, wager_name
from baccarat.odds.joint import joint_table
from baccarat.odds.many_rounds import middle_of
from baccarat.odds.shoe import ShoeCounts, is_whole, points_of, shoe_of
from baccarat.play.admission import admit
from baccarat.play.book import Book, open_book
from baccarat.play.wager import Wager, WagerKind

SeatStakes = Mapping[int, Mapping[WagerKind, int]]
"""By seat and wager, in cents."""

RoundWins = dict[int, int]
"""What the house may win in one round, in cents, each with its ordered six-card deals."""


def round_wins(rules: Rulebook, stakes: SeatStakes, shoe: ShoeCounts | None = None) -> RoundWins:
    """The joint distribution of what the house wins from all these wagers in one round, to the cent.

    Only for wagers that depend on the finish of a round: others, such as Royal 9, are refused by name.
    """
    book, shoe = open_book(rules), shoe_of(rules, shoe)
    _check(book, stakes)
    found: RoundWins = {}
    for finish, ways in enumerate(joint_table(shoe.worth(points_of(book)), book)):
        if ways:
            won = -sum(_gain(book, finish, seat) for seat in stakes.values())
            found[won] = found.get(won, 0) + ways
    return dict(sorted(found.items()))


def win_band(rounds: Sequence[tuple[RoundWins, int]], *, percent: int) -> tuple[int, int]:
    """The sums in cents between which the house's win over all rounds lies with `percent` % chance; exact.

    `rounds` are kinds of rounds, each with how many there are of it; all are independent.
    """
    if not 0 < percent < 100 or not is_whole(percent):
        raise ValueError(f"a band holds 1 to 99 wins in a hundred, not {percent!r}")
    if not rounds or any(not is_whole(count) or count < 1 for _, count in rounds):
        raise ValueError("a band is of one round or more of each kind")
    kinds = [({Fraction(won): ways for won, ways in wins.items()}, count) for wins, count in rounds]
    ((low, high),) = middle_of(kinds, [Fraction(100 - percent, 200)])
    return int(low), int(high)


def _check(book: Book, stakes: SeatStakes) -> None:
    if not any(stakes.values()):
        raise ValueError("no wager is given")
    for seat, each in stakes.items():
        for on in each:
            if on in book.offered and on not in book.verdicts:
                raise ValueError(f"{wager_name(book, on)} does not depend on a round's finish; it has its own band")
        refused = admit(book, [Wager(seat=seat, on=on, stake=stake) for on, stake in each.items()]) if each else None
        if refused is not None:
            raise ValueError(str(refused))


def _gain(book: Book, finish: int, stakes: Mapping[WagerKind, int]) -> int:
    total = 0
    for on, stake in stakes.items():
        verdict = book.verdicts[on][finish]
        assert verdict is not None, "the tableau leads to no such finish"
        total += gain(book, verdict, stake, exempt=book.exempts(stake, stakes))
    return total
