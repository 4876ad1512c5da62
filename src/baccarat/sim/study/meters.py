"""The meters of a progressive over many rounds: their path, what is awarded, the reserve, and the Must Hit.

Every round is, to whoever has seen nothing, like the first of a full shoe; so what the openings of rounds win is drawn
by its exact chances, from one round that wins something to the next. Awards, shares and seeds are the table's own
(`play.wager.royal9.award`), in micro-cents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import perm, sqrt

import msgspec
import numpy as np

from baccarat.law.rulebook import Rulebook
from baccarat.money import MICRO
from baccarat.odds.must_hit import must_hit
from baccarat.odds.royal9 import OpeningHands, opening_hands
from baccarat.play.wager.royal9 import Progressive, award, progressive

MOST_ROUNDS = 1_000_000_000
POINTS = 400
"""Moments at which the meters' path is kept."""


class Awarded(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the pay table: how often it was won, and how much in all, in cents."""

    row: str
    times: int
    paid: int
    expected: float
    """How often it is won in the mean, by the exact chances."""
    deviation: float
    """One deviation of that number, exactly: chairs that share a winning hand win together."""


class MustHitFound(msgspec.Struct, frozen=True, kw_only=True):
    """The Must Hit over these rounds; sums in cents."""

    hits: int
    paid: int
    rounds_between: float | None
    """In the mean; None where there was no hit."""
    exact_rounds: float
    """In the mean from a start to a hit, exactly."""
    meter: int
    """At the end."""


class Meters(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the meters; sums in cents but for those named micro."""

    rounds: int
    wagers: int
    staked: int
    awarded: tuple[Awarded, ...]
    paid: int
    seeds_micro: int
    """Put up to begin meters again, the first seeds included."""
    added_micro: int
    paid_micro: int
    """Of what was paid, what meters paid."""
    left_micro: int
    """What the meters hold at the end."""
    reserve_micro: int
    path: dict[str, tuple[tuple[int, int], ...]]
    """By meter, (round, cents shown) from time to time."""
    must_hit: MustHitFound | None

    @property
    def won(self) -> int:
        """What the house won, in cents: stakes less all that was paid. What the meters hold is not paid yet."""
        return self.staked - self.paid - (self.must_hit.paid if self.must_hit is not None else 0)

    @property
    def is_conserved(self) -> bool:
        """Whether what went into the meters came out, or is still there."""
        return self.seeds_micro + self.added_micro == self.paid_micro + self.left_micro


def study_meters(rules: Rulebook, *, seats: Sequence[int], rounds: int, seed: int) -> Meters:
    """Let these seats make the progressive wager in so many rounds."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ValueError(f"{rounds} rounds: 1 to {MOST_ROUNDS:,} can be studied")
    openings, progress = opening_hands(rules, seats), progressive(rules)
    assert progress is not None, "opening hands have asked for it"
    chance = np.random.Generator(np.random.SFC64(seed))
    return _Path(rules, progress, openings, list(seats), rounds, chance).run()


class _Path:
    """The meters on their way from one award to the next."""

    def __init__(
        self, rules: Rulebook, progress: Progressive, openings: tuple[OpeningHands, ...], seats: list[int], rounds: int,
        chance: np.random.Generator,
    ) -> None:  # fmt: skip
        self.rules, self.progress, self.seats, self.rounds, self.chance = rules, progress, seats, rounds, chance
        self.whole = perm(52 * int(rules.elects("decks")), 4)
        self.openings = [each for each in openings if self._wins(each)]
        self.ways = [each.ways for each in self.openings]
        self.meters = {meter.name: meter.seed for meter in progress.meters}
        self.seeds = sum(self.meters.values())
        self.added, self.reserve = progress.contributions(len(seats))
        self.times: dict[str, int] = {}
        self.paid: dict[str, int] = {}
        self.from_meters = 0
        self.path: dict[str, list[tuple[int, int]]] = {name: [] for name in self.meters}

    def _wins(self, opening: OpeningHands) -> bool:
        rows = (self.progress.row(seat, opening.player, opening.banker) for seat in self.seats)
        return any(not row.is_lost for row in rows)

    def run(self) -> Meters:
        """From award to award."""
        share = sum(self.ways) / self.whole
        weights = np.array(self.ways) / sum(self.ways)
        done, every = 0, max(1, self.rounds // POINTS)
        while True:
            gaps = self.chance.geometric(share, 4096).tolist()
            picks = self.chance.choice(len(weights), 4096, p=weights).tolist()
            for gap, pick in zip(gaps, picks, strict=True):
                before = min(gap - 1, self.rounds - done)
                self._wait(done, before, every)
                done += before
                if done >= self.rounds:
                    return self._found()
                self._award(self.openings[pick])
                done += 1

    def _wait(self, done: int, rounds: int, every: int) -> None:
        """Rounds in which nobody wins: the meters rise."""
        for moment in range(-(-(done + 1) // every) * every, done + rounds + 1, every):
            for name, amount in self.meters.items():
                self.path[name].append((moment, (amount + (moment - done) * self.added[name]) // MICRO))
        for name, more in self.added.items():
            self.meters[name] += more * rounds

    def _award(self, opening: OpeningHands) -> None:
        found = award(self.progress, self.meters, self.seats, player=opening.player, banker=opening.banker)
        for seat, row in found.rows.items():
            if not row.is_lost:
                self.times[row.row] = self.times.get(row.row, 0) + 1
                self.paid[row.row] = self.paid.get(row.row, 0) + found.awards[seat]
                self.from_meters += found.awards[seat] * MICRO if row.meter is not None else 0
        out = sum(found.awards[seat] for seat, row in found.rows.items() if row.meter is not None) * MICRO
        self.seeds += sum(found.after.values()) + out - sum(found.contributed.values())
        self.meters = dict(found.after)

    def _awarded(self) -> tuple[Awarded, ...]:
        """Every row that can be won: how often it was, and how often it should be, by the exact chances."""
        mean: dict[str, float] = {}
        square: dict[str, float] = {}  # of how many chairs win the row in one round
        for opening in self.openings:
            rows = [self.progress.row(seat, opening.player, opening.banker) for seat in self.seats]
            for row, chairs in Counter(row.row for row in rows if not row.is_lost).items():
                mean[row] = mean.get(row, 0.0) + opening.ways / self.whole * chairs
                square[row] = square.get(row, 0.0) + opening.ways / self.whole * chairs**2
        return tuple(
            Awarded(
                row=row, times=self.times.get(row, 0), paid=self.paid.get(row, 0), expected=mean[row] * self.rounds,
                deviation=sqrt(self.rounds * (square[row] - mean[row] ** 2)),
            )
            for row in dict.fromkeys(prize.row for prize in self.progress.prizes if prize.row in mean)
        )  # fmt: skip

    def _found(self) -> Meters:
        wagers = self.rounds * len(self.seats)
        awarded = self._awarded()
        terms, must_hit_found = self.rules.elections.must_hit, None
        if terms is not None and terms.contribution:
            must_hit_found = study_must_hit(
                self.rules, participants=len(self.seats), rounds=self.rounds, chance=self.chance
            )  # fmt: skip
        return Meters(
            rounds=self.rounds, wagers=wagers, staked=wagers * self.progress.stake, awarded=awarded,
            paid=sum(self.paid.values()), seeds_micro=self.seeds,
            added_micro=sum(self.added.values()) * self.rounds, paid_micro=self.from_meters,
            left_micro=sum(self.meters.values()), reserve_micro=self.reserve * self.rounds,
            path={name: tuple(line) for name, line in self.path.items()}, must_hit=must_hit_found,
        )  # fmt: skip


def study_must_hit(rules: Rulebook, *, participants: int, rounds: int, chance: np.random.Generator) -> MustHitFound:
    """The Must Hit over so many rounds: a trigger anywhere from start to ceiling, each cent alike, again and again."""
    exact, terms = must_hit(rules, participants=participants).rounds, rules.elections.must_hit
    assert terms is not None, "its price has asked for it"
    step, left, hits, paid, between = terms.contribution * participants, rounds, 0, 0, 0
    while True:
        above = int(chance.integers(terms.ceiling - terms.start + 1))
        needed = max(1, -(-above // step))
        if needed > left:
            break
        left, hits, between = left - needed, hits + 1, between + needed
        paid += terms.start + step * needed
    return MustHitFound(
        hits=hits, paid=paid, rounds_between=between / hits if hits else None, exact_rounds=float(exact),
        meter=terms.start + step * left,
    )  # fmt: skip
