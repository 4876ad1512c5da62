"""Must Hit: what it costs per Royal 9 wager, and what a seat is worth at a given meter (reading A-30).

The trigger is uniform over the cents from start to ceiling; a meter that shows more than its start has not reached
it, so it then lies above the meter.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.law.submission import MustHit
from baccarat.odds.royal9 import Royal9Odds
from baccarat.odds.shoe import is_whole


class MustHitPrice(msgspec.Struct, frozen=True, kw_only=True):
    """The Must Hit with `participants` participants in every round; sums in cents."""

    participants: int
    rounds: Fraction
    """The mean number of rounds from a start to a hit."""
    award: Fraction
    """The mean of what is won."""
    cost: Fraction
    """What one Royal 9 wager costs the house in the long run: its contribution and its share of the next start."""


class MustHitSeat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat of a round that begins at a given meter; sums in cents."""

    meter: int
    participants: int
    chance: Fraction
    """The chance that this round hits."""
    award: int
    """What the seat that the lot picks would win."""
    value: Fraction
    """What this seat wins on average in this round."""


def must_hit(rules: Rulebook, *, participants: int = 1) -> MustHitPrice:
    """What the Must Hit costs with `participants` participants in every round."""
    terms = _terms(rules, participants)
    step = terms.contribution * participants
    if not step:
        raise ValueError("no Royal 9 wager adds to this Must Hit, so it need not ever be hit")
    span = terms.ceiling - terms.start
    full, part = divmod(span, step)
    # A trigger `d` above the start is reached in round ceil(d / step), at least round 1.
    rounds = Fraction(1 + step * full * (full + 1) // 2 + part * (full + 1), span + 1)
    award = terms.start + step * rounds
    return MustHitPrice(participants=participants, rounds=rounds, award=award, cost=award / (rounds * participants))


def must_hit_seat(rules: Rulebook, *, meter: int, participants: int = 1) -> MustHitSeat:
    """What a seat of the coming round is worth, at what the meter shows in cents before it."""
    terms = _terms(rules, participants)
    if not is_whole(meter) or not terms.start <= meter <= terms.ceiling:
        raise ValueError(f"the meter shows whole cents from {terms.start} to {terms.ceiling}, not {meter!r}")
    least = meter if meter == terms.start else meter + 1
    if least > terms.ceiling:
        raise ValueError(f"a meter of {meter} has reached its ceiling, so it has been won")
    reached = meter + terms.contribution * participants
    chance = Fraction(max(0, min(reached, terms.ceiling) - least + 1), terms.ceiling - least + 1)
    return MustHitSeat(
        meter=meter, participants=participants, chance=chance, award=reached, value=chance * reached / participants
    )  # fmt: skip


def kept_with_royal9(nines: Royal9Odds, whole: MustHitPrice) -> Fraction | None:
    """What the house keeps of a Royal 9 wager in the long run when the Must Hit is paid as well; None without one."""
    seat = min(nines.chairs)
    return nines.long_run_edge(seat) - whole.cost / nines.progress.stake if nines.has_long_run(seat) else None


def _terms(rules: Rulebook, participants: int) -> MustHit:
    terms = rules.elections.must_hit
    if terms is None:
        raise ValueError(f"{rules.edition.name}: no Must Hit is installed under this Submission")
    seats = rules.elections.seats or 0
    if not is_whole(participants) or not 1 <= participants <= seats:
        raise ValueError(f"participants from 1 to the table's {seats} seats, not {participants!r}")
    return terms
