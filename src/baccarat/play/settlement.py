"""A settlement: what every wager of a round came to, and the acts by which the dealer paid it out."""

from __future__ import annotations

import msgspec

from baccarat.law.clause import Citation
from baccarat.law.row import WagerResult
from baccarat.money import Cents, Ratio
from baccarat.play.coup import Coup
from baccarat.play.holder import Holding
from baccarat.play.wager import Wager, WagerKind
from baccarat.play.wager.must_hit import MustHitEnd
from baccarat.play.wager.royal9 import RoundAwards
from baccarat.values import short_repr


class SettledLine(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The end of one wager."""

    wager: Wager
    result: WagerResult
    cites: tuple[Citation, ...]
    row: str | None = None
    odds: Ratio | None = None
    win: int = 0
    vigorish: int = 0
    net: int = 0
    pressed: int | None = None

    def __repr__(self) -> str:
        wager = f"seat {self.wager.seat} {Cents(self.wager.stake)} on {self.wager.on.word}"
        cites = ", ".join(map(str, self.cites))
        return short_repr(self, f"{wager}: {self.result.value}, net {Cents(self.net)} [{cites}]")


class SettlementStep(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One act of the dealer in settling: what, at which seat, how much."""

    act: str
    seat: int
    amount: int
    row: str | None = None
    to_wager: int = 0
    onto: WagerKind | None = None


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """A round settled: each wager's end, who turned the cards, and the dealer's acts in order."""

    coup: Coup
    lines: tuple[SettledLine, ...]
    handed_to: tuple[int | None, int | None] | None
    handed_because: tuple[Holding, Holding] | None
    early_steps: tuple[SettlementStep, ...]
    losers: tuple[int, ...]
    steps: tuple[SettlementStep, ...]
    awards: RoundAwards | None = None
    must_hit: MustHitEnd | None = None

    def __repr__(self) -> str:
        net = ", ".join(f"seat {seat} {Cents(amount)}" for seat, amount in self.net_by_seat.items())
        return short_repr(self, f"{self.coup}: {net or 'no wagers'}")

    @property
    def net_by_seat(self) -> dict[int, int]:
        """The change of each participant's wealth, seats ascending; a Must Hit award included."""
        total: dict[int, int] = {}
        for line in self.lines:
            seat = line.wager.seat
            total[seat] = total.get(seat, 0) + line.net
        if self.must_hit is not None and self.must_hit.seat is not None:
            total[self.must_hit.seat] += self.must_hit.award
        seats = sorted(total)
        return total if [*total] == seats else {seat: total[seat] for seat in seats}
