"""Payments: the wagers of a logged round settled again, and every sum compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from baccarat.audit.rounds.drawing import DrawCheck
from baccarat.audit.rounds.fault import FaultKind
from baccarat.audit.rounds.hand_text import LoggedHand
from baccarat.audit.rounds.wager_text import LoggedWager
from baccarat.cards import Card, Rank, Suit
from baccarat.law.clause import Citation
from baccarat.money import Cents
from baccarat.play.book import Book
from baccarat.play.coup import Coup
from baccarat.play.refusal import Refused
from baccarat.play.settle import settle_by
from baccarat.play.settlement import SettledLine
from baccarat.play.wager import Wager, WagerKind

MoneyFault = tuple[int, FaultKind, str, str, str, tuple[Citation, ...]]
"""Which wager of the round, what kind, in which column, expected, found, clauses."""


class Payments:
    """Settles the rounds of a log with an open book; counts the wagers that it cannot settle."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._ranks: dict[int, list[Rank]] = {}
        for rank in Rank:
            self._ranks.setdefault(book.value[Card(rank, Suit.SPADES)], []).append(rank)
        self.unchecked: Counter[str] = Counter()

    def pair(self, hand: LoggedHand) -> bool | None:
        """Whether a hand opens with a pair; None if only values are recorded and they do not decide it."""
        first, second = hand.cards[:2]
        if first.rank is not None and second.rank is not None:
            return first.rank is second.rank
        if first.value != second.value:
            return False
        return True if len(self._ranks[first.value]) == 1 else None

    def check(
        self,
        drawing: DrawCheck,
        player: LoggedHand,
        banker: LoggedHand,
        wagers: Sequence[LoggedWager],
        *,
        is_void: bool,
    ) -> Iterator[MoneyFault]:  # fmt: skip
        """Every sum that differs from what the rulebook gives."""
        book = self._book
        placed: list[tuple[int, Wager]] = []
        seats: dict[str, int] = {}
        pairs_known = is_void or None not in (self.pair(player), self.pair(banker))
        for index, wager in enumerate(wagers):
            seat = seats.setdefault(wager.seat, len(seats) + 1)
            if wager.on not in book.offered:
                yield index, FaultKind.WAGER_NOT_OFFERED, "wager", *self._not_offered(wager.on)
            elif not self._can_settle(wager.on, pairs_known=pairs_known):
                self.unchecked[wager.on.word] += 1
            else:
                placed.append((index, Wager(seat=seat, on=wager.on, stake=wager.stake)))
        if is_void:
            coup = Coup(book.rules, (), (), 0, 0, -1, is_void=True)
        else:
            hands = self._substitute_cards(player), self._substitute_cards(banker)
            coup = Coup(book.rules, *hands, drawing.player.count, drawing.banker.count, drawing.finish)
        settled = settle_by(book, coup, [wager for _, wager in placed])
        assert not isinstance(settled, Refused), "nothing is pressed, and no meter is needed"
        for (index, _), line in zip(placed, settled.lines, strict=True):
            yield from self._compare(index, wagers[index], line)

    def _can_settle(self, on: WagerKind, *, pairs_known: bool) -> bool:
        """Whether the cards alone decide a wager: no meter is needed, and pairs are known if they matter."""
        if not self._book.table(on):
            return False
        return pairs_known or on in self._book.verdicts

    def _not_offered(self, on: WagerKind) -> tuple[str, str, tuple[Citation, ...]]:
        rules = self._book.rules
        law = rules.edition.wagers.get(on.word)
        cites = () if law is None else rules.cite(*law.law.cite)
        return f"one of {', '.join(kind.word for kind in self._book.kinds)}", on.word, cites

    def _substitute_cards(self, hand: LoggedHand) -> tuple[Card, ...]:
        """Cards of the same ranks, or values; no wager settled here depends on suits."""
        return tuple(Card(card.rank or self._ranks[card.value][0], Suit.SPADES) for card in hand.cards)

    def _compare(self, index: int, wager: LoggedWager, line: SettledLine) -> Iterator[MoneyFault]:
        book = self._book
        deferred = line.vigorish if book.vig_deferred else 0
        right = {
            "paid": line.win, "vigorish": line.vigorish, "net": line.net,
            "returned": wager.stake + line.net + deferred,
        }  # fmt: skip
        for what, column, amount, cell in wager.claims:
            if amount == right[what]:
                continue
            kind, cites = FaultKind.WRONG_PAYMENT, line.cites
            if what == "vigorish":
                kind = FaultKind.WRONG_VIGORISH
                cites = tuple(dict.fromkeys((*(book.vig_cites if line.vigorish else ()), *line.cites)))
            seat = f" at seat {wager.seat}" if wager.seat else ""
            expected = f"{Cents(right[what])}: {wager.on.word}{seat} for {Cents(wager.stake)}, {line.result.word}"
            yield index, kind, column, expected, _amount_text(amount, cell), cites


def _amount_text(amount: int | Fraction, cell: str) -> str:
    return str(Cents(amount)) if isinstance(amount, int) else f"{cell.strip()}, which is not a whole number of cents"
