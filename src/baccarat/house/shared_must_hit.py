"""Must Hit that tables share: one meter and one sealed trigger; each table ends its own rounds (reading A-30)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from baccarat.house.reason import HouseReason, refuse
from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.play.refusal import Refused


class SharedMustHit(msgspec.Struct, frozen=True, kw_only=True):
    """The Must Hit meter of some tables, the seal of its trigger, and what came in and went out, in cents."""

    terms: MustHit
    meter: int
    seal: str = ""
    last_seal: str = ""
    """The seal of the run before, which was opened for all to see when it was won."""
    jackpot: int = 1
    contributed: int = 0
    seeded: int = 0
    paid: int = 0

    @property
    def is_conserved(self) -> bool:
        """Whether contributions and seeds are what was paid and is shown (M8)."""
        return self.contributed + self.seeded == self.paid + self.meter


def share_must_hit(tables: Mapping[str, Rulebook]) -> SharedMustHit | Refused | None:
    """The Must Hit of tables that have it on the same terms, no trigger sealed yet; None if none has it."""
    assert tables, "a link joins tables"
    first, *others = tables.values()
    terms, law = first.elections.must_hit, first.edition.must_hit
    if any(rules.elections.must_hit != terms for rules in others):
        keys = law.cite if law is not None else first.edition.void.cite
        return refuse(first, HouseReason.OTHER_TERMS, "linked_tables_share_range_and_contribution", *keys)
    return SharedMustHit(terms=terms, meter=terms.start, seeded=terms.start) if terms is not None else None


def with_seal(shared: SharedMustHit, seal: str) -> SharedMustHit:
    """The meter after one of its tables has sealed the trigger of this run."""
    return replace(shared, seal=seal)


def after_contribution(shared: SharedMustHit, amount: int) -> SharedMustHit:
    """The meter after one of its tables has ended a round without a hit."""
    return replace(shared, meter=shared.meter + amount, contributed=shared.contributed + amount)


def after_win(shared: SharedMustHit, amount: int) -> SharedMustHit:
    """The meter after one of its tables has ended a round with a hit: paid out whole, and seeded again by the house."""
    start = shared.terms.start
    return replace(
        shared,
        meter=start,
        seal="",
        last_seal=shared.seal,
        jackpot=shared.jackpot + 1,
        contributed=shared.contributed + amount,
        seeded=shared.seeded + start,
        paid=shared.paid + shared.meter + amount,
    )
