"""A slip: what one wager came to, for a person to read."""

from __future__ import annotations

import msgspec

from baccarat.law.clause import Citation
from baccarat.law.row import WagerResult
from baccarat.money import Cents, Ratio
from baccarat.play.coup import Coup
from baccarat.play.refusal import Refused
from baccarat.play.settle import settle
from baccarat.play.wager import Wager, WagerKind
from baccarat.values import expect, short_repr


class WagerSlip(msgspec.Struct, frozen=True, kw_only=True):
    """What one wager came to, for a person to read."""

    result: WagerResult
    won: Cents
    vigorish: Cents
    net: Cents
    odds: Ratio | None
    row: str | None
    cites: tuple[Citation, ...]

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        vigorish = f", vigorish {self.vigorish}" if self.vigorish else ""
        return f"{self.result.value} {self.won}{vigorish}, net {self.net}  [{', '.join(map(str, self.cites))}]"


def slip(coup: Coup, on: WagerKind, stake: int) -> WagerSlip:
    """The end of one wager alone on the table; a refusal is raised as `ValueError`."""
    expect(on, WagerKind, "a wager, such as BANKER")
    expect(stake, int, "a stake in whole cents, such as dollars('$25.00')")
    settled = settle(coup.rules, coup, [Wager(seat=1, on=on, stake=stake)])
    if isinstance(settled, Refused):
        raise ValueError(str(settled))
    line = settled.lines[0]
    return WagerSlip(
        result=line.result, won=Cents(line.win), vigorish=Cents(line.vigorish), net=Cents(line.net), odds=line.odds,
        row=line.row, cites=line.cites,
    )  # fmt: skip
