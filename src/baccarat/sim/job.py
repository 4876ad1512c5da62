"""Jobs: which shoes of which seed are to be dealt under which rulebook, and how much is counted."""

from __future__ import annotations

from typing import Any, SupportsIndex

import msgspec

from baccarat.law.edition import loadable_editions, register_text, shipped_editions, source_of
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.book import Book, open_book
from baccarat.sim.plan import DETAILS, Detail
from baccarat.sim.stream import SEEDS, SHOES
from baccarat.sim.tally import BadTally, Range, Tally
from baccarat.values import brief_repr, expect, whole_within

MOST_ROUNDS = 1 << 20
"""No shoe has more rounds than this."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation as it is requested."""

    rules: Rulebook
    seed: int
    shoes: Range
    rounds: int | None = None
    """How many rounds of every shoe; None to the cover card."""
    detail: Detail = "totals"

    def empty_tally(self) -> Tally:
        """The tally with which this job begins."""
        return Tally.empty(self.rules, seed=self.seed, detail=self.detail, rounds_per_shoe=self.rounds)

    def admit(self, tally: Tally) -> Tally:
        """A tally from which this job can resume, or `BadTally`."""
        sum_of_both = self.empty_tally() + tally
        for each in tally.ranges:
            if each.first < self.shoes.first or each.end > self.shoes.end:
                raise BadTally(f"shoes {each} have been dealt already, and {self.shoes} are asked for")
        return sum_of_both


def make_job(
    rules: Rulebook, *, seed: SupportsIndex, shoes: SupportsIndex, first: SupportsIndex = 0,
    rounds: SupportsIndex | None = None, detail: Detail = "totals",
) -> Job:  # fmt: skip
    """A job whose values have all been checked."""
    book_of(rules)
    key = seed_within(seed)
    start = whole_within("first", first, least=0, most=SHOES - 1)
    number = whole_within("shoes", shoes, least=1, most=SHOES - start)
    of_each = None if rounds is None else rounds_within(rounds)
    if detail not in DETAILS:
        raise ValueError(f"detail: {brief_repr(detail)}; expected one of {', '.join(DETAILS)}")
    return Job(rules=rules, seed=key, shoes=Range(start, number), rounds=of_each, detail=detail)


def book_of(rules: Any) -> Book:
    """The tables of a rulebook; anything else is refused."""
    return open_book(expect(rules, Rulebook, "a Rulebook, as rulebook() makes one"))


def seed_within(seed: Any) -> int:
    """A seed: a whole number below 2^64."""
    return whole_within("seed", seed, least=0, most=SEEDS - 1)


def rounds_within(rounds: SupportsIndex) -> int:
    """A number of rounds of each shoe."""
    return whole_within("rounds", rounds, least=1, most=MOST_ROUNDS)


class SentRules(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook on its way to another machine: what was filed, and the edition's text where it was not shipped."""

    submission: bytes
    edition: str | None
    hash: str


def encode_rulebook(rules: Rulebook) -> SentRules:
    """A rulebook as it is sent."""
    name = rules.edition.name
    text = None if name in shipped_editions() else source_of(name)
    return SentRules(submission=msgspec.json.encode(rules.submission), edition=text, hash=rules.hash)


def decode_rulebook(rules: SentRules) -> Rulebook:
    """The rulebook that was sent; refused if its hash differs here, as in another version of the program."""
    submission = msgspec.json.decode(rules.submission)
    if rules.edition is not None and submission["ruleset"] not in loadable_editions():
        register_text(rules.edition, source="the edition that was sent")
    made = rulebook(submission)
    if made.hash != rules.hash:
        raise ValueError(f"rulebook {rules.hash[:12]} was sent, and is {made.hash[:12]} here: another version")
    return made
