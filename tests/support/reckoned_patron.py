"""A patron's session reckoned slowly: every card by the ordinary engine, every round by the settlement of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from baccarat import BANKER, PLAYER, WagerKind
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.coup import Coup
from baccarat.play.settle import settle
from baccarat.play.settlement import Settlement
from baccarat.play.shoe import burn, rounds
from baccarat.play.wager import Wager
from baccarat.sim.stream import shoe
from baccarat.sim.study.seat_sums import SeatTotals
from baccarat.sim.study.strategy import Strategy

MARK = "mark_vig"


class Ended(NamedTuple):
    """How a session ended."""

    purse: int
    stayed: int
    staked: int
    ruined: bool
    collected: int
    peak: int
    uncollected: int


class Patron:
    """A purse, and a box at the table in which vigorish is marked."""

    def __init__(
        self, rules: Rulebook, strategy: Strategy, purse: int, presses: Callable[[Coup], WagerKind | None]
    ) -> None:
        self.rules, self.strategy, self.presses = rules, strategy, presses
        self.purse, self.step = purse, 0
        self.box = self.peak = self.collected = self.uncollected = self.staked = 0

    @property
    def stakes(self) -> dict[WagerKind, int]:
        """What is wagered next."""
        on = self.strategy.on
        return {on: self.strategy.ladder[self.step]} if on is not None else self.strategy.stakes

    def play(self, coup: Coup) -> None:
        """One round: wagers, settlement, the dealer's acts."""
        onto, stakes = self.presses(coup), self.stakes
        wagers = [
            Wager(seat=1, on=on, stake=stake, press=onto if on is WagerKind.HOUSE_MONEY else None)
            for on, stake in stakes.items()
        ]
        settled = settle(self.rules, coup, wagers)
        assert isinstance(settled, Settlement), str(settled)
        net = sum(line.net for line in settled.lines)
        marked = sum(step.amount for step in settled.steps if step.act == MARK)
        self.purse += net + marked
        self.box += marked
        self.peak = max(self.peak, self.box)
        self.staked += sum(stakes.values())
        self.move(net)

    def move(self, net: int) -> None:
        """On the ladder, if there is one."""
        plan, steps = self.strategy, len(self.strategy.ladder)
        if net and plan.on is not None:
            self.step += plan.after_loss if net < 0 else plan.after_win
            if self.step >= steps:
                self.step = steps - 1 if plan.stay_on_top else 0
            self.step = max(0, self.step)

    def empty_box(self) -> None:
        """Collected in full, or, where the patron cannot pay, not at all: the table knows no part payment."""
        if self.purse >= self.box:
            self.purse -= self.box
            self.collected += self.box
        else:
            self.uncollected += self.box
        self.box = 0

    def ended(self, stayed: int, *, ruined: bool) -> Ended:
        """The patron leaves."""
        self.empty_box()
        found = (self.purse, stayed, self.staked, ruined, self.collected, self.peak, self.uncollected)
        return Ended(*found)


def reckoned(
    rules: Rulebook, strategy: Strategy, *, purse: int, goal: int | None, seed: int, shoes: int, first: int = 0,
    presses: Callable[[Coup], WagerKind | None] = lambda _: None,
) -> Ended:  # fmt: skip
    """One session."""
    patron, since = Patron(rules, strategy, purse, presses), 0
    for number in range(first, first + shoes):
        cards = shoe(rules, seed, number)
        for each in rounds(rules, cards, position=len(burn(rules, cards).cards)):
            if sum(patron.stakes.values()) > patron.purse:
                return patron.ended(since, ruined=True)
            patron.play(each.coup)
            since += 1
            if goal is not None and patron.purse - patron.box >= goal:
                return patron.ended(since, ruined=False)
        if number < first + shoes - 1 and patron.purse < patron.box and rules.edition.vigorish_form is None:
            return patron.ended(since, ruined=True)  # the next shoe waits, so whoever cannot pay leaves
        patron.empty_box()
    return patron.ended(since, ruined=False)


def ahead(coup: Coup) -> WagerKind | None:
    """Press onto the hand with the higher count of its first two cards, if there is a stake on it."""
    value = open_book(coup.rules).value
    player, banker = (sum(value[card] for card in hand[:2]) % 10 for hand in (coup.player, coup.banker))
    return PLAYER if player > banker else BANKER if banker > player else None


def summed(sessions: list[Ended]) -> tuple[float, ...]:
    """Sums over sessions, and in how many of them some vigorish could not be collected."""
    return (*map(sum, zip(*sessions, strict=True)), sum(each.uncollected > 0 for each in sessions))


def sums_of(seat: SeatTotals) -> tuple[float, ...]:
    """The same of a seat that was studied."""
    owed = seat.vigorish
    marked = (0.0, 0.0, 0.0, 0.0) if owed is None else (owed.collected, owed.peak, owed.uncollected, owed.missed)
    means = (seat.purse + seat.result, seat.stayed, seat.staked, seat.ruined, *marked)
    return tuple(round(seat.sessions * each) for each in means)
