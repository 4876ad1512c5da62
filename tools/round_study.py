"""The figures of docs/simulate.md: how often rounds take four cards, and how far means scatter from batch to batch."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import stdev

import msgspec

from baccarat import rulebook
from baccarat.law.fact import FINISHES
from baccarat.play.book import open_book
from baccarat.sim.agreement import finish_chances
from baccarat.sim.engine import simulate
from baccarat.sim.tally import FINISH_NAMES, Tally

RULES = "ma-midi-4-ez"
BATCHES, SHOES = 1_000, 100_000
FIXED = 60
FOUR_CARDS = tuple(index for index in range(FINISHES) if FINISH_NAMES[index].count("/2") == 2)


class FourCards(msgspec.Struct, frozen=True):
    """The share of rounds that took four cards, over all shoes."""

    rounds: int
    share: float
    error: float
    """The standard error of the share, from the scatter of the batches."""


class RoundStudy(msgspec.Struct, frozen=True):
    """Many batches of shoes, dealt twice: to the cover card, and a fixed number of rounds of each."""

    submission: str
    seed: int
    batches: int
    shoes: int
    """In each batch."""
    exact: float
    """The share of rounds of four cards in the first round of a full shoe."""
    to_cover: FourCards
    fixed_rounds: int
    fixed: FourCards
    scatter: dict[str, float]
    """By wager, to the cover card: the deviation of the batches' means, in units of the error that estimates give."""


def study_rounds(*, seed: int, batches: int = BATCHES, shoes: int = SHOES) -> RoundStudy:
    """Deal the batches and compare them."""
    rules = rulebook(RULES)
    gains: dict[str, list[float]] = {on.word: [] for on in open_book(rules).kinds}
    errors: dict[str, float] = {}
    shares: dict[int | None, list[float]] = {None: [], FIXED: []}
    rounds: dict[int | None, list[int]] = {None: [], FIXED: []}
    for start in range(0, batches * shoes, shoes):
        for each in (None, FIXED):
            tally = simulate(rules, seed=seed, first=start, shoes=shoes, rounds=each, detail="pairs")
            shares[each].append(_four_cards(tally) / tally.rounds)
            rounds[each].append(tally.rounds)
            if each is None:
                for on in open_book(rules).kinds:
                    found = tally.estimate(on)
                    gains[on.word].append(float(found.mean))
                    errors[on.word] = found.error  # nearly the same in each
    exact = sum((finish_chances(rules)[index] for index in FOUR_CARDS), Fraction(0))
    return RoundStudy(
        submission=RULES, seed=seed, batches=batches, shoes=shoes, exact=float(exact),
        to_cover=_over_all(shares[None], rounds[None]), fixed_rounds=FIXED,
        fixed=_over_all(shares[FIXED], rounds[FIXED]),
        scatter={word: stdev(means) / errors[word] for word, means in gains.items()},
    )  # fmt: skip


def _four_cards(tally: Tally) -> int:
    return sum(tally.finishes[index] for index in FOUR_CARDS)


def _over_all(shares: list[float], rounds: list[int]) -> FourCards:
    total = sum(rounds)
    share = sum(each * of for each, of in zip(shares, rounds, strict=True)) / total
    return FourCards(total, share, stdev(shares) / sqrt(len(shares)))
